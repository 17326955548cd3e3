"""Strategies by name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clew.chunking import (
    CHUNKERS,
    STRATEGIES,
    ChunkingConfig,
    FixedWindowChunker,
    Outline,
    SectionAwareChunker,
    Span,
    TokenWindowChunker,
    chunk_document,
    chunker_names,
    make_chunker,
    register_chunker,
    unregister_chunker,
)
from clew.config import ClewConfig
from clew.errors import ConfigError
from clew.records import Document

TEXT = "# A\n\n" + "A sentence of some words. " * 40


@pytest.fixture
def _halves() -> Iterator[None]:
    register_chunker("halves", lambda config, count: _Halves())
    yield
    unregister_chunker("halves")


class _Halves:
    name = "halves"

    def cuts(self, outline: Outline) -> list[Span]:
        return [Span(0, 8), Span(8, 16)]


@pytest.mark.parametrize("name", [name for name in STRATEGIES if name != "adaptive"])
def test_every_strategy_has_its_name(name: str) -> None:
    config = ChunkingConfig(chunk_strategy=name, chunk_size=300, chunk_overlap=50)
    assert make_chunker(config).name == name
    chunks = chunk_document(Document(id="d", doc_id="d", text=TEXT), config)
    assert {chunk.metadata["strategy"] for chunk in chunks} == {name}
    assert name == "single" or max(len(chunk.text) for chunk in chunks) <= 300


def test_names_and_makers_agree() -> None:
    assert tuple(CHUNKERS) == STRATEGIES == chunker_names()


def test_fixed_is_another_name_for_fixed_window() -> None:
    assert isinstance(make_chunker(ChunkingConfig(chunk_strategy="fixed")), FixedWindowChunker)


def test_least_size_keeps_its_share() -> None:
    config = ChunkingConfig(chunk_strategy="section-aware", chunk_size=900, chunk_overlap=90)
    assert make_chunker(config) == SectionAwareChunker(min_size=250, max_size=900, overlap=90)


def test_tokens_follow_from_characters_unless_they_are_counted() -> None:
    config = ChunkingConfig(chunk_strategy="token-window", chunk_size=1_000, chunk_overlap=100)
    made = make_chunker(config)
    assert made == TokenWindowChunker(
        chunk_tokens=200, overlap_tokens=20, max_chars=1_000, max_shared_chars=100
    )

    def count(text: str) -> int:
        return len(text.split())

    counted = make_chunker(config, count=count)
    assert counted == TokenWindowChunker(chunk_tokens=1_000, overlap_tokens=100, count=count)


def test_settings_of_single_strategies() -> None:
    config = ChunkingConfig(chunk_strategy="delimiter", chunk_delimiter="***")
    chunks = chunk_document(Document(id="d", doc_id="d", text="a ***b"), config)
    assert [chunk.text for chunk in chunks] == ["a ***", "b"]
    config = ChunkingConfig(chunk_strategy="regex-section", chunk_heading_pattern="^Q")
    chunks = chunk_document(Document(id="d", doc_id="d", text="Q1\na\nQ2\nb"), config)
    assert [chunk.text for chunk in chunks] == ["Q1\na", "Q2\nb"]
    with pytest.raises(ConfigError, match="chunk_delimiter='' divides nothing"):
        ChunkingConfig(chunk_delimiter="")
    with pytest.raises(ConfigError, match=r"chunk_heading_pattern='\[' is no regular expression"):
        ChunkingConfig(chunk_heading_pattern="[")
    with pytest.raises(ConfigError, match=r"chunk_similarity_threshold=1\.5 is too large"):
        ClewConfig(chunk_similarity_threshold=1.5)


@pytest.mark.usefixtures("_halves")
def test_strategy_of_ones_own() -> None:
    assert chunker_names()[-1] == "halves"
    config = ClewConfig(chunk_strategy="halves")
    assert config.chunk_strategy == "halves"
    document = Document(id="d", doc_id="d", text="one half two half")
    chunks = chunk_document(document, ChunkingConfig(chunk_strategy="halves"))
    assert [chunk.text for chunk in chunks] == ["one half", " two hal"]


def test_unknown_name() -> None:
    with pytest.raises(ConfigError, match=r"'markdwn' is not one of .*did you mean 'markdown'"):
        ChunkingConfig(chunk_strategy="markdwn")
    with pytest.raises(ConfigError, match="is not one of"):
        ChunkingConfig(chunk_strategy="halves")


def test_names_of_clew_are_taken() -> None:
    for name in ("markdown", "fixed", ""):
        with pytest.raises(ConfigError, match="is the name of a strategy of clew"):
            register_chunker(name, lambda config, count: _Halves())
    with pytest.raises(ConfigError, match="must be callable"):
        register_chunker("mine", None)  # type: ignore[arg-type]
