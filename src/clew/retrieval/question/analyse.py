"""The one entry: a question's text in, a :class:`Question` out."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from clew.errors import QuestionError
from clew.retrieval.question.comparison import read_comparison
from clew.retrieval.question.dates import find_dates_in
from clew.retrieval.question.languages import ENGLISH, Language, language_of
from clew.retrieval.question.names import name_runs, quoted_spans, trim_start
from clew.retrieval.question.nouns import without_nouns
from clew.retrieval.question.records import (
    Comparison,
    ContentTerm,
    NameSpan,
    Question,
    RelationCue,
    Slot,
    TimeEvent,
    TimeExpression,
    TimeKind,
)
from clew.retrieval.question.relations import alternatives_in, relations_in
from clew.retrieval.question.times import find_events, find_times
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import WhPhrase, read_wh

_PLAIN_ORDER = frozenset("first last best worst most least".split())


def analyse_question(text: str, *, today: dt.date | None = None) -> Question:
    """Read a question; "last year" is a time only where ``today`` says which one that is.

    >>> question = analyse_question("Who led Orm Works in 2012?")
    >>> question.slot.value, [name.text for name in question.names], question.times[0].first
    ('who', ['Orm Works'], (2012, 0, 0))

    Raises :class:`clew.errors.QuestionError` for a text without a word.
    """
    tokens = tokenise(text)
    if not any(token.is_word for token in tokens):
        raise QuestionError(f"question {text!r} holds no word; ask with at least one")
    lang = language_of(tokens)
    opened = opening_length(text, tokens, lang)
    quoted = quoted_spans(text)
    names = _names(text, tokens, quoted, lang, opened)
    masked = _masked(tokens, names) | frozenset(range(opened))
    wh = _read_wh(tokens, masked, lang, opened)
    slot = wh.slot
    comparison = read_comparison(text, tokens, quoted, lang)
    superlative = _superlative(tokens, masked, lang)
    if comparison is not None and _chooses(tokens, wh, comparison, lang):
        slot = Slot.COMPARISON
    elif _may_list(slot) and _is_superlative(superlative, comparison) and not _many(tokens, wh):
        slot = Slot.SUPERLATIVE
    elif _may_list(slot) and (wh.count > 1 or wh.is_plural):
        slot = Slot.LIST
    times = find_times(text, tokens, {name.start: name.end for name in names}, lang, today)
    events = (
        []
        if comparison is not None and comparison.is_claim
        else (find_events(text, tokens, names, times, lang))
    )
    relations = _relations(tokens, masked, lang, opened)
    return Question(
        text=text,
        slot=slot,
        types=wh.types,
        wh=tokens[wh.at].lower if wh.at >= 0 and tokens[wh.at].lower in lang.wh else "",
        wh_start=tokens[wh.at].start if wh.at >= 0 else -1,
        focus=tokens[wh.head].lower if wh.head >= 0 else "",
        count=wh.count if slot == Slot.LIST else 0,
        terms=_terms(tokens, wh, names, lang, opened),
        names=tuple(names),
        relations=relations,
        times=tuple(times),
        events=tuple(events),
        negated=any(token.lower in lang.negations and not token.is_capital for token in tokens[:1])
        or any(
            token.lower in lang.negations and at not in masked for at, token in enumerate(tokens)
        ),
        present=_is_present(tokens, masked, [*times, *events], lang),
        history=_is_history(text, tokens, masked, [*times, *events], wh, relations, lang),
        language=lang.code,
        comparison=comparison,
        superlative=superlative,
    )


def _read_wh(tokens: list[Token], masked: frozenset[int], lang: Language, opened: int) -> WhPhrase:
    """Read the question behind its opening ("Do you know …") and put its places back."""
    if not opened:
        return read_wh(tokens, masked, lang)
    rest = frozenset(at - opened for at in masked if at >= opened)
    wh = read_wh(tokens[opened:], rest, lang)
    return replace(
        wh,
        at=wh.at + opened if wh.at >= 0 else -1,
        head=wh.head + opened if wh.head >= 0 else -1,
    )


def _names(
    text: str,
    tokens: list[Token],
    quoted: Sequence[tuple[int, int]],
    lang: Language,
    opened: int,
) -> list[NameSpan]:
    """Quoted texts and runs of capitals; in a question all in capitals, quoted texts only."""
    spans = list(quoted)
    words = [token for token in tokens if token.is_word and token.text[0].isalpha()]
    shouted = len(words) > 2 and all(token.text.isupper() for token in words)
    if not shouted:
        for run in name_runs(tokens, text):
            for first, end in _trimmed(tokens, run, lang, opened):
                start, stop = tokens[first].start, tokens[end - 1].end
                if not any(a < stop and start < b for a, b in quoted):
                    spans.append((start, stop))
    dates = [(date.start, date.end) for date in find_dates_in(text, lang)]
    return [
        NameSpan(text=text[a:b], start=a, end=b)
        for a, b in sorted(spans)
        if text[a:b] != "I" and not any(x <= a and b <= y for x, y in dates)
    ]


def _trimmed(
    tokens: list[Token], run: tuple[int, int], lang: Language, opened: int
) -> list[tuple[int, int]]:
    first, end = _without_lead(tokens, (max(run[0], opened), run[1]), lang, opened)
    if first >= end:
        return []
    if lang.nouns_are_capital:
        return without_nouns(tokens, (first, end), lang)
    return [(first, end)]


def _without_lead(
    tokens: list[Token], run: tuple[int, int], lang: Language, opened: int
) -> tuple[int, int]:
    """The question's own first word is no name: wh-words, auxiliaries, commands."""
    first, end = run
    if first == opened and end - first >= 1:
        lead = tokens[first].lower
        is_will = lead == "will" and _is_name_will(tokens, end, lang)
        if is_will:
            return run
        leads = lang.function_words if lang.nouns_are_capital else lang.auxiliaries
        if lead in set(lang.wh) | lang.commands | leads:
            first += 1
        while first < end and not tokens[first].is_capital:
            first += 1
    return trim_start(tokens, (first, end))


