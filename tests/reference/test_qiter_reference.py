"""Q-Iter against a slow, obvious version: dictionaries, loops, no bounds on hubs."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, log1p

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.qiter.search import QIter
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Scores
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents

SETTINGS = [
    {},
    {"traversal_depth": 0},
    {"traversal_depth": 3, "beam_size": 4},
    {"max_kus_per_depth": 7, "beam_size": 3},
    {"anchor_top_k": 1, "query_update_weight": 0.0},
    {"query_update_weight": 0.5, "beam_size": 30, "max_kus_per_depth": 20},
]


@dataclass(frozen=True)
class Walked:
    units: tuple[int, ...]
    query: Scores
    score: float
    before: tuple[float, ...] = ()

    @property
    def order(self) -> tuple[float, tuple[float, ...], tuple[int, ...]]:
        began = tuple(-round(score, 5) for score in self.before)
        return (-round(self.score, 5), began, self.units)


class Slow:
    def __init__(self, reader: GraphReader, query: QueryLinks, config: ClewConfig) -> None:
        self.reader, self.query, self.config = reader, query, config
        chunks = reader.search_text("chunk", ["the", *_all_words(reader)], 10_000).numbers
        self.units = [int(unit) for unit in reader.units_of_chunks(np.sort(chunks)).targets]
        self.home = dict(
            zip(self.units, reader.chunks_of_units(np.array(self.units)).tolist(), strict=True)
        )
        self.entities = {
            unit: set(reader.entities_of_units(np.array([unit])).targets.tolist())
            for unit in self.units
        }
        self.words = WordScores(reader, query.words)
        if query.vector is not None:
            rows = reader.vectors("unit", np.array(self.units))
            self.start = query.vector
        else:
            parts = self.words.matrix("unit", np.array(self.units))
            rows = (parts / query.words.share[:, None]).T
            self.start = query.words.share
        self.points = dict(zip(self.units, rows, strict=True))

    def paths(self) -> list[Walked]:
        live = self._best(self._first())
        everything = list(live)
        for _ in range(self.config.traversal_depth):
            if not live:
                break
            each = max(1, self.config.max_kus_per_depth // len(live))
            grown = []
            for path in live:
                reachable = self.entities[path.units[-1]]
                grown += [
                    (merit, path, unit) for merit, unit in self._reach(path, reachable)[:each]
                ]
            grown.sort(key=lambda one: (-one[0], one[1].order, one[2]))
            live = self._best(
                [self._add(path, unit) for _, path, unit in grown[: self.config.max_kus_per_depth]]
            )
            everything += live
        return everything

    def scores(self) -> dict[int, float]:
        best: dict[int, float] = {}
        for path in self.paths():
            for unit in path.units:
                best[unit] = max(best.get(unit, 0.0), path.score)
        return {unit: (score + self._path_score((unit,))) / 2 for unit, score in best.items()}

    def _first(self) -> list[Walked]:
        k = self.config.anchor_top_k
        anchors = set(self.words.best("unit", k).numbers.tolist())
        if self.query.vector is not None:
            near = sorted(self.units, key=lambda u: (-float(self.points[u] @ self.start), u))
            anchors |= set(near[:k])
        entities = set(self.query.entities.tolist())
        for unit in anchors:
            entities |= self.entities[unit]
        start = Walked((), self.start, 0.0)
        reached = self._reach(start, entities)[: self.config.max_kus_per_depth]
        return [self._add(start, unit) for unit in sorted(anchors | {unit for _, unit in reached})]

    def _reach(self, path: Walked, entities: set[int]) -> list[tuple[float, int]]:
        found = []
        for unit in self.units:
            shared = self.entities[unit] & entities
            if shared and unit not in path.units:
                rare = max(self._rarity(entity) for entity in shared)
                found.append((round(self._near(unit, path.query) * rare, 5), unit))
        return sorted(found, key=lambda one: (-one[0], one[1]))

    def _rarity(self, entity: int) -> float:
        count = self.reader.stats()["chunks"]
        held = len({self.home[unit] for unit in self.units if entity in self.entities[unit]})
        return log1p(count / held) / log(1 + count)

    def _near(self, unit: int, query: Scores) -> float:
        if self.query.vector is None:
            return float(self.points[unit] @ query)
        return 0.5 + float(self.points[unit] @ query) / (2 * float(np.linalg.norm(query)))

    def _add(self, path: Walked, unit: int) -> Walked:
        units, weight = (*path.units, unit), self.config.query_update_weight
        if self.query.vector is None:
            rest = path.query * np.where(self.points[unit] > 0, 1 - weight, 1)
        else:
            rest = path.query - weight * self.points[unit]
        return Walked(units, rest, self._path_score(units), (*path.before, path.score))

    def _path_score(self, units: tuple[int, ...]) -> float:
        points = [self.points[unit] for unit in units]
        if self.query.vector is None:
            return float(np.max(points, axis=0) @ self.start)
        whole = np.sum(points, axis=0)
        return max(0.0, float(whole @ self.start / np.linalg.norm(whole)))

    def _best(self, paths: list[Walked]) -> list[Walked]:
        chosen: dict[frozenset[int], Walked] = {}
        for path in sorted(paths, key=lambda path: path.order):
            chosen.setdefault(frozenset(path.units), path)
        return list(chosen.values())[: self.config.beam_size]


def _all_words(reader: GraphReader) -> list[str]:
    from clew.text.words import terms

    documents = reader.get_documents(reader.select_documents())
    return sorted({term for document in documents for term in terms(document.text)})


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("embedded", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_paths_and_scores_equal_those_of_loops(
    settings: dict[str, float], embedded: bool, seed: int
) -> None:
    graph = KnowledgeGraph()
    documents = made_documents(14, seed=seed, names=12)
    graph.commit(documents, embedding=SPACE)
    names = sorted({entity.name for one in documents for entity in one.entities})
    question = f"Which old bridge did {names[seed]} cross and which mill did {names[-seed]} build?"
    config = ClewConfig.from_dict(settings)
    vector = made_documents(1, seed=seed + 50)[0].unit_vectors
    assert vector is not None
    with graph.reading() as reader:
        plain = link_query(reader, question, config=config)
        query = QueryLinks(
            question=question,
            words=plain.words,
            names=plain.names,
            vector=vector[0] if embedded else None,
        )
        search = Search(reader=reader, query=query, config=config, counts=reader.stats())
        evidence = QIter().find(search)
        slow = Slow(reader, query, config).scores()
    assert evidence.units.tolist() == sorted(slow)
    np.testing.assert_allclose(
        evidence.unit_scores, [slow[unit] for unit in sorted(slow)], atol=1e-5
    )
