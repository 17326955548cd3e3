"""One document in memory: its records as they came, the numbers that they got, its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from clew.records import IndexedDocument
from clew.stores.base import Numbers, search_text_of_chunk, search_text_of_unit
from clew.text.words import terms


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """Which terms the records of one layer hold: triples (row, term, count), and the number of
    terms of each row. Rows count from 0 inside the document.
    """

    rows: Numbers
    terms: Numbers
    counts: Numbers
    lengths: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """Chunks have the numbers from ``first_chunk`` on, units from ``first_unit`` on."""

    number: int
    first_chunk: int
    first_unit: int
    indexed: IndexedDocument
    chunk_of_unit: Numbers
    mention_units: Numbers
    mention_entities: Numbers
    topic_chunks: Numbers
    topic_entities: Numbers
    chunk_words: Words
    unit_words: Words

    def with_vectors_of(self, indexed: IndexedDocument) -> Entry:
        """The same numbers and words: only the vectors differ."""
        return replace(self, indexed=indexed)


def make_entry(
    indexed: IndexedDocument,
    *,
    number: int,
    first_chunk: int,
    first_unit: int,
    entity_numbers: Mapping[str, int],
    vocabulary: dict[str, int],
) -> Entry:
    """Number the records of a document. New terms join the ``vocabulary``."""
    document = indexed.document
    chunks = {chunk.id: first_chunk + at for at, chunk in enumerate(indexed.chunks)}
    units = {unit.id: first_unit + at for at, unit in enumerate(indexed.units)}
    return Entry(
        number=number,
        first_chunk=first_chunk,
        first_unit=first_unit,
        indexed=indexed,
        chunk_of_unit=_array(chunks[unit.chunk_id] for unit in indexed.units),
        mention_units=_array(units[mention.unit_id] for mention in indexed.mentions),
        mention_entities=_array(entity_numbers[mention.entity_id] for mention in indexed.mentions),
        topic_chunks=_array(chunks[topic.chunk_id] for topic in indexed.topics),
        topic_entities=_array(entity_numbers[topic.entity_id] for topic in indexed.topics),
        chunk_words=_words(
            (search_text_of_chunk(document, chunk) for chunk in indexed.chunks), vocabulary
        ),
        unit_words=_words(
            (search_text_of_unit(document, unit) for unit in indexed.units), vocabulary
        ),
    )


def _array(numbers: Iterable[int]) -> Numbers:
    return np.fromiter(numbers, np.int64)


def _words(texts: Iterable[str], vocabulary: dict[str, int]) -> Words:
    triples: list[tuple[int, int, int]] = []
    lengths: list[int] = []
    for row, text in enumerate(texts):
        counted = Counter(terms(text))
        lengths.append(counted.total())
        triples.extend(
            (row, vocabulary.setdefault(term, len(vocabulary)), count)
            for term, count in counted.items()
        )
    columns = np.array(triples, np.int64).reshape(-1, 3)
    return Words(columns[:, 0], columns[:, 1], columns[:, 2], np.array(lengths, np.int64))
