"""From documents to a graph: the table of contents of indexing, in code.

Each batch of documents is chunked, extracted, embedded and committed; the commit is atomic, so a
run that is killed has whole batches in the store, and running it again goes on from there. What
did not change costs nothing: an unchanged document is recognised by its hash, an unchanged chunk
keeps its vectors and its paid model replies.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from copy import copy
from typing import Any

from clew.config import ClewConfig
from clew.documents import LoadFailure, documents_from
from clew.errors import MissingModelError
from clew.executors.base import Executor
from clew.extraction.base import Extractor
from clew.extraction.sentence import SentenceExtractor
from clew.indexing.collector import collector_at_rest
from clew.indexing.extracting import Extracted
from clew.indexing.low_yield import OUT_OF_MONEY, low_yield_note
from clew.indexing.model_extraction import ModelExtraction
from clew.indexing.portable import portable
from clew.indexing.reading import Reading
from clew.indexing.run import IndexingRun, Plan, StoppedError, space_of
from clew.models.adapters import as_embedder
from clew.models.base import LLM, Embedder
from clew.models.default import default_embedder, is_local
from clew.models.wrappers.ledger import Spent
from clew.models.wrappers.stack import given_llm
from clew.progress_lines import Tell, progress_lines
from clew.records import Document
from clew.reports import IngestReport
from clew.stores.admission import require_same_space
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph

_COMMIT_SECONDS = 1.0
_COMMIT_DOCUMENTS = 512
_COMMIT_CHARS = 1_000_000

WORDS_ALONE = (
    "no embedder: search uses words alone. Install the local one with `pip install clew-minilm`, "
    "or pass embedding=…"
)


NO_VECTORS = (
    "the store was indexed without an embedder and has no vectors: `clew reembed` makes them"
)


class IndexPipeline:
    """Indexes documents into a store.

    ``llm`` is anything with ``generate(prompt) -> str`` (or :class:`clew.models.base.LLM`); None
    takes the one that ``llm_model`` names, by default none. ``embedding`` is anything with
    ``embed_text`` and ``embed_batch`` (or :class:`clew.models.base.Embedder`); None takes the one
    that ``embedding_model`` names, by default the local embedder. Without ``store`` each
    ``run`` fills a new :class:`KnowledgeGraph` in memory. ``executor`` does the extraction; None
    takes the one of the settings ``executor`` and ``workers``; ``auto`` leaves all cores to an
    embedder that clew itself runs on this machine. Whatever the executor, this process alone
    commits. ``embedding_is_own`` False says that ``embedding`` is what the settings lead to, so
    that workers elsewhere may make it themselves.

    >>> graph = IndexPipeline().run(["Ariadne gave Theseus a ball of thread."])  # doctest: +SKIP
    """

    def __init__(
        self,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
        *,
        store: Store | None = None,
        executor: Executor | None = None,
        embedding_is_own: bool = True,
    ) -> None:
        self.config = config or ClewConfig()
        self._executor = executor
        asks = llm is not None or self.config.ku_extraction_method != "sentence"
        self.llm: LLM | None = given_llm(llm, self.config) if asks else None
        self.embedder = resolve_embedder(embedding, self.config)
        self._embeds_here = (
            (embedding is None or not embedding_is_own)
            and self.embedder is not None
            and is_local(self.config)
        )
        self.store = store
        self.report = IngestReport()

    def in_mode(self, quality_mode: str) -> IndexPipeline:
        """The same pipeline with another ``quality_mode``."""
        other = copy(self)
        other.config = self.config.replace(quality_mode=quality_mode)
        return other

    def run(self, documents: Any) -> Store:
        """Index texts, dicts (``text``, optional ``doc_id``, ``title``, ``metadata``) or
        :class:`Document` records, one or many, and return the graph.

        What happened to each document is in :attr:`report`; a document that could not be read is
        also named in a warning, and costs the others nothing.
        """
        store = self.store if self.store is not None else KnowledgeGraph()
        self.report = self.index(documents_from(documents, scope=self.config.scope), store)
        for trouble in self.report.trouble:
            warnings.warn(f"{trouble.source}: {trouble.reason}", stacklevel=2)
        return store

    def index(
        self,
        documents: Iterable[Document | LoadFailure],
        store: Store,
        *,
        total: int | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        extractor: Extractor | None = None,
    ) -> IngestReport:
        """Index ``documents`` into ``store`` and report on each, in order.

        ``total`` (an estimate will do) is what progress callbacks count towards; ``should_stop``
        is asked between batches; ``extractor`` is one's own method of extraction.
        Raises the store errors of :mod:`clew.errors`, and :class:`clew.errors.ModelError` when the
        embedder fails: what was committed stays.
        """
        began = time.perf_counter()
        self.require_fitting(store)
        extractor = extractor or self._extractor(store)
        asking = extractor if isinstance(extractor, ModelExtraction) else None
        tell = _teller(self.config)
        interrupted = False
        with collector_at_rest() as collector:
            run = IndexingRun(self.config, extractor.method, self.embedder, store)

            def watch(done: int, passages: int) -> None:
                ready = len(run.reports)
                tell(ready, max(ready, total or 0), f"embed {done:,} of {passages:,} passages")
                if should_stop():
                    raise StoppedError

            def while_waiting() -> None:
                ready, most = len(run.reports), max(len(run.reports), total or 0)
                text = asking.progress.text(asking.spent, most) if asking else "index"
                tell(ready, most, text)
                if should_stop():
                    raise StoppedError

            reading = Reading(
                self.config,
                extractor,
                self.embedder,
                embeds_here=self._embeds_here,
                executor=self._executor,
                while_waiting=while_waiting,
            )
            with closing(reading.extracted(run, documents)) as batches:
                try:
                    for batch in self._commits(batches, reading.size.documents):
                        run.take(batch, watch)
                        collector.batch_done()
                        self._tell(run, total, tell)
                        if should_stop():
                            interrupted = True
                            break
                except StoppedError:
                    interrupted = True
                finally:
                    if asking is not None:
                        asking.finish()
        spent = Spent() if asking is None else asking.spent
        report = IngestReport(
            documents=tuple(run.reports),
            method=extractor.method,
            embedder=self.embedder.fingerprint if self.embedder else "",
            seconds=time.perf_counter() - began,
            interrupted=interrupted,
            notes=self._notes(extractor, store, run),
            usage=run.usage,
            cost=spent.cost,
            currency=spent.currency,
        )
        if self.config.verbose:
            sys.stderr.write(f"clew: {report.summary}\n")
        return report

    def _commits(
        self, batches: Iterable[tuple[Plan, list[Extracted]]], most: int
    ) -> Iterator[list[tuple[Plan, list[Extracted]]]]:
        """Put together what is committed at once: ``most`` documents, then about a second's work,
        going by how long the last took. A commit waits for the disk and touches all indexes; what
        is not committed is lost when the process is killed.
        """
        waiting: list[tuple[Plan, list[Extracted]]] = []
        documents = chars = 0
        for plan, extracted in batches:
            waiting.append((plan, extracted))
            documents += len(plan.documents)
            chars += sum(len(document.text) for document in plan.documents)
            if documents >= most or chars >= _COMMIT_CHARS or self.method == "llm":
                began = time.perf_counter()
                yield waiting
                pace = documents / max(time.perf_counter() - began, 1e-3)
                most = min(int(pace * _COMMIT_SECONDS), _COMMIT_DOCUMENTS)
                waiting, documents, chars = [], 0, 0
        if waiting:
            yield waiting

    def require_fitting(self, store: Store) -> None:
        """Raise :class:`clew.errors.FingerprintMismatchError` when the store's vectors are those of
        another embedder, before anything is read, paid for or removed.
        """
        stored, embedder = store.embedding, self.embedder
        if stored is None or embedder is None or stored.fingerprint == embedder.fingerprint:
            return
        if len(store.select_documents()):
            require_same_space(stored, space_of(embedder))

    @property
    def method(self) -> str:
        """The extraction method that the settings and the models at hand come to."""
        return self.config.ku_extraction_method or ("llm" if self.llm else "sentence")

    def _extractor(self, store: Store) -> Extractor:
        method = self.method
        if method == "sentence":
            return SentenceExtractor(portable(self.config))
        if self.llm is None:
            raise MissingModelError(
                f"ku_extraction_method={method!r} needs a language model: name one with "
                "llm_model (openai:gpt-4o-mini), pass llm=…, any object with "
                "generate(prompt) -> str, or use ku_extraction_method='sentence'"
            )
        return ModelExtraction(method, self.llm, self.config, store)

    def _notes(self, extractor: Extractor, store: Store, run: IndexingRun) -> tuple[str, ...]:
        notes = []
        if extractor.method == "sentence" and (
            self.llm is None and self.config.ku_extraction_method is None
        ):
            notes.append("no language model: units are sentences (method 'sentence')")
        elif extractor.method == "sentence":
            notes.append("units are sentences (method 'sentence')")
        if self.embedder is None:
            notes.append(
                "embedding_model is 'none': search uses words alone"
                if self.config.embedding_model == "none"
                else WORDS_ALONE
            )
        elif store.embedding is None and len(store.select_documents()):
            notes.append(NO_VECTORS)
        answered = bool(run.usage.calls or run.usage.cached_calls)
        if isinstance(extractor, ModelExtraction) and extractor.is_out_of_money:
            notes.append(OUT_OF_MONEY)
        elif note := low_yield_note(
            run.reports,
            self.config.chunk_size,
            chunk_overlap=self.config.chunk_overlap,
            answered=answered,
        ):
            notes.append(note)
        return tuple(notes)

    def _tell(self, run: IndexingRun, total: int | None, tell: Tell) -> None:
        done = len(run.reports)
        if self.config.on_batch_complete:
            self.config.on_batch_complete(run.batches, _at_least(run.batches, total, done))
        tell(done, max(done, total or 0), "index")
        if self.config.on_chunk_processed:
            for chunk in range(run.chunks_before, run.chunks):
                self.config.on_chunk_processed(chunk + 1, run.chunks)
        run.chunks_before = run.chunks


def _teller(config: ClewConfig) -> Tell:
    """Tell ``on_progress``, and with ``verbose`` standard error too."""
    lines = progress_lines("documents", every_s=1.0) if config.verbose else None

    def tell(done: int, total: int, stage: str) -> None:
        if config.on_progress:
            config.on_progress(done, total, stage)
        if lines:
            lines(done, total, stage)

    return tell


def resolve_embedder(embedding: object | None, config: ClewConfig) -> Embedder | None:
    """The embedder to use: the one given, else the local default, else None (words alone)."""
    if embedding is not None:
        return as_embedder(
            embedding,
            batch_size=config.embedding_batch_size,
            concurrency=config.embedding_concurrency,
            dimensions=config.embedding_dimensions,
        )
    return None if config.embedding_model == "none" else default_embedder(config)


def _at_least(batches: int, total: int | None, done: int) -> int:
    """How many batches there will be, from the share of documents done."""
    return batches if not total or not done else max(batches, round(batches * total / done))
