"""Extraction that asks a language model: the model of one run, its extractors and its threads.

Several batches of documents are asked about at the same time, so that calls are under way while
others are embedded and committed, and the last call of one batch holds up nobody. How many that
are follows from ``ku_concurrency``; how documents are put into batches does not, and so neither do
the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from clew.config import ClewConfig
from clew.executors.base import Executor
from clew.executors.inline import InlineExecutor
from clew.executors.threads import ThreadExecutor
from clew.extraction.base import Extraction
from clew.extraction.llm_budget import llm_budget
from clew.indexing.affordable import affordable_share
from clew.indexing.call_progress import CallProgress
from clew.indexing.reply_memory import ReplyMemory
from clew.models.base import LLM
from clew.models.purpose import for_purpose
from clew.models.wrappers.ledger import Spent
from clew.models.wrappers.stack import wrapped
from clew.records import Chunk, Document
from clew.stores.base import Store

if TYPE_CHECKING:
    from clew.extraction.budgeting import ChosenChunks
    from clew.extraction.vocabulary import VocabularyExtractor

BATCH_DOCUMENTS = 128
BATCH_CHARS = 200_000
"""What is asked about, and committed, together."""


class ModelExtraction:
    """An :class:`Extractor` by ``method`` for one run into ``store``."""

    def __init__(self, method: str, llm: LLM, config: ClewConfig, store: Store) -> None:
        self.progress = CallProgress(config.chunk_size, config.ku_batch_size)
        self._method = method
        self._config = config
        self._store = store
        self._run = wrapped(
            llm,
            config,
            store,
            scope=config.scope,
            concurrency=config.ku_concurrency,
            finishes=True,
        )
        self._one = None if method == "llm" else self._vocabulary()
        self._chosen = self._choice(llm) if method == "llm" and config.llm_budget else None

    @property
    def method(self) -> str:
        return self._method

    @property
    def looks_ahead(self) -> bool:
        """Whether all documents must be seen before the first is extracted."""
        return self._one is not None or self._chosen is not None

    def look_ahead(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        ahead = self._one or self._chosen
        assert ahead is not None
        ahead.look_ahead(documents)

    def finish(self) -> None:
        """Write what of the books is not written yet."""
        self._run.finish()

    @property
    def spent(self) -> Spent:
        return self._run.spent

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        asked = [document for document, _ in documents]
        self.progress.read(asked)
        with for_purpose(stage="extraction", documents=[document.id for document in asked]):
            extractions = self._one.extract(documents) if self._one else self._by_chunks(documents)
        self.progress.done(asked, self.spent)
        return extractions

    def executor(self, while_waiting: Callable[[], None]) -> Executor:
        """Where batches are extracted; a vocabulary needs no model any more by then."""
        if self._config.executor == "inline":
            return InlineExecutor()
        workers = 1
        if self._one is None:
            chunks = self._config.ku_concurrency * self._config.ku_batch_size
            workers = 2 + chunks // BATCH_DOCUMENTS
        return ThreadExecutor(workers, while_waiting=while_waiting, when_over=self._run.stop)

    @property
    def _with_spare_threads(self) -> ClewConfig:
        """While some threads keep the replies that they got, others begin the next calls; how many
        calls are under way is the model's affair (:func:`clew.models.wrappers.stack.wrapped`).
        """
        asked = self._config.ku_concurrency
        return self._config if asked == 1 else self._config.replace(ku_concurrency=2 * asked)

    def _by_chunks(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        from clew.extraction.llm import LLMExtractor  # noqa: PLC0415

        if self._chosen is not None:
            self._chosen.decide()
        memory = ReplyMemory(self._store)
        keeps = self._config.llm_cache
        extractor = LLMExtractor(
            self._run.llm,
            self._with_spare_threads,
            memory.remember if keeps else None,
            memory.remembered if keeps else None,
            quality_mode=self._config.quality_mode,
            most_reply_tokens=self._config.llm_max_tokens,
            only=self._chosen,
        )
        try:
            return extractor.extract(documents)
        finally:
            memory.write()

    def _choice(self, llm: LLM) -> ChosenChunks:
        from clew.extraction.budgeting import ChosenChunks  # noqa: PLC0415

        name = self._config.llm_budget or ""
        budget = llm_budget("llm_budget", name)
        affordable_share(budget, 1, llm, self._config)  # what is wrong with it is told at once
        return ChosenChunks(
            name,
            lambda characters: affordable_share(budget, characters, llm, self._config),
            self._config,
            self._store.keep_reply,
            self._store.remembered,
        )

    def _vocabulary(self) -> VocabularyExtractor:
        from clew.extraction.vocabulary import VocabularyExtractor  # noqa: PLC0415

        store = self._store
        return VocabularyExtractor(self._run.llm, self._config, store.keep_reply, store.remembered)
