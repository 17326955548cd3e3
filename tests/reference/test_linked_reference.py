"""Linked evidence against a slow, obvious version that scores every chunk of the store in loops.

Where the pool holds the whole store, both must give the same scores and the same best edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, log1p, sqrt

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.linked.links import LinkLimits
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.linked.selection import TAKEN
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.kindred import kindred_terms
from clew.retrieval.pool.weights import WITH_VECTORS, RoundWeights, SelectionWeights
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Scores
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.small_graphs import small_graph
from clew.text.words import terms

LIMITS = LinkLimits(least=0.0)
QUESTIONS = [
    "Which old bridge did {0} cross by the river and {1} build?",
    "who visited {0} in winter",
    "Where is the harbour mill that {1} sold?",
    "the market of the town",
]
AIRPORTS = {
    "Orm Valley Airport": "Orm Valley Airport lies in Tarn. Its runway is short.",
    "Tarn": "Tarn has a population of nine hundred. Its airport lies in a valley, said Orm.",
    "Fell Valley Airport": "Fell Valley Airport has a short runway. It serves Tarn and Skerry.",
    "Skerry": "Skerry has a population of twelve and no airport.",
    "Lund": "Lund is a town. Skerry is near.",
}


class Slow:
    """The algorithm as it is written down, for one question."""

    def __init__(self, reader: GraphReader, query: QueryLinks) -> None:
        self.reader, self.query = reader, query
        self.chunks = [
            int(n) for n in reader.search_text("chunk", _vocabulary(reader), 10_000).numbers
        ]
        self.chunks.sort()
        self.units = {
            chunk: _row(reader.units_of_chunks(_one(chunk)).targets) for chunk in self.chunks
        }
        self.home = {unit: chunk for chunk, units in self.units.items() for unit in units}
        self.share: dict[str, float] = dict(
            zip(query.words.terms, query.words.share.tolist(), strict=True)
        )
        self.chunk_parts = {chunk: self._parts("chunk", chunk) for chunk in self.chunks}
        self.unit_parts = {unit: self._parts("unit", unit) for unit in self.home}
        assert query.vector is not None
        q = query.vector
        self.dense = {c: float(reader.vectors("chunk", _one(c))[0] @ q) for c in self.chunks}
        self.near = {u: float(reader.vectors("unit", _one(u))[0] @ q) for u in self.home}
        self.entities = {u: _row(reader.entities_of_units(_one(u)).targets) for u in self.home}
        self.topics = {c: _row(reader.topics_of_chunks(_one(c)).targets) for c in self.chunks}
        self.named = {
            entity
            for name in query.names
            if name.similarity == 1.0
            for entity in name.entities.tolist()
        }
        self.cover = dict(self.share)
        self._names_are_words()
        kindred = kindred_terms(query.question, query.words.terms)
        self.unit_words = {
            unit: self.unit_parts[unit].keys() | self._said_otherwise(unit, kindred)
            for unit in self.home
        }
        self.chunk_words = {
            chunk: self.chunk_parts[chunk].keys()
            | {word for unit in self.units[chunk] for word in self.unit_words[unit]}
            for chunk in self.chunks
        }

    def _names_are_words(self) -> None:
        """Words of a name count together or not at all, and weigh as one in coverage."""
        idf = {
            term: self._idf(sum(term in parts for parts in self.chunk_parts.values()))
            for term in self.share
        }
        for name in self.query.names:
            outside = self.query.question[: name.start] + " " + self.query.question[name.end :]
            own = (set(terms(name.text)) - set(terms(outside))) & self.share.keys()
            if name.similarity < 1.0 or name.text == name.text.lower() or not own:
                continue
            wanted = set(name.entities.tolist())
            about = set(self.reader.chunks_about(name.entities).targets.tolist())
            speaking = {self.home[u] for u in self.home if wanted & set(self.entities[u])} | about
            total = sum(idf[term] for term in own)
            for term in own:
                idf[term] *= min(1.0, self._idf(len(speaking)) / total)
            for chunk in set(self.chunks) - speaking:
                if not own <= self.chunk_parts[chunk].keys():
                    for parts in (
                        self.chunk_parts[chunk],
                        *(self.unit_parts[unit] for unit in self.units[chunk]),
                    ):
                        for term in own:
                            parts.pop(term, None)
        self.cover = {term: idf[term] / sum(idf.values()) for term in idf}

    def _idf(self, held: int) -> float:
        return log1p((len(self.chunks) - held + 0.5) / (held + 0.5))

    def _said_otherwise(self, unit: int, kindred: Sequence[Sequence[str]]) -> set[str]:
        """The words of the question of which the unit has a kindred one."""
        held = set()
        for term, others in zip(self.query.words.terms, kindred, strict=True):
            for other in others:
                found = self.reader.search_text("unit", [other], 10_000)
                if len(found.numbers) > max(20, len(self.home) / 16):
                    continue
                if unit in found.numbers.tolist():
                    held.add(term)
        return held

    def _parts(self, layer: str, number: int) -> dict[str, float]:
        """What each word of the question contributes to the passage."""
        idf = dict(
            zip(
                self.query.words.terms,
                (
                    self.query.words.chunk_idf if layer == "chunk" else self.query.words.unit_idf
                ).tolist(),
                strict=True,
            )
        )
        parts = {}
        for term in self.query.words.terms:
            ranking = self.reader.search_text(layer, [term], 10_000)  # type: ignore[arg-type]
            found = dict(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True))
            if number in found:
                parts[term] = min(found[number] / (2.2 * idf[term]), 1.0) * self.share[term]
        return parts

    def alone(self) -> dict[int, float]:
        w = WITH_VECTORS.alone
        words = {c: sum(self.chunk_parts[c].values()) for c in self.chunks}
        best_dense = max(self.dense.values())
        best_words = max(words.values())
        best_near = max(self.near.values())
        about, mentions = self._about(), self._mentions()
        return {
            c: _sigmoid(
                w.dense * self.dense[c]
                + w.unit_dense * self._best_near(c)
                + w.words * words[c]
                + w.unit_words * max(sum(self.unit_parts[u].values()) for u in self.units[c])
                + w.about * about[c]
                + w.mentions * mentions[c]
                + w.dense_gap * (self.dense[c] - best_dense)
                + w.unit_dense_gap * (self._best_near(c) - best_near)
                + w.words_gap * (words[c] - best_words)
                + w.bias
            )
            for c in self.chunks
        }

    def one_round(self, before: dict[int, float], w: RoundWeights) -> dict[int, float]:
        words = {c: sum(self.chunk_parts[c].values()) for c in self.chunks}
        best_dense = max(self.dense.values())
        best_words = max(words.values())
        best_near = max(self.near.values())
        about = self._about()
        via_about = self.via_about(before)
        via_shared = self.via_shared(before)
        return {
            c: _sigmoid(
                w.about * about[c]
                + w.dense_gap * (self.dense[c] - best_dense)
                + w.unit_dense_gap * (self._best_near(c) - best_near)
                + w.words_gap * (words[c] - best_words)
                + w.about_link * via_about[c]
                + w.shared_link * via_shared[c]
                + w.bias
            )
            for c in self.chunks
        }

    def via_about(self, before: dict[int, float]) -> dict[int, float]:
        best = dict.fromkeys(self.chunks, 0.0)
        for unit, entities in self.entities.items():
            for entity in entities:
                links = self.reader.chunks_about(_one(entity))
                about = dict(zip(links.targets.tolist(), links.weights.tolist(), strict=True))
                if len(about) > LIMITS.most_about or entity in self.named:
                    continue
                for chunk, weight in about.items():
                    if chunk != self.home[unit]:
                        value = before[self.home[unit]] * weight / sqrt(len(about))
                        best[chunk] = max(best[chunk], value * self._together(unit, chunk))
        return best

    def via_shared(self, before: dict[int, float]) -> dict[int, float]:
        best = dict.fromkeys(self.chunks, 0.0)
        merit = {u: before[self.home[u]] * max(0.0, self.near[u]) for u in self.home}
        spoken = {unit: set(entities) for unit, entities in self.entities.items()}
        for chunk, topics in self.topics.items():
            if self.units[chunk]:
                first = max(self.units[chunk], key=lambda unit: (merit[unit], -unit))
                spoken[first] |= set(topics)
        everyone = {entity for entities in spoken.values() for entity in entities} - self.named
        for entity in sorted(everyone):
            speakers = [unit for unit in sorted(self.home) if entity in spoken[unit]]
            holders = [unit for unit in sorted(self.home) if entity in self.entities[unit]]
            frequency = len({self.home[unit] for unit in holders})
            if frequency > LIMITS.most_mentions(len(self.chunks)):
                continue
            rare = log1p(len(self.chunks) / max(frequency, 1)) / log(1 + len(self.chunks))
            about = self.reader.chunks_about(_one(entity)).targets.tolist()
            targets = {self.home[unit] for unit in holders}
            for chunk in sorted(targets | set(about if len(about) <= LIMITS.most_about else [])):
                sources = [unit for unit in speakers if self.home[unit] != chunk]
                if not sources:
                    continue
                source = max(sources, key=lambda unit: (merit[unit], -unit))
                value = before[self.home[source]] * rare * self._together(source, chunk)
                best[chunk] = max(best[chunk], value)
        return best

    def chosen(self, after: dict[int, float], sources: dict[int, int], taken: int) -> list[int]:
        """The chunks in the order in which they are chosen together."""
        w = SelectionWeights()
        order: list[int] = []
        for _ in range(taken):
            held = {word for chunk in order for word in self.chunk_words[chunk]}
            gains = {}
            for chunk in self.chunks:
                if chunk in order:
                    continue
                gain = log(after[chunk] / (1.0 - after[chunk]))
                gain += w.new_words * sum(
                    self.cover[word] for word in self.chunk_words[chunk] if word not in held
                )
                led_to = [after[other] for other in order if sources[other] == chunk]
                gain += w.source * max(led_to, default=0.0)
                siblings = [other for other in order if sources[other] == sources[chunk] >= 0]
                gains[chunk] = gain - w.sibling * len(siblings)
            order.append(max(gains, key=lambda chunk: (gains[chunk], after[chunk], -chunk)))
        return order

    def _together(self, unit: int, chunk: int) -> float:
        held = self.unit_words[unit] | self.chunk_words[chunk]
        return sum(self.cover[term] for term in held)

    def _best_near(self, chunk: int) -> float:
        return max(self.near[unit] for unit in self.units[chunk])

    def _about(self) -> dict[int, float]:
        best = dict.fromkeys(self.chunks, 0.0)
        for name in self.query.names:
            links = self.reader.chunks_about(name.entities)
            about: dict[int, float] = {}
            for chunk, weight in zip(links.targets.tolist(), links.weights.tolist(), strict=True):
                about[chunk] = max(about.get(chunk, 0.0), weight)
            for chunk, weight in about.items():
                best[chunk] = max(best[chunk], name.similarity * weight / sqrt(len(about)))
        return best

    def _mentions(self) -> dict[int, float]:
        share = dict.fromkeys(self.chunks, 0.0)
        rarities = []
        for name in self.query.names:
            wanted = set(name.entities.tolist())
            frequency = sum(self.reader.entity_frequencies(name.entities).tolist())
            rare = log1p(len(self.chunks) / max(frequency, 1)) / log(1 + len(self.chunks))
            about = set(self.reader.chunks_about(name.entities).targets.tolist())
            rarities.append(rare)
            for chunk in self.chunks:
                mentioned = any(wanted & set(self.entities[unit]) for unit in self.units[chunk])
                share[chunk] += rare * (mentioned or chunk in about)
        return {chunk: value / (sum(rarities) or 1.0) for chunk, value in share.items()}


def _sigmoid(value: float) -> float:
    return 1.0 / (1.0 + exp(-value))


def _one(number: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([number], dtype=np.int64)


def _row(targets: Iterable[int]) -> list[int]:
    return [int(target) for target in targets]


def _vocabulary(reader: GraphReader) -> list[str]:
    documents = reader.get_documents(reader.select_documents())
    return sorted({term for document in documents for term in terms(document.text)})


def _graph(seed: int) -> tuple[KnowledgeGraph, list[str]]:
    graph = KnowledgeGraph()
    documents = made_documents(12, seed=seed, names=14)
    graph.commit(documents, embedding=SPACE)
    return graph, sorted({entity.name for one in documents for entity in one.entities})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("template", QUESTIONS)
def test_scores_equal_those_of_loops_over_everything(seed: int, template: str) -> None:
    graph, names = _graph(seed)
    question = template.format(names[seed % len(names)], names[(3 * seed + 1) % len(names)])
    vector = made_documents(1, seed=seed + 100)[0].unit_vectors
    assert vector is not None
    _assert_as_slow(graph, question, vector[0])


def test_words_of_names_count_together_in_both() -> None:
    embedder = FakeEmbedder()
    graph = small_graph(AIRPORTS, embedder=embedder)
    question = "What is the population of the town of Orm Valley Airport?"
    _assert_as_slow(graph, question, embedder.embed([question], kind="query")[0])


def _assert_as_slow(graph: KnowledgeGraph, question: str, vector: Scores) -> None:
    config = ClewConfig(traversal_depth=2, anchor_top_k=100, beam_size=100)
    with graph.reading() as reader:
        plain = link_query(reader, question, config=config)
        query = QueryLinks(question=question, words=plain.words, names=plain.names, vector=vector)
        search = Search(reader=reader, query=query, config=config, counts=reader.stats())
        evidence = LinkedEvidence(limits=LIMITS).find(search)
        slow = Slow(reader, query)
        assert evidence.chunks.tolist() == slow.chunks

        trails = evidence.trail
        assert isinstance(trails, LinkedTrails)
        alone = slow.alone()
        np.testing.assert_allclose(trails.alone, list(alone.values()), atol=2e-5)
        scores = alone
        for number, weights in enumerate(WITH_VECTORS.rounds):
            this = trails.rounds[number]
            about, shared = slow.via_about(scores), slow.via_shared(scores)
            np.testing.assert_allclose(this.about.values, list(about.values()), atol=2e-5)
            np.testing.assert_allclose(this.shared.values, list(shared.values()), atol=2e-5)
            assert this.about.values.any()
            assert this.shared.values.any()
            scores = slow.one_round(scores, weights)
            np.testing.assert_allclose(this.after, list(scores.values()), atol=1e-4)
        rows = trails.best_sources().tolist()
        sources = {
            chunk: slow.chunks[row] if row >= 0 else -1
            for chunk, row in zip(slow.chunks, rows, strict=True)
        }
        order = np.lexsort((evidence.chunks, -evidence.chunk_scores))[:TAKEN]
        assert evidence.chunks[order].tolist() == slow.chosen(scores, sources, len(order))
