"""The one entry: a question's text in, a :class:`Question` out."""

from __future__ import annotations

from collections.abc import Sequence

from clew.errors import QuestionError
from clew.retrieval.question.comparison import read_comparison
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    COMMANDS,
    DO,
    EMPTY_HEADS,
    NEGATIONS,
    ORDER_WORDS,
    PRESENT_AUXILIARIES,
    SUPERLATIVES,
    WH_SLOTS,
)
from clew.retrieval.question.names import name_runs, quoted_spans, trim_start
from clew.retrieval.question.records import (
    ContentTerm,
    NameSpan,
    Question,
    RelationCue,
    Slot,
    TimeExpression,
    TimeKind,
)
from clew.retrieval.question.relations import alternatives, relations_of_word
from clew.retrieval.question.times import find_times
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import WhPhrase, read_wh

_PLAIN_ORDER = frozenset("first last best worst most least".split())


def analyse_question(text: str) -> Question:
    """Read a question.

    >>> question = analyse_question("Who led Orm Works in 2012?")
    >>> question.slot.value, [name.text for name in question.names], question.times[0].first
    ('who', ['Orm Works'], (2012, 0, 0))

    Raises :class:`clew.errors.QuestionError` for a text without a word.
    """
    tokens = tokenise(text)
    if not any(token.is_word for token in tokens):
        raise QuestionError(f"question {text!r} holds no word; ask with at least one")
    quoted = quoted_spans(text)
    names = _names(text, tokens, quoted)
    masked = _masked(tokens, names)
    wh = read_wh(tokens, masked)
    slot = wh.slot
    comparison = read_comparison(text, tokens, quoted)
    superlative = _superlative(tokens, masked)
    if comparison is not None and _chooses(tokens, wh, comparison.measure):
        slot = Slot.COMPARISON
    elif _may_list(slot) and _is_superlative(superlative, comparison) and not _many(tokens, wh):
        slot = Slot.SUPERLATIVE
    elif _may_list(slot) and (wh.count > 1 or wh.is_plural):
        slot = Slot.LIST
    times = find_times(text, tokens, {name.start: name.end for name in names})
    return Question(
        text=text,
        slot=slot,
        types=wh.types,
        wh=tokens[wh.at].lower if wh.at >= 0 and tokens[wh.at].lower in WH_SLOTS else "",
        wh_start=tokens[wh.at].start if wh.at >= 0 else -1,
        focus=tokens[wh.head].lower if wh.head >= 0 else "",
        count=wh.count if slot == Slot.LIST else 0,
        terms=_terms(tokens, wh, names),
        names=tuple(names),
        relations=_relations(tokens, masked),
        times=tuple(times),
        negated=any(token.lower in NEGATIONS and not token.is_capital for token in tokens[:1])
        or any(token.lower in NEGATIONS and at not in masked for at, token in enumerate(tokens)),
        present=_is_present(tokens, masked, times),
        comparison=comparison,
        superlative=superlative,
    )


def _names(text: str, tokens: list[Token], quoted: Sequence[tuple[int, int]]) -> list[NameSpan]:
    """Quoted texts and runs of capitals; in a question all in capitals, quoted texts only."""
    spans = list(quoted)
    words = [token for token in tokens if token.is_word and token.text[0].isalpha()]
    shouted = len(words) > 2 and all(token.text.isupper() for token in words)
    if not shouted:
        for run in name_runs(tokens, text):
            first, end = _without_lead(tokens, run)
            if first < end:
                start, stop = tokens[first].start, tokens[end - 1].end
                if not any(a < stop and start < b for a, b in quoted):
                    spans.append((start, stop))
    dates = [(date.start, date.end) for date in find_dates(text)]
    return [
        NameSpan(text=text[a:b], start=a, end=b)
        for a, b in sorted(spans)
        if text[a:b] != "I" and not any(x <= a and b <= y for x, y in dates)
    ]


def _without_lead(tokens: list[Token], run: tuple[int, int]) -> tuple[int, int]:
    """The question's own first word is no name: wh-words, auxiliaries, commands."""
    first, end = run
    if first == 0 and end - first >= 1:
        lead = tokens[0].lower
        is_will = lead == "will" and _is_name_will(tokens, end)
        if is_will:
            return run
        if lead in set(WH_SLOTS) | COMMANDS | AUXILIARIES:
            first += 1
        while first < end and not tokens[first].is_capital:
            first += 1
    return trim_start(tokens, (first, end))


