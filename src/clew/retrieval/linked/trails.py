"""The path behind each result of linked evidence, read off the best edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Relation, Step
from clew.retrieval.linked.best_edges import BestEdges
from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.pool.fusion import shown
from clew.retrieval.pool.named_chunks import name_of
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.unit_scores import best_unit
from clew.retrieval.pool.weights import RoundWeights
from clew.stores.base import Numbers, Scores


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Round:
    """One round of links: the pool it ended with, the scores before and after, its best edges, and
    the features that the scores were made of.
    """

    pool: Candidates
    before: Scores
    after: Scores
    about: BestEdges
    shared: BestEdges
    weights: RoundWeights
    features: Mapping[str, Scores]

    def row(self, chunk: int) -> int:
        return int(np.searchsorted(self.pool.chunks, chunk))

    def best_sources(self) -> Numbers:
        """Per chunk of the pool the row of the one that its best link comes from; -1 for none."""
        about = self.weights.about_link * self.about.values
        shared = self.weights.shared_link * self.shared.values
        rows = np.full(len(self.pool.chunks), -1, dtype=np.int64)
        for best, wins in ((self.about, about >= shared), (self.shared, about < shared)):
            here = np.flatnonzero(wins & (best.edge >= 0))
            rows[here] = self.pool.unit_rows[best.edges.sources[best.edge[here]]]
        return rows


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LinkedTrails:
    """Answers "how was this chunk reached".

    A chunk that a name of the question leads to, or that stands better by itself than what links
    to it, is an anchor. Any other was reached over its best edge, from a source that has a path of
    its own in the round before. A path has at most ``most_links``.
    """

    standing: Standing
    pool: Candidates
    alone: Scores
    rounds: tuple[Round, ...]
    most_links: int

    def best_sources(self) -> Numbers:
        """Per chunk of the pool the row of its best source in the last round; -1 for none."""
        if not self.rounds:
            return np.full(len(self.pool.chunks), -1, dtype=np.int64)
        return self.rounds[-1].best_sources()

    def __call__(self, chunk: int, unit: int) -> tuple[Step, ...]:
        return self._trail(chunk, unit, self.rounds, self.most_links)

    def _trail(
        self, chunk: int, unit: int, rounds: tuple[Round, ...], links: int
    ) -> tuple[Step, ...]:
        row = int(np.searchsorted(self.pool.chunks, chunk))
        alone = float(self.alone[row])
        score = float(shown(self.alone[[row]], self.standing.weights)[0])
        anchor = (self.standing.anchor(self.pool, row, unit=unit, score=score),)
        if not rounds or not links or name_of(chunk, self.standing.named) is not None:
            return anchor
        this, earlier = rounds[-1], rounds[:-1]
        edge = _better_edge(this, this.row(chunk))
        if edge is None or this.before[edge.source_row] <= alone:
            return anchor
        source = int(this.pool.chunks[edge.source_row])
        before = self._trail(source, edge.source_unit, earlier, links - 1)
        if any(step.chunk == chunk for step in before):
            return anchor
        if unit < 0:
            held = int(this.pool.unit_masks[edge.source])
            unit = best_unit(self.pool, row, self.standing.coverage, held=held, among=edge.arrivals)
        step = Step(
            chunk=chunk,
            unit=unit,
            relation=edge.relation,
            entity=edge.entity,
            score=float(shown(this.after[[this.row(chunk)]], this.weights)[0]),
        )
        return (*before, step)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Edge:
    """``arrivals`` are the units of the target that mention the entity; None where the target is
    about it, and every unit speaks of it.
    """

    source: int
    source_row: int
    source_unit: int
    entity: int
    arrivals: Numbers | None
    relation: Relation


def _better_edge(this: Round, row: int) -> _Edge | None:
    """The edge into a chunk that adds most to its score."""
    about = this.weights.about_link * float(this.about.values[row])
    shared = this.weights.shared_link * float(this.shared.values[row])
    if max(about, shared) <= 0:
        return None
    best = this.about if about >= shared else this.shared
    number = int(best.edge[row])
    edges = best.edges
    source, entity = int(edges.sources[number]), int(edges.entities[number])
    alike = (edges.entities == entity) & (edges.targets == edges.targets[number])
    arrivals = edges.units[alike]
    return _Edge(
        source=source,
        source_row=int(this.pool.unit_rows[source]),
        source_unit=int(this.pool.units[source]),
        entity=entity,
        arrivals=None if (arrivals < 0).any() else arrivals,
        relation="about" if about >= shared else "mentions",
    )
