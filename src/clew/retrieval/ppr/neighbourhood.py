"""The part of the graph that a walk has come to: nodes, and what they are joined to.

Nodes are entities, units and chunks. A chunk is joined to its units and to the entities that it is
about, a unit to the entities that it mentions. All edges go both ways; from a node the walk takes
one with a chance in proportion to its weight.

Nothing is read before the walk needs it: a node is *known* once an edge leads to it, and *open*
once its own edges were read. All that are to be opened are read together, one call per kind.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.base import Search
from clew.retrieval.ragged import row_index
from clew.stores.base import Links, Numbers

ENTITY, UNIT, CHUNK = 0, 1, 2
_KINDS = 3
Chances = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class EdgeWeights:
    """What the three kinds of edges weigh; ``about`` is times the weight of the topic."""

    mentions: float = 1.0
    contains: float = 1.0
    about: float = 3.0


def nodes_of(kind: int, numbers: Numbers) -> Numbers:
    """One integer for a record of any kind."""
    return numbers * _KINDS + kind


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A node as a record: its kind, its number, and the chunk that it is in (-1 for an entity)."""

    kind: int
    number: int
    chunk: int


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Edges out of some nodes, as nodes and weights, in no particular order."""

    sources: Numbers
    targets: Numbers
    weights: Chances


class Neighbourhood:
    """Grows as nodes are opened. A *place* is the position of a node in the order in which they
    became known; places never change.

    ``sizes`` is what opening a node costs: for an entity the chunks that mention it, otherwise 1.
    ``starts`` and ``lengths`` delimit a place's row in ``targets`` (places) and ``chances``.
    """

    def __init__(self, search: Search, weights: EdgeWeights) -> None:
        self._search = search
        self._weights = weights
        none = np.empty(0, dtype=np.int64)
        self._sorted, self._order = none, none
        self.nodes, self.sizes, self.starts, self.lengths = none, none, none, none
        self.targets: Numbers = none
        self.chances: Chances = np.empty(0, dtype=np.float64)

    def kind(self, kind: int) -> Numbers:
        """The places of all nodes of one kind."""
        return np.flatnonzero(self.nodes % _KINDS == kind)

    def numbers(self, places: Numbers) -> Numbers:
        """The store's numbers of the records at ``places``."""
        return self.nodes[places] // _KINDS

    def place(self, kind: int, number: int) -> int:
        """The place of one known node."""
        node = nodes_of(kind, np.array([number], dtype=np.int64))
        return int(self._order[np.searchsorted(self._sorted, node)][0])

    def describe(self, places: Numbers) -> list[Node]:
        """The nodes at ``places``, in order."""
        kinds, numbers = self.nodes[places] % _KINDS, self.numbers(places)
        chunks = np.where(kinds == CHUNK, numbers, -1)
        chunks[kinds == UNIT] = self._search.reader.chunks_of_units(numbers[kinds == UNIT])
        return [
            Node(kind=int(kind), number=int(number), chunk=int(chunk))
            for kind, number, chunk in zip(kinds, numbers, chunks, strict=True)
        ]

    def places_of(self, nodes: Numbers) -> Numbers:
        """Where each of ``nodes`` stands; those that are new become known."""
        self._admit(np.setdiff1d(nodes, self._sorted))
        return self._order[np.searchsorted(self._sorted, nodes)]

    def open_up(self, places: Numbers) -> None:
        """Read the edges of the nodes at ``places``, unless that was done."""
        fresh = places[self.starts[places] < 0]
        if not len(fresh):
            return
        edges = self._read(self.nodes[fresh])
        sources, targets = self.places_of(edges.sources), self.places_of(edges.targets)
        order = np.lexsort((targets, sources))
        lengths = np.bincount(sources, minlength=len(self.nodes))[fresh]
        ordered = np.sort(fresh)
        begins = np.cumsum(lengths[np.argsort(fresh)]) - lengths[np.argsort(fresh)]
        self.starts[ordered] = len(self.targets) + begins
        self.lengths[fresh] = lengths
        whole = np.bincount(sources, weights=edges.weights, minlength=len(self.nodes))
        self.targets = np.concatenate([self.targets, targets[order]])
        self.chances = np.concatenate([self.chances, (edges.weights / whole[sources])[order]])

    def rows(self, places: Numbers) -> tuple[Numbers, Numbers]:
        """All edges out of open ``places``: position in ``places``, position in ``targets``."""
        lengths = self.lengths[places]
        source = np.repeat(np.arange(len(places), dtype=np.int64), lengths)
        begins = np.cumsum(lengths) - lengths
        within = np.arange(len(source), dtype=np.int64) - begins[source]
        return source, self.starts[places][source] + within

    def _admit(self, fresh: Numbers) -> None:
        """Make new nodes known, in ascending order behind those that are."""
        if not len(fresh):
            return
        at = np.searchsorted(self._sorted, fresh)
        places = len(self.nodes) + np.arange(len(fresh), dtype=np.int64)
        self._sorted = np.insert(self._sorted, at, fresh)
        self._order = np.insert(self._order, at, places)
        self.nodes = np.concatenate([self.nodes, fresh])
        self.sizes = np.concatenate([self.sizes, self._sizes(fresh)])
        unread = np.full(len(fresh), -1, dtype=np.int64)
        self.starts = np.concatenate([self.starts, unread])
        self.lengths = np.concatenate([self.lengths, np.zeros(len(fresh), dtype=np.int64)])

    def _sizes(self, nodes: Numbers) -> Numbers:
        sizes = np.ones(len(nodes), dtype=np.int64)
        entities = nodes % _KINDS == ENTITY
        frequencies = self._search.reader.entity_frequencies(
            nodes[entities] // _KINDS, documents=self._search.documents
        )
        sizes[entities] = np.maximum(frequencies, 1)
        return sizes

    def _read(self, nodes: Numbers) -> _Edges:
        reader, documents = self._search.reader, self._search.documents
        entities, units, chunks = (
            np.sort(nodes[nodes % _KINDS == kind]) // _KINDS for kind in (ENTITY, UNIT, CHUNK)
        )
        mentions, contains, about = (
            self._weights.mentions,
            self._weights.contains,
            self._weights.about,
        )
        owners = reader.chunks_of_units(units)
        parts = [
            _linked(
                ENTITY,
                entities,
                UNIT,
                reader.units_of_entities(entities, documents=documents),
                mentions,
            ),
            _linked(
                ENTITY, entities, CHUNK, reader.chunks_about(entities, documents=documents), about
            ),
            _linked(UNIT, units, ENTITY, reader.entities_of_units(units), mentions),
            _Edges(nodes_of(UNIT, units), nodes_of(CHUNK, owners), np.full(len(units), contains)),
            _linked(CHUNK, chunks, UNIT, reader.units_of_chunks(chunks), contains),
            _linked(CHUNK, chunks, ENTITY, reader.topics_of_chunks(chunks), about),
        ]
        return _Edges(
            np.concatenate([part.sources for part in parts]),
            np.concatenate([part.targets for part in parts]),
            np.concatenate([part.weights for part in parts]),
        )


def _linked(source: int, numbers: Numbers, target: int, links: Links, weight: float) -> _Edges:
    return _Edges(
        nodes_of(source, numbers)[row_index(links)],
        nodes_of(target, links.targets),
        links.weights.astype(np.float64) * weight,
    )
