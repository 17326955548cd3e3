"""Questions that weigh two things: what the two are, by which value, and which end is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from clew.retrieval.question.languages import ENGLISH, Language
from clew.retrieval.question.names import CONNECTORS, name_runs
from clew.retrieval.question.records import Comparison, Order, TimeKind
from clew.retrieval.question.relations import RELATIONS, relations_in, stems_of
from clew.retrieval.question.tokens import Token

_MARKS = frozenset({",", ":", ";"})
_YOUNGEST = frozenset({"youngest"})
_QUOTES = frozenset('"“”„«»')


def read_comparison(
    text: str, tokens: Sequence[Token], quoted: Sequence[tuple[int, int]], lang: Language = ENGLISH
) -> Comparison | None:
    """Return what is compared, or None when the question weighs nothing."""
    words = [token.lower for token in tokens]
    inside = frozenset(
        at
        for at, token in enumerate(tokens)
        if any(start <= token.start < end for start, end in quoted)
    )
    measure, order = _measure(lang, tokens)
    options = _split_at_or(lang, text, tokens, words, inside)
    if not options and (order != Order.NONE or (lang.same | lang.both) & set(words)):
        options = _split_at_and(lang, text, tokens, words, inside)
    if not options and measure == "same":
        options = _two_names(lang, text, tokens, words)
    if not options and order != Order.NONE:
        claimed = _around_than(lang, text, tokens, words)
        if claimed:
            return Comparison(options=claimed, measure=measure, order=order, is_claim=True)
    if not options and (claimed := _around_order(lang, text, tokens, words)):
        is_death = measure == "death"
        order = Order.LEAST if _is_before(lang, words) else Order.MOST
        measure = measure if is_death or measure == "birth" else "date"
        return Comparison(options=claimed, measure=measure, order=order, is_claim=True)
    if not options:
        return None
    return Comparison(options=options, measure=measure, order=order)


def _says(lang: Language, relation: str, words: set[str], stems: set[str]) -> bool:
    """Whether the words name the relation: by stem in English, by the listed forms elsewhere."""
    if lang is ENGLISH:
        return bool(stems & stems_of(RELATIONS[relation].words))
    return any(relation in relations_in(word, lang) for word in words)


def _left_ends(lang: Language) -> frozenset[str]:
    return _MARKS | lang.option_ends | lang.auxiliaries


def _around_than(
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str]
) -> tuple[str, ...]:
    """ "Is A larger than B?": a yes/no question that weighs two."""
    at = next((at for at, word in enumerate(words) if word in lang.than_words), 0)
    if not at or words[0] not in lang.auxiliaries:
        return ()
    return _named_sides(lang, text, tokens, words, at)


def _around_order(
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str]
) -> tuple[str, ...]:
    """ "Did A die before B?": two names around a word of time order."""
    if words[0] not in lang.auxiliaries:
        return ()
    orders = [at for at, word in enumerate(words) if lang.leads.get(word) in _ORDERS]
    return _named_sides(lang, text, tokens, words, orders[0]) if orders else ()


def _named_sides(
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str], at: int
) -> tuple[str, ...]:
    """The names before and behind ``at``, when the question ends with the second."""
    runs = [(max(first, 1), end) for first, end in name_runs(list(tokens), text) if end > 1]
    left = [run for run in runs if run[1] <= at]
    behind = at + 1
    while behind < len(words) and words[behind] in lang.determiners:
        behind += 1
    right = [run for run in runs if run[0] == behind]
    if not left or not right or any(token.is_word for token in tokens[right[0][1] :]):
        return ()
    return _cut(text, tokens, *left[-1]), _cut(text, tokens, *right[0])


def _is_before(lang: Language, words: Sequence[str]) -> bool:
    return next(lang.leads[w] for w in words if lang.leads.get(w) in _ORDERS) == TimeKind.BEFORE


_ORDERS = frozenset({TimeKind.BEFORE, TimeKind.AFTER})


def _split_at_or(
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str], inside: frozenset[int]
) -> tuple[str, ...]:
    """The parts around the last "or" that stands outside quotation marks; three after a comma."""
    at = next(
        (
            at
            for at in range(len(words) - 1, 0, -1)
            if words[at] in lang.or_words and at not in inside
        ),
        0,
    )
    if not at or at + 1 >= len(tokens):
        return ()
    end = _right_end(lang, tokens, words, at + 1)
    first = _left_start(lang, tokens, words, at, inside)
    if not tokens[at + 1].is_capital and first > 0 and words[first - 1] in lang.auxiliaries:
        first = max(first, at - (end - at - 1))
    if first >= at or end <= at + 1 or not _is_alternative(lang, tokens, at, first, end):
        return ()
    left, right = _cut(text, tokens, first, at), _cut(text, tokens, at + 1, end)
    if words[first - 1] == "," and tokens[at + 1].is_capital:
        left_most = _left_start(lang, tokens, words, first - 1, inside)
        third = _cut(text, tokens, left_most, first - 1)
        if (
            left_most < first - 1
            and words[left_most - 1] in _left_ends(lang) - lang.auxiliaries
            and third
        ):
            return third, left, right
    return (left, right) if left and right else ()


def _is_alternative(lang: Language, tokens: Sequence[Token], at: int, first: int, end: int) -> bool:
    """ "shot in or around Leland" offers no choice: both sides must name something."""
    sides = tokens[first:at], tokens[at + 1 : end]
    if not all(any(token.stem for token in side) for side in sides):
        return all(any(token.is_capital for token in side) for side in sides)
    before, after = tokens[at - 1], tokens[at + 1]
    hangs = before.lower in lang.function_words and not before.is_capital
    leads = after.lower in CONNECTORS - {"the"} and not after.is_capital
    return not (hangs or leads)


def _right_end(lang: Language, tokens: Sequence[Token], words: Sequence[str], at: int) -> int:
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
        if any(word in lang.order_words or relations_in(word, lang) for word in words[cut:end]):
            return cut
    return end


def _ends_with_capital(tokens: Sequence[Token], end: int) -> bool:
    return tokens[end - 1].is_capital or tokens[end - 1].is_number


def _left_start(
    lang: Language, tokens: Sequence[Token], words: Sequence[str], at: int, inside: frozenset[int]
) -> int:
    """Walk back from the "or" to what opens the left side."""
    first = at
    while first > 0 and (
        (first - 1) in inside
        or words[first - 1] not in _left_ends(lang)
        or _belongs(lang, tokens, words, first - 1)
    ):
        first -= 1
    if tokens[at - 1].is_capital and not tokens[first].is_capital:
        first = _start_of_name(tokens, first, at)
    return first


def _belongs(lang: Language, tokens: Sequence[Token], words: Sequence[str], at: int) -> bool:
    """ "Bank of Norway": an "of" between capitals is part of a name."""
    if words[at] != "of" or at + 1 >= len(tokens):
        return tokens[at].is_capital and at > 0 and words[at] in lang.auxiliaries
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
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str], inside: frozenset[int]
) -> tuple[str, ...]:
    """Names on either side of an "and": between A and B, are A and B both …"""
    for at in range(len(words) - 2, 0, -1):
        if words[at] not in lang.and_words or at in inside:
            continue
        first, end = _name_before(lang, tokens, words, at), _name_after(tokens, words, at + 1)
        if first < at and end > at + 1:
            return _cut(text, tokens, first, at), _cut(text, tokens, at + 1, end)
    return ()


def _two_names(
    lang: Language, text: str, tokens: Sequence[Token], words: Sequence[str]
) -> tuple[str, ...]:
    """ "Do the director of A and the director of B share …": two names, "and" between them."""
    runs = [run for run in name_runs(list(tokens), text) if run[0] > 0]
    if len(runs) != 2 or not lang.and_words & set(words[runs[0][1] : runs[1][0]]):
        return ()
    return _cut(text, tokens, *runs[0]), _cut(text, tokens, *runs[1])


def _name_before(lang: Language, tokens: Sequence[Token], words: Sequence[str], at: int) -> int:
    first = at
    while first > 0:
        token = tokens[first - 1]
        is_part = token.is_capital or token.is_number or not token.is_word
        if token.text in ",;:" or (not is_part and words[first - 1] not in CONNECTORS):
            break
        if words[first - 1] in lang.auxiliaries and first == 1:
            break
        first -= 1
    if first == 0 and words[0] in lang.function_words:
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


def _measure(lang: Language, tokens: Sequence[Token]) -> tuple[str, Order]:
    words = [token.lower for token in tokens if not token.is_capital or token.start == 0]
    order = _order(lang, words)
    if lang.same & set(words):
        return "same", Order.NONE
    measure = _value_named(lang, set(words), {token.stem for token in tokens})
    if measure:
        return measure, order
    if order != Order.NONE:
        return "number", order
    return ("both", Order.NONE) if lang.both & set(words) - {"common"} else ("", Order.NONE)


def _value_named(lang: Language, words: set[str], stems: set[str]) -> str:
    """The value that the words name, the most telling first."""
    if _says(lang, "death", words, stems):
        return "death"
    if words & lang.longer and words & lang.living:
        return "span"
    if _says(lang, "birth", words, stems) or words & lang.age_order:
        return "birth"
    if words & lang.amounts and not words & lang.recent:
        return "number"
    return "date" if words & lang.date_order else ""


def _order(lang: Language, words: Sequence[str]) -> Order:
    young = {word for word in lang.age_order if word in lang.comparative_most} | _YOUNGEST
    is_recent = bool(lang.recent & set(words))
    for word in words:
        if word in young | lang.recent:
            return Order.MOST
        if is_recent and word in lang.amounts:
            continue
        if word in lang.comparative_least or word in lang.superlative_least:
            return Order.LEAST
        if word in lang.comparative_most or word in lang.superlative_most:
            return Order.MOST
    return Order.NONE
