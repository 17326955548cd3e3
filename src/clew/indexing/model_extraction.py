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
from clew.extraction.base import Extraction, Extractor
from clew.indexing.call_progress import CallProgress
from clew.models.base import LLM
from clew.models.purpose import for_purpose
from clew.models.wrappers.ledger import Spent
from clew.models.wrappers.stack import wrapped
from clew.records import Chunk, Document
from clew.stores.base import Store

if TYPE_CHECKING:
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

    @property
    def method(self) -> str:
        return self._method

    @property
    def looks_ahead(self) -> bool:
        """Whether all documents must be seen before the first is extracted."""
        return self._one is not None

    def look_ahead(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        assert self._one is not None
        self._one.look_ahead(documents)

    def finish(self) -> None:
        """Write what of the books is not written yet."""
        self._run.finish()

    @property
    def spent(self) -> Spent:
        return self._run.spent

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        extractor = self._one or self._by_chunks()
        asked = [document for document, _ in documents]
        self.progress.read(asked)
        with for_purpose(stage="extraction", documents=[document.id for document in asked]):
            extractions = extractor.extract(documents)
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

    def _by_chunks(self) -> Extractor:
        from clew.extraction.llm import LLMExtractor  # noqa: PLC0415

        return LLMExtractor(
            self._run.llm,
            self._config,
            self._store.remember,
            self._store.remembered,
            quality_mode=self._config.quality_mode,
        )

    def _vocabulary(self) -> VocabularyExtractor:
        from clew.extraction.vocabulary import VocabularyExtractor  # noqa: PLC0415

        store = self._store
        return VocabularyExtractor(self._run.llm, self._config, store.keep_reply, store.remembered)
