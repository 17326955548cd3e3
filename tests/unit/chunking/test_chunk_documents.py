"""From a document to chunk records."""

from __future__ import annotations

import pytest

from clew.chunking import (
    CHUNKERS,
    ChunkingConfig,
    RecursiveChunker,
    Span,
    chunk_by,
    chunk_document,
    make_chunker,
)
from clew.chunking.config import STRATEGIES
from clew.chunking.outline import Outline
from clew.config import ClewConfig
from clew.ids import chunk_id
from clew.records import Document, Page

TEXT = "# Rope\n\nHemp is old.\n\n## Kinds\n\n" + "Jute is new. " * 10


def _document(text: str = TEXT, **fields: object) -> Document:
    values = {"id": "d1", "doc_id": "one", "text": text, "media_type": "text/markdown"}
    return Document(**(values | fields))  # type: ignore[arg-type]


def test_records_are_whole() -> None:
    document = _document(metadata={"year": 1920, "strategy": "theirs"})
    config = ChunkingConfig(chunk_size=80, chunk_overlap=0)
    first, second, third = chunk_document(document, config)
    assert first.text == "# Rope\n\nHemp is old."
    assert [chunk.index for chunk in (first, second, third)] == [0, 1, 2]
    assert first.id == chunk_id("d1", first.text, 0)
    assert first.document_id == "d1"
    assert (first.heading_path, second.heading_path) == (("Rope",), ("Rope", "Kinds"))
    assert first.metadata == {"year": 1920, "strategy": "recursive"}
    assert first.page is None
    assert first.context == ""


def test_equal_chunks_have_ids_of_their_own() -> None:
    document = _document("Same text.\n\nSame text.\n\nSame text.")
    chunks = chunk_document(document, ChunkingConfig(chunk_size=12, chunk_overlap=0))
    assert [chunk.id for chunk in chunks] == [chunk_id("d1", "Same text.", at) for at in range(3)]


def test_page_is_that_of_the_start() -> None:
    document = _document(
        "One page.\n\nTwo pages.\n\nNo page.",
        pages=(Page(number=7, start=0, end=11), Page(number=8, start=11, end=23)),
    )
    chunks = chunk_document(document, ChunkingConfig(chunk_size=12, chunk_overlap=0))
    assert [chunk.page for chunk in chunks] == [7, 8, None]


def test_blocks_of_the_document_are_taken_as_they_are() -> None:
    plain = _document(media_type="text/plain")
    assert chunk_document(plain, ChunkingConfig())[0].heading_path == ()
    rst = _document("Rope\n====\n\nHemp.\n", media_type="text/x-rst")
    assert chunk_document(rst, ChunkingConfig())[0].heading_path == ("Rope",)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("text", ["", " ", "\n\n\t\n", "\u2028\f"])
def test_nothing_to_chunk(strategy: str, text: str) -> None:
    assert chunk_document(_document(text), ChunkingConfig(chunk_strategy=strategy)) == ()


def test_every_strategy_of_the_configuration_is_there() -> None:
    assert tuple(CHUNKERS) == STRATEGIES
    for name in STRATEGIES:
        assert make_chunker(ChunkingConfig(chunk_strategy=name)).name == name


def test_settings_reach_the_strategy() -> None:
    config = ClewConfig(chunk_size=50, chunk_overlap=5, chunk_separators=("|",))
    assert make_chunker(config) == RecursiveChunker(
        chunk_size=50, chunk_overlap=5, separators=("|",)
    )


def test_size_by_a_counter_of_words() -> None:
    config = ChunkingConfig(chunk_size=8, chunk_overlap=2)
    for chunk in chunk_document(_document(), config, count=lambda text: len(text.split())):
        assert len(chunk.text.split()) <= 8


def test_any_object_with_a_name_and_cuts_is_a_strategy() -> None:
    class Halves:
        name = "halves"

        def cuts(self, outline: Outline) -> list[Span]:
            middle = len(outline.text) // 2
            return [Span(0, middle), Span(middle, len(outline.text))]

    chunks = chunk_by(Halves(), _document("abcd"))
    assert [(chunk.text, chunk.metadata["strategy"]) for chunk in chunks] == [
        ("ab", "halves"),
        ("cd", "halves"),
    ]
