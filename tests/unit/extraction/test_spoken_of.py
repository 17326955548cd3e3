"""The subject of a sentence, the name that a text repeats, and whether it goes on."""

from __future__ import annotations

import pytest

from clew.documents.making import make_document
from clew.extraction.recognise import RuleRecogniser
from clew.extraction.spoken_of import goes_on, repeated_name, subject_of
from clew.extraction.units import units_of
from clew.records import Chunk, KnowledgeUnit
from clew.text.names import Name


def _read(text: str) -> tuple[tuple[KnowledgeUnit, ...], list[list[Name]]]:
    document = make_document(text, doc_id="d")
    chunk = Chunk(id="c", document_id=document.id, index=0, start=0, end=len(text), text=text)
    units = units_of(document, [chunk], max_units_per_chunk=99)
    return units, [sorted(found) for found in RuleRecogniser().names(document, units)]


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Ida Holm moved to Norr in May.", "Ida Holm"),
        ("The Norr Bridge opened in May.", "Norr Bridge"),
        ("In 1921, Ida Holm moved to Norr.", "Ida Holm"),
        ("At the University of Tarn, Ida Holm read law.", "Ida Holm"),
        ("In 1921 Ida Holm moved to Norr.", "Ida Holm"),
        ("The son of a baker, Ida Holm won in Norr.", "Ida Holm"),
        ("A good swimmer, Ida Holm won in Norr.", "Ida Holm"),
        ("Ida Holm (1931–2001), moved to Norr.", "Ida Holm"),
        ("Ida Holm's brother moved to Norr.", ""),
        ("She moved to Norr with Ida Holm.", ""),
        ("In Norr and in Tarn it rained.", ""),
        ("The mayor of Norr met Ida Holm.", ""),
        ("It rained.", ""),
    ],
)
def test_subjects_of_sentences(sentence: str, subject: str) -> None:
    units, names = _read(sentence)
    assert subject_of(units[0], names[0]) == subject


def test_the_name_of_most_sentences() -> None:
    _, names = _read("They came to Norr. In Norr they met Ida Holm. Norr sang. So did Ida Holm.")
    assert repeated_name(names) == "Norr"


def test_of_equals_the_earliest_and_twice_in_a_sentence_counts_once() -> None:
    _, names = _read("They saw Tarn and Norr. Norr sang and Tarn sang.")
    assert repeated_name(names) == "Tarn"
    _, names = _read("They saw Tarn beside Tarn.")
    assert repeated_name(names) == ""
    assert repeated_name([]) == ""


def test_what_goes_on() -> None:
    _, names = _read("Many heard Roe sing.")
    assert goes_on("Many heard Roe sing.", "Jane Roe", names)
    assert goes_on("Her songs were long.", "Jane Roe", [])
    assert goes_on("The company grew.", "Orm Works", [])
    assert not goes_on("The weather was bad.", "Orm Works", [])
