"""Noun phrases without a parser, and what else in a text answers "what": a noun with its number, a
path, an address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from clew.answering.frames import is_verb
from clew.answering.lexicon.things import UNITS
from clew.retrieval.question.lexicon import FUNCTION_WORDS
from clew.retrieval.question.tokens import Token

MAX_WORDS = 5
_LONGEST_NUMBER = 6
_ARTICLES = frozenset("the a an its his her their".split())
_LITERAL = re.compile(
    r"(?<![\w/.])(?:[a-z]{2,10}://[^\s<>\"')\]]{1,300}"
    r"|(?:~|\.{1,2})?(?:/[\w.-]{1,80}){1,30}/?"
    r"|[\w.+]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,8}"
    r"|\w{1,64}\.[a-z]{2,5}(?:/[\w./-]{0,200})?)(?=[\s,;:)\]'\"]|\.?$|\.\s)"
)


def literals_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of paths, addresses and file names.

    >>> text = "Logs go to /var/log/quill, or to ops@quill.org."
    >>> [text[start:end] for start, end in literals_in(text)]
    ['/var/log/quill', 'ops@quill.org']
    """
    for match in _LITERAL.finditer(text):
        yield match.start(), match.start() + len(match[0].rstrip("."))


def numbered_in(tokens: tuple[Token, ...]) -> Iterator[int]:
    """Yield where a noun has its number behind it: "ward 3", "version 2.5", "Windows 7"."""
    for at, (noun, number) in enumerate(pairwise(tokens)):
        follows = tokens[at + 2].lower if at + 2 < len(tokens) else ""
        counts = follows in UNITS or len(number.text) > _LONGEST_NUMBER
        if number.is_number and is_noun_like(tokens, at) and not (is_verb(noun) or counts):
            yield at


def phrases_in(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, float]]:
    """Yield (first, end, strength) of runs of words between function words and marks, of what "of"
    adds to them, and of their beginnings and ends.
    """
    at = 0
    while at < len(tokens):
        end = at
        while end < len(tokens) and _is_part(tokens, at, end):
            end += 1
        if end > at:
            yield from _cuts(tokens, at, end)
        at = max(end, at + 1)


def is_noun_like(tokens: tuple[Token, ...], at: int) -> bool:
    """Whether a word that carries meaning stands at ``at``."""
    if at >= len(tokens):
        return False
    token = tokens[at]
    return token.is_word and not token.is_number and token.lower not in FUNCTION_WORDS


def _is_part(tokens: tuple[Token, ...], first: int, at: int) -> bool:
    token = tokens[at]
    if token.is_word:
        return token.lower not in FUNCTION_WORDS
    touches = at > first and at + 1 < len(tokens) and tokens[at + 1].start == token.end
    return token.text in "-'" and touches and tokens[at - 1].end == token.start


def _cuts(tokens: tuple[Token, ...], first: int, end: int) -> Iterator[tuple[int, int, float]]:
    if all(tokens[at].is_capital or not tokens[at].is_word for at in range(first, end)):
        return
    if end - first <= MAX_WORDS + 2:
        yield first, end, 0.6
    if longer := _of_what(tokens, first, end):
        yield first, longer, 0.55
    for length in (1, 2, 3):
        for start in {end - length, first} if length < end - first else ():
            last = start + length
            if tokens[start].is_word and tokens[last - 1].is_word:
                yield start, last, 0.5


def _of_what(tokens: tuple[Token, ...], first: int, end: int) -> int:
    """The end of "lifetime of the neutron"; 0 where nothing of the kind follows."""
    if end >= len(tokens) or tokens[end].lower != "of":
        return 0
    if any(is_verb(token) or token.lower.endswith("ly") for token in tokens[first:end]):
        return 0
    at = end + 1 + (end + 1 < len(tokens) and tokens[end + 1].lower in _ARTICLES)
    last = at
    while last < len(tokens) and _is_part(tokens, at, last):
        last += 1
    return last if at < last <= first + MAX_WORDS + 2 else 0
