"""Names by rule: what is one, what is none, and where it ends."""

from __future__ import annotations

import pytest

from clew.documents.making import make_document
from clew.extraction.recognise import RuleRecogniser
from clew.extraction.units import units_of
from clew.records import Chunk
from clew.text.names import Name


def names_in(text: str, *, title: str = "", markdown: bool = False) -> list[Name]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(text, doc_id="d", title=title, media_type=media_type)
    chunk = Chunk(
        id="c", document_id=document.id, index=0, start=0, end=len(document.text),
        text=document.text,
    )  # fmt: skip
    found = units_of(document, [chunk], max_units_per_chunk=500)
    names = RuleRecogniser().names(document, found)
    for unit, in_unit in zip(found, names, strict=True):
        for name in in_unit:
            assert unit.start <= name.start < name.end <= unit.end
            assert document.text[name.start : name.end] == name.surface
    return sorted(name for in_unit in names for name in in_unit)


def surfaces(text: str, **options: str) -> list[str]:
    return [name.surface for name in names_in(text, **options)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was built by Orm Works in Oslo.", ["Orm Works", "Oslo"]),
        ("It was J. R. R. Holm, then J.R.R. Holm.", ["J. R. R. Holm", "J.R.R. Holm"]),
        ("It was O'Brien's boat and D’Arcy’s.", ["O'Brien", "D’Arcy"]),
        ("They use C++, C#, .NET and F# here.", ["C++", "C#", ".NET", "F#"]),
        ("She has an iPhone 14, not an iPhone 15.", ["iPhone 14", "iPhone 15"]),
        ("He flew a Boeing 747 there.", ["Boeing 747"]),
        ("He knew Boso the Elder well.", ["Boso the Elder"]),
        ("He met Martin Orm, Jr. at Norr.", ["Martin Orm, Jr.", "Norr"]),
        ("We owe Orm Works, Inc. money.", ["Orm Works", "Orm Works, Inc."]),
        ("He saw Ludwig van Holm and Ida von Orm.", ["Ludwig van Holm", "Ida von Orm"]),
        ("They flew to Stratford-upon-Orm today.", ["Stratford-upon-Orm"]),
        ("They called NASA and the X-Men.", ["NASA", "X-Men"]),
        ("He wrote for Kim Jong-orm once.", ["Kim Jong-orm"]),
        ("The firm Johnson & Orm closed.", ["Johnson & Orm"]),
        ("They met at St. Maurice's Abbey.", ["St. Maurice", "St. Maurice's Abbey"]),
        ("dann kam Übermut bei Örm aus Köln.", ["Übermut", "Örm", "Köln"]),
        ("Там жил Александр Холм.", ["Александр Холм"]),
        ("Εκεί ζούσε ο Νίκος Ορμ.", ["Νίκος Ορμ"]),
        ("It was in Norr,\nthe Norr\nBridge it was.", ["Norr", "Norr\nBridge"]),
    ],
)
def test_spans(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "However, this works. Many do. Although it rains, it works. I do, and I'm glad.",
        "Developers like it. Running costs rise. Quickly it grew.",
        "It began in May, on Friday, 5 May 1990, in March and on December 12.",
        "See Section 4, Figure 2 and Chapter 12 below.",
        "It opened at 5 PM. That is OK. The TV is on.",
        "ALL OF THIS SHALL BE VOID AND OF NO EFFECT.",
        "look at https://Example.com/Path/File or mail Jane@Example.com now",
        "12345 and 3.14 and II and V.",
        "it is small. all of it.",
    ],
)
def test_no_names(text: str) -> None:
    assert surfaces(text) == []


def test_words_are_whole() -> None:
    assert surfaces("They asked Bart about art; Art left Bart.") == ["Bart", "Art", "Bart"]


def test_a_beginning_needs_proof() -> None:
    assert surfaces("Works are closed. They met the Works there.") == ["Works", "Works"]
    assert surfaces("Bridges are old.") == []
    assert surfaces("Boritz sang. They met Ida Boritz.") == ["Boritz", "Ida Boritz"]
    assert surfaces("Boritz sang.") == ["Boritz"]
    assert surfaces("Frobs are used. Many frobs are not; frobs cost.") == []
    assert surfaces("Bridges are old.", title="Bridges") == ["Bridges"]


def test_openers_and_dates_are_cut_off() -> None:
    assert surfaces("The Norr Bridge fell. After Ida Holm came. On Friday Orm Works shut.") == [
        "Norr Bridge",
        "Ida Holm",
        "Orm Works",
    ]
    assert surfaces("They saw The Hague. Then the First World War began.") == [
        "The Hague",
        "First World War",
    ]


