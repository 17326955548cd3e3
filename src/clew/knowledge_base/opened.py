"""An open store with its configuration and models: what all parts of a knowledge base share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from clew.config import ClewConfig
from clew.errors import StoreError
from clew.stores import open_store
from clew.stores.base import GraphReader, Numbers, Store

if TYPE_CHECKING:
    from clew.indexing.pipeline import IndexPipeline
    from clew.models.base import LLM, Embedder
    from clew.models.entailment import CheckedEntailment
    from clew.models.reranking import CheckedReranker
    from clew.retrieval.pipeline import RetrievePipeline

Result = TypeVar("Result")


class OpenedStore:
    """Models are made when first needed, and what reads files, answers and embeds is loaded on use:
    `clew stats` needs none of it.
    """

    def __init__(
        self,
        store: Store,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> None:
        self._store = store
        self._closed = False
        self.config = config or ClewConfig()
        self._llm = llm
        self._embedding = embedding
        self._reranker = reranker
        self._entailment = entailment
        self._pipeline: RetrievePipeline | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> Self:
        """Open the store at ``path``, a folder or ``postgresql://user@host/database``; it is
        created if absent, unless ``create`` is False.

        Raises the store errors of :mod:`clew.errors`; nothing is touched then.
        """
        store = open_store(
            path,
            create=create,
            read_only=read_only,
            network_file_system=(config or ClewConfig()).network_file_system,
        )
        return cls(
            store,
            llm=llm,
            embedding=embedding,
            reranker=reranker,
            entailment=entailment,
            config=config,
        )

    @classmethod
    def in_memory(
        cls,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> Self:
        """A knowledge base that is gone with the process."""
        from clew.stores.memory import KnowledgeGraph  # noqa: PLC0415

        return cls(
            KnowledgeGraph(),
            llm=llm,
            embedding=embedding,
            reranker=reranker,
            entailment=entailment,
            config=config,
        )

    @property
    def store(self) -> Store:
        if self._closed:
            raise StoreError("this knowledge base is closed; open it again to use it")
        return self._store

    def close(self) -> None:
        """Let go of the store; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @cached_property
    def llm(self) -> LLM | None:
        """The language model: the one given, or what ``llm_model`` names, with its limits."""
        from clew.models.wrappers.stack import given_llm  # noqa: PLC0415

        return given_llm(self._llm, self.config)

    @cached_property
    def embedder(self) -> Embedder | None:
        from clew.indexing.pipeline import resolve_embedder  # noqa: PLC0415

        return resolve_embedder(self._embedding, self.config)

    @cached_property
    def reranker(self) -> CheckedReranker | None:
        """What reads the best results again: the one given, or what ``reranker_model`` names."""
        from clew.models.default import default_reranker  # noqa: PLC0415
        from clew.models.reranking import as_reranker  # noqa: PLC0415

        if self._reranker is None:
            return default_reranker(self.config)
        return as_reranker(self._reranker, batch_size=self.config.reranker_batch_size)

    @cached_property
    def entailment(self) -> CheckedEntailment | None:
        """What a written answer is held against: the one given, or what ``entailment_model``
        names.
        """
        from clew.models.default import default_entailment  # noqa: PLC0415
        from clew.models.entailment import as_entailment  # noqa: PLC0415

        if self._entailment is None:
            return default_entailment(self.config)
        return as_entailment(self._entailment)

    @cached_property
    def _indexing(self) -> IndexPipeline:
        from clew.indexing.pipeline import IndexPipeline  # noqa: PLC0415

        config = self.config
        if self.embedder is None:
            config = config.replace(embedding_model="none")
        llm = None if config.ku_extraction_method == "sentence" else self.llm
        is_own = self._embedding is not None
        return IndexPipeline(llm, self.embedder, config, store=self.store, embedding_is_own=is_own)

    def _indexing_in(self, quality_mode: str | None) -> IndexPipeline:
        return self._indexing if quality_mode is None else self._indexing.in_mode(quality_mode)

    def _retrieval(self) -> RetrievePipeline:
        from clew.retrieval.pipeline import RetrievePipeline  # noqa: PLC0415

        store, pipeline = self.store, self._pipeline
        if pipeline is None:
            embedding = self.embedder if store.embedding is not None else None
            llm = self.llm if self.config.query_entity_prompt else None
            pipeline = RetrievePipeline(store, llm, embedding, self.config, reranker=self.reranker)
            self._pipeline = pipeline
        return pipeline

    def _tell(self, done: int, total: int, stage: str) -> None:
        if self.config.on_progress:
            self.config.on_progress(done, total, stage)

    def _changed(self, result: Result) -> Result:
        """Forget what was known of the store before it changed."""
        self._pipeline = None
        return result

    @contextmanager
    def _reading(self, where: Mapping[str, Any] | None = None) -> Iterator[GraphReader]:
        """One state of the store, as if it held the documents of the scope alone."""
        with self.store.reading() as reader:
            yield reader.within(reader.select_documents(scope=self.config.scope, where=where))

    def _scope(self, where: Mapping[str, Any] | None = None) -> Numbers:
        return self.store.select_documents(scope=self.config.scope, where=where)
