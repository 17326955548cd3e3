from __future__ import annotations

import pytest

from clew.documents.making import make_document
from clew.extraction.places import find_name, is_whole, places_of
from clew.records import Chunk, KnowledgeUnit

TEXT = "Lothair II ruled. He met Orm in Norr. Later orm died."


def unit(start: int, end: int, text: str) -> KnowledgeUnit:
    return KnowledgeUnit(
        id="u", document_id="d", chunk_id="c", start=start, end=end, text=text, verbatim=False
    )


def test_a_name_is_looked_for_in_its_unit_then_around_it() -> None:
    document = make_document(TEXT, doc_id="d")
    chunk = Chunk(id="c", document_id="d", index=0, start=0, end=len(TEXT), text=TEXT)
    told = unit(18, 37, "Lothair II met Orm in Norr.")
    found = places_of(
        document, chunk, told, [("Orm", "PERSON"), ("Lothair II", ""), ("the King of Rain", "")]
    )
    assert [tuple(name) for name in found] == [
        (25, 28, "Orm", "PERSON"),
        (0, 10, "Lothair II", ""),
        (18, 37, "the King of Rain", ""),
    ]


def test_the_last_place_before_and_the_first_behind() -> None:
    text = "Orm. Orm. He left. Orm. Orm."
    document = make_document(text, doc_id="d")
    chunk = Chunk(id="c", document_id="d", index=0, start=0, end=len(text), text=text)
    (found,) = places_of(document, chunk, unit(10, 18, "Orm left."), [("Orm", "")])
    assert found.start == 5


def test_case_may_differ_and_words_are_whole() -> None:
    assert find_name("Start the art", "ART", 0, 13) == (10, 13)
    assert find_name("Starting", "art", 0, 8) is None
    assert find_name("art art", "art", 0, 7, last=True) == (4, 7)
    assert find_name("norr", "", 0, 4) is None
    assert find_name("İstanbul and Norr", "Norr", 0, 17) == (13, 17)
    assert find_name("straße and Norr", "norr", 0, 15) is None
    assert find_name("C++ or C", "C++", 0, 8) == (0, 3)


@pytest.mark.parametrize(
    ("text", "start", "end", "whole"),
    [
        ("Bart met Art", 1, 4, False),
        ("Bart met Art", 9, 12, True),
        ("食べ物だ", 0, 3, True),
        ("Zoe\u0301 met", 0, 3, False),
        ("रामा आया", 0, 3, False),
        ("राम आया", 0, 3, True),
    ],
)
def test_whole_words(text: str, start: int, end: int, whole: bool) -> None:
    assert is_whole(text, start, end) is whole
