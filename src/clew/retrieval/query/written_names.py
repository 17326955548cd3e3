"""Names that stand in the question as the documents write them, or nearly so.

Looked up by key: as written, without accents, with another article or ending. All spans of the
question are asked for at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from clew.retrieval.query.forms import other_forms, written_keys
from clew.retrieval.query.linked_name import How, LinkedName
from clew.retrieval.query.name_lookup import NameLookup
from clew.retrieval.query.names import NameSpan, Word, longest_first
from clew.stores.base import Numbers
from clew.text.names import name_key, without_accents
from clew.text.words import terms

Placed = tuple[NameSpan, LinkedName]
_NAME_LIKE = 0.5
_LONGEST_ACRONYM = 10
_LONGEST_TO_CHANGE = 6


def written_names(
    lookup: NameLookup, words: Sequence[Word], spans: Sequence[NameSpan], quoted: Set[NameSpan]
) -> list[Placed]:
    """The names among ``spans``, the longest where they overlap, in text order."""
    forms = {
        span: other_forms(span.key)[: None if _may_be_counted(words, span) else 1]
        for span in spans
        if _may_change(words, span)
    }
    own = {span: written_keys(span.key) for span in spans}
    found = lookup.find(key for keys in (*own.values(), *forms.values()) for key in keys)
    known: dict[NameSpan, tuple[Numbers, bool]] = {}
    for span in spans:
        as_written = _union(found, own[span])
        entities = as_written if len(as_written) else _first(found, forms.get(span, ()))
        if len(entities):
            known[span] = entities, bool(len(as_written))
    unsure = [
        span
        for span in known
        if span not in quoted and _is_unsure(words, span, as_written=known[span][1])
    ]
    common = _common_words(lookup, unsure, known)
    chosen = longest_first(span for span in known if span not in common)
    return _linked(lookup, [(span, *known[span]) for span in chosen])


def link_written(lookup: NameLookup, name: str) -> LinkedName | None:
    """The entities that a name by itself stands for."""
    key = name_key(name)
    span = NameSpan(0, 1, 0, 0, name, key)
    own, forms = written_keys(key), other_forms(key)
    found = lookup.find((*own, *forms))
    as_written = _union(found, own)
    entities = as_written if len(as_written) else _first(found, forms)
    if not len(entities):
        return None
    ((_, linked),) = _linked(lookup, [(span, entities, bool(len(as_written)))])
    return linked


def is_acronym(text: str) -> bool:
    """Whether a word is written like one: capitals alone, two or more, dots aside."""
    letters = text.replace(".", "")
    return 2 <= len(letters) <= _LONGEST_ACRONYM and letters.isalpha() and letters.isupper()


def _linked(lookup: NameLookup, chosen: Sequence[tuple[NameSpan, Numbers, bool]]) -> list[Placed]:
    """Say of each name how it was recognised, by the names that its entities have."""
    if not chosen:
        return []
    numbers = np.unique(np.concatenate([entities for _, entities, _ in chosen]))
    records = dict(zip(numbers.tolist(), lookup.entities(numbers), strict=True))
    linked = []
    for span, entities, as_written in chosen:
        meant = [records[number] for number in entities.tolist()]
        plain = without_accents(span.key)
        own = any(without_accents(entity.key) == plain for entity in meant)
        how: How = "form" if not as_written else "exact" if own else "alias"
        if how == "alias" and is_acronym(span.text):
            how = "acronym"
        linked.append(
            (
                span,
                LinkedName(
                    text=span.text,
                    start=span.start,
                    end=span.end,
                    entities=entities,
                    how=how,
                    meanings=tuple(entity.name for entity in meant),
                ),
            )
        )
    return linked


def _may_change(words: Sequence[Word], span: NameSpan) -> bool:
    """Other forms are tried of what begins and ends with words that may be of a name; an article
    before it is left to the span without.
    """
    first, last = words[span.first], words[span.last - 1]
    short = span.length <= _LONGEST_TO_CHANGE
    return short and not (first.opener or last.opener or first.unspaced)


def _may_be_counted(words: Sequence[Word], span: NameSpan) -> bool:
    """Several words in lower case with another ending are words: "tornado outbreaks"."""
    return span.length == 1 or any(word.capitalised for word in words[span.first : span.last])


def _union(found: Mapping[str, Numbers], keys: Iterable[str]) -> Numbers:
    rows = [found[key] for key in keys if key in found]
    if len(rows) == 1:
        return rows[0]
    return np.unique(np.concatenate(rows)) if rows else np.empty(0, np.int64)


def _first(found: Mapping[str, Numbers], keys: Iterable[str]) -> Numbers:
    return next((found[key] for key in keys if key in found), np.empty(0, np.int64))


def _is_unsure(words: Sequence[Word], span: NameSpan, *, as_written: bool) -> bool:
    """Whether a single word, small ones aside, has to prove that it is a name. A capital letter
    says so, except on the first word, which has one anyway; another form of a word says it less.
    """
    inside = words[span.first : span.last]
    if sum(not word.opener for word in inside) > 1:
        return False
    capital = any(word.capitalised for word in inside[span.first == 0 :])
    return not (as_written and capital)


def _common_words(
    lookup: NameLookup, spans: Sequence[NameSpan], known: Mapping[NameSpan, tuple[Numbers, bool]]
) -> set[NameSpan]:
    """Which single words are common words that happen to be somebody's name too."""
    first_terms = {span: next(iter(terms(span.text)), "") for span in spans}
    common = {span for span, term in first_terms.items() if not term}
    asked = [span for span in spans if span not in common]
    counts = lookup.word_counts([first_terms[span] for span in asked]) if asked else ()
    for span, occurrences in zip(asked, counts, strict=True):
        as_name = int(lookup.chunk_counts(known[span][0]).max(initial=0))
        if as_name < _NAME_LIKE * int(occurrences):
            common.add(span)
    return common
