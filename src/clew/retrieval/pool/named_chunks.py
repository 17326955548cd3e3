"""From the names in a question to the chunks that they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.ragged import positions, union
from clew.stores.base import Numbers, Scores

_MOST_MENTIONS = 2000
_FOLLOWED_MENTIONS = 50


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class NamedChunks:
    """For one name of the question: the chunks that are ``about`` it and how strongly, the chunks
    that mention it (``all_mentions``: every one, and not only the first of very many), and how rare
    it is. ``entity`` stands for the name in explanations.
    """

    entity: int
    about: Numbers
    strength: Scores
    mentioned_in: Numbers
    all_mentions: bool
    rarity: float


def rarity(frequencies: Numbers, count: int) -> Scores:
    """``ln(1 + N/df) / ln(1 + N)``: 1 for an entity of a single chunk, near 0 for a hub."""
    held = np.maximum(frequencies, 1)
    return (np.log1p(count / held) / log(1 + max(count, 1))).astype(np.float32)


def chunks_of_names(search: Search) -> list[NamedChunks]:
    """Follow each name of the question to its chunks."""
    reader = search.reader
    named = []
    for name in search.query.names:
        about = reader.chunks_about(name.entities)
        chunks, weights = _best_weights(about.targets, about.weights)
        mentions = reader.units_of_entities(name.entities, limit=_MOST_MENTIONS)
        frequency = reader.entity_frequencies(name.entities).sum()
        certainty = name.similarity / np.sqrt(max(len(chunks), 1))
        named.append(
            NamedChunks(
                entity=int(name.entities[0]),
                about=chunks,
                strength=(certainty * weights).astype(np.float32),
                mentioned_in=union(chunks, reader.chunks_of_units(np.unique(mentions.targets))),
                all_mentions=len(mentions.targets) < _MOST_MENTIONS,
                rarity=float(rarity(np.array([frequency]), search.counts["chunks"])[0]),
            )
        )
    return named


def reached_by_name(named: Sequence[NamedChunks], *, limit: int) -> Numbers:
    """The chunks that names lead to: those about them, and those that mention a rare one."""
    reached = [np.empty(0, dtype=np.int64)]
    for name in named:
        strongest = np.argsort(-name.strength, kind="stable")[:limit]
        reached.append(name.about[strongest])
        if len(name.mentioned_in) <= _FOLLOWED_MENTIONS:
            reached.append(name.mentioned_in)
    return union(*reached)


def about_names(chunks: Numbers, named: Sequence[NamedChunks]) -> Scores:
    """How strongly each chunk is about one of the names (the best one counts)."""
    best = np.zeros(len(chunks), dtype=np.float32)
    for name in named:
        at = positions(chunks, name.about)
        here = at >= 0
        best[at[here]] = np.maximum(best[at[here]], name.strength[here])
    return best


def mentions_names(chunks: Numbers, named: Sequence[NamedChunks]) -> Scores:
    """Which part of the names each chunk mentions, rare names counting more."""
    total = sum(name.rarity for name in named)
    share = np.zeros(len(chunks), dtype=np.float32)
    for name in named:
        share += np.isin(chunks, name.mentioned_in) * np.float32(name.rarity / total)
    return share


def name_of(chunk: int, named: Sequence[NamedChunks]) -> NamedChunks | None:
    """The name of the question that ``chunk`` is most about."""
    best: tuple[float, NamedChunks] | None = None
    for name in named:
        at = int(positions(name.about, np.array([chunk]))[0])
        if at >= 0 and (best is None or name.strength[at] > best[0]):
            best = (float(name.strength[at]), name)
    return None if best is None else best[1]


def _best_weights(chunks: Numbers, weights: Scores) -> tuple[Numbers, Scores]:
    """Each chunk once, with its greatest weight."""
    unique, place = np.unique(chunks, return_inverse=True)
    best = np.zeros(len(unique), dtype=np.float32)
    np.maximum.at(best, place, weights)
    return unique, best
