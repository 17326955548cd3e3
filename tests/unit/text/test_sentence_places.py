"""The short cuts of the pattern for sentence ends, against the rules without them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clew.text.sentences
from clew.text.abbreviations import BEFORE_NUMBER, NEVER_LAST, SELDOM_LAST, TITLES
from clew.text.sentence_places import BREAKS, PLACE, STOPS, SURE
from clew.text.sentences import sentence_spans

_EVERY_PLACE = re.compile(
    rf"[{BREAKS}{STOPS}](?:(?<=[{BREAKS}])\s*+|(?P<more>(?:[{STOPS}]| \.(?![\w.]))*+)"
    r"(?P<close>(?:[\"'”’“‘»›)\]}」』）】〉》〕*_]| ?\[\d{1,3}\](?=\s|$)|\[[\w ]{1,20}\]"
    r"|[ \u00a0\u202f](?:[»\"”]|'')(?=[\s.,;:!?)]|$))*+)"
    r"(?P<gap>\s*+))"
)
"""Every stop and every break, each for the rules to decide."""

_CASES = (Path(__file__).parent / "sentence_cases.txt").read_text("utf-8")
_WORDS = st.sampled_from(
    "it he own word Word piano A I z am U.S. 5 12 1902 1. 2. a) (a) 3.14 5% x@y file.py né ÉTÉ это "
    "Он ΠA é 食 Բա foo) `code` **bold** _x_ l'ing".split()
) | st.sampled_from(sorted(TITLES | NEVER_LAST | BEFORE_NUMBER | SELDOM_LAST))
_MARKS = st.sampled_from(
    '. . . . . ? ! : ; … 。 ？ ． ؟ । ;  . . ." .) .”  ." .** ._ ?) .[1] [1] .[n] » " ” “ ( [ ) '
    "- , — < | # = '' 》 《 • * + \\".split(" ")
)
_GAPS = st.sampled_from(
    [" ", " ", " ", " ", "  ", "\n", "\n", "\r", "\r\n", "\f", "\n\n", "\r\n\r\n", "\n \n"]
) | st.sampled_from([" \n ", "\n1. ", "\n2. ", "\n- ", "\u2028", "\u2029", "\u00a0", "\t", ""])
_TEXTS = st.lists(st.tuples(_WORDS, _MARKS, _GAPS).map("".join) | _MARKS | _GAPS, max_size=12).map(
    "".join
)


def _by_rules_alone(text: str, start: int, end: int) -> list[tuple[int, int]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clew.text.sentences, "PLACE", _EVERY_PLACE)
        return sentence_spans(text, start, end)


@given(_TEXTS)
def test_short_cuts_change_nothing(text: str) -> None:
    assert sentence_spans(text) == _by_rules_alone(text, 0, len(text))


@given(_TEXTS, st.data())
def test_short_cuts_change_nothing_in_a_window(text: str, data: st.DataObject) -> None:
    starts = [match.end() for match in re.finditer(r"^|\s", text)]
    start = data.draw(st.sampled_from(starts))
    end = data.draw(st.integers(start, len(text)))
    assert sentence_spans(text, start, end) == _by_rules_alone(text, start, end)


@given(_TEXTS, st.integers(0, 30))
def test_blanks_before_a_text_change_nothing(text: str, blanks: int) -> None:
    padded = " " * blanks + text
    assert sentence_spans(padded) == _by_rules_alone(padded, 0, len(padded))


def test_short_cuts_agree_on_hard_cases() -> None:
    assert sentence_spans(_CASES) == _by_rules_alone(_CASES, 0, len(_CASES))


def test_most_ends_in_prose_are_plain() -> None:
    text = "The bridge was built by hand. It is old.\n\nNobody uses it! It was 1902. He left. "
    groups = [place.lastindex or SURE for place in PLACE.finditer(text * 3 + "so she said.\n\nso")]
    assert len(groups) == 15
    assert all(group < SURE for group in groups)


@pytest.mark.parametrize("text", ["3.14", "a: b", "of a\nwrapped line", "a.py and b.c", "e.g. so"])
def test_what_ends_nothing_is_not_looked_at(text: str) -> None:
    assert len(PLACE.findall(text)) <= text.count("g.")
