"""Which entities of the store a question names, and how each was recognised.

From the surest to the least sure, each only for what the ones before left open: as written, by
letters that are wrong, by first letters, by a part, by meaning. An exact name is never lost to a
likeness: a misspelt title may only take in single words ("The Silver Herron", "Silver").
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from clew.models.base import Embedder
from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.misspelt_names import link_misspelt, misspelt_names
from clew.retrieval.query.name_lookup import NameLookup
from clew.retrieval.query.names import (
    NameSpan,
    Word,
    capitalised_runs,
    name_spans,
    parts_of_run,
    quoted_spans,
    words_of,
)
from clew.retrieval.query.names_by_meaning import link_by_meaning
from clew.retrieval.query.short_names import link_acronym, link_partial, link_surname
from clew.retrieval.query.written_names import Placed, is_acronym, link_written, written_names
from clew.stores.base import GraphReader, Scores
from clew.text.names import name_key
from clew.text.words import terms

MOST_SHORT_NAMES = 4
_RARE = 30
_LEAST_LOWER_CASE = 4
_LONGEST_OF_A_WORD = 3


def link_names(
    reader: GraphReader,
    question: str,
    *,
    threshold: float,
    unknown: Collection[str] | None = None,
) -> list[LinkedName]:
    """Find the names of ``question`` that the store knows, in order of the question.

    ``unknown`` are the words of the question that no document has, if that is known already.
    """
    lookup = NameLookup(reader=reader, threshold=threshold)
    words = words_of(question)
    quoted = list(quoted_spans(question, words))
    spans = list(dict.fromkeys([*name_spans(question, words), *quoted]))
    found = _Found(written_names(lookup, words, spans, set(quoted)))
    runs = list(dict.fromkeys([*quoted, *capitalised_runs(question, words)]))
    strange = {word.casefold() for word in _unknown(lookup, words, unknown)}
    for span, name in misspelt_names(
        lookup, question, words, runs, matched=found.words, unknown=strange
    ):
        found.replace(span, name)
    for span in _open(question, words, runs, found)[:MOST_SHORT_NAMES]:
        if not found.touches(span):
            found.add(span, link_acronym(lookup, span) or _partial(lookup, span))
    for span, name in found.placed:
        if span.length == 1 and name.how == "exact" and words[span.first].capitalised:
            found.add(span, link_surname(lookup, span, name))
    for span in _lower_case(lookup, words, found):
        found.add(span, _lower_case_part(lookup, span))
    return [name for _, name in found.placed]


def link_open_names(
    reader: GraphReader,
    question: str,
    names: Sequence[LinkedName],
    *,
    threshold: float,
    embedder: Embedder,
    vector: Scores,
) -> list[LinkedName]:
    """Link by meaning what looks like a name and is none of ``names``, those found otherwise.

    ``vector`` is that of the question.
    """
    words = words_of(question)
    runs = [*quoted_spans(question, words), *capitalised_runs(question, words)]
    left = [
        run
        for run in dict.fromkeys(runs)
        if not any(run.start < name.end and name.start < run.end for name in names)
    ]
    known = [name.entities for name in names]
    return link_by_meaning(
        NameLookup(reader=reader, threshold=threshold),
        left,
        embedder=embedder,
        vector=vector,
        known=np.concatenate(known) if known else np.empty(0, np.int64),
    )


def link_given_names(
    reader: GraphReader, names: Iterable[str], *, threshold: float
) -> list[LinkedName]:
    """Find entities for names that somebody else found in the question."""
    lookup = NameLookup(reader=reader, threshold=threshold)
    by_key = {key: name for name in names if (key := name_key(name))}
    linked = []
    for key, name in by_key.items():
        span = NameSpan(0, 1, 0, 0, name, key)
        strange = {word.casefold() for word in _unknown(lookup, words_of(name), None)}
        found = (
            link_written(lookup, name)
            or link_misspelt(lookup, span, unknown=strange)
            or link_acronym(lookup, span)
            or link_partial(lookup, span)
        )
        if found is not None:
            linked.append(found)
    return linked


class _Found:
    """The names found so far, with the words that they take up."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self._names = dict(placed)

    @property
    def placed(self) -> list[Placed]:
        """In order of the question."""
        return sorted(self._names.items(), key=lambda pair: pair[0].first)

    @property
    def words(self) -> set[int]:
        return {at for span in self._names for at in range(span.first, span.last)}

    def touches(self, span: NameSpan) -> bool:
        """Whether a word of ``span`` belongs to a name already."""
        return any(_overlap(span, other) for other in self._names)

    def add(self, span: NameSpan, name: LinkedName | None) -> None:
        if name is not None:
            self._names[span] = name

    def replace(self, span: NameSpan, name: LinkedName) -> None:
        """Put a misspelt name in the place of single words inside it, unless it means the same."""
        inside = [other for other in self._names if _overlap(span, other)]
        if any(np.isin(name.entities, self._names[other].entities).any() for other in inside):
            return
        for other in inside:
            if other != span and not _several_words(other):
                del self._names[other]
        self._names.setdefault(span, name)


