"""Segments: arrays over documents with numbers in a row, derived from the records for searching.

A commit makes one small segment. Small neighbours are merged into larger ones (as in a
log-structured merge tree; O'Neil et al. 1996), so that each record is copied a few times at most
and a search looks into a few segments only. A segment never changes; documents that are deleted
live on in it as *dead* until it is merged, and everything that reads it leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Numbers, Scores
from clew.stores.links import offsets, ranges
from clew.stores.numbering import Numbered
from clew.stores.sqlite.seals import NO_SUM

Flags = NDArray[np.bool_]


class Card(IntEnum):
    """The columns of ``Segment.cards``, one line per document. ``CHUNK_VECTOR`` and
    ``UNIT_VECTOR`` are the rows of its first vectors in the vector files, -1 without vectors.
    """

    NUMBER = 0
    FIRST_CHUNK = 1
    CHUNKS = 2
    FIRST_UNIT = 3
    UNITS = 4
    FACTS = 5
    MENTIONS = 6
    TOPICS = 7
    EDGES = 8
    CHUNK_VECTOR = 9
    UNIT_VECTOR = 10


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Segment:
    """``chunk_*`` and ``unit_*`` run over the records in order of number, ``topic_*`` over the
    topics of the documents in turn; ``*_sums`` are the checksums of their vectors.
    ``mention_counts`` says how many different entities each unit mentions, ``mention_entities``
    which. The same links by entity: ``entities`` ascending, the units of the i-th are
    ``entity_units[entity_starts[i]:entity_starts[i + 1]]``.
    """

    cards: Numbers
    chunk_lengths: Numbers
    unit_lengths: Numbers
    unit_chunks: Numbers
    chunk_sums: Numbers
    unit_sums: Numbers
    mention_counts: Numbers
    mention_entities: Numbers
    entities: Numbers
    entity_starts: Numbers
    entity_units: Numbers
    topic_chunks: Numbers
    topic_entities: Numbers
    topic_weights: Scores

    @classmethod
    def array_names(cls) -> tuple[str, ...]:
        return tuple(item.name for item in fields(cls))

    def living(self, dead: Numbers) -> Flags:
        """One flag per document: is it not among the ``dead`` ones?"""
        return ~np.isin(self.cards[:, Card.NUMBER], dead)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class AppendedVectors:
    """Where the vectors of the first chunk and unit stand (the others follow), and their sums."""

    first_chunk: int
    first_unit: int
    chunk_sums: Numbers
    unit_sums: Numbers


def make_segment(
    documents: Sequence[Numbered],
    chunk_lengths: Numbers,
    unit_lengths: Numbers,
    vectors: AppendedVectors | None,
) -> Segment:
    cards = np.array([_card(numbered) for numbered in documents], np.int64)
    cards = cards.reshape(-1, len(Card))
    units, entities = _unique_pairs(
        _joined(numbered.unit_of_mention for numbered in documents),
        _joined(numbered.entity_of_mention for numbered in documents),
    )
    owners = np.searchsorted(cards[:, Card.FIRST_UNIT], units, side="right") - 1
    cards[:, Card.EDGES] += np.bincount(owners, minlength=len(cards))
    if vectors is not None:
        cards[:, Card.CHUNK_VECTOR] = vectors.first_chunk + offsets(cards[:, Card.CHUNKS])[:-1]
        cards[:, Card.UNIT_VECTOR] = vectors.first_unit + offsets(cards[:, Card.UNITS])[:-1]
    unit_numbers = ranges(cards[:, Card.FIRST_UNIT], cards[:, Card.UNITS])
    weights = [topic.weight for numbered in documents for topic in numbered.indexed.topics]
    return _with_links(
        cards=cards,
        lengths=(chunk_lengths, unit_lengths),
        sums=(
            np.full(len(chunk_lengths), NO_SUM) if vectors is None else vectors.chunk_sums,
            np.full(len(unit_lengths), NO_SUM) if vectors is None else vectors.unit_sums,
        ),
        unit_chunks=_joined(numbered.chunk_of_unit for numbered in documents),
        mention_counts=np.diff(np.append(np.searchsorted(units, unit_numbers), len(units))),
        mention_entities=entities,
        topics=(
            _joined(numbered.chunk_of_topic for numbered in documents),
            _joined(numbered.entity_of_topic for numbered in documents),
            np.array(weights, np.float32),
        ),
    )


def merge_segments(segments: Sequence[Segment], dead: Numbers) -> Segment:
    """One segment of the living documents of ``segments``, which follow each other."""
    living = [_without(segment, segment.living(dead)) for segment in segments]

    def joined(name: str) -> Numbers:
        return np.concatenate([getattr(segment, name) for segment in living])

    return _with_links(
        cards=joined("cards"),
        lengths=(joined("chunk_lengths"), joined("unit_lengths")),
        sums=(joined("chunk_sums"), joined("unit_sums")),
        unit_chunks=joined("unit_chunks"),
        mention_counts=joined("mention_counts"),
        mention_entities=joined("mention_entities"),
        topics=(
            joined("topic_chunks"),
            joined("topic_entities"),
            np.concatenate([segment.topic_weights for segment in living]),
        ),
    )


def rows_after_merge(
    segments: Sequence[Segment], dead: Numbers, count: Card
) -> list[NDArray[np.int64]]:
    """Per segment, where each of its rows stands in the merged segment; -1 for dead ones.

    ``count`` is ``Card.CHUNKS`` or ``Card.UNITS``: the layer whose rows are meant.
    """
    maps, base = [], 0
    for segment in segments:
        alive = np.repeat(segment.living(dead), segment.cards[:, count])
        rows = np.where(alive, base + np.cumsum(alive) - 1, -1)
        maps.append(rows.astype(np.int64))
        base += int(np.count_nonzero(alive))
    return maps


def _card(numbered: Numbered) -> tuple[int, ...]:
    """Edges to entities are added later, from the mentions of all documents at once."""
    indexed = numbered.indexed
    topics = set(zip(numbered.chunk_of_topic, numbered.entity_of_topic, strict=True))
    return (
        numbered.number,
        numbered.first_chunk,
        len(indexed.chunks),
        numbered.first_unit,
        len(indexed.units),
        len(indexed.facts),
        len(indexed.mentions),
        len(indexed.topics),
        len(indexed.units) + len(topics),
        -1,
        -1,
    )


def _without(segment: Segment, alive: Flags) -> _Living:
    cards = segment.cards
    units = np.repeat(alive, cards[:, Card.UNITS])
    chunks = np.repeat(alive, cards[:, Card.CHUNKS])
    topics = np.repeat(alive, cards[:, Card.TOPICS])
    return _Living(
        cards=cards[alive],
        chunk_lengths=segment.chunk_lengths[chunks],
        chunk_sums=segment.chunk_sums[chunks],
        unit_sums=segment.unit_sums[units],
        unit_lengths=segment.unit_lengths[units],
        unit_chunks=segment.unit_chunks[units],
        mention_counts=segment.mention_counts[units],
        mention_entities=segment.mention_entities[np.repeat(units, segment.mention_counts)],
        topic_chunks=segment.topic_chunks[topics],
        topic_entities=segment.topic_entities[topics],
        topic_weights=segment.topic_weights[topics],
    )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Living:
    """A segment without its dead documents and without the links by entity."""

    cards: Numbers
    chunk_lengths: Numbers
    unit_lengths: Numbers
    chunk_sums: Numbers
    unit_sums: Numbers
    unit_chunks: Numbers
    mention_counts: Numbers
    mention_entities: Numbers
    topic_chunks: Numbers
    topic_entities: Numbers
    topic_weights: Scores


def _with_links(
    *,
    cards: Numbers,
    lengths: tuple[Numbers, Numbers],
    sums: tuple[Numbers, Numbers],
    unit_chunks: Numbers,
    mention_counts: Numbers,
    mention_entities: Numbers,
    topics: tuple[Numbers, Numbers, Scores],
) -> Segment:
    """Add the links by entity to those by unit."""
    unit_numbers = ranges(cards[:, Card.FIRST_UNIT], cards[:, Card.UNITS])
    mentioning = np.repeat(unit_numbers, mention_counts)
    order = np.argsort(mention_entities, kind="stable")
    entities, counts = np.unique(mention_entities, return_counts=True)
    return Segment(
        cards=cards,
        chunk_lengths=lengths[0],
        unit_lengths=lengths[1],
        chunk_sums=sums[0],
        unit_sums=sums[1],
        unit_chunks=unit_chunks,
        mention_counts=mention_counts,
        mention_entities=mention_entities,
        entities=entities,
        entity_starts=offsets(counts),
        entity_units=mentioning[order],
        topic_chunks=topics[0],
        topic_entities=topics[1],
        topic_weights=topics[2],
    )


def _joined(parts: Iterable[list[int]]) -> Numbers:
    return np.array([number for part in parts for number in part], np.int64)


def _unique_pairs(units: Numbers, entities: Numbers) -> tuple[Numbers, Numbers]:
    order = np.lexsort((entities, units))
    units, entities = units[order], entities[order]
    fresh = np.ones(len(units), bool)
    fresh[1:] = (units[1:] != units[:-1]) | (entities[1:] != entities[:-1])
    return units[fresh], entities[fresh]
