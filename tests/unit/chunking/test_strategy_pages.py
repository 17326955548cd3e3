"""Strategies that cut where a text is set apart: delimiter, page, page-index."""

from __future__ import annotations

import pytest

from clew.chunking import Chunker, DelimiterChunker, PageChunker, PageIndexChunker, chunk_by
from clew.errors import ConfigError
from clew.records import Chunk, Document, Page

BOOK = (
    "# Overview\n\nFirst page.\n\n## Details\n\nMore of it.\f# Overview\n\nSecond page.\n\n"
    "## Details\n\nEnd.\fStill details.\n"
)


def _chunks(
    chunker: Chunker, text: str, media_type: str = "text/markdown", pages: tuple[Page, ...] = ()
) -> tuple[Chunk, ...]:
    document = Document(id="d", doc_id="d", text=text, media_type=media_type, pages=pages)
    return chunk_by(chunker, document)


@pytest.mark.parametrize(
    ("delimiter", "text", "chunks"),
    [
        ("\n---\n", "one\n\n---\n\ntwo\n---\nthree", ["one\n\n---", "two\n---", "three"]),
        ("\n---\n", "one\n---\n---\ntwo", ["one\n---", "---", "two"]),
        ("\n## ", "intro\n## One\nbody\n## Two", ["intro", "## One\nbody", "## Two"]),
        (";", "a;b; c", ["a;", "b;", "c"]),
        ("\n\n\n", "one\n\n\ntwo\n\n\n\nthree", ["one", "two", "three"]),
        ("§", "none", ["none"]),
    ],
)
def test_delimiter_is_kept_with_its_part(delimiter: str, text: str, chunks: list[str]) -> None:
    found = _chunks(DelimiterChunker(delimiter=delimiter), text, "text/plain")
    assert [chunk.text for chunk in found] == chunks


def test_large_part_is_cut_and_small_ones_stay_apart() -> None:
    text = "a\n---\n" + "A sentence of some words. " * 6 + "\n---\nb"
    chunks = _chunks(DelimiterChunker(max_size=60, min_size=40), text, "text/plain")
    assert chunks[0].text == "a\n---"
    assert chunks[-1].text == "b"
    assert all(len(chunk.text) <= 60 for chunk in chunks)
    assert len(chunks) > 4


def test_delimiter_of_nothing() -> None:
    with pytest.raises(ConfigError, match="delimiter='' divides nothing"):
        DelimiterChunker(delimiter="")
    with pytest.raises(ConfigError, match="page_delimiter='' divides nothing"):
        PageChunker(page_delimiter="")


def test_no_chunk_goes_over_a_page() -> None:
    text = "Page one is here.\fPage two is longer than thirty characters.\f\fFour"
    chunks = _chunks(PageChunker(max_size=32), text, "text/plain")
    assert [(chunk.metadata["page_index"], chunk.text) for chunk in chunks] == [
        (0, "Page one is here."),
        (1, "Page two is longer than thirty"),
        (1, "characters."),
        (3, "Four"),
    ]


def test_pages_of_the_document_come_first() -> None:
    text = "One and two. Three and four."
    pages = (Page(number=7, start=0, end=12), Page(number=8, start=12, end=28))
    chunks = _chunks(PageChunker(), text, "application/pdf", pages)
    assert [chunk.text for chunk in chunks] == ["One and two.", "Three and four."]
    assert [(chunk.page, chunk.metadata["page_index"]) for chunk in chunks] == [(7, 0), (8, 1)]
    marked = _chunks(PageChunker(page_delimiter="."), text, "application/pdf", pages[:1])
    assert [chunk.text for chunk in marked] == ["One and two.", "Three and four."]


def test_pages_and_their_sections() -> None:
    chunks = _chunks(PageIndexChunker(), BOOK)
    found = [
        (
            chunk.metadata["page_index"],
            chunk.metadata["heading_path"],
            chunk.metadata["page_section_index"],
        )
        for chunk in chunks
    ]
    assert found == [
        (0, ["Overview"], 0),
        (0, ["Overview", "Details"], 1),
        (1, ["Overview"], 0),
        (1, ["Overview", "Details"], 1),
        (2, ["Overview", "Details"], 0),
    ]
    assert chunks[-1].heading_path == ("Overview", "Details")
    assert chunks[-1].metadata["section_title"] == "Details"


def test_repeated_headings_are_tied_to_page_and_occurrence() -> None:
    chunks = _chunks(PageIndexChunker(), BOOK)
    ids = [chunk.metadata["section_instance_id"] for chunk in chunks]
    assert len(set(ids)) == len(ids)
    first = chunks[2].metadata
    assert BOOK[first["page_start_char"] : first["page_end_char"]].startswith("# Overview\n\nSec")


def test_chunks_of_one_section_share_its_instance() -> None:
    text = "# A\n\n" + "A sentence of some words. " * 6
    chunks = _chunks(PageIndexChunker(max_size=80), text)
    assert len(chunks) == 3
    assert len({chunk.metadata["section_instance_id"] for chunk in chunks}) == 1


def test_text_without_pages_is_one() -> None:
    chunks = _chunks(PageIndexChunker(), "Before.\n\n# A\n\nIn it.")
    assert [chunk.metadata["page_index"] for chunk in chunks] == [0, 0]
    assert [chunk.metadata["section_title"] for chunk in chunks] == ["", "A"]
