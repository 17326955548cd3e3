"""What a reader sees as one character is not cut where it fits into a chunk."""

from __future__ import annotations

from clew.chunking import (
    Chunker,
    HtmlChunker,
    JsonChunker,
    RecursiveChunker,
    SentenceChunker,
    chunk_by,
)
from clew.chunking.syntax.nesting import NestedLevel
from clew.records import Document
from clew.testing.chunk_contract import ChunkContract


def _texts(chunker: Chunker, text: str, *, size: int, overlap: int = 0) -> list[str]:
    chunks = chunk_by(chunker, Document(id="d", doc_id="d", text=text, media_type="text/markdown"))
    assert not list(ChunkContract(text).faults(chunks, size=size, overlap=overlap))
    return [chunk.text for chunk in chunks]


def test_overlap_is_given_up_for_a_character_that_needs_the_whole_chunk() -> None:
    family = "👩\u200d👩\u200d👧"
    chunker = RecursiveChunker(chunk_size=5, chunk_overlap=3)
    text = f"b. b. {family}a"
    assert _texts(chunker, text, size=5, overlap=3) == ["b. b.", family, "a"]


def test_last_chunk_takes_no_part_of_a_character() -> None:
    family = "👩\u200d👩\u200d👧"
    chunker = SentenceChunker(min_size=4, max_size=6)
    assert _texts(chunker, f"{family}on", size=6) == [f"{family}o", "n"]


def test_blank_between_a_sign_and_its_mark_is_no_end_of_a_word() -> None:
    year = "\u0600 \u0301"
    assert _texts(RecursiveChunker(chunk_size=4), f"ab{year}ab", size=4) == ["ab", f"{year}a", "b"]


def test_overlap_does_not_begin_between_a_sign_and_its_mark() -> None:
    year = "\u0600 \u0301"
    chunker = RecursiveChunker(chunk_size=4, chunk_overlap=2)
    assert _texts(chunker, year + year, size=4, overlap=2) == [year, year]


def test_character_larger_than_a_chunk_is_cut_before_its_blank() -> None:
    assert _texts(RecursiveChunker(chunk_size=2), "\u0600 \u0301", size=2) == ["\u0600", " \u0301"]


def test_blanks_before_a_cut_are_no_content() -> None:
    chunker = RecursiveChunker(chunk_size=5, separators=(" ",))
    assert _texts(chunker, "# one\n \u0308two", size=5) == ["# one", " \u0308two"]


def test_html_is_not_cut_between_a_tag_and_its_mark() -> None:
    text = "<p></ul>\u0301</ul>"
    assert _texts(HtmlChunker(max_size=6), text, size=6) == ["<p></u", "l>\u0301", "</ul>"]


def test_json_is_not_cut_between_a_bracket_and_its_mark() -> None:
    assert _texts(JsonChunker(max_size=3), "[\u03011]", size=3) == ["[\u03011", "]"]


def test_code_is_not_cut_between_a_bracket_and_its_mark() -> None:
    assert NestedLevel("{\u0301a", [0, 1]).ends(0, 3) == [3]