def _several_words(span: NameSpan) -> bool:
    return " " in span.key.removeprefix("the ")


def _unknown(
    lookup: NameLookup, words: Sequence[Word], given: Collection[str] | None
) -> Collection[str]:
    """The words that no document has."""
    if given is not None:
        return given
    by_word = {word.text: found for word in words if (found := terms(word.text))}
    asked = sorted({term for found in by_word.values() for term in found})
    counts = dict(zip(asked, lookup.word_counts(asked).tolist(), strict=True)) if asked else {}
    return {word for word, found in by_word.items() if not any(counts[term] for term in found)}


def _open(
    question: str, words: Sequence[Word], runs: Sequence[NameSpan], found: _Found
) -> list[NameSpan]:
    """What looks like a name and is linked to nothing yet, a run before its parts."""
    parts = [part for run in runs for part in parts_of_run(question, words, run)]
    return [part for part in dict.fromkeys(parts) if not found.touches(part)]


def _partial(lookup: NameLookup, span: NameSpan) -> LinkedName | None:
    """A capital proves little on the first word, and an acronym is no part of a name."""
    if is_acronym(span.text):
        return None
    linked = link_partial(lookup, span)
    if linked is not None and span.first == 0 and span.length == 1:
        return linked if _is_name_like(lookup, span, linked) else None
    return linked


def _lower_case(lookup: NameLookup, words: Sequence[Word], found: _Found) -> list[NameSpan]:
    """Rare words in lower case that may be a part of a name: "when was nolan born"."""
    matched = found.words
    spans = [
        NameSpan(at, at + 1, word.start, word.end, word.text, key)
        for at, word in enumerate(words)
        if at not in matched and not word.opener and not word.capitalised and not word.unspaced
        if len(key := name_key(word.text)) >= _LEAST_LOWER_CASE and key.isalpha()
    ]
    first_terms = [next(iter(terms(span.text)), "") for span in spans]
    counts = lookup.word_counts(first_terms).tolist() if spans else []
    rare = [(count, span.first, span) for count, span in zip(counts, spans, strict=True)]
    wanted = sorted(item for item in rare if 0 < item[0] <= _RARE)
    return [span for _, _, span in wanted[:MOST_SHORT_NAMES]]


def _lower_case_part(lookup: NameLookup, span: NameSpan) -> LinkedName | None:
    """What a word in lower case is a part of: one short name, not any title that has it."""
    linked = link_partial(lookup, span)
    if linked is None or linked.ambiguous or not _is_name_like(lookup, span, linked):
        return None
    longest = max(len(name.split()) for name in linked.meanings)
    return linked if longest <= _LONGEST_OF_A_WORD else None


def _is_name_like(lookup: NameLookup, span: NameSpan, linked: LinkedName) -> bool:
    """Whether the documents use the word as (part of) this name, most of the time."""
    term = next(iter(terms(span.text)), "")
    occurrences = int(lookup.word_counts([term])[0]) if term else 0
    return 2 * int(lookup.chunk_counts(linked.entities).sum()) >= occurrences


def _overlap(one: NameSpan, other: NameSpan) -> bool:
    return one.first < other.last and other.first < one.last
