"""Which entities of the store a question names.

Names are looked up as they are written (aliases included), then, for what is written like a name
and is none, by spelling: one mistyped letter must not hide a document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.retrieval.query.names import (
    NameSpan,
    Word,
    capitalised_runs,
    longest_first,
    name_spans,
    words_of,
)
from clew.stores.base import GraphReader, Numbers
from clew.text.names import name_key
from clew.text.words import terms

MOST_MISSPELT_NAMES = 4
_SIMILAR_PER_NAME = 3
_NAME_LIKE = 0.5


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LinkedName:
    """A name as the question has it, and the entities that it may mean.

    ``start`` and ``end`` are offsets into the question (both 0 for a name that a model added);
    ``similarity`` is below 1 where the spelling differs.
    """

    text: str
    start: int
    end: int
    entities: Numbers
    similarity: float = 1.0


def link_names(
    reader: GraphReader, question: str, *, threshold: float, documents: Numbers | None
) -> list[LinkedName]:
    """Find the names of ``question`` that the store knows, in order of the question."""
    words = words_of(question)
    spans = list(name_spans(question, words))
    found = _find(reader, sorted({span.key for span in spans}), documents)
    exact = _exact_names(reader, words, spans, found)
    unknown = [run for run in capitalised_runs(question, words) if run.key not in found]
    misspelt = _misspelt_names(reader, unknown, exact, threshold, documents)
    replaced = [
        (span, name)
        for span, name in exact
        if not any(_overlap(span, other) for other, _ in misspelt)
    ]
    return [name for _, name in sorted(replaced + misspelt, key=lambda pair: pair[0].first)]


def link_given_names(
    reader: GraphReader, names: Iterable[str], *, threshold: float, documents: Numbers | None
) -> list[LinkedName]:
    """Find entities for names that somebody else found in the question."""
    by_key = {key: name for name in names if (key := name_key(name))}
    found = _find(reader, list(by_key), documents)
    linked = []
    for key, name in by_key.items():
        similar = None if key in found else _similar(reader, name, key, threshold, documents)
        if key in found:
            linked.append(LinkedName(text=name, start=0, end=0, entities=found[key]))
        elif similar is not None:
            linked.append(similar)
    return linked


def _exact_names(
    reader: GraphReader, words: list[Word], spans: list[NameSpan], found: dict[str, Numbers]
) -> list[tuple[NameSpan, LinkedName]]:
    known = [span for span in spans if span.key in found]
    unsure = [span for span in known if span.length == 1 and not _written_as_name(words, span)]
    common = _common_words(reader, unsure, found)
    return [
        (span, _linked(span, found[span.key]))
        for span in longest_first(span for span in known if span not in common)
    ]


def _misspelt_names(
    reader: GraphReader,
    runs: list[NameSpan],
    exact: Sequence[tuple[NameSpan, LinkedName]],
    threshold: float,
    documents: Numbers | None,
) -> list[tuple[NameSpan, LinkedName]]:
    """Names by spelling for runs of capitalised words that are not names as they stand, though a
    part of them may be: a misspelt title often holds a well-spelt town.
    """
    matched = {index for span, _ in exact for index in range(span.first, span.last)}
    unmatched = [run for run in runs if not matched.issuperset(range(run.first, run.last))]
    linked = []
    for run in unmatched[:MOST_MISSPELT_NAMES]:
        name = _similar(reader, run.text, run.key, threshold, documents)
        if name is not None and not _is_part_already_found(run, exact, name):
            linked.append(
                (
                    run,
                    LinkedName(
                        text=run.text,
                        start=run.start,
                        end=run.end,
                        entities=name.entities,
                        similarity=name.similarity,
                    ),
                )
            )
    return linked


def _find(reader: GraphReader, keys: list[str], documents: Numbers | None) -> dict[str, Numbers]:
    links = reader.find_entities(keys, documents=documents)
    return {
        key: links.targets[links.indptr[row] : links.indptr[row + 1]]
        for row, key in enumerate(keys)
        if links.indptr[row] < links.indptr[row + 1]
    }


def _similar(
    reader: GraphReader, text: str, key: str, threshold: float, documents: Numbers | None
) -> LinkedName | None:
    """The entities whose names are spelled most like ``key``: the best and its equals."""
    if len(key) < 4:
        return None
    ranking = reader.similar_entities(
        key, threshold=threshold, k=_SIMILAR_PER_NAME, documents=documents
    )
    if not len(ranking.numbers):
        return None
    best = ranking.scores >= ranking.scores[0] - 1e-6
    return LinkedName(
        text=text,
        start=0,
        end=0,
        entities=np.sort(ranking.numbers[best]),
        similarity=float(ranking.scores[0]),
    )


def _written_as_name(words: list[Word], span: NameSpan) -> bool:
    """A capital letter says "name", except on the first word, which has one anyway."""
    return words[span.first].capitalised and span.first > 0


def _common_words(
    reader: GraphReader, spans: list[NameSpan], found: dict[str, Numbers]
) -> set[NameSpan]:
    """Which single words are common words that happen to be somebody's name too."""
    common = set()
    for span in spans:
        word = terms(span.text)[:1]
        if not word:
            common.add(span)
            continue
        occurrences = int(reader.document_frequencies("chunk", word)[0])
        as_name = int(reader.entity_frequencies(found[span.key]).max(initial=0))
        if as_name < _NAME_LIKE * occurrences:
            common.add(span)
    return common


def _is_part_already_found(
    run: NameSpan, exact: Sequence[tuple[NameSpan, LinkedName]], name: LinkedName
) -> bool:
    return any(
        _overlap(run, span) and np.isin(name.entities, linked.entities).any()
        for span, linked in exact
    )


def _overlap(one: NameSpan, other: NameSpan) -> bool:
    return one.first < other.last and other.first < one.last


def _linked(span: NameSpan, entities: Numbers) -> LinkedName:
    return LinkedName(text=span.text, start=span.start, end=span.end, entities=entities)
