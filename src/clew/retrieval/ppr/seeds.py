"""Where the walks begin: the names in the question, and the units and chunks nearest to it.

HippoRAG 2 begins at the entities of the triples nearest to the question, rare ones more, and a
little at every passage by its nearness. Here units stand where triples stand, the names in the
question are looked up besides, and only the nearest chunks are begun at, so that the number of
seeds is bounded. Nearness is by vectors and by words, each scaled from 0 (the last one taken) to 1
(the first), and added.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.pool.named_chunks import rarity
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ppr.edges import CHUNK, ENTITY, UNIT, Chances, nodes_of
from clew.stores.base import Layer, Numbers, Ranking


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedShares:
    """Which share of the walks begins at each kind of seed; the share of a kind without any goes
    to the others.
    """

    names: float = 2.0
    units: float = 1.0
    chunks: float = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Seeds:
    """Nodes, ascending, and the chance that a walk begins there; the chances sum to 1."""

    nodes: Numbers
    chances: Chances


def find_seeds(search: Search, scores: WordScores, shares: SeedShares) -> Seeds:
    """Take ``anchor_top_k`` units and as many chunks by each kind of nearness."""
    k = search.config.anchor_top_k
    parts = [
        (shares.names, _names(search)),
        (shares.units, _nearest(search, scores, "unit", k)),
        (shares.chunks, _nearest(search, scores, "chunk", k)),
    ]
    begun = [(share, seeds) for share, seeds in parts if share > 0 and len(seeds.nodes)]
    if not begun:
        return Seeds(np.empty(0, dtype=np.int64), np.empty(0))
    whole = sum(share for share, _ in begun)
    return _together(
        [Seeds(seeds.nodes, seeds.chances * (share / whole)) for share, seeds in begun]
    )


def _names(search: Search) -> Seeds:
    """Every name by its rarity; one that may mean several entities is shared between them."""
    count = search.counts["chunks"]
    parts = []
    for name in search.query.names:
        frequencies = search.reader.entity_frequencies(name.entities)
        rare = rarity(frequencies, count).astype(np.float64)
        chances = name.similarity * rare / len(name.entities)
        parts.append(Seeds(nodes_of(ENTITY, name.entities), chances))
    return _normal(_together(parts))


def _nearest(search: Search, scores: WordScores, layer: Layer, k: int) -> Seeds:
    rankings = [scores.best(layer, k)]
    if search.query.vector is not None:
        rankings.append(search.reader.search_vectors(layer, search.query.vector, k))
    kind = UNIT if layer == "unit" else CHUNK
    return _normal(_together([_scaled(ranking, kind) for ranking in rankings]))


def _scaled(ranking: Ranking, kind: int) -> Seeds:
    scores = ranking.scores.astype(np.float64)
    if len(scores):
        least, most = float(scores[-1]), float(scores[0])
        scores = (scores - least) / (most - least) if most > least else np.ones(len(scores))
    return Seeds(nodes_of(kind, ranking.numbers), scores)


def _together(parts: list[Seeds]) -> Seeds:
    """Each node once, with the sum of its chances; those without any are left out."""
    none = Seeds(np.empty(0, dtype=np.int64), np.empty(0))
    nodes, place = np.unique(
        np.concatenate([part.nodes for part in (none, *parts)]), return_inverse=True
    )
    weights = np.concatenate([part.chances for part in (none, *parts)])
    chances = np.bincount(place, weights=weights, minlength=len(nodes)).astype(np.float64)
    return Seeds(nodes[chances > 0], chances[chances > 0])


def _normal(seeds: Seeds) -> Seeds:
    return Seeds(seeds.nodes, seeds.chances / max(float(seeds.chances.sum()), 1e-12))
