"""From documents to a graph: the table of contents of indexing, in code.

Each batch of documents is chunked, extracted, embedded and committed; the commit is atomic, so a
run that is killed has whole batches in the store, and running it again goes on from there. What
did not change costs nothing: an unchanged document is recognised by its hash, an unchanged chunk
keeps its vectors and its paid model replies.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.committing import Committer
from clew.config import ClewConfig
from clew.documents import LoadFailure, documents_from
from clew.embedding import embed_documents, known_vectors
from clew.errors import ClewError, MissingModelError, StoreError
from clew.extraction.base import Extraction, Extractor
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.ids import content_id
from clew.models.adapters import as_embedder, as_llm
from clew.models.base import LLM, Embedder, Usage
from clew.models.default import default_embedder
from clew.records import Chunk, Document, IndexedDocument
from clew.reports import DocumentReport, IngestReport, Status
from clew.stores.base import EmbeddingSpace, Store
from clew.stores.memory import KnowledgeGraph

RECORDS_VERSION = "1"
"""Grows when the same document and settings would give other records than before."""

INCOMPLETE = "incomplete:"
"""Begins the content hash of a document of which some chunks still want a model."""

DAMAGE = ("unreadable_parts", "unreadable_pages", "missing_chapters", "front_matter_error")
"""Metadata by which a reader says what of a file it could not read."""

_BATCH_DOCUMENTS = 256
_BATCH_DOCUMENTS_EMBEDDED = 64
_BATCH_CHARS = 400_000

WORDS_ALONE = (
    "no embedder: search uses words alone. Install the local one with `pip install clew-minilm`, "
    "or pass embedding=…"
)


class IndexPipeline:
    """Indexes documents into a store.

    ``llm`` is anything with ``generate(prompt) -> str`` (or :class:`clew.models.base.LLM`),
    ``embedding`` anything with ``embed_text`` and ``embed_batch`` (or
    :class:`clew.models.base.Embedder`); None takes the local embedder. Without ``store`` each
    ``run`` fills a new :class:`KnowledgeGraph` in memory.

    >>> graph = IndexPipeline().run(["Ariadne gave Theseus a ball of thread."])  # doctest: +SKIP
    """

    def __init__(
        self,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
        *,
        store: Store | None = None,
    ) -> None:
        self.config = config or ClewConfig()
        self.llm: LLM | None = None if llm is None else as_llm(llm)
        self.embedder = resolve_embedder(embedding, self.config)
        self.store = store
        self.report = IngestReport()

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
    ) -> IngestReport:
        """Index ``documents`` into ``store`` and report on each, in order.

        ``total`` (an estimate will do) is what progress callbacks count towards; ``should_stop``
        is asked between batches. Raises the store errors of :mod:`clew.errors`, and
        :class:`clew.errors.ModelError` when the embedder fails: what was committed stays.
        """
        began = time.perf_counter()
        extractor = self._extractor(store)
        interrupted = False
        with Committer(store) as committer:
            run = _Run(self.config, extractor, self.embedder, committer)
            for batch in _batches(documents, self._batch_documents()):
                run.take(batch)
                self._tell(run, total)
                if should_stop():
                    interrupted = True
                    break
        return IngestReport(
            documents=tuple(run.reports),
            method=extractor.method,
            embedder=self.embedder.fingerprint if self.embedder else "",
            seconds=time.perf_counter() - began,
            interrupted=interrupted,
            notes=self._notes(extractor),
            usage=run.usage,
        )

    def _batch_documents(self) -> int:
        return _BATCH_DOCUMENTS_EMBEDDED if self.embedder else _BATCH_DOCUMENTS

    @property
    def method(self) -> str:
        """The extraction method that the settings and the models at hand come to."""
        return self.config.ku_extraction_method or ("llm" if self.llm else "sentence")

    def _extractor(self, store: Store) -> Extractor:
        method = self.method
        if method == "sentence":
            return SentenceExtractor(self.config)
        if self.llm is None:
            raise MissingModelError(
                f"ku_extraction_method={method!r} needs a language model: pass llm=… (any object "
                "with generate(prompt) -> str), or use ku_extraction_method='sentence'"
            )
        return _model_extractor(method, self.llm, self.config, store)

    def _notes(self, extractor: Extractor) -> tuple[str, ...]:
        notes = []
        if self.llm is None and self.config.ku_extraction_method is None:
            notes.append("no language model: units are sentences (method 'sentence')")
        elif extractor.method == "sentence":
            notes.append("units are sentences (method 'sentence')")
        if self.embedder is None:
            notes.append(
                "embedding_model is 'none': search uses words alone"
                if self.config.embedding_model == "none"
                else WORDS_ALONE
            )
        return tuple(notes)

    def _tell(self, run: _Run, total: int | None) -> None:
        done = len(run.reports)
        if self.config.on_batch_complete:
            self.config.on_batch_complete(run.batches, _at_least(run.batches, total, done))
        if self.config.on_progress:
            self.config.on_progress(done, max(done, total or 0), "index")
        if self.config.on_chunk_processed:
            for chunk in range(run.chunks_before, run.chunks):
                self.config.on_chunk_processed(chunk + 1, run.chunks)
        run.chunks_before = run.chunks


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


def _model_extractor(method: str, llm: LLM, config: ClewConfig, store: Store) -> Extractor:
    if method == "vocabulary":
        from clew.extraction.vocabulary import VocabularyExtractor  # noqa: PLC0415

        return VocabularyExtractor(llm, config)
    from clew.extraction.llm import LLMExtractor  # noqa: PLC0415

    return LLMExtractor(llm, config, remember=store.remember, remembered=store.remembered)


def _batches(
    documents: Iterable[Document | LoadFailure], most: int
) -> Iterator[list[Document | LoadFailure]]:
    """Cut the stream into batches bounded by documents and by characters."""
    batch: list[Document | LoadFailure] = []
    chars = 0
    for document in documents:
        batch.append(document)
        chars += len(document.text) if isinstance(document, Document) else 0
        if len(batch) >= most or chars >= _BATCH_CHARS:
            yield batch
            batch, chars = [], 0
    if batch:
        yield batch


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """A document of the batch that has to be indexed, and where its report goes."""

    place: int
    document: Document
    chunks: tuple[Chunk, ...]
    before: IndexedDocument | None


class _Run:
    """The state of one indexing run; each ``take`` is one batch and one commit."""

    def __init__(
        self,
        config: ClewConfig,
        extractor: Extractor,
        embedder: Embedder | None,
        committer: Committer,
    ) -> None:
        self.config = config
        self.extractor = extractor
        self.embedder = embedder
        self.committer = committer
        self.store = committer.store
        self.settings = settings_hash(config, extractor.method)
        self.reports: list[DocumentReport] = []
        self.usage = Usage()
        self.batches = 0
        self.chunks = 0
        self.chunks_before = 0
        self._content: dict[str, str] | None = None
        self._seen: set[str] = set()

    def take(self, batch: Sequence[Document | LoadFailure]) -> None:
        self.batches += 1
        reports: list[DocumentReport | None] = [None] * len(batch)
        works = [work for work in self._plan(batch, reports) if work is not None]
        indexed = self._embed(self._extract(works, reports))
        if indexed:
            self.committer.commit([document for _, document in indexed], self._space())
        for work, document in indexed:
            reports[work.place] = _finish(reports[work.place], document)
        self.reports.extend(report for report in reports if report is not None)

    # --- what has to be done --------------------------------------------------------------------

    def _plan(
        self, batch: Sequence[Document | LoadFailure], reports: list[DocumentReport | None]
    ) -> Iterator[_Work | None]:
        known = self._known(batch)
        for place, item in enumerate(batch):
            if isinstance(item, LoadFailure):
                reports[place] = DocumentReport(
                    source=item.source, doc_id=item.doc_id, status=Status.FAILED, reason=item.reason
                )
                continue
            document = replace(
                item,
                content_hash=content_id("", item.content_hash, self.settings),
                source_hash=stamp(item.source_hash, self.settings),
            )
            yield self._plan_one(place, document, known.get(document.id), reports)

    def _plan_one(
        self,
        place: int,
        document: Document,
        known: Document | None,
        reports: list[DocumentReport | None],
    ) -> _Work | None:
        status, reason = self._status(document, known)
        report = DocumentReport(
            source=document.source or document.doc_id,
            doc_id=document.doc_id,
            status=status,
            reason=reason,
        )
        reports[place] = report
        self._seen.add(document.id)
        if status not in {Status.INSERTED, Status.UPDATED, Status.EMPTY}:
            return None
        if status is Status.EMPTY and known is None:
            return None
        try:
            chunks = chunk_document(document, self.config)
        except Exception as error:  # one document must not cost the others
            reports[place] = _failed(report, error)
            return None
        self.chunks += len(chunks)
        self._remember_content(document)
        before = None if known is None else self.store.load_document(document.id)
        return _Work(place, document, chunks, before)

    def _status(self, document: Document, known: Document | None) -> tuple[Status, str]:
        if document.id in self._seen:
            return Status.FAILED, (
                f"the doc_id {document.doc_id!r} was already used in this run; ids must differ"
            )
        if known is not None and known.content_hash == document.content_hash:
            return Status.UNCHANGED, ""
        if not document.text.strip():
            return Status.EMPTY, "no text in it"
        if twin := self._twin(document):
            return Status.DUPLICATE_OF, twin
        return (Status.INSERTED if known is None else Status.UPDATED), ""

    def _known(self, batch: Sequence[Document | LoadFailure]) -> dict[str, Document]:
        ids = [item.id for item in batch if isinstance(item, Document)]
        numbers = self.store.numbers_of("document", ids)
        found = np.unique(numbers[numbers >= 0])
        if not len(found):
            return {}
        return {document.id: document for document in self.store.list_documents(documents=found)}

    def _twin(self, document: Document) -> str | None:
        """The ``doc_id`` of another file with the same content. Records of a collection and texts
        given in code are never dropped: their makers gave them names of their own.
        """
        if not document.source or document.source != document.doc_id:
            return None
        if self._content is None:
            self._content = {
                other.content_hash: other.doc_id
                for other in self.store.list_documents()
                if other.source == other.doc_id
            }
        twin = self._content.get(document.content_hash)
        return None if twin == document.doc_id else twin

    def _remember_content(self, document: Document) -> None:
        if self._content is not None and document.source == document.doc_id:
            self._content[document.content_hash] = document.doc_id

    # --- doing it -------------------------------------------------------------------------------

    def _extract(
        self, works: Sequence[_Work], reports: list[DocumentReport | None]
    ) -> list[tuple[_Work, IndexedDocument]]:
        pairs = [(work.document, work.chunks) for work in works]
        try:
            extractions: list[Extraction | Exception] = list(self.extractor.extract(pairs))
        except StoreError:
            raise
        except Exception:  # find out which one, and keep the others
            extractions = [self._extract_one(pair) for pair in pairs]
        done = []
        for work, extraction in zip(works, extractions, strict=True):
            report = reports[work.place]
            assert report is not None
            if isinstance(extraction, Exception):
                reports[work.place] = _failed(report, extraction)
                continue
            self.usage += extraction.usage
            reports[work.place] = _with_extraction(report, extraction)
            done.append((work, _indexed(work, extraction)))
        return done

    def _extract_one(self, pair: tuple[Document, Sequence[Chunk]]) -> Extraction | Exception:
        try:
            return self.extractor.extract([pair])[0]
        except Exception as error:
            return error

    def _embed(
        self, extracted: Sequence[tuple[_Work, IndexedDocument]]
    ) -> list[tuple[_Work, IndexedDocument]]:
        if self.embedder is None or not extracted:
            return list(extracted)
        documents = embed_documents(
            self.embedder,
            [document for _, document in extracted],
            [known_vectors(work.before) for work, _ in extracted],
        )
        return [(work, document) for (work, _), document in zip(extracted, documents, strict=True)]

    def _space(self) -> EmbeddingSpace | None:
        if self.embedder is None:
            return None
        return EmbeddingSpace(
            fingerprint=self.embedder.fingerprint, dimensions=self.embedder.dimensions
        )


def _indexed(work: _Work, extraction: Extraction) -> IndexedDocument:
    document = work.document
    if extraction.problems:  # not equal to any whole one: the next run tries the rest again
        document = replace(document, content_hash=f"{INCOMPLETE}{document.content_hash}")
    return IndexedDocument(
        document=document,
        chunks=work.chunks,
        units=extraction.units,
        mentions=extraction.mentions,
        entities=extraction.entities,
        topics=extraction.topics,
        facts=extraction.facts,
        merges=extraction.merges,
        reply_keys=extraction.reply_keys,
    )


def _with_extraction(report: DocumentReport, extraction: Extraction) -> DocumentReport:
    problems = extraction.problems
    if not problems:
        return replace(report, ungrounded_facts=extraction.ungrounded)
    others = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return replace(
        report,
        status=Status.PARTIAL,
        reason=f"{problems[0]}{others}",
        degraded_chunks=len({unit.chunk_id for unit in extraction.units if unit.degraded}),
        ungrounded_facts=extraction.ungrounded,
    )


def _finish(report: DocumentReport | None, document: IndexedDocument) -> DocumentReport:
    assert report is not None
    metadata = document.document.metadata
    damage = "; ".join(
        f"{name.replace('_', ' ')}: {metadata[name]}" for name in DAMAGE if name in metadata
    )
    if damage:
        reason = f"{report.reason}; {damage}" if report.reason else damage
        report = replace(report, status=Status.PARTIAL, reason=reason)
    return replace(
        report,
        chunks=len(document.chunks),
        knowledge_units=len(document.units),
        facts=len(document.facts),
    )


def _failed(report: DocumentReport, error: Exception) -> DocumentReport:
    reason = str(error) if isinstance(error, ClewError) else f"{type(error).__name__}: {error}"
    return replace(report, status=Status.FAILED, reason=reason)


def stamp(source_hash: str, settings: str) -> str:
    """The hash of a file together with the settings it was read under; ``""`` for no file."""
    return content_id("", source_hash, settings) if source_hash else ""


def settings_hash(config: ClewConfig, method: str) -> str:
    """What, besides the document itself, its records depend on."""
    values: Mapping[str, Any] = config.to_dict()
    names = sorted(
        item.name for stage in (ChunkingConfig, ExtractionConfig) for item in fields(stage)
    )
    return content_id("", RECORDS_VERSION, method, *(f"{name}={values[name]!r}" for name in names))
