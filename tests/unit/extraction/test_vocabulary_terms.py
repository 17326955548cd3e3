from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.recognise import RuleRecogniser
from clew.extraction.units import units_of
from clew.extraction.vocabulary.phrases import phrases_in
from clew.extraction.vocabulary.terms import Candidate, TermCounts


def _candidates(*texts: str, least: int = 2) -> Sequence[Candidate]:
    counts = TermCounts()
    for number, text in enumerate(texts):
        document = make_document(text, doc_id=str(number))
        chunks = chunk_document(document, ClewConfig())
        units = units_of(document, chunks, max_units_per_chunk=50)
        counts.add(units, RuleRecogniser().names(document, units))
    return counts.candidates(least=least)


def test_phrases_are_runs_of_words_between_stop_words() -> None:
    text = "The tidal gauge of the harbour, spring tide tables and a photosynthesis."
    surfaces = [surface for _, _, surface in phrases_in(text)]
    assert "tidal gauge" in surfaces
    assert "spring tide tables" in surfaces
    assert "harbour spring" not in surfaces
    assert "photosynthesis" in surfaces
    assert "spring" not in surfaces
    for start, end, surface in phrases_in(text):
        assert text[start:end] == surface


def test_names_and_phrases_that_come_back_are_candidates() -> None:
    found = _candidates(
        "The tidal gauge stands at Tamsund. It was read by Ida Holm.",
        "In Tamsund the tidal gauge broke. A lamp was lit there.",
    )
    assert [(one.surface, one.count, one.is_name) for one in found] == [
        ("Tamsund", 2, True),
        ("tidal gauge", 2, False),
    ]


def test_a_phrase_must_occur_outside_the_longer_one() -> None:
    text = "The spring tide table hangs here. Our spring tide table is new."
    assert [one.surface for one in _candidates(text)] == ["spring tide table"]
    both = text + " The tide table of Tamsund is old."
    assert [one.surface for one in _candidates(both)] == ["tide table", "spring tide table"]


def test_least_counts_units() -> None:
    texts = ["Ida Holm met Otto Brand in Tamsund. Then Ida Holm left."]
    assert [one.surface for one in _candidates(*texts, least=2)] == ["Ida Holm"]
    assert {one.surface for one in _candidates(*texts, least=1)} == {
        "Ida Holm",
        "Otto Brand",
        "Tamsund",
    }


def test_the_commonest_form_and_type_stand_for_a_term() -> None:
    found = _candidates("We saw O'Brien. They saw O’Brien. She met O'Brien.", least=1)
    assert found[0] == Candidate("o'brien", "O'Brien", 3, is_name=True)


def test_order_of_documents_does_not_matter() -> None:
    texts = [f"Near Tamsund the tidal gauge {number} of Ida Holm stands." for number in range(4)]
    assert _candidates(*texts) == _candidates(*texts[::-1])


def test_words_of_scripts_without_blanks_come_whole() -> None:
    found = _candidates(
        "ฉันไปกรุงเทพมหานครเมื่อวาน",
        "เขาเกิดที่กรุงเทพมหานครในปีนั้น",
        "รถไฟถึงกรุงเทพมหานครแล้ว",
    )
    assert [one.surface for one in found if one.count == 3] == ["กรุงเทพมหานคร"]


def test_no_run_is_cut_between_a_letter_and_its_marks() -> None:
    for _, _, surface in phrases_in("กรุงเทพมหานครเป็นเมืองหลวง"):
        assert not unicodedata.category(surface[0]).startswith("M"), surface
        assert surface[-1] not in "เแโใไ", surface


def test_scripts_without_capitals_have_phrases() -> None:
    found = _candidates("यह डेटाबेस तेज़ है।", "पुराना डेटाबेस बड़ा है।", least=2)
    assert "डेटाबेस" in {one.surface for one in found}
    found = _candidates("قاعدة البيانات سريعة.", "هنا قاعدة البيانات كبيرة.")
    assert "قاعدة البيانات" in {one.surface for one in found}


def test_the_rest_of_a_joined_word_begins_no_phrase() -> None:
    surfaces = {
        surface for _, _, surface in phrases_in("The C++-based tool uses a tide-bound lamp.")
    }
    assert "C++" in surfaces
    assert not {surface for surface in surfaces if surface.startswith("based")}
    assert "tide-bound lamp" in surfaces
