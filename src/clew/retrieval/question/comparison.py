"""Questions that weigh two things: what the two are, by which value, and which end is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    COMPARATIVE_LEAST,
    COMPARATIVE_MOST,
    DATE_ORDER_WORDS,
    FUNCTION_WORDS,
    ORDER_WORDS,
    SUPERLATIVE_LEAST,
    SUPERLATIVE_MOST,
)
from clew.retrieval.question.names import CONNECTORS, name_runs
from clew.retrieval.question.records import Comparison, Order
from clew.retrieval.question.relations import RELATIONS, relations_of_word, stems_of
from clew.retrieval.question.tokens import Token

_LEFT_ENDS = frozenset({",", ":", ";", "between", "both", "either", "of"}) | AUXILIARIES
_BIRTH_ORDER = frozenset("older younger elder oldest youngest eldest".split())
_AMOUNT = frozenset("more most fewer fewest less least".split())
_QUOTES = frozenset('"“”„«»')
_RECENT = frozenset("recent recently".split())
_SAME = frozenset("same share shared shares".split())
_SAMENESS = _SAME | frozenset("common both".split())


def read_comparison(
    text: str, tokens: Sequence[Token], quoted: Sequence[tuple[int, int]]
) -> Comparison | None:
    """Return what is compared, or None when the question weighs nothing."""
    words = [token.lower for token in tokens]
    inside = frozenset(
        at
        for at, token in enumerate(tokens)
        if any(start <= token.start < end for start, end in quoted)
    )
    measure, order = _measure(tokens)
    options = _split_at_or(text, tokens, words, inside)
    if not options and (order != Order.NONE or _SAMENESS & set(words)):
        options = _split_at_and(text, tokens, words, inside)
    if not options and measure == "same":
        options = _two_names(text, tokens, words)
    if not options:
        return None
    return Comparison(options=options, measure=measure, order=order)


def _split_at_or(
    text: str, tokens: Sequence[Token], words: Sequence[str], inside: frozenset[int]
) -> tuple[str, ...]:
    """The parts around the last "or" that stands outside quotation marks; three after a comma."""
    at = next(
        (at for at in range(len(words) - 1, 0, -1) if words[at] == "or" and at not in inside), 0
    )
    if not at or at + 1 >= len(tokens):
        return ()
    end = _right_end(tokens, words, at + 1)
    first = _left_start(tokens, words, at, inside)
    if not tokens[at + 1].is_capital and first > 0 and words[first - 1] in AUXILIARIES:
        first = max(first, at - (end - at - 1))
    if first >= at or end <= at + 1 or not _is_alternative(tokens, at, first, end):
        return ()
    left, right = _cut(text, tokens, first, at), _cut(text, tokens, at + 1, end)
    if words[first - 1] == "," and tokens[at + 1].is_capital:
        left_most = _left_start(tokens, words, first - 1, inside)
        third = _cut(text, tokens, left_most, first - 1)
        if left_most < first - 1 and words[left_most - 1] in {",", ":", "of", "between"} and third:
            return third, left, right
    return (left, right) if left and right else ()


def _is_alternative(tokens: Sequence[Token], at: int, first: int, end: int) -> bool:
    """ "shot in or around Leland" offers no choice: both sides must name something."""
    sides = tokens[first:at], tokens[at + 1 : end]
    if not all(any(token.stem for token in side) for side in sides):
        return all(any(token.is_capital for token in side) for side in sides)
    before, after = tokens[at - 1], tokens[at + 1]
    hangs = before.lower in FUNCTION_WORDS and not before.is_capital
    leads = after.lower in CONNECTORS - {"the"} and not after.is_capital
    return not (hangs or leads)


def _right_end(tokens: Sequence[Token], words: Sequence[str], at: int) -> int:
    """The right side runs to the end, but for the predicate of "was A or B born first?"."""
    if tokens[at].text in _QUOTES:
        closing = (i for i in range(at + 1, len(tokens)) if tokens[i].text in _QUOTES)
        return next(closing, len(tokens) - 1) + 1
    end = len(tokens)
    while end > at and not tokens[end - 1].is_word:
        end -= 1
    if tokens[at].is_capital and not _ends_with_capital(tokens, end):
        cut = (
            max(
                (i for i in range(at, end) if tokens[i].is_capital or tokens[i].is_number),
                default=at,
            )
            + 1
        )
        if any(word in ORDER_WORDS or relations_of_word(word) for word in words[cut:end]):
            return cut
    return end


def _ends_with_capital(tokens: Sequence[Token], end: int) -> bool:
    return tokens[end - 1].is_capital or tokens[end - 1].is_number


def _left_start(
    tokens: Sequence[Token], words: Sequence[str], at: int, inside: frozenset[int]
) -> int:
    """Walk back from the "or" to what opens the left side."""
    first = at
    while first > 0 and (
        (first - 1) in inside
        or words[first - 1] not in _LEFT_ENDS
        or _belongs(tokens, words, first - 1)
    ):
        first -= 1
    if tokens[at - 1].is_capital and not tokens[first].is_capital:
        first = _start_of_name(tokens, first, at)
    return first


def _belongs(tokens: Sequence[Token], words: Sequence[str], at: int) -> bool:
    """ "Bank of Norway": an "of" between capitals is part of a name."""
    if words[at] != "of" or at + 1 >= len(tokens):
        return tokens[at].is_capital and at > 0 and words[at] in AUXILIARIES
    before = tokens[at - 1].is_capital
    after = tokens[at + 1].is_capital or (words[at + 1] == "the" and tokens[at + 2].is_capital)
    return before and after


def _start_of_name(tokens: Sequence[Token], first: int, at: int) -> int:
    """Drop what leads to the name: "which singer is younger Ola or Per"."""
    for start in range(first, at):
        if tokens[start].is_capital:
            return start
    return first


def _split_at_and(
    text: str, tokens: Sequence[Token], words: Sequence[str], inside: frozenset[int]
) -> tuple[str, ...]:
    """Names on either side of an "and": between A and B, are A and B both …"""
    for at in range(len(words) - 2, 0, -1):
        if words[at] != "and" or at in inside:
            continue
        first, end = _name_before(tokens, words, at), _name_after(tokens, words, at + 1)
        if first < at and end > at + 1:
            return _cut(text, tokens, first, at), _cut(text, tokens, at + 1, end)
    return ()


def _two_names(text: str, tokens: Sequence[Token], words: Sequence[str]) -> tuple[str, ...]:
    """ "Do the director of A and the director of B share …": two names, "and" between them."""
    runs = [run for run in name_runs(list(tokens), text) if run[0] > 0]
    if len(runs) != 2 or "and" not in words[runs[0][1] : runs[1][0]]:
        return ()
    return _cut(text, tokens, *runs[0]), _cut(text, tokens, *runs[1])


def _name_before(tokens: Sequence[Token], words: Sequence[str], at: int) -> int:
    first = at
    while first > 0:
        token = tokens[first - 1]
        is_part = token.is_capital or token.is_number or not token.is_word
        if token.text in ",;:" or (not is_part and words[first - 1] not in CONNECTORS):
            break
        if words[first - 1] in AUXILIARIES and first == 1:
            break
        first -= 1
    if first == 0 and words[0] in FUNCTION_WORDS:
        first = 1
    while first < at and not (tokens[first].is_capital or tokens[first].is_number):
        first += 1
    return first


def _name_after(tokens: Sequence[Token], words: Sequence[str], at: int) -> int:
    end = at
    while end < len(tokens) and (
        tokens[end].is_capital
        or tokens[end].is_number
        or words[end] in CONNECTORS
        or tokens[end].text in {"-", "–", "'S", "(", ")", "&", "."}
    ):
        end += 1
    while end > at and not (
        tokens[end - 1].is_capital or tokens[end - 1].is_number or tokens[end - 1].text == ")"
    ):
        end -= 1
    return end


def _cut(text: str, tokens: Sequence[Token], first: int, end: int) -> str:
    if first >= end:
        return ""
    return text[tokens[first].start : tokens[end - 1].end].strip(" ,;:\"“”'?")


def _measure(tokens: Sequence[Token]) -> tuple[str, Order]:
    words = [token.lower for token in tokens if not token.is_capital or token.start == 0]
    order = _order(words)
    if _SAME & set(words):
        return "same", Order.NONE
    measure = _value_named(set(words), {token.stem for token in tokens})
    if measure:
        return measure, order
    if order != Order.NONE:
        return "number", order
    return ("both", Order.NONE) if "both" in words else ("", Order.NONE)


def _value_named(words: set[str], stems: set[str]) -> str:
    """The value that the words name, the most telling first."""
    if stems & stems_of(RELATIONS["death"].words):
        return "death"
    if "longer" in words and words & {"lived", "live", "living"}:
        return "span"
    if stems & stems_of(RELATIONS["birth"].words) or words & _BIRTH_ORDER:
        return "birth"
    if words & _AMOUNT and not words & _RECENT:
        return "number"
    return "date" if words & DATE_ORDER_WORDS else ""


def _order(words: Sequence[str]) -> Order:
    is_recent = bool(_RECENT & set(words))
    for word in words:
        if word in {"younger", "youngest"} | _RECENT:
            return Order.MOST
        if is_recent and word in _AMOUNT:
            continue
        if word in COMPARATIVE_LEAST or word in SUPERLATIVE_LEAST:
            return Order.LEAST
        if word in COMPARATIVE_MOST or word in SUPERLATIVE_MOST:
            return Order.MOST
    return Order.NONE
