"""LinearRAG (Zhuang and others, arXiv 2510.10114) over the graph of a clew store.

Its Tri-Graph joins entities, sentences and passages without relations. A question activates the
entities that it names; in each iteration an active entity hands its score to the entities of the
``sentences`` nearest to the question among those that mention it, times their nearness, and what is
below ``threshold`` is dropped ("semantic bridging"). Passages are weighed by nearness and by the
active entities that they hold; PageRank over entities and passages, begun at both, ranks. The
published code (DEEP-PolyU/LinearRAG) is followed where it and the paper differ.

What is adapted, so that it stands on the same sentences, entities and vectors as clew:

* entities are those of the store, not spaCy's; a question's names are linked by clew (exactly or by
  spelling), not by the nearest entity vector, and begin with that similarity;
* how often a passage names an entity is counted in sentences, not in occurrences of the string;
* a passage's title counts as a part of its first sentence (their passages begin with the title);
* only passages of one document are joined as neighbours: theirs joins passages by their number in
  the file, which says nothing here and may give away what belongs together;
* iteration to a fixed number of rounds in place of igraph's solver.

Constants are those of the authors' script but for ``threshold``, which depends on the embedder; it
was tuned on the tuning sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.systems import RESULTS, System
from clew.models.base import Embedder
from clew.retrieval.query.linking import link_names
from clew.retrieval.ragged import positions, row_index
from clew.stores.base import GraphReader, Links, Numbers, Scores, Store

_ROUNDS = 40
Weights = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LinearRAGSettings:
    """Defaults of the authors' ``run.py``, and the threshold for clew's local embedder."""

    threshold: float = 0.2
    iterations: int = 3
    sentences: int = 1
    passage_ratio: float = 2.0
    passage_weight: float = 0.05
    damping: float = 0.5


class LinearRAG:
    """Searches one store, all of whose links are read once, when this is made.

    ``by_chunk`` names chunks by their ids; otherwise a chunk has the name of its document.
    """

    name = "linear-rag"

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        *,
        spelling: float = 0.8,
        settings: LinearRAGSettings | None = None,
        by_chunk: bool = False,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._spelling = spelling
        self._settings = settings or LinearRAGSettings()
        with store.reading() as reader:
            self._graph = TriGraph.read(reader, by_chunk=by_chunk)

    def search(self, question: str) -> list[str]:
        vector = self._embedder.embed([question], kind="query")[0]
        with self._store.reading() as reader:
            names = link_names(reader, question, threshold=self._spelling)
        seeds = {
            int(row): name.similarity
            for name in names
            for row in positions(self._graph.entities, name.entities)
            if row >= 0
        }
        scores = rank_passages(self._graph, vector, seeds, self._settings)
        order = np.argsort(-scores, kind="stable")
        return list(dict.fromkeys(self._graph.passage_ids[row] for row in order))[:RESULTS]


def system(indexed: IndexedCorpus) -> System:
    """As a benchmark asks for it. Needs vectors."""
    if indexed.asking is None:
        raise ValueError("linear-rag needs vectors: index the corpus with an embedder")
    return LinearRAG(
        indexed.store,
        indexed.asking,
        spelling=indexed.config.entity_match_threshold,
        by_chunk=bool(indexed.corpus.spans),
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class TriGraph:
    """A whole store as arrays of rows.

    ``passage_rows``, ``entity_rows`` and ``counts`` say in how many of its sentences a passage
    names an entity; ``edges`` are source, target and chance, the entities before the passages.
    """

    passage_ids: Sequence[str]
    passage_vectors: Scores
    sentence_vectors: Scores
    entities: Numbers
    sentences_of: Sequence[Numbers]
    entities_in: Sequence[Numbers]
    passage_rows: Numbers
    entity_rows: Numbers
    counts: Weights
    edges: tuple[Numbers, Numbers, Weights]

    @classmethod
    def read(cls, reader: GraphReader, *, by_chunk: bool) -> TriGraph:
        chunks = _all_chunks(reader)
        of_chunks = reader.units_of_chunks(chunks)
        units, places = np.unique(of_chunks.targets, return_inverse=True)
        chunk_of_unit = np.empty(len(units), dtype=np.int64)
        chunk_of_unit[places] = row_index(of_chunks)
        mentions = reader.entities_of_units(units)
        topics = reader.topics_of_chunks(chunks)
        unit_rows, named = _with_titles(of_chunks, places, mentions, topics)
        entities, entity_rows = np.unique(named, return_inverse=True)
        held, counts = np.unique(
            np.stack([chunk_of_unit[unit_rows], entity_rows]), axis=1, return_counts=True
        )
        documents = reader.documents_of_chunks(chunks)
        return cls(
            passage_ids=_names(reader, chunks, by_chunk=by_chunk),
            passage_vectors=reader.vectors("chunk", chunks),
            sentence_vectors=reader.vectors("unit", units),
            entities=entities,
            sentences_of=_grouped(entity_rows, unit_rows, len(entities)),
            entities_in=_grouped(unit_rows, entity_rows, len(units)),
            passage_rows=held[0],
            entity_rows=held[1],
            counts=counts.astype(np.float64),
            edges=_edges(held, counts, documents, len(entities)),
        )


def rank_passages(
    graph: TriGraph, question: Scores, seeds: dict[int, float], settings: LinearRAGSettings
) -> Weights:
    """The score of every passage; by nearness alone where the question names nothing."""
    dense = (graph.passage_vectors @ question).astype(np.float64)
    if not seeds:
        return dense
    weights, active = activate(graph, graph.sentence_vectors @ question, seeds, settings)
    bonus = np.zeros(len(graph.entities))
    for entity, (score, tier) in active.items():
        bonus[entity] = score / tier
    held = np.bincount(
        graph.passage_rows,
        weights=bonus[graph.entity_rows] * np.log1p(graph.counts),
        minlength=len(dense),
    )
    spread = max(float(np.ptp(dense)), 1e-12)
    passages = settings.passage_ratio * (dense - dense.min()) / spread + np.log1p(held)
    start = np.concatenate([weights, passages * settings.passage_weight])
    return pagerank(graph.edges, np.maximum(start, 0.0), settings.damping)[len(graph.entities) :]


def activate(
    graph: TriGraph, nearness: Scores, seeds: dict[int, float], settings: LinearRAGSettings
) -> tuple[Weights, dict[int, tuple[float, int]]]:
    """The weight of every entity, and the active ones with their last score and iteration."""
    weights = np.zeros(len(graph.entities))
    weights[list(seeds)] = list(seeds.values())
    active = {entity: (score, 1) for entity, score in seeds.items()}
    current, used = dict(active), np.zeros(len(nearness), dtype=bool)
    for iteration in range(1, settings.iterations):
        reached: dict[int, tuple[float, int]] = {}
        for entity, (score, _) in current.items():
            if score < settings.threshold:
                continue
            for sentence in _nearest_unused(graph.sentences_of[entity], nearness, used, settings):
                handed = score * float(nearness[sentence])
                if handed >= settings.threshold:
                    for neighbour in graph.entities_in[sentence].tolist():
                        weights[neighbour] += handed
                        reached[neighbour] = (handed, iteration + 1)
        active |= reached
        current = reached
    return weights, active


def pagerank(edges: tuple[Numbers, Numbers, Weights], start: Weights, damping: float) -> Weights:
    """Personalised PageRank by iteration over edges (source, target, chance)."""
    sources, targets, chances = edges
    begin = start / max(float(start.sum()), 1e-12)
    ranks = begin
    for _ in range(_ROUNDS):
        moved = np.bincount(targets, weights=ranks[sources] * chances, minlength=len(begin))
        # What is lost at nodes without an edge begins anew.
        ranks = (1.0 - damping) * begin + damping * (moved + (1.0 - moved.sum()) * begin)
    return ranks


def _nearest_unused(
    sentences: Numbers, nearness: Scores, used: NDArray[np.bool_], settings: LinearRAGSettings
) -> list[int]:
    left = sentences[~used[sentences]]
    best = left[np.argsort(-nearness[left], kind="stable")[: settings.sentences]]
    used[best] = True
    return [int(sentence) for sentence in best]


def _with_titles(
    of_chunks: Links, unit_of_target: Numbers, mentions: Links, topics: Links
) -> tuple[Numbers, Numbers]:
    """Pairs (unit row, entity), a chunk's topics named by its first unit; each pair once."""
    has_units = np.diff(of_chunks.indptr) > 0
    first = np.zeros(len(has_units), dtype=np.int64)
    first[has_units] = unit_of_target[of_chunks.indptr[:-1][has_units]]
    chunk_rows = row_index(topics)
    told = has_units[chunk_rows]
    rows = np.concatenate([row_index(mentions), first[chunk_rows[told]]])
    named = np.concatenate([mentions.targets, topics.targets[told]])
    pairs = np.unique(np.stack([rows, named]), axis=1)
    return pairs[0], pairs[1]


