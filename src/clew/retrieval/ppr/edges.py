"""The edges of the graph, read from a store for many nodes at once.

Nodes are entities, units and chunks. A chunk is joined to its units and to the entities that it is
about, a unit to the entities that it mentions. All edges go both ways.
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


def nodes_of(kind: int, numbers: Numbers) -> Numbers:
    """One integer for a record of any kind, from its number in the store."""
    return numbers * _KINDS + kind


def kinds_of(nodes: Numbers) -> Numbers:
    return nodes % _KINDS


def numbers_of(nodes: Numbers) -> Numbers:
    return nodes // _KINDS


@dataclass(frozen=True, kw_only=True, slots=True)
class EdgeWeights:
    """What the three kinds of edges weigh; ``about`` is times the weight of the topic."""

    mentions: float = 1.0
    contains: float = 1.0
    about: float = 3.0


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges out of some nodes, in no particular order."""

    sources: Numbers
    targets: Numbers
    weights: Chances


def read_edges(search: Search, nodes: Numbers, weights: EdgeWeights) -> Edges:
    """All edges out of ``nodes``; those of one kind are read together."""
    entities, units, chunks = (
        np.sort(numbers_of(nodes[kinds_of(nodes) == kind])) for kind in (ENTITY, UNIT, CHUNK)
    )
    parts = (
        *_of_entities(search, entities, weights),
        *_of_units(search, units, weights),
        *_of_chunks(search, chunks, weights),
    )
    return Edges(
        np.concatenate([part.sources for part in parts]),
        np.concatenate([part.targets for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def _of_entities(search: Search, entities: Numbers, weights: EdgeWeights) -> tuple[Edges, Edges]:
    mentioning = search.reader.units_of_entities(entities)
    about = search.reader.chunks_about(entities)
    sources = nodes_of(ENTITY, entities)
    return (
        _linked(sources, UNIT, mentioning, weights.mentions),
        _linked(sources, CHUNK, about, weights.about),
    )


def _of_units(search: Search, units: Numbers, weights: EdgeWeights) -> tuple[Edges, Edges]:
    sources = nodes_of(UNIT, units)
    owners = nodes_of(CHUNK, search.reader.chunks_of_units(units))
    return (
        _linked(sources, ENTITY, search.reader.entities_of_units(units), weights.mentions),
        Edges(sources, owners, np.full(len(units), weights.contains)),
    )


def _of_chunks(search: Search, chunks: Numbers, weights: EdgeWeights) -> tuple[Edges, Edges]:
    sources = nodes_of(CHUNK, chunks)
    return (
        _linked(sources, UNIT, search.reader.units_of_chunks(chunks), weights.contains),
        _linked(sources, ENTITY, search.reader.topics_of_chunks(chunks), weights.about),
    )


def _linked(sources: Numbers, kind: int, links: Links, weight: float) -> Edges:
    return Edges(
        sources[row_index(links)],
        nodes_of(kind, links.targets),
        links.weights.astype(np.float64) * weight,
    )
