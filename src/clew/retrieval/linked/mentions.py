"""Who speaks of what: the pairs (unit, entity) that links begin at.

A unit speaks of the entities that it mentions. A chunk also speaks of what it is *about*, though
often no sentence of it says the name ("He was born in Ostby."): its best unit stands for that.

An entity that the question names leads nowhere that its name has not led already. Without such
pairs, links are about what the question does *not* name: the bridge. A name that was only taken for
an entity (a misspelt one, a part of one) leaves its links as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.ragged import best_of_groups, row_index, union
from clew.stores.base import Links, Numbers, Scores

_EXACT = 0.999


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Mentions:
    """Pairs of a row of the pool's units and a row of ``entities``, and facts about each entity.

    The first ``said`` pairs are mentions in the text, the others topics of the unit's chunk.
    """

    unit_rows: Numbers
    entity_rows: Numbers
    said: int
    entities: Numbers
    frequencies: Numbers
    about: Links


class Frequencies:
    """In how many chunks each entity is mentioned; each is asked for once in a search, whatever the
    number of rounds.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._entities = np.empty(0, dtype=np.int64)
        self._counts = np.empty(0, dtype=np.int64)

    def of(self, entities: Numbers) -> Numbers:
        """One count for each of ``entities`` (ascending)."""
        fresh = np.setdiff1d(entities, self._entities, assume_unique=True)
        counts = self._search.reader.entity_frequencies(fresh)
        known = np.concatenate([self._entities, fresh])
        order = np.argsort(known)
        self._entities = known[order]
        self._counts = np.concatenate([self._counts, counts])[order]
        return self._counts[np.searchsorted(self._entities, entities)]


def mentions_of(
    search: Search,
    pool: Candidates,
    chunk_rows: Numbers,
    merit: Scores,
    frequencies: Frequencies,
) -> Mentions:
    """What the chunks in ``chunk_rows`` (ascending positions in the pool) speak of. ``merit`` is
    one value per unit of the pool: the best unit of a chunk stands for its topics.
    """
    is_source = np.zeros(len(pool.chunks), dtype=bool)
    is_source[chunk_rows] = True
    rows = np.flatnonzero(is_source[pool.unit_rows])
    said = search.reader.entities_of_units(pool.units[rows])
    topics = search.reader.topics_of_chunks(pool.chunks[chunk_rows])
    _, best = best_of_groups(merit[rows], pool.unit_rows[rows], len(pool.chunks))
    standing = best[chunk_rows[row_index(topics)]]
    unit_rows = np.concatenate([rows[row_index(said)], rows[standing[standing >= 0]]])
    named = np.concatenate([said.targets, topics.targets[standing >= 0]])
    bridges = ~np.isin(named, _named_exactly(search))
    entities, entity_rows = np.unique(named[bridges], return_inverse=True)
    return Mentions(
        unit_rows=unit_rows[bridges],
        entity_rows=entity_rows,
        said=int(np.count_nonzero(bridges[: len(said.targets)])),
        entities=entities,
        frequencies=frequencies.of(entities),
        about=search.reader.chunks_about(entities),
    )


def _named_exactly(search: Search) -> Numbers:
    names = [name.entities for name in search.query.names if name.similarity >= _EXACT]
    return union(*names) if names else np.empty(0, dtype=np.int64)
