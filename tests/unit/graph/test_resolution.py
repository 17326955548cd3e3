"""Names of one document: which mean one thing, and which must stay apart."""

from __future__ import annotations

import random

import pytest

from clew.documents.making import make_document
from clew.extraction.recognise import RuleRecogniser
from clew.extraction.units import units_of
from clew.graph.resolution import Resolved, resolve
from clew.records import Chunk, Document
from clew.text.names import Name


def named(text: str, title: str = "") -> tuple[Document, list[Name]]:
    document = make_document(text, doc_id="d", title=title)
    chunk = Chunk(
        id="c", document_id=document.id, index=0, start=0, end=len(document.text),
        text=document.text,
    )  # fmt: skip
    units = units_of(document, [chunk], max_units_per_chunk=500)
    found = RuleRecogniser().names(document, units)
    return document, [name for in_unit in found for name in in_unit]


def joins(text: str, title: str = "") -> dict[str, str]:
    return {key: joined.key for key, joined in resolve(*named(text, title)).items()}


def test_all_forms_of_one_person_are_one() -> None:
    text = "Dr Jane T. Roe leads Orm Works. J. Roe founded it. Jane Roe and Ms Roe agree. Roe left."
    assert joins(text) == {
        "j roe": "jane t roe",
        "jane roe": "jane t roe",
        "ms roe": "jane t roe",
        "roe": "jane t roe",
    }


def test_a_form_of_address_that_a_model_kept_is_taken_off() -> None:
    document = make_document("Dr. Jane Roe came.", doc_id="d")
    assert resolve(document, [Name(0, 12, "Dr. Jane Roe", "PERSON")]) == {
        "dr jane roe": Resolved("jane roe", "Jane Roe", "name variant")
    }


@pytest.mark.parametrize("ambiguous", ["J. Roe", "Roe", "Dr Roe"])
def test_what_may_mean_two_stays_itself(ambiguous: str) -> None:
    text = f"They met Jane Roe and James Roe. Then {ambiguous} spoke."
    assert joins(text) == {}


def test_initials_decide() -> None:
    text = "They met Jane T. Roe and Jane A. Roe. Then Jane Roe came, with J. T. Roe."
    assert joins(text) == {"jt roe": "jane t roe"}


def test_the_form_of_address_decides() -> None:
    text = "They met Jane Roe and James Roe. Then Ms Roe spoke, and Mr Roe. Later J. Roe left."
    assert joins(text) == {"ms roe": "jane roe", "mr roe": "james roe"}


def test_a_form_of_address_that_contradicts_joins_nothing() -> None:
    assert joins("They met Jane Roe. Then Mr Roe spoke.") == {}


def test_father_and_son_stay_two() -> None:
    text = "They met John Roe and his son John Roe Jr. in Oslo. Then Roe left."
    assert joins(text) == {}


def test_kings_of_one_name_stay_two() -> None:
    text = "They met Charles II and then Charles III. Both were fond of Charles."
    assert joins(text) == {}


def test_another_thing_of_the_name_keeps_the_short_form_alone() -> None:
    text = "They met Jane Roe near the Zxqv Roe. Then the Roe fell."
    assert joins(text) == {}


def test_places_do_not_take_short_forms() -> None:
    text = "They left New Norr for Norr, and Lake Orm for Orm. Boeing 747 is no Boeing."
    assert joins(text) == {}


def test_short_given_names() -> None:
    assert joins("They met William Roe. Then Bill Roe sang.") == {"bill roe": "william roe"}


def test_a_written_out_name_is_the_name() -> None:
    text = "They met J. Roe, then J. Roe again. It was Jane Roe."
    assert joins(text) == {"j roe": "jane roe"}


def test_short_forms_that_the_text_explains() -> None:
    text = "The World Tide Union (WTU) met. The WTU voted. We like tidal energy models (TEM)."
    assert joins(text) == {"wtu": "world tide union", "tem": "tidal energy models"}


def test_unexplained_capitals_stay() -> None:
    assert joins("The World Tide Union met. The WTU voted.") == {}


def test_the_title_tells_bearers_of_one_name_apart() -> None:
    explorer = joins("John Roe sailed. Roe died. He was old.", title="John Roe (explorer)")
    footballer = joins("John Roe plays. Roe scored. He is young.", title="John Roe (footballer)")
    assert explorer == {"john roe": "john roe explorer", "roe": "john roe explorer"}
    assert footballer == {"john roe": "john roe footballer", "roe": "john roe footballer"}


def test_the_years_of_a_life_tell_bearers_of_one_name_apart() -> None:
    old = joins("John Roe (1580–1631) was an explorer. Roe sailed.")
    young = joins("John Roe (born 1961) is a footballer.")
    same = joins("John Roe (born 3 May 1580) sailed.")
    assert old == {"john roe": "john roe born 1580", "roe": "john roe born 1580"}
    assert young == {"john roe": "john roe born 1961"}
    assert same == {"john roe": "john roe born 1580"}


def test_two_lives_in_one_document_stay_with_the_plain_name() -> None:
    text = "They knew John Roe (1580–1631) and later John Roe (1602–1660) well."
    assert joins(text) == {}


def test_years_of_other_things_are_no_lives() -> None:
    text = "See World War II (1939–1945), Jane Roe (1931) and John Roe (reigned 1580–1631)."
    assert joins(text) == {}


def test_a_title_may_be_cut_at_its_comma() -> None:
    text = "Lambert was a ruler. He died. Lambert had no heirs."
    assert joins(text, title="Lambert, Margrave of Norr") == {"lambert": "lambert margrave of norr"}


def test_a_person_document_joins_its_surname() -> None:
    text = "Zvena Holm was a poet. She was born in Oslo. Holm wrote much."
    assert joins(text, title="Zvena Holm") == {"holm": "zvena holm"}


def test_the_order_of_names_does_not_matter() -> None:
    document, names = named(
        "Dr Jane T. Roe (born 1931) met James Orm (JO). J. Roe and Orm left. Ms Roe sang. Jane ate."
    )
    expected = resolve(document, names)
    assert len(expected) >= 4
    for seed in range(10):
        shuffled = random.Random(seed).sample(names, len(names))
        assert resolve(document, shuffled) == expected


def test_each_join_gives_its_reason() -> None:
    document, names = named("Jane T. Roe (born 1931) came. J. Roe spoke. Then Roe left.")
    assert {key: joined.reason for key, joined in resolve(document, names).items()} == {
        "j roe": "name variant",
        "roe": "short name",
        "jane t roe": "life dates",
    }


def test_nothing_is_joined_to_itself_or_to_what_was_joined() -> None:
    document, names = named("Orm Works (OW) and Ida Orm (1931–1999). OW. Orm. I. Orm. Ida.")
    found = resolve(document, names)
    assert all(joined.key not in found for joined in found.values())


def test_no_names_no_joins() -> None:
    assert resolve(make_document("", doc_id="d"), []) == {}
