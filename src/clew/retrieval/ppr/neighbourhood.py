"""The part of the graph that a walk has come to: nodes, and the chances to go from each to others.

Nothing is read before the walk needs it: a node is *known* once an edge leads to it, and *open*
once its own edges were read. From an open node the walk takes an edge with a chance in proportion
to its weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.ppr.edges import (
    CHUNK,
    ENTITY,
    UNIT,
    Chances,
    EdgeWeights,
    kinds_of,
    nodes_of,
    numbers_of,
    read_edges,
)
from clew.stores.base import Numbers


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A node as a record: its kind, its number, and the chunk that it is in (-1 for an entity)."""

    kind: int
    number: int
    chunk: int


class Neighbourhood:
    """Grows as nodes are opened. A *place* is the position of a node in the order in which they
    became known; places never change.

    ``starts`` (-1: not open) and ``lengths`` delimit the row of a place in ``targets`` (places) and
    ``chances``. ``sizes`` is how many edges a node has, at least 1: counted where it is open,
    before that one for each chunk that mentions an entity.
    """

    def __init__(self, search: Search, weights: EdgeWeights) -> None:
        self._search = search
        self._weights = weights
        none = np.empty(0, dtype=np.int64)
        self._sorted, self._order = none, none
        self.nodes, self.sizes, self.starts, self.lengths = none, none, none, none
        self.targets: Numbers = none
        self.chances: Chances = np.empty(0, dtype=np.float64)

    def places_of(self, nodes: Numbers) -> Numbers:
        """Where each of ``nodes`` stands; those that are new become known."""
        self._admit(np.setdiff1d(nodes, self._sorted))
        return self._order[np.searchsorted(self._sorted, nodes)]

    def open_up(self, places: Numbers) -> None:
        """Read the edges of the nodes at ``places``, unless that was done."""
        fresh = np.sort(places[self.starts[places] < 0])
        if not len(fresh):
            return
        edges = read_edges(self._search, self.nodes[fresh], self._weights)
        sources, targets = self.places_of(edges.sources), self.places_of(edges.targets)
        lengths = np.bincount(sources, minlength=len(self.nodes))[fresh]
        self.starts[fresh] = len(self.targets) + np.cumsum(lengths) - lengths
        self.lengths[fresh] = lengths
        self.sizes[fresh] = np.maximum(lengths, 1)
        order = np.lexsort((targets, sources))
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

    def of_kind(self, kind: int) -> Numbers:
        """The places of all nodes of one kind."""
        return np.flatnonzero(kinds_of(self.nodes) == kind)

    def numbers(self, places: Numbers) -> Numbers:
        """The store's numbers of the records at ``places``."""
        return numbers_of(self.nodes[places])

    def place(self, kind: int, number: int) -> int:
        """The place of one known node."""
        node = nodes_of(kind, np.array([number], dtype=np.int64))
        return int(self._order[np.searchsorted(self._sorted, node)][0])

    def describe(self, places: Numbers) -> list[Node]:
        """The nodes at ``places``, in order."""
        kinds, numbers = kinds_of(self.nodes[places]), self.numbers(places)
        chunks = np.where(kinds == CHUNK, numbers, -1)
        chunks[kinds == UNIT] = self._search.reader.chunks_of_units(numbers[kinds == UNIT])
        return [
            Node(kind=int(kind), number=int(number), chunk=int(chunk))
            for kind, number, chunk in zip(kinds, numbers, chunks, strict=True)
        ]

    def _admit(self, fresh: Numbers) -> None:
        """Make new nodes known, in ascending order behind those that are."""
        if not len(fresh):
            return
        at = np.searchsorted(self._sorted, fresh)
        places = len(self.nodes) + np.arange(len(fresh), dtype=np.int64)
        self._sorted = np.insert(self._sorted, at, fresh)
        self._order = np.insert(self._order, at, places)
        self.nodes = np.concatenate([self.nodes, fresh])
        self.sizes = np.concatenate([self.sizes, self._least_sizes(fresh)])
        unread = np.full(len(fresh), -1, dtype=np.int64)
        self.starts = np.concatenate([self.starts, unread])
        self.lengths = np.concatenate([self.lengths, np.zeros(len(fresh), dtype=np.int64)])

    def _least_sizes(self, nodes: Numbers) -> Numbers:
        sizes = np.ones(len(nodes), dtype=np.int64)
        entities = kinds_of(nodes) == ENTITY
        frequencies = self._search.reader.entity_frequencies(numbers_of(nodes[entities]))
        sizes[entities] = np.maximum(frequencies, 1)
        return sizes
