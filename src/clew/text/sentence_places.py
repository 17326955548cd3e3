"""The pattern that finds where a sentence could end, and tells most places apart at once.

A rule in Python costs a hundred times what a step of the pattern costs. So the pattern leaves out
what plainly ends nothing (the stop in ``3.14``, a colon, the break of a wrapped line) and marks
what plainly ends a sentence: a full stop behind a word that is no abbreviation and before a capital
letter, a blank line. Only what is left needs the rules of :mod:`clew.text.sentences`, and those say
the same of every place, with or without these short cuts.
"""

from __future__ import annotations

import re
from collections import defaultdict

from clew.text.abbreviations import BEFORE_NUMBER, NEVER_LAST, SELDOM_LAST, TITLES

BREAKS = "\n\r\f\u2029"
STOPS = ".!?…‼⁇⁈⁉。！？｡．؟।॥۔።፧፨။։:;\u037e"
GREEK = "\u0370-\u03ff\u1f00-\u1fff"
ARMENIAN = "\u0530-\u058f…"
BULLETS = "*+•‣▪◦·⁃-"

_LOWER = "a-zà-öø-ÿа-яё"
_UPPER = "A-ZÀ-ÖØ-ÞА-ЯЁ"
_LETTERS = 4
_CLOSERS = r"[\"'”’“‘»›)\]}」』）】〉》〕*_]"
_MORE = rf"(?:[{STOPS}]| \.(?![\w.]))"
_ABBREVIATIONS = TITLES | NEVER_LAST | BEFORE_NUMBER | SELDOM_LAST


def _one_of(words: set[str]) -> str:
    """Return a pattern for words of one length, by their first letters."""
    tails = defaultdict(list)
    for word in sorted(words):
        tails[word[0]].append(word[1:])
    return "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in tails.items())


def _plain(letters: int) -> set[str]:
    """Return how abbreviations end that end in so many small letters."""
    found = re.compile(rf"[{_LOWER}]{{{letters}}}$")
    return {word[-letters:] for word in _ABBREVIATIONS if found.search(word)}


def _whole_word(letters: int) -> str:
    """A full stop behind a word of so many small letters that is no abbreviation."""
    taken = {word for word in _plain(letters) if word in _ABBREVIATIONS}
    return rf"(?<=\s[{_LOWER}]{{{letters}}}\.)(?<!\s(?:{_one_of(taken)})\.)"


_SURE_STOP = (
    r"(?:(?<=[!?])"
    rf"|(?<=[{_LOWER}]{{{_LETTERS}}}\.)(?<!(?:{_one_of(_plain(_LETTERS))})\.)"
    r"|(?<=[\s)\]}\"”»%'’*_`>]\.)"
    r"|(?<=[0-9]{4}\.)"
    rf"|{_whole_word(3)}|{_whole_word(2)})"
)
_SURE_BEGINNING = (
    rf"(?:\s++(?=[{_UPPER}])|[ ]++(?=[0-9<>|@=#$&]|[\"“‘'(*_]{{1,3}}[{_UPPER}0-9]|\[[{_UPPER}]))"
)
_WRAP = rf"(?:(?<=\r)\n)?[ \t]*+(?![\s\d({re.escape(BULLETS)}]|[a-z]\))"
_NO_STOP = (
    r"(?:(?<=[.!?:;])[A-Za-z0-9/@,=]"
    rf"|(?<=[.!])[ ][{_LOWER}]"
    rf"|(?<=[:;])(?<![{ARMENIAN}]:)(?<![{GREEK}];)(?!{_MORE}))"
)

MARK = re.compile(rf"[{BREAKS}{STOPS}]")
"""What every place begins with: where none stands, nothing ends."""

SURE = 3
"""Groups below this one end where a sentence plainly ends."""

PLACE = re.compile(
    rf"[{BREAKS}{STOPS}](?:"
    rf"{_SURE_STOP}({_CLOSERS}*+){_SURE_BEGINNING}"
    rf"|(?<![{BREAKS}])({_CLOSERS}*+)[ \t]*+\n[ \t]*+\n\s*+"
    rf"|(?<=[{BREAKS}])(?!(?<=[\n\r]){_WRAP})\s*+"
    rf"|(?<![{BREAKS}])(?!{_NO_STOP})(?P<more>{_MORE}*+)"
    rf"(?P<close>(?:{_CLOSERS}"
    r"| ?\[\d{1,3}\](?=\s|$)|\[[\w ]{1,20}\]"
    r"|[ \u00a0\u202f](?:[»\"”]|'')(?=[\s.,;:!?)]|$))*+)"
    r"(?P<gap>\s*+))"
)
"""A stop or a break with what belongs to it: groups 1 and 2 where it plainly ends a sentence; the
named ones at any other stop; none at a break.
"""
