"""What holds for the chunks of every strategy, size, overlap, counter and text."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.chunking import (
    STRATEGIES,
    Chunker,
    ChunkingConfig,
    CodeChunker,
    DelimiterChunker,
    RecursiveChunker,
    RegexSectionChunker,
    SemanticChunker,
    chunk_by,
    make_chunker,
)
from clew.records import Chunk, Document
from clew.text.blocks import SYNTAXES

Count = Callable[[str], int]
Make = Callable[[int, int, Count], Chunker]

_SYNTAX_TYPES = {"plain": "text/plain", "markdown": "text/markdown", "rst": "text/x-rst"}
_SEPARATORS = ("\n\n", "\n# ", "\n", ". ", " ", "")


def _by_name(name: str) -> Make:
    def make(size: int, overlap: int, count: Count) -> Chunker:
        config = ChunkingConfig(chunk_strategy=name, chunk_size=size, chunk_overlap=overlap)
        return make_chunker(config, count=count)

    return make


_STRATEGIES: dict[str, Make] = {
    **{name: _by_name(name) for name in STRATEGIES},
    "separators": lambda size, overlap, count: RecursiveChunker(
        chunk_size=size, chunk_overlap=overlap, count=count, separators=_SEPARATORS
    ),
    "spaces": lambda size, overlap, count: DelimiterChunker(
        max_size=size, overlap=overlap, count=count, delimiter=" "
    ),
    "letters": lambda size, overlap, count: RegexSectionChunker(
        max_size=size, overlap=overlap, count=count, heading_pattern="[ea\u0301]|^|\\n"
    ),
    "unlike": lambda size, overlap, count: SemanticChunker(
        min_size=1, max_size=size, overlap=overlap, count=count, similarity_threshold=1.0
    ),
    "python": lambda size, overlap, count: CodeChunker(
        max_size=size, overlap=overlap, count=count, language="python"
    ),
}
_SIZED = [name for name in _STRATEGIES if name != "single"]

_WORDS = st.sampled_from(
    "alpha be Dr. end. Why? (3.14) 食べ物です。 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx e\u0301e\u0301 "
    "👩‍👩‍👧 🇳🇴🇸🇪 👍🏽 한국 नमस्ते। \u0301 \u200d Colon: 「はい」 “No.” naïve http://a.example/b?c=d".split()
)
_LINES = st.sampled_from(
    "# Head;## Two;### Three;- item;  - nested;1. one;| a | b |;|---|---|;| 1 | 2 |;```;~~~;"
    "> quote;    code;\tx = 1;---;===;\u00a0;.. note:: n;\f;def f(x):;    return 1;class A {;}"
    ';@a;# c;{"a": [1, {"b": 2}], "c": 3};[{;"k": 1,;}];<h1>T</h1>;<p>;</p>;<ul><li>'
    "i</li></ul>;<table><thead><tr><th>h</th></tr></thead><tr><td>;2.1 Title;Chapter 3".split(";")
)
_GAPS = st.sampled_from([" ", " ", " ", "", "\n", "\n\n", "\r\n", "\r", "\r\n\r\n", "\f", "\u2028"])
_TEXTS = (
    st.lists(st.tuples(_WORDS | _LINES, _GAPS).map("".join), max_size=40).map("".join)
    | st.text(max_size=80)
    | st.text("a b.\n\r\f\u0301\u200d🇳👩#-|`", max_size=80)
)


def _words(text: str) -> int:
    return len(text.split())


def _tokens(text: str) -> int:
    """A counter that does not add up, as those of tokenizers do not."""
    return (len(text.encode()) + 2) // 3


def _uneven(text: str) -> int:
    """A counter by which a little more text may count less: merged pairs, as in a vocabulary."""
    return len(text) - text.count("a ") - text.count("nd") - text.count("- ")


@st.composite
def _cases(draw: st.DrawFn) -> tuple[str, str, int, int]:
    size = draw(st.integers(1, 60))
    return (
        draw(_TEXTS),
        _SYNTAX_TYPES[draw(st.sampled_from(SYNTAXES))],
        size,
        draw(st.integers(0, size - 1)),
    )


@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(case=_cases())
def test_chunks_of_any_text(strategy: str, case: tuple[str, str, int, int]) -> None:
    text, media_type, size, overlap = case
    chunks = _chunks(_STRATEGIES[strategy](size, overlap, len), text, media_type)
    _check(chunks, text)
    _check_no_grapheme_is_cut(chunks, text, size)
    for chunk in chunks:
        assert len(chunk.text) <= size
    for before, chunk in pairwise(chunks):
        assert before.end - chunk.start <= overlap


@pytest.mark.parametrize("count", [_words, _tokens])
@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(case=_cases())
def test_chunks_by_any_counter(
    strategy: str, count: Count, case: tuple[str, str, int, int]
) -> None:
    text, media_type, size, overlap = case
    size += 5  # the longest single character has 2 of these tokens, the longest word 1
    chunks = _chunks(_STRATEGIES[strategy](size, overlap, count), text, media_type)
    _check(chunks, text)
    for chunk in chunks:
        assert count(chunk.text) <= size
    for before, chunk in pairwise(chunks):
        assert count(text[chunk.start : before.end]) <= overlap


@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(case=_cases())
def test_size_is_kept_by_a_counter_that_does_not_grow_evenly(
    strategy: str, case: tuple[str, str, int, int]
) -> None:
    text, media_type, size, overlap = case
    chunks = _chunks(_STRATEGIES[strategy](size, overlap, _uneven), text, media_type)
    _check(chunks, text)
    for chunk in chunks:
        assert _uneven(chunk.text) <= size


@pytest.mark.parametrize("strategy", _STRATEGIES)
@settings(deadline=None)
@given(case=_cases())
def test_same_text_same_chunks(strategy: str, case: tuple[str, str, int, int]) -> None:
    text, media_type, size, overlap = case
    make = _STRATEGIES[strategy]
    first, second = (_chunks(make(size, overlap, len), text, media_type) for _ in range(2))
    assert first == second
    assert len({chunk.id for chunk in first}) == len(first)


def _chunks(chunker: Chunker, text: str, media_type: str) -> tuple[Chunk, ...]:
    document = Document(id="d1", doc_id="one", text=text, media_type=media_type)
    return chunk_by(chunker, document)


def _check(chunks: tuple[Chunk, ...], text: str) -> None:
    covered, start = 0, -1
    for index, chunk in enumerate(chunks):
        assert chunk.index == index
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.start > start
        assert chunk.end > covered
        assert not text[covered : chunk.start].strip()
        assert chunk.text == chunk.text.rstrip()
        _check_begins_with_content(chunk, text)
        covered, start = chunk.end, chunk.start
    assert not text[covered:].strip()


def _check_begins_with_content(chunk: Chunk, text: str) -> None:
    """White space may come first where it bears a mark, and blanks where they indent code."""
    if not chunk.text[0].isspace() or regex.match(r"\s\S", regex.match(r"\X", chunk.text)[0]):
        return
    assert chunk.metadata["strategy"] == "code"
    assert chunk.start == 0 or text[chunk.start - 1] in "\n\r"
    assert re.match(r"[ \t]+\S", chunk.text)


def _check_no_grapheme_is_cut(chunks: tuple[Chunk, ...], text: str, size: int) -> None:
    edges = {edge for chunk in chunks for edge in (chunk.start, chunk.end)}
    for cluster in regex.finditer(r"\X", text):
        start, end = cluster.span()
        if end - start <= size:
            for edge in range(start + 1, end):
                # white space that belongs to a cluster is still no content
                assert edge not in edges or text[edge:end].isspace()