def test_a_form_of_address_is_no_part_of_a_full_name() -> None:
    found = names_in("We met Dr. Jane T. Roe, Mr Roe, Norr Governor Ida Holm and Sir Orm.")
    assert [(name.surface, name.type) for name in found] == [
        ("Jane T. Roe", "PERSON"),
        ("Mr Roe", "PERSON"),
        ("Ida Holm", "PERSON"),
        ("Sir Orm", "PERSON"),
    ]


def test_parts_of_long_names_are_names_too() -> None:
    assert surfaces("She left the University of Oslo for Norr, Ohio.") == [
        "University of Oslo",
        "Oslo",
        "Norr",
        "Norr, Ohio",
        "Ohio",
    ]


def test_types_are_told_by_words() -> None:
    found = {
        name.surface: name.type
        for name in names_in("Jane Roe left Orm University near Lake Norr with Zxqv Trb.")
    }
    assert found == {
        "Jane Roe": "PERSON",
        "Orm University": "ORG",
        "Lake Norr": "PLACE",
        "Zxqv Trb": "",
    }


def test_quoted_titles_are_one_name() -> None:
    found = names_in('She wrote "The Bridge of Sighs and Rain" and said “Yes, we can do it”.')
    assert [(name.surface, name.type) for name in found] == [
        ("The Bridge of Sighs and Rain", "WORK")
    ]


def test_titles_and_headings_are_found_in_any_case() -> None:
    text = "# My whole life\n\nNobody sings my whole life, but My whole life is sung."
    assert surfaces(text, markdown=True) == ["my whole life", "My whole life"]  # type: ignore[arg-type]


def test_what_a_short_form_stands_for_is_a_name_even_in_small_letters() -> None:
    assert surfaces("We use norr cable anchors (NCA). The norr cable anchors hold.") == [
        "norr cable anchors",
        "NCA",
        "norr cable anchors",
    ]


def test_german_nouns_are_no_names() -> None:
    text = (
        "Der Hund von Ida Holm lief über die alte Straße nach Norr. Die Freiheit ist ein Wert, "
        "und das Haus der Familie steht in Oslo. Gestern kam der Briefträger mit einem Paket."
    )
    assert surfaces(text) == ["Ida Holm", "Norr", "Oslo"]
    text = "Die Norr Werke und der Verein der Freunde sind alt, und Ludwig van Holm ist in Oslo."
    assert surfaces(text) == ["Norr Werke", "Ludwig van Holm", "Oslo"]


def test_lists_of_regions_are_not_one_name() -> None:
    assert surfaces("They sell in Norway, Sweden, Italy and Norr, Ohio today.") == [
        "Norway",
        "Sweden",
        "Italy",
        "Norr",
        "Norr, Ohio",
        "Ohio",
    ]


def test_contractions_with_any_apostrophe_are_no_names() -> None:
    assert surfaces("We’re here and I’m glad. Then They’re gone, Don’t they?") == []


def test_code_has_no_names() -> None:
    text = "Call Orm Works:\n\n```\nclass Bridge(Base):\n    Pass = None\n```\n"
    assert surfaces(text, markdown=True) == ["Orm Works"]  # type: ignore[arg-type]


def test_scripts_without_case() -> None:
    assert surfaces("東京タワーは高い。「千と千尋」を見た。Googleを使う。") == [
        "東京タワー",
        "千と千尋",
        "Google",
    ]
    assert surfaces("هذا نص عربي طويل. यह एक वाक्य है।") == []
    assert surfaces("他来自北京。", title="北京") == ["北京"]


@pytest.mark.parametrize(
    "name",
    ['O\'Brien "Bo" {x}', "C:\\new\\table", "`; DROP TABLE units; -- `", "[[a|b]]", "👨‍👩‍👧"],
)
def test_hostile_titles_are_found_as_they_are(name: str) -> None:
    assert name.strip("` ") in " ".join(surfaces(f"They call it {name} here.", title=name))


def test_a_name_of_thousands_of_characters_harms_nothing() -> None:
    assert "Norr" in surfaces(f"{'Aa ' * 2000}. Then Norr.")
    assert surfaces(f"They met {'A' * 5000} in Norr.") == ["Norr"]


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("Norr Bridge was built by Lind and Sons in 1931.", "Lind and Sons"),
        ("It was printed by Holt and Company.", "Holt and Company"),
        ("The yard of Tveit and Brothers burned down.", "Tveit and Brothers"),
    ],
)
def test_a_firm_named_after_its_people_is_one_name(text: str, firm: str) -> None:
    assert firm in surfaces(text)


def test_two_people_joined_by_and_stay_two() -> None:
    assert surfaces("We met Anna Roe and Ben Roe there.") == ["Anna Roe", "Ben Roe"]


def test_a_technical_name_with_a_dot_is_one_name() -> None:
    assert surfaces("We run ASP.NET and .NET, Node.js and Vue.js.") == [
        "ASP.NET", ".NET", "Node.js", "Vue.js",
    ]  # fmt: skip
