"""Texts that chunkers are known to stumble over."""

from __future__ import annotations

from itertools import pairwise

import pytest
import regex

from clew.chunking import (
    STRATEGIES,
    ChunkingConfig,
    CodeChunker,
    DelimiterChunker,
    FixedWindowChunker,
    HtmlChunker,
    HybridChunker,
    JsonChunker,
    MarkdownChunker,
    PageChunker,
    PageIndexChunker,
    ParagraphChunker,
    RecursiveChunker,
    RegexSectionChunker,
    SectionAwareChunker,
    SemanticChunker,
    SentenceChunker,
    SplitThenMergeChunker,
    TokenWindowChunker,
    chunk_by,
    chunk_document,
    make_chunker,
)
from clew.errors import ConfigError
from clew.records import Chunk, Document

SIZED = [name for name in STRATEGIES if name != "single"]
"""All that have a size; the single chunk has none."""

BY_BLOCKS = [name for name in SIZED if name not in {"fixed-window", "token-window"}]
"""All that cut by what they find in the text; windows fall wherever they fall."""


def _document(text: str, media_type: str = "text/markdown") -> Document:
    return Document(id="d1", doc_id="one", text=text, media_type=media_type)


def _chunk(text: str, strategy: str, size: int = 1000, overlap: int = 0) -> tuple[Chunk, ...]:
    config = ChunkingConfig(chunk_strategy=strategy, chunk_size=size, chunk_overlap=overlap)
    chunks = chunk_document(_document(text), config)
    _check(chunks, text)
    assert strategy == "single" or all(len(chunk.text) <= size for chunk in chunks)
    return chunks


def _check(chunks: tuple[Chunk, ...], text: str) -> None:
    covered, start = 0, -1
    for chunk in chunks:
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert chunk.start > start
        assert chunk.end > covered
        assert not text[covered : chunk.start].strip()
        covered, start = chunk.end, chunk.start
    assert not text[covered:].strip()


