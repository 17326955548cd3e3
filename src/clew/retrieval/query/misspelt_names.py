"""Names that are misspelt in the question.

Two ways in. A word that no document has, in any case, is a slip: "who directed inceptoin" has one,
and a name with a word like it is looked for, its neighbours in the question being the rest of the
name. And what is written like a name and is none is looked up whole and in its parts; there the
words that documents do have are taken as they are, unless the rest of the name agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

import numpy as np
from rapidfuzz import fuzz

from clew.records import Entity
from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.name_lookup import NameLookup, keys_of_entity
from clew.retrieval.query.names import NameSpan, Word, parts_of_run, span_of
from clew.retrieval.query.slips import LEAST_SINGLE_WORD, slips, wrong_words
from clew.retrieval.query.written_names import Placed
from clew.text.names import name_key, without_accents
from clew.text.words import terms

MOST_STRANGE_WORDS = 4
MOST_RUNS = 6
_NAMES_PER_LOOKUP = 8
_NAMES_PER_WORD = 24
_LEAST_WORD = 3
_LEAST_NAME = LEAST_SINGLE_WORD - 1
_LEAST_PART, _LEAST_WHOLE = 0.4, 0.6
"""How like a name a stretch of it must be when it is looked for by that, and a word by itself."""


def misspelt_names(
    lookup: NameLookup,
    question: str,
    words: Sequence[Word],
    runs: Sequence[NameSpan],
    *,
    matched: Set[int],
    unknown: Set[str],
) -> Iterator[Placed]:
    """Yield names around the words of ``unknown``, which no document has, then for ``runs`` of
    words that look like names and are none as they stand. ``matched`` words are of names already.
    """
    covered: set[int] = set()
    strange = [
        at
        for at, word in enumerate(words)
        if at not in matched and len(word.text) >= _LEAST_WORD and word.text.casefold() in unknown
    ]
    for at in strange[:MOST_STRANGE_WORDS]:
        found = None if at in covered else _around(lookup, question, words, at, unknown)
        if found is not None:
            covered |= set(range(found[0].first, found[0].last))
            yield found
    parts = [part for run in runs for part in parts_of_run(question, words, run)]
    open_parts = [part for part in parts if not set(range(part.first, part.last)) <= matched]
    for part in open_parts[:MOST_RUNS]:
        places = set(range(part.first, part.last))
        linked = None if places & covered else link_misspelt(lookup, part, unknown=unknown)
        if linked is not None:
            covered |= places
            yield part, linked


def link_misspelt(lookup: NameLookup, span: NameSpan, *, unknown: Set[str]) -> LinkedName | None:
    """The entity whose name is most like the span: the best and its equals."""
    typed = without_accents(span.key)
    if len(typed) < _LEAST_NAME or lookup.threshold >= 1.0:
        return None
    ranking = lookup.similar(typed, threshold=lookup.threshold, k=_NAMES_PER_LOOKUP)
    scored = [
        (float(score), number, wrong, entity)
        for score, number, entity in zip(
            ranking.scores, ranking.numbers.tolist(), lookup.entities(ranking.numbers), strict=True
        )
        if (wrong := _least_slips(typed, entity, unknown)) is not None
    ]
    if not scored:
        return None
    least = min(wrong for _, _, wrong, _ in scored)
    best = sorted(
        ((number, entity, score) for score, number, wrong, entity in scored if wrong == least),
        key=lambda item: item[0],
    )
    return _linked(
        span, [(number, entity) for number, entity, _ in best], max(s for _, _, s in best), least
    )


def _around(
    lookup: NameLookup, question: str, words: Sequence[Word], at: int, unknown: Set[str]
) -> Placed | None:
    """The name of most words of which the word at ``at`` may be a misspelt part, its neighbours
    being the rest.
    """
    if lookup.threshold >= 1.0:
        return None
    found: dict[tuple[int, int], dict[int, tuple[NameSpan, Entity]]] = {}
    for number, entity in _names_near(lookup, question, words, at):
        for key in sorted(keys_of_entity(entity)):
            for span in _windows(question, words, at, key):
                wrong = _slips(without_accents(span.key), key, unknown)
                if wrong is not None and fuzz.ratio(span.key, key) >= 100 * lookup.threshold:
                    count = len(key.removeprefix("the ").split(" "))
                    alike = found.setdefault((-count, wrong), {})
                    alike[number] = min(alike.get(number, (span, entity)), (span, entity), key=_at)
    if not found:
        return None
    count, wrong = min(found)
    best = found[count, wrong]
    span = min(span for span, _ in best.values())
    meant = [(number, entity) for number, (_, entity) in sorted(best.items(), key=_by_number)]
    return span, _linked(span, meant, 1 - wrong / len(span.key), wrong)


def _tells(word: Word) -> bool:
    return not word.opener and len(word.text) >= _LEAST_WORD


def _at(item: tuple[NameSpan, Entity]) -> NameSpan:
    return item[0]


def _by_number(item: tuple[int, tuple[NameSpan, Entity]]) -> int:
    return item[0]


def _names_near(
    lookup: NameLookup, question: str, words: Sequence[Word], at: int
) -> Iterator[tuple[int, Entity]]:
    """Names with a word like that at ``at``: with the content words beside it, and by itself."""
    numbers: list[int] = []
    telling = [place for place, word in enumerate(words) if _tells(word)]
    before = max((place for place in telling if place < at), default=None)
    after = min((place for place in telling if place > at), default=None)
    stretches = [(at, at + 1, _LEAST_WHOLE)] if len(words[at].text) >= LEAST_SINGLE_WORD else []
    stretches += [(before, at + 1, _LEAST_PART)] if before is not None else []
    stretches += [(at, after + 1, _LEAST_PART)] if after is not None else []
    for first, last, least in stretches:
        typed = without_accents(span_of(question, words, first, last).key)
        numbers += lookup.similar(typed, threshold=least, k=_NAMES_PER_WORD).numbers.tolist()
    unique = list(dict.fromkeys(numbers))
    yield from zip(unique, lookup.entities(np.array(unique, np.int64)), strict=True)


def _windows(question: str, words: Sequence[Word], at: int, key: str) -> Iterator[NameSpan]:
    """The spans with as many words as the key, where the word at ``at`` may be one of its own."""
    names = key.split(" ")
    for place, name in enumerate(names):
        first, last = at - place, at - place + len(names)
        if first >= 0 and last <= len(words) and slips(words[at].text.casefold(), name) is not None:
            yield span_of(question, words, first, last)


def _least_slips(typed: str, entity: Entity, unknown: Set[str]) -> int | None:
    counted = (_slips(typed, key, unknown) for key in keys_of_entity(entity))
    return min((wrong for wrong in counted if wrong is not None), default=None)


def _slips(typed: str, key: str, unknown: Set[str]) -> int | None:
    """How many letters are wrong, if these are slips; words that documents have are no slips,
    unless other words of the name are right, or they are known by a stem that they share with it.
    """
    if " " not in key and not _long_enough(typed, key):
        return None
    wrong = slips(typed, key)
    if not wrong:
        return wrong
    changed = wrong_words(typed, key)
    count = len(typed.split(" "))
    if len(changed) < count or count != len(key.split(" ")):
        return wrong
    is_known = unknown.isdisjoint(changed) and terms(typed) != terms(key)
    return None if is_known else wrong


def _long_enough(typed: str, key: str) -> bool:
    """Whether a single word tells enough; a short one must begin alike."""
    least = LEAST_SINGLE_WORD if typed[0] != key[0] else _LEAST_NAME
    return min(len(typed), len(key)) >= least and max(len(typed), len(key)) >= LEAST_SINGLE_WORD


def _linked(
    span: NameSpan, meant: Sequence[tuple[int, Entity]], similarity: float, wrong: int
) -> LinkedName:
    return LinkedName(
        text=span.text,
        start=span.start,
        end=span.end,
        entities=np.array([number for number, _ in meant], np.int64),
        similarity=min(similarity, 1.0),
        how="typo" if wrong else "form",
        distance=wrong,
        spelling=_spelling(span.key, meant[0][1]) if wrong else "",
        meanings=tuple(entity.name for _, entity in meant),
    )


def _spelling(typed: str, entity: Entity) -> str:
    """That name of the entity which is most like the typed one."""
    return max((entity.name, *entity.aliases), key=lambda name: fuzz.ratio(typed, name_key(name)))