def _is_name_will(tokens: list[Token], end: int, lang: Language) -> bool:
    """ "Will Smith directed what?" against "Will Smith direct it?": the verb's form tells."""
    if end >= len(tokens) or end < 2:
        return False
    verb = tokens[end].lower
    asks_elsewhere = any(token.lower in lang.wh for token in tokens[end:])
    return asks_elsewhere or verb == "'s" or verb.endswith(("ed", "s")) or verb in lang.auxiliaries


def _masked(tokens: list[Token], names: Sequence[NameSpan]) -> frozenset[int]:
    return frozenset(
        at
        for at, token in enumerate(tokens)
        if any(name.start <= token.start < name.end for name in names)
    )


def _chooses(tokens: list[Token], wh: WhPhrase, comparison: Comparison, lang: Language) -> bool:
    """Whether two options make the question a comparison, not a fact about two things."""
    has_or = any(token.lower in lang.or_words for token in tokens)
    if wh.slot == Slot.YES_NO:
        return has_or or comparison.is_claim or comparison.measure in {"same", "both"}
    return wh.slot in {Slot.WHAT, Slot.WHICH, Slot.WHO, Slot.LIST} and (
        has_or or comparison.measure in {"birth", "death", "date", "span", "number"}
    )


def _may_list(slot: Slot) -> bool:
    return slot in {Slot.WHAT, Slot.WHICH, Slot.WHO}


def _many(tokens: list[Token], wh: WhPhrase) -> bool:
    """ "Which objects ARE most visited?" asks for several, "which of them IS …" for one."""
    following = tokens[wh.head + 1].lower if 0 <= wh.head < len(tokens) - 1 else ""
    return wh.is_plural and following in {"are", "were", "have", "had"}


def _superlative(tokens: list[Token], masked: frozenset[int], lang: Language) -> str:
    for at, token in enumerate(tokens):
        if token.lower in lang.superlatives and at not in masked and not token.is_capital:
            return token.lower
    return ""


def _is_superlative(word: str, comparison: object) -> bool:
    return bool(word) and word not in _PLAIN_ORDER - {"most", "least"} and comparison is None


def _terms(
    tokens: list[Token], wh: WhPhrase, names: Sequence[NameSpan], lang: Language, opened: int
) -> tuple[ContentTerm, ...]:
    position = {at: n for n, at in enumerate(i for i, t in enumerate(tokens) if t.is_word)}
    origin = position.get(wh.at, -1)
    found = []
    for at, token in enumerate(tokens):
        if not token.stem or at == wh.at or at < opened or _is_empty(tokens, at, wh, lang):
            continue
        in_name = any(name.start <= token.start < name.end for name in names)
        same = alternatives_in(token.lower, token.stem, lang)
        found.append(
            ContentTerm(
                text=token.text,
                term=token.term,
                stem=token.stem,
                start=token.start,
                end=token.end,
                distance=abs(position[at] - origin),
                alternatives=frozenset({token.stem}) if in_name else same,
                in_name=in_name,
                is_focus=at == wh.head,
            )
        )
    return tuple(found)


_SILENT = frozenset("many much did does do also please tell there called".split())


def _is_empty(tokens: list[Token], at: int, wh: WhPhrase, lang: Language) -> bool:
    """Words that ask but say nothing: "tell me", "name of", "how many"."""
    token = tokens[at]
    if token.lower in _SILENT | lang.do and not token.is_capital:
        return True
    if lang.nouns_are_capital and token.lower in lang.function_words | lang.naming_verbs:
        return not token.is_capital or at == 0
    if at == 0 and token.lower in lang.commands:
        return True
    follows = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    return token.lower in lang.empty_heads and follows == "of" and at != wh.head