DEGENERATE = {
    "empty": "",
    "white space": " \t\n\r\f\u2028 ",
    "spaces": " " * 100_000,
    "one line": "x" * 300_000,
    "heading alone": "# Heading",
    "table": "| a | b |\n|---|---|\n" + "".join(f"| {row} | {row * 7} |\n" for row in range(400)),
    "deep list": "\n".join(f"{'  ' * depth}- item {depth}" for depth in range(12)),
    "deep quote": "> " * 12 + "text",
    "marks": "- " * 20_000,
    "open fence": "```\n" + "x\n" * 5_000,
    "combining": "a" + "\u0301" * 5_000,
    "flags": "🇳🇴" * 2_000,
    "letters of flags": "🇳" * 30_001,
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_text(strategy: str, name: str) -> None:
    chunks = _chunk(DEGENERATE[name], strategy, 200, 40)
    assert bool(chunks) == bool(DEGENERATE[name].strip())


@pytest.mark.parametrize("strategy", SIZED)
def test_overlap_counted_in_words(strategy: str) -> None:
    text = "\n\n".join(
        " ".join(f"word{number}-{part}" for number in range(47)) + "." for part in range(6)
    )
    config = ChunkingConfig(chunk_strategy=strategy, chunk_size=30, chunk_overlap=5)
    chunker = make_chunker(config, count=lambda part: len(part.split()))
    chunks = chunk_by(chunker, _document(text))
    _check(chunks, text)
    assert len(chunks) > 9
    for chunk in chunks:
        assert len(chunk.text.split()) <= 30
    for before, chunk in pairwise(chunks):
        assert len(text[chunk.start : before.end].split()) <= 5


@pytest.mark.parametrize("strategy", SIZED)
@pytest.mark.parametrize("overlap", [0, 10, 25, 39])
def test_repeated_sentence(strategy: str, overlap: int) -> None:
    chunks = _chunk("The same sentence stands here. " * 6, strategy, 40, overlap)
    assert len(chunks) >= 5
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@pytest.mark.parametrize("strategy", SIZED)
def test_size_five_overlap_four(strategy: str) -> None:
    assert _chunk("chunk chunk", strategy, 5, 4)[-1].text == "chunk"


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("overlap", [0, 20])
@pytest.mark.parametrize(
    "text",
    ["食べ物" * 50, "cafe\u0301" * 50, "👩‍👩‍👧‍👦" * 50, "🇳🇴🇸🇪🇩🇰" * 30, "각" * 90, "क्षत्रिय" * 40],
)
def test_no_cut_inside_a_grapheme(strategy: str, overlap: int, text: str) -> None:
    chunks = _chunk(text, strategy, 64, overlap)
    boundaries = {0, *(cluster.end() for cluster in regex.finditer(r"\X", text))}
    assert {edge for chunk in chunks for edge in (chunk.start, chunk.end)} <= boundaries


FENCES = {
    "comment": "```sh\n# no heading\nmake\n```",
    "tildes": "~~~\n# no heading\n~~~",
    "four hold three": "````md\n```\n# no heading\n```\n````",
    "longer closing": "```\n# no heading\n``````",
    "tabs and hard spaces": "```\n\tif\u00a0x:\n\t\ty\n```",
}


@pytest.mark.parametrize("name", FENCES)
def test_fence_survives_whole(name: str) -> None:
    text = f"# Real\n\nBefore it.\n\n{FENCES[name]}\n\nBehind it.\n\n# Next\n\nText."
    config = ChunkingConfig(chunk_size=90, chunk_overlap=0)
    chunks = chunk_document(_document(text), config)
    _check(chunks, text)
    assert any(FENCES[name] in chunk.text for chunk in chunks)
    assert {chunk.heading_path for chunk in chunks} == {("Real",), ("Next",)}


@pytest.mark.parametrize("strategy", BY_BLOCKS)
@pytest.mark.parametrize("name", FENCES)
def test_no_line_of_a_fence_is_a_heading(strategy: str, name: str) -> None:
    text = f"# Real\n\nBefore it.\n\n{FENCES[name]}\n\nBehind it.\n\n# Next\n\nText."
    chunks = _chunk(text, strategy, 90)
    assert any(FENCES[name] in chunk.text for chunk in chunks)
    assert {chunk.heading_path[:1] for chunk in chunks} <= {("Real",), ("Next",)}
    titles = {chunk.metadata.get("section_title", "Real") for chunk in chunks}
    assert titles <= {"Real", "Next"}


@pytest.mark.parametrize("strategy", BY_BLOCKS)
def test_heading_path_forgets_deeper_headings(strategy: str) -> None:
    text = "# One\n\nText a.\n\n### Three\n\nText b.\n\n## Two\n\nText c.\n\n## Empty\n"
    chunks = _chunk(text, strategy, 24)
    paths = {chunk.text.split("\n")[0]: chunk.heading_path for chunk in chunks}
    assert paths == {
        "# One": ("One",),
        "### Three": ("One", "Three"),
        "## Two": ("One", "Two"),
        "## Empty": ("One", "Empty"),
    }


@pytest.mark.parametrize("strategy", SIZED)
def test_long_word_behind_a_short_one(strategy: str) -> None:
    chunks = _chunk("x" * 10 + " " + "a" * 5_000, strategy, 1_600, 320)
    assert 4 <= len(chunks) <= 6


@pytest.mark.parametrize("overlap", [1_000, 1_001])
@pytest.mark.parametrize("strategy", [FixedWindowChunker, RecursiveChunker])
def test_overlap_that_never_moves_on(
    strategy: type[FixedWindowChunker | RecursiveChunker], overlap: int
) -> None:
    with pytest.raises(ConfigError, match=f"chunk_overlap={overlap} must be .*smaller than"):
        strategy(chunk_size=1_000, chunk_overlap=overlap)
    with pytest.raises(ConfigError, match=f"chunk_overlap={overlap} must be smaller than"):
        ChunkingConfig(chunk_size=1_000, chunk_overlap=overlap)


BOUNDED = [
    CodeChunker,
    DelimiterChunker,
    HtmlChunker,
    HybridChunker,
    JsonChunker,
    MarkdownChunker,
    PageChunker,
    PageIndexChunker,
    ParagraphChunker,
    RegexSectionChunker,
    SectionAwareChunker,
    SemanticChunker,
    SentenceChunker,
    SplitThenMergeChunker,
]


@pytest.mark.parametrize("overlap", [1_000, 1_001, -1])
@pytest.mark.parametrize("strategy", BOUNDED)
def test_overlap_that_never_moves_on_by_bounds(
    strategy: type[SectionAwareChunker], overlap: int
) -> None:
    with pytest.raises(ConfigError, match=f"overlap={overlap} must be 0 or more and smaller than"):
        strategy(max_size=1_000, overlap=overlap)
    with pytest.raises(ConfigError, match="max_size=0 is too small"):
        strategy(max_size=0)


def test_overlap_of_tokens_that_never_moves_on() -> None:
    with pytest.raises(ConfigError, match="overlap_tokens=10 must be 0 or more and smaller than"):
        TokenWindowChunker(chunk_tokens=10, overlap_tokens=10)


@pytest.mark.parametrize("overlap", [0, 60])
@pytest.mark.parametrize("strategy", BY_BLOCKS)
def test_long_table_is_cut_between_rows(strategy: str, overlap: int) -> None:
    header = "| year | bridge |\n|------|--------|"
    rows = [f"| {1800 + row} | Bridge no. {row}. Built. |" for row in range(100)]
    chunks = _chunk("\n".join([header, *rows]), strategy, 300, overlap)
    assert len(chunks) > 10
    for chunk in chunks[1:]:
        assert set(chunk.text.split("\n")) <= set(rows)
        assert chunk.context == header
    assert chunks[0].context == ""
    assert chunks[0].text.startswith(header)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    "end", ["\r\n", "\r", "\n", "\f", "\r\n\r\n", "\n\r\n\n\r", "\u2029", "\r\f\n"]
)
def test_line_ends_of_all_kinds(strategy: str, end: str) -> None:
    text = end.join(["# Head", "A first paragraph. Of two.", "- item", "", "Another one.", "End."])
    for size in (7, 20, 60):
        _chunk(text, strategy, size, size // 4)


LONG = {
    "prose": "The bridge over the Norr was built by Lind. It stood for years, e.g. in 1902.\n\n",
    "markdown": (
        "# Head\n\nSome words. And more.\n\n- item\n- item\n\n"
        "```\nx = 1\n```\n\n| a |\n|---|\n| 1 |\n\n"
    ),
    "one paragraph": "Another sentence of the same paragraph. ",
    "one line": "word ",
    "no blank": "食べ物と水。",
}


@pytest.mark.parametrize("strategy", SIZED)
@pytest.mark.parametrize("name", LONG)
def test_long_texts_come_to_an_end(strategy: str, name: str) -> None:
    """Quadratic work on a million characters would run into the time limit of the suite."""
    text = LONG[name] * (1_000_000 // len(LONG[name]))
    chunks = chunk_document(_document(text), ChunkingConfig(chunk_strategy=strategy))
    assert len(text) / 1_000 <= len(chunks) <= len(text) / 50
    assert max(chunk.end - chunk.start for chunk in chunks) <= 1_000


@pytest.mark.parametrize("strategy", BY_BLOCKS)
def test_thousands_of_paragraphs_under_one_heading(strategy: str) -> None:
    text = "# Head\n\n" + "".join(
        f"Paragraph {number} says a thing.\n\n" for number in range(20_000)
    )
    chunks = chunk_document(_document(text), ChunkingConfig(chunk_strategy=strategy))
    assert all(chunk.heading_path == ("Head",) for chunk in chunks)
    assert chunks[-1].text.endswith("Paragraph 19999 says a thing.")
