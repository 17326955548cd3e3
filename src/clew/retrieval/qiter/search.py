"""Q-Iter: query-driven iterative retrieval over paths (Clue-RAG, arXiv 2507.08445).

A *path* is a sequence of units, each sharing an entity with the one before, and carries its own
query: what the question still asks after the units of the path have answered their parts. At each
depth every path takes the best unseen units of the entities of its last unit, by *its* query; the
new paths are scored against the *original* question; the best ``beam_size`` go on. In the end the
units of paths of all depths compete, each by the mean of its best path and its own nearness.

Two things differ from the paper. Entities weigh by rarity, and only a bounded number of a hub's
units is looked at, so that "the Company" floods neither the beam nor the clock. And what the paper
asks a cross-encoder, twice, is asked of vectors unless a :class:`clew.retrieval.base.Reranker` is
given: a path is the sum of its units; and since a sum comes nearer to the question the longer it
is, the last ranking does not go by paths alone (measured: +5 to +10 points of recall@5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clew.retrieval.base import Evidence, Relation, Reranker, Search, Step
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.qiter.anchors import Anchors, find_anchors
from clew.retrieval.qiter.frontier import Frontier
from clew.retrieval.qiter.paths import Path, best_paths
from clew.retrieval.qiter.scores import PathScores
from clew.retrieval.qiter.spaces import space_of
from clew.retrieval.ragged import best_of_groups
from clew.stores.base import Numbers


@dataclass(frozen=True, kw_only=True, slots=True)
class QIter:
    """``reranker`` reads question and path together, such as a cross-encoder or
    :class:`clew.retrieval.qiter.reembedding.Reembedding`.
    """

    reranker: Reranker | None = None
    name: str = "qiter"
    uses_vectors: bool = True

    def find(self, search: Search) -> Evidence:
        scores = WordScores(search.reader, search.query.words)
        walk = _Walk(search, scores, self.reranker)
        live = walk.begin(find_anchors(search, scores))
        paths = list(live)
        depth = 0
        while live and depth < search.config.traversal_depth:
            live = walk.go_on(live)
            paths += live
            depth += 1
        return _evidence(search, walk, paths)


@dataclass(frozen=True, slots=True)
class _Extension:
    """A path and the unit that may be added to it."""

    path: Path
    unit: int
    entity: int
    relation: Relation
    merit: float


class _Walk:
    """One question's walk through the graph."""

    def __init__(self, search: Search, scores: WordScores, reranker: Reranker | None) -> None:
        self._search = search
        self._space = space_of(search, scores)
        self._frontier = Frontier(search, scores)
        self.path_scores = PathScores(search, self._space, reranker)
        self.looked_at = 0

    def begin(self, anchors: Anchors) -> list[Path]:
        """Paths of one unit: the anchor units, and the best units of the anchor entities."""
        start = Path(units=(), entities=(), relations=(), query=self._space.question)
        named = set(anchors.named.tolist())
        extensions = {
            unit: _Extension(start, unit, -1, "similar", 1.0) for unit in anchors.units.tolist()
        }
        for each in self._extend(start, anchors.entities, self._search.config.max_kus_per_depth):
            if each.entity in named:
                extensions[each.unit] = replace(each, relation="anchor")
            else:
                extensions.setdefault(each.unit, each)
        return self._keep(list(extensions.values()))

    def go_on(self, live: list[Path]) -> list[Path]:
        """Every path takes its best next units; the best new paths are kept."""
        most = self._search.config.max_kus_per_depth
        each = max(1, most // len(live))
        entities = self._frontier.entities_of([path.units[-1] for path in live])
        extensions = [
            extension
            for path, reachable in zip(live, entities, strict=True)
            for extension in self._extend(path, reachable, each)
        ]
        extensions.sort(key=lambda one: (-one.merit, one.path.order, one.unit))
        return self._keep(extensions[:most])

    def _extend(self, path: Path, entities: Numbers, count: int) -> list[_Extension]:
        """The ``count`` best unseen units of ``entities`` by the path's own query."""
        reached = self._frontier.reach(entities)
        self.looked_at += len(reached.units)
        near = self._space.nearness(self._space.coordinates(reached.units), path.query)
        merit = np.round(near * reached.rarity, 6)
        unseen = np.flatnonzero(~np.isin(reached.units, np.array(path.units, dtype=np.int64)))
        best = unseen[np.lexsort((reached.units[unseen], -merit[unseen]))][:count]
        return [
            _Extension(path, int(unit), int(entity), "mentions", float(value))
            for unit, entity, value in zip(
                reached.units[best], reached.entities[best], merit[best], strict=True
            )
        ]

    def _keep(self, extensions: list[_Extension]) -> list[Path]:
        scores = self.path_scores.of([(*one.path.units, one.unit) for one in extensions])
        paths = [
            Path(
                units=(*one.path.units, one.unit),
                entities=(*one.path.entities, one.entity),
                relations=(*one.path.relations, one.relation),
                query=self.path_scores.remainder(one.path.query, one.unit),
                score=score,
                before=(*one.path.before, one.path.score),
            )
            for one, score in zip(extensions, scores, strict=True)
        ]
        return best_paths(paths, self._search.config.beam_size)


def _evidence(search: Search, walk: _Walk, paths: list[Path]) -> Evidence:
    """Score every unit that is on a path."""
    best = _best_path_of_units(paths)
    shortest = _shortest_path_to_units(paths)
    numbers = sorted(best)
    alone = walk.path_scores.of([(unit,) for unit in numbers])
    units = np.array(numbers, dtype=np.int64)
    unit_scores = np.array(
        [(best[unit].score + own) / 2.0 for unit, own in zip(numbers, alone, strict=True)],
        dtype=np.float32,
    )
    owners = search.reader.chunks_of_units(units)
    chunk_of = dict(zip(numbers, owners.tolist(), strict=True))
    chunks, rows = np.unique(owners, return_inverse=True)
    chunk_scores, best_rows = best_of_groups(unit_scores, rows, len(chunks))
    by_path = np.array([best[unit].score for unit in numbers], dtype=np.float32)
    own_scores = np.array(alone, dtype=np.float32)
    best_unit = dict(zip(chunks.tolist(), units[best_rows].tolist(), strict=True))

    def trail(chunk: int, unit: int) -> tuple[Step, ...]:
        return _steps(shortest[unit if unit >= 0 else best_unit[chunk]], chunk_of)

    return Evidence(
        chunks=chunks,
        chunk_scores=chunk_scores,
        units=units,
        unit_scores=unit_scores,
        unit_rows=rows,
        trail=trail,
        details={"alone": own_scores[best_rows], "path": by_path[best_rows]},
        counts={"paths": len(paths), "kus_looked_at": walk.looked_at},
    )


def _best_path_of_units(paths: list[Path]) -> dict[int, Path]:
    best: dict[int, Path] = {}
    for path in sorted(paths, key=lambda path: path.order):
        for unit in path.units:
            best.setdefault(unit, path)
    return best


def _shortest_path_to_units(paths: list[Path]) -> dict[int, Path]:
    """How each unit was first reached: every beginning of a path is itself one of ``paths``."""
    shortest: dict[int, Path] = {}
    for path in sorted(paths, key=lambda path: (len(path.units), path.order)):
        shortest.setdefault(path.units[-1], path)
    return shortest


def _steps(path: Path, chunk_of: dict[int, int]) -> tuple[Step, ...]:
    steps = zip(path.units, path.entities, path.relations, strict=True)
    return tuple(
        Step(
            chunk=chunk_of[number],
            unit=number,
            relation=relation,
            entity=entity,
            score=path.score,
        )
        for number, entity, relation in steps
    )
