"""What a search begins with, for every method that ranks chunks: the pool and how each chunk in it
stands by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from clew.retrieval.base import Evidence, Search, Step
from clew.retrieval.pool.candidates import BestScores, Candidates, anchor_chunks, measure
from clew.retrieval.pool.fusion import combine, own_features, sigmoid
from clew.retrieval.pool.kindred import kindred_terms, telling_terms
from clew.retrieval.pool.named_chunks import NamedChunks, chunks_of_names, name_of, reached_by_name
from clew.retrieval.pool.unit_scores import best_unit, spread_over_units
from clew.retrieval.pool.weights import FusionWeights
from clew.retrieval.pool.whole_names import weighed_as_one, whole_names
from clew.retrieval.pool.word_scores import Coverage, WordScores
from clew.retrieval.ragged import union
from clew.stores.base import Scores

POOL_PER_ANCHOR = 10


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Standing:
    """One search's names, words and best scores; scores any pool of candidates against them."""

    search: Search
    scores: WordScores
    named: tuple[NamedChunks, ...]
    first_pool: Candidates
    best: BestScores
    coverage: Coverage
    weights: FusionWeights

    @classmethod
    def of(cls, search: Search, weights: FusionWeights) -> Standing:
        """The first pool holds the best chunks by each score, and those that names lead to."""
        words = search.query.words
        named = tuple(chunks_of_names(search))
        whole = () if search.query.vector is None else whole_names(search.query, named)
        scores = WordScores(
            search.reader,
            words,
            kindred=telling_terms(
                search.reader,
                kindred_terms(search.query.question, words.terms),
                unit_count=search.counts["knowledge_units"],
            ),
            names=whole,
        )
        scores.look_up("chunk")
        scores.look_up("unit")
        breadth = POOL_PER_ANCHOR * search.config.anchor_top_k
        chunks = union(
            anchor_chunks(search, scores, size=breadth), reached_by_name(named, limit=breadth)
        )
        pool = measure(search, scores, chunks)
        return cls(
            search=search,
            scores=scores,
            named=named,
            first_pool=pool,
            best=BestScores.of(pool),
            coverage=Coverage(
                weighed_as_one(
                    search.reader, words.terms, whole, chunk_count=search.counts["chunks"]
                )
            ),
            weights=weights,
        )

    def features(self, pool: Candidates) -> dict[str, Scores]:
        return own_features(pool, self.best, self.named)

    def alone(self, pool: Candidates) -> Scores:
        """The probability that each chunk of the pool helps with the question, links left aside."""
        return sigmoid(combine(self.features(pool), self.weights))

    def anchor(self, pool: Candidates, row: int, *, unit: int, score: float) -> Step:
        """The step of a path that begins at a chunk of the pool; ``unit`` -1 takes its best."""
        chunk = int(pool.chunks[row])
        name = name_of(chunk, self.named)
        return Step(
            chunk=chunk,
            unit=unit if unit >= 0 else best_unit(pool, row, self.coverage),
            relation="similar" if name is None else "anchor",
            entity=-1 if name is None else name.entity,
            score=score,
        )

    def unit_scores(self, pool: Candidates, chunk_scores: Scores) -> Scores:
        return spread_over_units(pool, chunk_scores, self.coverage.of(pool.unit_masks))


def evidence_alone(standing: Standing, pool: Candidates, scores: Scores) -> Evidence:
    """Evidence without links: every path is one step."""

    def trail(chunk: int, unit: int) -> tuple[Step, ...]:
        row = int(pool.chunks.searchsorted(chunk))
        return (standing.anchor(pool, row, unit=unit, score=float(scores[row])),)

    return Evidence(
        chunks=pool.chunks,
        chunk_scores=scores,
        units=pool.units,
        unit_scores=standing.unit_scores(pool, scores),
        unit_rows=pool.unit_rows,
        trail=trail,
        details={"alone": scores, "dense": pool.dense, "words": pool.words},
    )
