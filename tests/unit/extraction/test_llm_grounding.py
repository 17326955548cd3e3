from __future__ import annotations

import pytest

from clew.extraction.grounding import Grounds
from clew.extraction.named_things import NamedThing

PASSAGE = (
    "The Norr Bridge at Tamsund was built by the engineer Ida Holm-Strand for O'Brien & Sons. It "
    "opened on 4 May 1931, cost 1,200,000 crowns and is 86.5 metres long. Three cranes stood there "
    "in the 1930s. Ćetković's firm of Malmö painted it."
)


@pytest.mark.parametrize(
    "statement",
    [
        "It opened on 4 May 1931, cost 1,200,000 crowns",
        "Ida Holm-Strand built the Norr Bridge.",
        "The bridge at Tamsund has a length of 86.5 metres.",
        "Built for O’Brien & Sons, the bridge cost 1200000 crowns.",
        "Constructed by Ida Holm-Strand, it became famous.",
        "The opening took place on 1931-05-04.",
        "There were 3 cranes in the 1930s.",
        "Cetkovic, of Malmo, painted the Norr bridge.",
        "The Bridge's opening was in May.",
        "In May of that year, the bridge opened.",
    ],
)
def test_a_paraphrase_stays_when_its_names_and_numbers_occur(statement: str) -> None:
    assert Grounds(PASSAGE).support(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "Zed Mercer lives in Quell.",
        "Quell is a town.",
        "The Norr Bridge was built by Zed Mercer.",
        "The Norr Bridge opened in 1932.",
        "The Norr Bridge is 86 metres long.",
        "It cost 12 crowns.",
        "The A380 landed there.",
        "It opened. Quell lies near.",
        "It opened in June 1931.",
        "A recipe wants butter, flour and patience.",
    ],
)
def test_names_and_numbers_from_elsewhere_fall(statement: str) -> None:
    assert not Grounds(PASSAGE).support(statement)


def test_what_stands_over_the_passage_counts() -> None:
    statement = "Lothair II married Teutberga."
    assert not Grounds("He married Teutberga.").support(statement)
    assert Grounds("Lothair II", "He married Teutberga.").support(statement)


def test_names_of_scripts_without_capitals_count_by_the_entities() -> None:
    grounds = Grounds("東京タワーは1958年に完成した。")
    assert grounds.support("東京タワーの完成は1958年だ。", [NamedThing("東京タワー")])
    assert not grounds.support("大阪城の完成は1958年だ。", [NamedThing("大阪城")])


def test_words_that_are_no_names_may_be_the_model_s_own() -> None:
    grounds = Grounds("Ida Holm drew bridges. Codes: 216 1947, 234 2000.")
    assert grounds.support("Ida Holm was a draughtswoman.", [NamedThing("draughtswoman")])
    assert grounds.support("Code 234 began in 2000.")


def test_german_nouns_are_no_names() -> None:
    grounds = Grounds(
        "Die Norrbrücke wurde 1931 von Ida Holm gebaut und ist nicht mit Stein gedeckt."
    )
    assert grounds.support("Die Norrbrücke ist ein Bauwerk von Ida Holm.")
    assert not grounds.support(
        "Die Norrbrücke wurde von Max Quell gebaut.", [NamedThing("Max Quell")]
    )


def test_thousands_with_dots() -> None:
    assert Grounds("Sie kostete 1.200.000 Kronen.").support("It cost 1200000.")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("norr bridge", True),
        ("Holm-Strand", True),
        ("Bridge, Norr", True),
        ("cranes", True),
        ("crane", True),
        ("Quell", False),
        ("Norr Tower", False),
        ("", False),
        (" ", False),
    ],
)
def test_names(name: str, expected: bool) -> None:
    assert Grounds(PASSAGE).support_name(name) is expected


def test_shares() -> None:
    assert Grounds(PASSAGE).share("Norr Quell") == 0.5
    assert Grounds(PASSAGE).share("") == 0


def test_a_german_passage_bears_out_paraphrases_and_no_other_subject() -> None:
    grounds = Grounds(
        "Der Turm von Norr wurde 1931 von Ida Holm gebaut. Er ist auf der Insel Tarn."
    )
    assert grounds.support("Ida Holm errichtete den Bau auf Tarn.")
    assert grounds.support("Ida Holm built the tower of Norr in 1931.")
    assert not grounds.support("Der Papst ist in Rom.")
    assert not grounds.support("Das ist eine Frage der Zeit und nicht von Dauer.")
