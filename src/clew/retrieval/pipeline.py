"""RetrievePipeline: from a question to ranked evidence, the table of contents of retrieval.

embed and link the question → find evidence (a method) → rank → (a reranker reads the best again)
→ fetch what the results show
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.config import ClewConfig
from clew.errors import ConfigError, FingerprintMismatchError, ModelError, QuestionError
from clew.models.adapters import as_embedder
from clew.models.base import LLM, Embedder
from clew.models.default import default_embedder, default_reranker
from clew.models.purpose import for_purpose
from clew.models.reranking import CheckedReranker, as_reranker
from clew.models.wrappers.stack import given_llm, wrapped
from clew.results import RetrievalResult
from clew.retrieval.base import Evidence, Method, Search
from clew.retrieval.items import build_items
from clew.retrieval.methods import make_method
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.retrieval.query.unknown import missed
from clew.retrieval.rank import Ranked, rank
from clew.retrieval.second_stage import rank_and_rerank
from clew.stores.base import GraphReader, Numbers, Store
from clew.stores.filters import canonical_where

WORDS_ALONE = "no vectors: searched by words and names alone"
EMPTY_STORE = "nothing is indexed yet: `clew ingest PATH` adds documents"
NOTHING_SELECTED = "no document of this scope satisfies the filter"
_SELECTIONS_KEPT = 16
RERANKER_FAILED = "the reranker failed, so the order is that without it: {}"


class RetrievePipeline:
    """Searches a store.

    ``graph`` is any store. ``llm`` is only ever asked for the names in a question, and only when
    ``config.query_entity_prompt`` is set; None takes the one that ``config.llm_model`` names, by
    default none. ``embedding`` must be the embedder that the store was
    indexed with; None takes the local default if the store has vectors. ``method`` replaces the one
    that ``config.retrieval_method`` names. ``reranker`` is a cross-encoder (anything with
    ``score(question, texts)``, or a ``CrossEncoder`` of sentence-transformers): it reads the best
    ``config.rerank_top_n`` results again, and the paths of Q-Iter. None takes what
    ``config.reranker_model`` names, by default nothing.

    >>> results = RetrievePipeline(graph).search("Who gave Theseus the thread?")  # doctest: +SKIP
    """

    def __init__(
        self,
        graph: Store,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
        *,
        method: Method | None = None,
        reranker: object | None = None,
    ) -> None:
        self.graph = graph
        self.config = config or ClewConfig()
        self.reranker = _reranker(reranker, self.config)
        self.method = method or make_method(
            self.config.retrieval_method,
            reranker=self.reranker,
            weights=self.config.retrieval_weights,
        )
        self._own_method = method is None
        asks = llm is not None or self.config.query_entity_prompt
        model = given_llm(llm, self.config) if asks else None
        self._llm: LLM | None = (
            wrapped(model, self.config, graph, scope=self.config.scope).llm if model else None
        )
        self._given: Embedder | None = _adapted(embedding, self.config)
        self._default: Embedder | None = None
        self._selections: tuple[int, Mapping[str, _Selection]] = (-1, {})

    def search(
        self, query: str, *, top_n: int | None = None, where: Mapping[str, Any] | None = None
    ) -> RetrievalResult:
        """Find evidence for ``query``, best first, among the documents of ``config.scope`` that
        satisfy ``where``.

        Raises :class:`QuestionError`, :class:`clew.errors.FilterError`,
        :class:`FingerprintMismatchError` and the model errors of :mod:`clew.errors`.
        """
        if not query.strip():
            raise QuestionError("the question is empty: say what to look for")
        if top_n is not None and top_n < 1:
            raise ConfigError(f"top_n={top_n} is too small: the least is 1")
        with for_purpose(stage="question", question=query.strip()), self.graph.reading() as reader:
            wanted = self.config.result_top_n if top_n is None else top_n
            selected = self._selected(reader, where)
            if not selected.counts["documents"]:
                return _nothing(query, self.method, filtered=bool(where))
            seen = reader if selected.documents is None else reader.within(selected.documents)
            return self._search(seen, query, selected, wanted)

    def _search(
        self,
        reader: GraphReader,
        question: str,
        selected: _Selection,
        top_n: int,
    ) -> RetrievalResult:
        embedder = self._embedder(reader) if self.method.uses_vectors else None
        words_alone = self.method.uses_vectors and embedder is None
        query = link_query(
            reader,
            question,
            config=self.config,
            embedder=embedder,
            llm=self._llm,
            counts=selected.counts,
        )
        search = Search(
            reader=reader,
            query=query,
            config=self.config,
            counts=selected.counts,
        )
        evidence, notes = self._find(search)
        places, failure = self._ranked(search, evidence, top_n, reread=not notes)
        notes += failure
        return RetrievalResult(
            query=question,
            items=build_items(reader, query, evidence, places),
            entities_extracted=tuple(name.text for name in query.names),
            names=tuple(name.shown() for name in query.names),
            graph_stats=_graph_stats(evidence, query, len(places)),
            method=self.method.name,
            notes=(*_notes(query, question, words_alone=words_alone), *notes),
            usage=query.usage,
            reranker="" if notes or self.reranker is None else self.reranker.fingerprint,
        )

    def _find(self, search: Search) -> tuple[Evidence, tuple[str, ...]]:
        """The evidence, and a note when the reranker failed to read paths and was left out."""
        try:
            return self.method.find(search), ()
        except ModelError as error:
            if self.reranker is None or not self._own_method:
                raise
            plain = make_method(self.config.retrieval_method, weights=self.config.retrieval_weights)
            return plain.find(search), (RERANKER_FAILED.format(error),)

    def _ranked(
        self, search: Search, evidence: Evidence, top_n: int, *, reread: bool
    ) -> tuple[list[Ranked], tuple[str, ...]]:
        """The best places, read again where there is a reranker; when it fails, a note and the
        order of the first stage.
        """
        if self.reranker is not None and reread and self.config.rerank_top_n:
            try:
                return rank_and_rerank(search, evidence, self.reranker, self.config, top_n), ()
            except ModelError as error:
                places = rank(search.reader, evidence, self.config, top_n=top_n)
                return places, (RERANKER_FAILED.format(error),)
        return rank(search.reader, evidence, self.config, top_n=top_n), ()

    def _embedder(self, reader: GraphReader) -> Embedder | None:
        """The embedder that made the store's vectors; None where there are none."""
        space = reader.embedding
        if space is None:
            return None
        if self._given is None and self._default is None:
            self._default = default_embedder(self.config)
        embedder = self._given or self._default
        if embedder is not None and embedder.fingerprint != space.fingerprint:
            raise FingerprintMismatchError(
                f"the store was indexed with the embedder {space.fingerprint!r}, and this search "
                f"has {embedder.fingerprint!r}: name the first one in embedding_model or pass it "
                "as embedding=…, or run `clew reembed` to replace the vectors"
            )
        return embedder

    def _selected(self, reader: GraphReader, where: Mapping[str, Any] | None) -> _Selection:
        """The documents of the scope that satisfy ``where``, looked up once per generation."""
        key = canonical_where(where)
        generation, kept = self._selections
        if generation != reader.generation:
            generation, kept = reader.generation, {}
        if key not in kept:
            documents = reader.select_documents(scope=self.config.scope, where=where)
            everything = len(documents) == len(reader.select_documents())
            seen = None if everything else documents
            selected = _Selection(documents=seen, counts=reader.stats(documents=seen))
            kept = {**dict(list(kept.items())[1 - _SELECTIONS_KEPT :]), key: selected}
            self._selections = generation, kept
        return kept[key]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Selection:
    """The documents that a search may see (None: all that there are), and what they come to."""

    documents: Numbers | None
    counts: Mapping[str, int]


