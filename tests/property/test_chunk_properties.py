"""What holds for the chunks of every strategy, size, overlap, counter and text."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TypeVar

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
    count_tokens,
    make_chunker,
)
from clew.records import Block, BlockKind, Document, Page
from clew.testing.chunk_contract import ChunkContract
from clew.text.blocks import SYNTAXES

Count = Callable[[str], int]
Make = Callable[[int, int, Count], Chunker]
T = TypeVar("T")

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
_CLUSTERS = st.sampled_from(
    (
        "👩\u200d👩\u200d👧\u200d👦", "👨🏿\u200d🚀", "🏴\u200d☠\ufe0f", "❤\ufe0f\u200d🔥",
        "1\ufe0f\u20e3",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "🇳🇴", "🇳", "🇳🇴🇸🇪🇫", "🇮🇸\u0301", "👍🏽", "🏽", "\u200d", "\u200c",
        "o\u0302\u0323\u0301", "\u0301", " \u0308", "\n\u0301", "\u00a0\u0327",
        "\u0600 ", "\u0600١",
        "\u1112\u1161\u11ab", "\u1112\u1161", "\u1112", "\u1161\u11ab", "각\u11a8", "\u115f\u1160",
        "क्षि", "क्\u200dष", "ক্ত", "நி", "กำ", "ກຳ", "မြန်", "ខ្មែរ",
        "שָׁלוֹם", "مَرْحَبًا", "\u202bאב 12\u202c", "\u2067ab\u2069", "لا\u200d", "𐤀𐤁", "𞤀𞥄",
        "\r\n", "\r\n", "\r", "\n", "\f", "\v", "\x00", "\x85", "\ufeff", "\x1c", "\ufffd",
        "z\u0351\u0348\u0339\u0353\u0317\u0320", "a", "b. ", " ", ". ",
        "。", "# ", "- ", "| ", "{", '"',
    )
)  # fmt: skip
"""What readers see as one character and is several, or comes near to it."""
_LONG_WORDS = st.builds(
    lambda part, times: part * times,
    st.sampled_from(
        ("x", "ab/", "é", "e\u0301", "字", "🇳🇴", "👍🏽", "각", "\u0600", "🧑\u200d", "\r\n", "\x00")
    ),
    st.integers(20, 150),
)
_TEXTS = (
    st.lists(st.tuples(_WORDS | _LINES, _GAPS).map("".join), max_size=40).map("".join)
    | st.lists(_CLUSTERS, max_size=60).map("".join)
    | st.lists(_CLUSTERS | _LONG_WORDS | _WORDS | _GAPS, max_size=20).map("".join)
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
def _documents(draw: st.DrawFn) -> Document:
    """A text as a reader leaves it: of some syntax, or already in blocks and pages of any kind."""
    text = draw(_TEXTS)
    blocks: tuple[Block, ...] = ()
    pages: tuple[Page, ...] = ()
    if draw(st.booleans()):
        bounds = [0, *(cluster.end() for cluster in regex.finditer(r"\X", text))]
        blocks = draw(_divided(bounds, _block))
        pages = draw(_divided(bounds, _page))
    syntax = _SYNTAX_TYPES[draw(st.sampled_from(SYNTAXES))]
    return Document(id="d1", doc_id="one", text=text, media_type=syntax, blocks=blocks, pages=pages)


@st.composite
def _divided(
    draw: st.DrawFn, bounds: list[int], make: Callable[[st.DrawFn, int, int, int], T]
) -> tuple[T, ...]:
    """Stretches that follow each other from the start of a text to its end."""
    places = sorted(draw(st.sets(st.sampled_from(bounds), max_size=12)) | {0, bounds[-1]})
    return tuple(make(draw, number, *pair) for number, pair in enumerate(pairwise(places), start=1))


def _block(draw: st.DrawFn, number: int, start: int, end: int) -> Block:
    kind = draw(st.sampled_from(BlockKind))
    return Block(kind=kind, start=start, end=end, level=draw(st.integers(1, 6)))


def _page(draw: st.DrawFn, number: int, start: int, end: int) -> Page:
    return Page(number=number, start=start, end=end)


_SIZES = st.integers(1, 60)


@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(document=_documents(), size=_SIZES, data=st.data())
def test_chunks_of_any_text(
    strategy: str, document: Document, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(_overlaps(size))
    _check(_STRATEGIES[strategy](size, overlap, len), document, size=size, overlap=overlap)


@pytest.mark.parametrize("count", [_words, _tokens, count_tokens])
@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(document=_documents(), size=_SIZES, data=st.data())
def test_chunks_by_any_counter(
    strategy: str, count: Count, document: Document, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(_overlaps(size))
    size += 5  # the longest single character has 2 of these tokens, the longest word 1
    chunker = _STRATEGIES[strategy](size, overlap, count)
    _check(chunker, document, size=size, overlap=overlap, count=count)


@pytest.mark.parametrize("strategy", _SIZED)
@settings(deadline=None)
@given(document=_documents(), size=_SIZES, data=st.data())
def test_size_is_kept_by_a_counter_that_does_not_grow_evenly(
    strategy: str, document: Document, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(_overlaps(size))
    chunker = _STRATEGIES[strategy](size, overlap, _uneven)
    _check(chunker, document, size=size, overlap=overlap, count=_uneven)


@pytest.mark.parametrize("count", [len, _uneven, _tokens])
@pytest.mark.parametrize("strategy", _SIZED)
def test_flags_behind_a_character_that_was_cut_stay_whole(strategy: str, count: Count) -> None:
    """Flags are pairs: who counts their letters from the cut would part them all."""
    for text in (
        "\u0600🇦🇦🇦🇦",
        "a\u0600\u0600🇦🇽🇳🇴🇸🇪\u0301🇩🇰 🇫🇮",
        "🇦🇽\u0301\u0301🇳🇴🇸🇪🇩🇰",
        "🇦🇽\u200d🇦🇽🇳🇴",
    ):
        document = Document(id="d1", doc_id="one", text=text, media_type="text/plain")
        for size in range(2, 8):
            for overlap in range(size):
                chunker = _STRATEGIES[strategy](size, overlap, count)
                _check(chunker, document, size=size, overlap=overlap, count=count)


@settings(deadline=None)
@given(document=_documents())
def test_one_chunk_holds_any_text(document: Document) -> None:
    chunks = chunk_by(_STRATEGIES["single"](1, 0, len), document)
    assert not list(ChunkContract(document.text).faults(chunks, size=None))
    assert len(chunks) == bool(document.text.strip())


@pytest.mark.parametrize("strategy", _STRATEGIES)
@settings(deadline=None)
@given(document=_documents(), size=_SIZES, data=st.data())
def test_same_text_same_chunks(
    strategy: str, document: Document, size: int, data: st.DataObject
) -> None:
    overlap = data.draw(_overlaps(size))
    make = _STRATEGIES[strategy]
    first, second = (chunk_by(make(size, overlap, len), document) for _ in range(2))
    assert first == second


def _overlaps(size: int) -> st.SearchStrategy[int]:
    return st.just(0) | st.integers(0, size - 1)


def _check(
    chunker: Chunker, document: Document, *, size: int, overlap: int, count: Count = len
) -> None:
    chunks = chunk_by(chunker, document)
    owed = ChunkContract(document.text)
    assert not list(owed.faults(chunks, size=size, overlap=overlap, count=count))