def _relations(
    tokens: list[Token], masked: frozenset[int], lang: Language, opened: int
) -> tuple[RelationCue, ...]:
    silent = lang.order_words - {"long"}
    return tuple(
        RelationCue(relation=name, text=token.text, start=token.start, end=token.end)
        for at, token in enumerate(tokens)
        if at not in masked and token.stem and token.lower not in silent
        if not (0 < at == opened and token.lower in lang.commands)
        for name in relations_in(token.lower, lang)[:1]
    )


def opening_length(text: str, tokens: Sequence[Token], lang: Language) -> int:
    """How many tokens only lead to the question: "Do you know …", "Please …".

    What follows must ask by itself, else "Please Me" and "Do you know Ola?" would lose words.
    """
    match = _openings(lang).match(text)
    if match is None:
        return 0
    count = sum(token.start < match.end() for token in tokens)
    following = tokens[count : count + 3]
    asks = any(token.lower in lang.wh for token in following[:2])
    return count if asks or (following and following[0].lower in lang.commands) else 0


@cache
def _openings(lang: Language) -> re.Pattern[str]:
    return re.compile(rf"\s*(?:(?:{'|'.join(lang.openings)})\s+)+", re.IGNORECASE)


def _is_present(
    tokens: list[Token],
    masked: frozenset[int],
    times: Sequence[TimeExpression | TimeEvent],
    lang: Language,
) -> bool:
    """Whether the question asks how things are now: by a word, else by its first verb."""
    if any(time.kind == TimeKind.NOW for time in times):
        return True
    if times:
        return False
    for at, token in enumerate(tokens):
        if at in masked and at > 0:
            continue
        if token.lower in lang.present_auxiliaries or (at == 1 and token.lower == "'s"):
            return not (token.lower in lang.have and _has_participle(tokens, at, masked, lang))
        if token.lower in lang.auxiliaries or _is_past(token, lang):
            return False
        if token.lower in lang.present_verbs:
            return True
    return False


def _is_past(token: Token, lang: Language) -> bool:
    return token.lower.endswith(lang.past_endings) or token.lower in lang.past_verbs


def _is_history(
    text: str,
    tokens: list[Token],
    masked: frozenset[int],
    times: Sequence[TimeExpression | TimeEvent],
    wh: WhPhrase,
    relations: Sequence[RelationCue],
    lang: Language,
) -> bool:
    """Whether all that have ever held are asked for: "Who has led it?", "… over the years?"."""
    if times or wh.slot not in {Slot.WHO, Slot.WHOM, Slot.WHICH, Slot.WHAT, Slot.LIST}:
        return False
    folded = text.casefold()
    if any(re.search(rf"\b{phrase}\b", folded) for phrase in lang.history_phrases):
        return True
    at = next((i for i, t in enumerate(tokens) if t.lower in lang.have and i not in masked), -1)
    if at < 0 or tokens[at].lower not in lang.present_auxiliaries:
        return False
    is_doer = not any(i > wh.at and i in masked for i in range(at))
    said = {cue.relation for cue in relations}
    lasts = not said & _ONCE and (bool(said) or lang is ENGLISH)
    return is_doer and lasts and _has_participle(tokens, at, masked, lang)


_ONCE = frozenset(
    "founder birth death burial buyer seller builder designer inventor opening end release author "
    "director composer destruction".split()
)
"""Relations that come about once: to ask who "has founded" it is not to ask for a history."""


def _has_participle(
    tokens: Sequence[Token], at: int, masked: frozenset[int], lang: Language
) -> bool:
    """Whether the "has" at ``at`` is that of "has led": a participle follows, "been" does not."""
    following = [i for i in range(at + 1, len(tokens)) if tokens[i].is_word]
    if lang.nouns_are_capital:
        last = tokens[following[-1]] if following else None
        return last is not None and not last.is_capital and _is_participle(last, lang)
    for i in following:
        if tokens[i].lower in lang.fillers | lang.pronouns:
            continue
        return i not in masked and _is_participle(tokens[i], lang)
    return False


def _is_participle(token: Token, lang: Language) -> bool:
    word = token.lower
    if lang.nouns_are_capital:
        return len(word) > 5 and word.endswith(("t", "en"))
    return word.endswith("ed") or word in lang.verbs | lang.past_verbs | _PARTICIPLES


_PARTICIPLES = frozenset(
    "written driven given taken spoken worn shown grown drawn flown known sung owned "
    "chosen broken thrown seen done held been run become".split()
)