def _adapted(embedding: object | None, config: ClewConfig) -> Embedder | None:
    if embedding is None:
        return None
    return as_embedder(
        embedding,
        batch_size=config.embedding_batch_size,
        concurrency=config.embedding_concurrency,
        dimensions=config.embedding_dimensions,
    )


def _reranker(given: object | None, config: ClewConfig) -> CheckedReranker | None:
    if given is None:
        return default_reranker(config)
    return as_reranker(given, batch_size=config.reranker_batch_size)


def _nothing(query: str, method: Method, *, filtered: bool) -> RetrievalResult:
    return RetrievalResult(
        query=query,
        graph_stats={"kus_retrieved": 0, "kus_scored": 0, "items_returned": 0},
        method=method.name,
        notes=(NOTHING_SELECTED if filtered else EMPTY_STORE,),
    )


def _graph_stats(evidence: Evidence, query: QueryLinks, returned: int) -> dict[str, int]:
    return {
        "kus_retrieved": len(evidence.units),
        "kus_scored": int(np.count_nonzero(evidence.unit_scores > 0)),
        "chunks_considered": len(evidence.chunks),
        "entities_linked": len(query.entities),
        "items_returned": returned,
        **evidence.counts,
    }


def _notes(query: QueryLinks, question: str, *, words_alone: bool) -> tuple[str, ...]:
    notes = [WORDS_ALONE] if words_alone else []
    notes += query.notes
    if words := missed(question, query.words.unknown):
        notes.append(f"no document has the word {', '.join(map(repr, words))}")
    notes += [name.doubt() for name in query.names if name.ambiguous]
    return tuple(notes)
