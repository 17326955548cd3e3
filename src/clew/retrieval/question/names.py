"""Names as runs of capitalised words, with the small words and marks that names hold."""

from __future__ import annotations

import re

from clew.retrieval.question.lexicon import FUNCTION_WORDS, PRONOUNS
from clew.retrieval.question.tokens import Token

CONNECTORS = frozenset(
    "of the de la le les du des von van der den di da del della do dos das bin ibn al el y e st "
    "ap af av zu zur und et ten ter".split()
)
_LEADS = FUNCTION_WORDS - {"per", "will", "may", "mark"}  # also given names
_FIRM_ENDS = frozenset(
    "Son Sons Daughter Daughters Brothers Bros Co Company Partners Associates".split()
)
QUALIFIERS = frozenset(
    "film song album novel book band series magazine play game musical opera company person "
    "politician director actor singer footballer musician bishop mythology".split()
)
_QUOTED = re.compile(
    r"`([^`\n]{1,80})`|[\"“„«]\s?([^\"“”„«»]{1,120}?)[,.;]?\s?[\"”“»]|(?<![\w])[‘']([A-Z0-9][^'‘’]{1,80}?)['’](?!\w)"
)


def quoted_spans(text: str) -> list[tuple[int, int]]:
    """Return (start, end) of what stands between quotation marks, without the marks."""
    return [match.span(match.lastindex or 0) for match in _QUOTED.finditer(text)]


def name_runs(tokens: list[Token], text: str) -> list[tuple[int, int]]:
    """Return (first, end) token ranges of names, end exclusive.

    A run starts and ends with a capitalised word (or ends with a number that belongs to it), and
    may hold connectors ("Bank of Norway", "Ludwig van Beethoven"), hyphens, "&" and initials.
    """
    runs: list[tuple[int, int]] = []
    at = 0
    while at < len(tokens):
        if not tokens[at].is_capital:
            at += 1
            continue
        end = _run_end(tokens, text, at)
        runs.append((at, end))
        at = end
    return runs


def trim_start(tokens: list[Token], run: tuple[int, int]) -> tuple[int, int]:
    """Drop function words that are capitalised only because they begin a sentence."""
    first, end = run
    if first > 0 and tokens[first - 1].text not in '.!?:;"“•*-|':
        return run
    while first < end and tokens[first].lower in _LEADS - {"the"}:
        first += 1
    if first < end and end - first == 1 and tokens[first].lower in _LEADS:
        first += 1
    while first < end and not tokens[first].is_capital:
        first += 1
    return first, end


def _run_end(tokens: list[Token], text: str, first: int) -> int:
    end = first + 1
    while end < len(tokens):
        step = _step(tokens, text, end)
        if not step:
            break
        end += step
    return end


def _step(tokens: list[Token], text: str, at: int) -> int:
    """How many tokens from ``at`` belong to the name that ends before it; 0 when it ends there."""
    token, before = tokens[at], tokens[at - 1]
    gap = text[before.end : token.start]
    if gap.strip() or (len(gap) > 1 and gap.count("\n") != 1):
        return 0
    if token.is_capital:
        opens = "\n" in gap and token.lower in _LEADS  # a heading, and what stands under it
        return 0 if opens or (token.lower in PRONOUNS and before.text.endswith(".")) else 1
    if token.is_number:
        return int(bool(gap) and len(token.text) <= 3 and token.text.isdigit())
    if token.is_word:
        return _connected(tokens, at)
    if token.text in "-–/" and not gap:
        return _joined(tokens, at)
    return _marked(tokens, at)


def _joined(tokens: list[Token], at: int) -> int:
    """``Sackville-West``, ``Rolls-Royce``: the mark touches both words, or a line ended behind the
    hyphen of ``Sackville- West``.
    """
    if at + 1 >= len(tokens) or not tokens[at + 1].is_word:
        return 0
    is_broken = tokens[at].text == "-" and tokens[at + 1].is_capital
    gap = tokens[at + 1].start - tokens[at].end
    return 2 if gap == 0 or (gap == 1 and is_broken) else 0


def _marked(tokens: list[Token], at: int) -> int:
    """``Smith & Wesson``; ``The Serpent'S Egg`` as typed by rule; ``The Zone (2017 film)``."""
    if tokens[at].text in {"'S", "&"}:
        return 2 if at + 1 < len(tokens) and tokens[at + 1].is_capital else 0
    for length in range(2, 5 if tokens[at].text == "(" else 2):
        if at + length < len(tokens) and tokens[at + length].text == ")":
            return length + 1 if tokens[at + length - 1].lower in QUALIFIERS else 0
    return 0


def _connected(tokens: list[Token], at: int) -> int:
    """Up to three connectors, then a capitalised word; ``Brand and Sons``."""
    if tokens[at].lower == "and" and at + 1 < len(tokens) and tokens[at + 1].text in _FIRM_ENDS:
        return 2
    for length in range(1, 4):
        if at + length >= len(tokens) or tokens[at + length - 1].lower not in CONNECTORS:
            return 0
        if tokens[at + length].is_capital:
            return length + 1
    return 0
