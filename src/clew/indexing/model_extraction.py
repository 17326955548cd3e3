"""Extraction that asks a language model: the model of one run, its extractors and its threads.

Several batches of documents are asked about at the same time, so that calls are under way while
others are embedded and committed, and the last call of one batch holds up nobody. How many that
are follows from ``ku_concurrency``; how documents are put into batches does not, and so neither do
the calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from clew.config import ClewConfig
from clew.executors.base import Caller, Executor
from clew.executors.inline import InlineExecutor
from clew.executors.threads import ThreadExecutor
from clew.extraction.base import Extraction
from clew.extraction.budgeting import Candidates
from clew.extraction.llm_budget import LLMBudget, llm_budget
from clew.indexing.affordable import affordable_share
from clew.indexing.by_chunks import extract_by_chunks
from clew.indexing.call_progress import CallProgress
from clew.indexing.portable import portable
from clew.indexing.remote_extraction import RemoteExtraction
from clew.models.base import LLM, Completion, Message
from clew.models.purpose import Purpose, for_purpose
from clew.models.wrappers.experience import Experience
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

_SHORT_CALLS = 4
"""Threads for what workers ask of the store while all others wait for the model."""


class ModelExtraction:
    """An :class:`Extractor` by ``method`` for one run into ``store``."""

    def __init__(self, method: str, llm: LLM, config: ClewConfig, store: Store) -> None:
        self.progress = CallProgress(config.chunk_size, config.ku_batch_size)
        self._method = method
        self._config = config
        self._store = store
        budget = llm_budget("llm_budget", config.llm_budget) if config.llm_budget else None
        self._chosen = self._choice(llm, budget) if method == "llm" and budget else None
        self._run = wrapped(
            llm,
            config,
            store,
            scope=config.scope,
            concurrency=config.ku_concurrency,
            finishes=True,
            money=budget.money if self._chosen and budget and budget.share is None else None,
        )
        self._one = None if method == "llm" else self._vocabulary()

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
    def is_out_of_money(self) -> bool:
        return self._run.is_out_of_money

    @property
    def spent(self) -> Spent:
        return self._run.spent

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        asked = [document for document, _ in documents]
        self.progress.read(asked, self._chunks_of(documents))
        extractions = self._at_once(documents) if self._one else self._by_chunks(documents)
        self.progress.done(asked, self.spent)
        return extractions

    @property
    def can_be_sent(self) -> bool:
        """Whether workers elsewhere can do it: a vocabulary is decided, and known, here."""
        return self._one is None

    def sent(self) -> RemoteExtraction:
        """What workers elsewhere do; they call home for what :attr:`offers`."""
        if self._chosen is not None:
            self._chosen.decide()
        return RemoteExtraction(
            method=self._method,
            fingerprint=self._run.llm.fingerprint,
            config=portable(self._config),
            only=None if self._chosen is None else self._chosen.ids,
        )

    def caller(self, while_waiting: Callable[[], None]) -> Caller:
        """This process, at the disposal of workers elsewhere."""
        return Caller(
            offers={
                "complete": self._complete,
                "remembered": self._store.remembered,
                "keep_replies": self._store.keep_replies,
            },
            at_once=2 * self._config.ku_concurrency + _SHORT_CALLS,
            while_waiting=while_waiting,
            when_over=self._run.stop,
        )

    def _complete(
        self,
        purpose: Purpose,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
    ) -> Completion:
        with for_purpose(stage=purpose.stage, documents=purpose.documents):
            return self._run.llm.complete(messages, max_tokens=max_tokens, schema=schema)

    def executor(self, while_waiting: Callable[[], None]) -> Executor:
        """Where batches are extracted; a vocabulary needs no model any more by then."""
        if self._config.executor == "inline":
            return InlineExecutor()
        workers = 1
        if self._one is None:
            chunks = self._config.ku_concurrency * self._config.ku_batch_size
            workers = 2 + chunks // BATCH_DOCUMENTS
        return ThreadExecutor(workers, while_waiting=while_waiting, when_over=self._run.stop)

    def _chunks_of(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> int:
        """How many of their chunks the model is asked about."""
        if self._chosen is not None:
            self._chosen.decide()
        chosen = self._chosen
        return sum(chosen is None or chunk in chosen for _, chunks in documents for chunk in chunks)

    def _at_once(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        assert self._one is not None
        with for_purpose(stage="extraction", documents=[document.id for document, _ in documents]):
            return self._one.extract(documents)

    def _by_chunks(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        if self._chosen is not None:
            self._chosen.decide()
        return extract_by_chunks(self._run.llm, self._store, self._config, documents, self._chosen)

    def _choice(self, llm: LLM, budget: LLMBudget) -> ChosenChunks:
        from clew.extraction.budgeting import ChosenChunks  # noqa: PLC0415

        known = Experience(
            (one for one in self._store.usage() if one.scope == self._config.scope),
            llm.fingerprint,
        )
        nothing = Candidates(characters=0, chunks=0)
        affordable_share(budget, nothing, llm, self._config, known)  # what is wrong is told at once
        return ChosenChunks(
            self._config.llm_budget or "",
            lambda text: affordable_share(budget, text, llm, self._config, known),
            self._config,
            self._store.keep_reply,
            self._store.remembered,
        )

    def _vocabulary(self) -> VocabularyExtractor:
        from clew.extraction.vocabulary import VocabularyExtractor  # noqa: PLC0415

        store = self._store
        return VocabularyExtractor(self._run.llm, self._config, store.keep_reply, store.remembered)
