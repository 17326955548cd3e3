"""Windows of tokens, and the tokens themselves."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clew.chunking import FixedWindowChunker, Outline, TokenWindowChunker, count_tokens
from clew.chunking.tokens import TokenMeasure
from clew.text.blocks import partition

PROSE = "The bridge over the Norr was built by Lind; it stood for years. " * 30


def _texts(chunker: TokenWindowChunker | FixedWindowChunker, text: str) -> list[str]:
    spans = chunker.cuts(Outline(text, partition(text)))
    return [text[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Norr Bridge, 1902", 4),
        ("internationalisation", 3),
        ("食べ物です", 5),
        ("नमस्ते दुनिया", 2),
        ("مرحبا بالعالم", 2),
        ("🇳🇴🇸🇪", 2),
        ("cafe\u0301 naïve", 2),
        (" \n\t", 0),
    ],
)
def test_tokens_of_any_script(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_windows_hold_their_tokens_and_share_some() -> None:
    texts = _texts(TokenWindowChunker(chunk_tokens=20, overlap_tokens=5), PROSE)
    assert {count_tokens(text) for text in texts[:-1]} == {20}
    tail = " ".join(texts[0].replace(";", " ;").split()[-5:])
    assert texts[1].startswith(tail.replace(" ;", ";"))


def test_windows_part_no_token() -> None:
    words = set(PROSE.replace(";", "").replace(".", "").split())
    for text in _texts(TokenWindowChunker(chunk_tokens=7, overlap_tokens=2), PROSE):
        assert set(text.replace(";", "").replace(".", "").split()) <= words


def test_counter_of_a_tokenizer() -> None:
    chunker = TokenWindowChunker(
        chunk_tokens=12, overlap_tokens=3, count=lambda part: len(part.split())
    )
    texts = _texts(chunker, PROSE)
    assert all(len(text.split()) <= 12 for text in texts)
    assert len(texts) > 30


def test_characters_limit_windows_of_long_tokens() -> None:
    texts = _texts(TokenWindowChunker(chunk_tokens=50, overlap_tokens=0, max_chars=90), PROSE)
    assert 80 <= max(len(text) for text in texts) <= 90


def test_characters_limit_what_windows_share() -> None:
    text = "international nationality " * 30
    chunker = TokenWindowChunker(chunk_tokens=20, overlap_tokens=8, max_shared_chars=14)
    spans = chunker.cuts(Outline(text, partition(text)))
    shared = {before.end - span.start for before, span in pairwise(spans)}
    assert 0 < max(shared) <= 14


def test_white_space_that_bears_a_mark_stays_with_it() -> None:
    texts = _texts(TokenWindowChunker(chunk_tokens=1, overlap_tokens=0, max_chars=2), "0 \u0300")
    assert texts == ["0", " \u0300"]


def test_defaults_are_those_of_twelve_hundred_characters() -> None:
    assert (TokenWindowChunker().chunk_tokens, TokenWindowChunker().overlap_tokens) == (240, 24)
    assert (FixedWindowChunker().chunk_size, FixedWindowChunker().chunk_overlap) == (1200, 120)
    fixed = _texts(FixedWindowChunker(), PROSE * 3)
    for before, text in pairwise(fixed):
        assert before[-100:] in text[:125]


def test_measure_never_counts_less_than_the_counter() -> None:
    text = "internationalisation of e\u0301e\u0301 食べ物 a, b"
    measure = TokenMeasure(text, 4, 2)
    for start in range(len(text)):
        for end in range(start, len(text) + 1):
            assert measure.size_of(start, end) >= count_tokens(text[start:end]) - 1
        assert count_tokens(text[start : measure.reach(start)]) <= 5