def _is_name_will(tokens: list[Token], end: int) -> bool:
    """ "Will Smith directed what?" against "Will Smith direct it?": the verb's form tells."""
    if end >= len(tokens) or end < 2:
        return False
    verb = tokens[end].lower
    asks_elsewhere = any(token.lower in WH_SLOTS for token in tokens[end:])
    return asks_elsewhere or verb == "'s" or verb.endswith(("ed", "s")) or verb in AUXILIARIES


def _masked(tokens: list[Token], names: Sequence[NameSpan]) -> frozenset[int]:
    return frozenset(
        at
        for at, token in enumerate(tokens)
        if any(name.start <= token.start < name.end for name in names)
    )


def _chooses(tokens: list[Token], wh: WhPhrase, measure: str) -> bool:
    """Whether two options make the question a comparison, not a fact about two things."""
    has_or = any(token.lower == "or" for token in tokens)
    if wh.slot == Slot.YES_NO:
        return has_or or measure in {"same", "both"}
    return wh.slot in {Slot.WHAT, Slot.WHICH, Slot.WHO, Slot.LIST} and (
        has_or or measure in {"birth", "death", "date", "span", "number"}
    )


def _may_list(slot: Slot) -> bool:
    return slot in {Slot.WHAT, Slot.WHICH, Slot.WHO}


def _many(tokens: list[Token], wh: WhPhrase) -> bool:
    """ "Which objects ARE most visited?" asks for several, "which of them IS …" for one."""
    following = tokens[wh.head + 1].lower if 0 <= wh.head < len(tokens) - 1 else ""
    return wh.is_plural and following in {"are", "were", "have", "had"}


def _superlative(tokens: list[Token], masked: frozenset[int]) -> str:
    for at, token in enumerate(tokens):
        if token.lower in SUPERLATIVES and at not in masked and not token.is_capital:
            return token.lower
    return ""


def _is_superlative(word: str, comparison: object) -> bool:
    return bool(word) and word not in _PLAIN_ORDER - {"most", "least"} and comparison is None


def _terms(tokens: list[Token], wh: WhPhrase, names: Sequence[NameSpan]) -> tuple[ContentTerm, ...]:
    position = {at: n for n, at in enumerate(i for i, t in enumerate(tokens) if t.is_word)}
    origin = position.get(wh.at, -1)
    found = []
    for at, token in enumerate(tokens):
        if not token.stem or at == wh.at or _is_empty(tokens, at, wh):
            continue
        in_name = any(name.start <= token.start < name.end for name in names)
        found.append(
            ContentTerm(
                text=token.text,
                term=token.term,
                stem=token.stem,
                start=token.start,
                end=token.end,
                distance=abs(position[at] - origin),
                alternatives=frozenset({token.stem}) if in_name else alternatives(token.stem),
                in_name=in_name,
                is_focus=at == wh.head,
            )
        )
    return tuple(found)


_SILENT = frozenset("many much did does do also please tell there called".split())


def _is_empty(tokens: list[Token], at: int, wh: WhPhrase) -> bool:
    """Words that ask but say nothing: "tell me", "name of", "how many"."""
    token = tokens[at]
    if token.lower in _SILENT | DO and not token.is_capital:
        return True
    if at == 0 and token.lower in COMMANDS:
        return True
    follows = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    return token.lower in EMPTY_HEADS and follows == "of" and at != wh.head


def _relations(tokens: list[Token], masked: frozenset[int]) -> tuple[RelationCue, ...]:
    silent = ORDER_WORDS - {"long"}
    return tuple(
        RelationCue(relation=name, text=token.text, start=token.start, end=token.end)
        for at, token in enumerate(tokens)
        if at not in masked and token.stem and token.lower not in silent
        for name in relations_of_word(token.lower)[:1]
    )


def _is_present(
    tokens: list[Token], masked: frozenset[int], times: Sequence[TimeExpression]
) -> bool:
    """Whether the question asks how things are now: by a word, else by its first verb."""
    if any(time.kind == TimeKind.NOW for time in times):
        return True
    if times:
        return False
    for at, token in enumerate(tokens):
        if at in masked and at > 0:
            continue
        if token.lower in PRESENT_AUXILIARIES or (at == 1 and token.lower == "'s"):
            return True
        if token.lower in AUXILIARIES or token.lower.endswith("ed") or token.lower in _PAST:
            return False
        if token.lower in _PRESENT_VERBS:
            return True
    return False


_PAST = frozenset(
    "led wrote built bought sold won made ran began held kept left lost met paid sang taught "
    "took went drew grew knew rose spoke stood flew founded".split()
)
_PRESENT_VERBS = frozenset(
    "leads runs owns heads manages lives works makes sells chairs rules governs coaches plays "
    "supplies operates employs teaches holds directs publishes uses sponsors".split()
)
