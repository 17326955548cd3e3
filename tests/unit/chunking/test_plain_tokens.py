"""Tokens by arrays and by stretches, against one pattern over the whole text."""

from __future__ import annotations

from unicodedata import category

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import clew.chunking.tokens as tokens
from clew.chunking.plain_tokens import plain_token_starts

_WORDS = st.sampled_from(
    "word interoperability x_1 2026 naïve Größe это это-то 한국어 대한민국에서의 مرحبا تحسين שלום "
    "食べ物 ไทย e\u0301te\u0301 1234567e\u0301 हिन्दी 👩\u200d🚀 🇩🇪🇫🇷 →\ufe0f ── … — “ ”"
    " . , 각\u11a8 ㄱ ْ \u200d \u0600 ﷺ".split(" ")
)
_GAPS = st.sampled_from([" ", "", "\n", "\r\n", "\t", "  ", "\u00a0", "\u3000", " \u0301"])
_TEXTS = st.lists(st.tuples(_WORDS, _GAPS).map("".join), max_size=20).map("".join)


def _starts_by_one_pattern(text: str) -> list[int]:
    return [token.start() for token in tokens._ANY.finditer(text)]


@pytest.fixture(params=[0, 500], ids=["arrays", "patterns"])
def _either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_LEAST_BY_ARRAYS", request.param)


@pytest.mark.usefixtures("_either_way")
@pytest.mark.parametrize("near", [0, 40])
def test_stretches_give_the_tokens_of_one_pattern(
    monkeypatch: pytest.MonkeyPatch, near: int
) -> None:
    monkeypatch.setattr(tokens, "_NEAR", near)

    @given(_TEXTS)
    def check(text: str) -> None:
        assert tokens._token_starts(text) == _starts_by_one_pattern(text)
        assert tokens.count_tokens(text) == len(_starts_by_one_pattern(text))

    check()


@given(st.text(st.characters(max_codepoint=127, exclude_characters="\x1c\x1d\x1e\x1f")))
def test_ascii(text: str) -> None:
    assert plain_token_starts(text, tokens.LONGEST) == _starts_by_one_pattern(text)


def test_every_plain_character_is_what_the_pattern_takes_it_for() -> None:
    for text in ("\n".join(_plain()), "\n".join(f"a{char}a" for char in _plain())):
        assert plain_token_starts(text, tokens.LONGEST) == _starts_by_one_pattern(text)


def test_no_plain_character_joins_another() -> None:
    joining = (
        r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}]"
    )
    assert regex.findall(joining, "".join(_plain())) == []


def _plain() -> list[str]:
    """All plain characters that are assigned; four control characters are blank to Python alone."""
    found = [char for char in map(chr, range(0xD7A4)) if not tokens._NOT_PLAIN.match(char)]
    return [char for char in found if category(char) != "Cn" and not "\x1c" <= char <= "\x1f"]


@pytest.mark.parametrize("longest", [1, 3, 8])
def test_long_words_are_parted(longest: int) -> None:
    text = "a" * 20 + " " + "b" * 8 + "." + "c" * 9
    starts = plain_token_starts(text, longest, 100)
    wanted = [*range(0, 20, longest), *range(21, 29, longest), 29, *range(30, 39, longest)]
    assert starts == [100 + at for at in wanted]


def test_nothing() -> None:
    assert plain_token_starts("", 8) == []
    assert plain_token_starts(" \n ", 8) == []