def _edges(
    held: NDArray[np.int64], counts: Numbers, documents: Numbers, entities: int
) -> tuple[Numbers, Numbers, Weights]:
    """Both ways: passage–entity by share of the passage's naming, and neighbours in a document."""
    passages = len(documents)
    whole = np.bincount(held[0], weights=counts, minlength=passages)
    share = counts / whole[held[0]]
    beside = np.flatnonzero(documents[:-1] == documents[1:])
    one = np.concatenate([entities + held[0], entities + beside])
    other = np.concatenate([held[1], entities + beside + 1])
    weights = np.concatenate([share, np.ones(len(beside))])
    sources, targets = np.concatenate([one, other]), np.concatenate([other, one])
    weights = np.concatenate([weights, weights])
    degree = np.bincount(sources, weights=weights, minlength=entities + passages)
    return sources, targets, weights / degree[sources]


def _grouped(keys: Numbers, values: Numbers, count: int) -> list[Numbers]:
    order = np.lexsort((values, keys))
    ends = np.cumsum(np.bincount(keys, minlength=count))[:-1]
    return np.split(values[order], ends)


def _all_chunks(reader: GraphReader) -> Numbers:
    ids = [
        chunk.id
        for document in reader.list_documents()
        if (whole := reader.load_document(document.id)) is not None
        for chunk in whole.chunks
    ]
    return np.sort(reader.numbers_of("chunk", ids))


def _names(reader: GraphReader, chunks: Numbers, *, by_chunk: bool) -> list[str]:
    if by_chunk:
        return [chunk.id for chunk in reader.get_chunks(chunks)]
    unique, rows = np.unique(reader.documents_of_chunks(chunks), return_inverse=True)
    names = [document.doc_id for document in reader.get_documents(unique)]
    return [names[row] for row in rows]
