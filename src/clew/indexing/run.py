"""One run of indexing: what of each batch has to be done, and doing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from clew.chunking.config import ChunkingConfig
from clew.chunking.making import embedder_for
from clew.config import ClewConfig
from clew.documents import LoadFailure
from clew.extraction.config import ExtractionConfig
from clew.graph.decisions import carried_out
from clew.graph.ontology.normalising import normalised
from clew.graph.ontology.schema import named_ontology
from clew.ids import content_id
from clew.indexing.embedding import KnownVectors, embed_documents, known_vectors
from clew.indexing.extracting import Extracted
from clew.models.base import Embedder, Usage
from clew.records import Document, IndexedDocument
from clew.reports import DocumentReport, Status
from clew.stores.admission import require_same_space
from clew.stores.base import EmbeddingSpace, Store

RECORDS_VERSION = "4"
"""Grows when the same document and settings would give other records than before."""

METHOD_VERSIONS = {"llm": "3", "given": "2"}
"""The same for what one extraction method alone gives."""

INCOMPLETE = "incomplete:"
"""Begins the content hash of a document of which some chunks still want a model."""

DAMAGE = ("unreadable_parts", "unreadable_pages", "missing_chapters", "front_matter_error")
"""Metadata by which a reader says what of a file it could not read."""

_LEAST_SLICE = 200

Watch = Callable[[int, int], None]


class StoppedError(Exception):
    """Somebody asked to stop inside a batch; nothing of the batch was written."""


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """A document of the batch that has to be indexed, and where its report is."""

    document: Document
    before: IndexedDocument | None
    reports: list[DocumentReport]
    place: int

    @property
    def report(self) -> DocumentReport:
        return self.reports[self.place]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What of a batch has to be done; the reports of all else are there already."""

    works: tuple[_Work, ...]
    reports: list[DocumentReport]
    emptied: tuple[str, ...]

    @property
    def documents(self) -> list[Document]:
        return [work.document for work in self.works]

    @property
    def known_vectors(self) -> list[KnownVectors]:
        """Of each document, the vectors that it had before."""
        return [known_vectors(work.before) for work in self.works]


class IndexingRun:
    """The state of one indexing run. Each batch is planned, in order; its documents are extracted,
    wherever that happens; then it is taken: embedded and committed.

    Batches may be planned before earlier ones are taken: no document comes twice in a run.
    """

    def __init__(
        self, config: ClewConfig, method: str, embedder: Embedder | None, store: Store
    ) -> None:
        self.config = config
        self.embedder = embedder
        self.store = store
        self.settings = settings_hash(config, method, embedder)
        self._ontology = named_ontology(config.ontology)
        self._decisions = store.decisions()
        self.reports: list[DocumentReport] = []
        self.usage = Usage()
        self.batches = 0
        self.chunks = 0
        self.chunks_before = 0
        self._twins: dict[str, str] | None = None
        self._seen: set[str] = set()
        self._fits = False

    def take(self, batch: Sequence[tuple[Plan, Sequence[Extracted]]], watch: Watch) -> None:
        """Index what was extracted of the documents of one or more plans, in one commit. ``watch``
        is called with (passages embedded, passages in all) where that takes long, and may raise
        :class:`StoppedError`.
        """
        self.batches += 1
        received = [pair for plan, extracted in batch for pair in self._received(plan, extracted)]
        indexed = self._embed(received, watch)
        if indexed:
            space = None if self.embedder is None else space_of(self.embedder)
            self.store.commit([document for _, document in indexed], embedding=space)
        if emptied := [name for plan, _ in batch for name in plan.emptied]:
            self.store.commit(delete=emptied)
        for work, document in indexed:
            work.reports[work.place] = _finish(work.report, document)
        self.reports.extend(report for plan, _ in batch for report in plan.reports)

    # --- what has to be done --------------------------------------------------------------------

    def plan(self, batch: Sequence[Document | LoadFailure]) -> Plan:
        """Say what has to be done. Raises :class:`clew.errors.FingerprintMismatchError` where there
        is something to do and the store's vectors are another embedder's.
        """
        reports: list[DocumentReport] = []
        works: list[_Work] = []
        emptied: list[str] = []
        known = self._known(batch)
        for place, item in enumerate(batch):
            if isinstance(item, LoadFailure):
                reports.append(
                    DocumentReport(
                        source=item.source,
                        doc_id=item.doc_id,
                        status=Status.FAILED,
                        reason=item.reason,
                    )
                )
                continue
            document = replace(
                item,
                content_hash=content_id("", item.content_hash, self.settings),
                source_hash=stamp(item.source_hash, self.settings),
            )
            before = known.get(document.id)
            report = self._report(document, before)
            reports.append(report)
            if report.status is Status.EMPTY and before is not None:
                emptied.append(document.id)
            if report.status in {Status.INSERTED, Status.UPDATED}:
                self._remember_twin(document)
                whole = None if before is None else self.store.load_document(document.id)
                works.append(_Work(document, whole, reports, place))
        if works:
            self._require_fitting()
        return Plan(tuple(works), reports, tuple(emptied))

    def _report(self, document: Document, known: Document | None) -> DocumentReport:
        status, reason = self._status(document, known)
        self._seen.add(document.id)
        return DocumentReport(
            source=document.source or document.doc_id,
            doc_id=document.doc_id,
            status=status,
            reason=reason,
        )

    def _status(self, document: Document, known: Document | None) -> tuple[Status, str]:
        if document.id in self._seen:
            return Status.FAILED, (
                f"the doc_id {document.doc_id!r} was already used in this run; ids must differ"
            )
        same = known is not None and known.content_hash == document.content_hash
        if known is not None and same and known.source == document.source:
            return Status.UNCHANGED, ""
        if not document.text.strip():
            gone = "" if known is None else "; what it held before was removed"
            return Status.EMPTY, f"no text in it{gone}"
        if twin := self._twin(document):
            return Status.DUPLICATE_OF, twin
        if known is None:
            return Status.INSERTED, ""
        return Status.UPDATED, f"it came from {known.source or 'no file'} before" if same else ""

    def _known(self, batch: Sequence[Document | LoadFailure]) -> dict[str, Document]:
        ids = [item.id for item in batch if isinstance(item, Document)]
        numbers = self.store.numbers_of("document", ids)
        found = np.unique(numbers[numbers >= 0])
        if not len(found):
            return {}
        return {document.id: document for document in self.store.list_documents(documents=found)}

    def _twin(self, document: Document) -> str | None:
        """The ``doc_id`` of the same document read from another file. Records that have names of
        their own and texts given in code are never dropped: their makers meant them.
        """
        key = _twin_key(document)
        if key is None:
            return None
        if self._twins is None:
            chosen = self.store.select_documents(scope=self.config.scope)
            others = self.store.list_documents(documents=chosen)
            self._twins = {
                other_key: other.doc_id for other in others if (other_key := _twin_key(other))
            }
        twin = self._twins.get(key)
        return None if twin == document.doc_id else twin

    def _remember_twin(self, document: Document) -> None:
        key = _twin_key(document)
        if self._twins is not None and key is not None:
            self._twins[key] = document.doc_id

    # --- doing it -------------------------------------------------------------------------------

    def _received(
        self, plan: Plan, extracted: Sequence[Extracted]
    ) -> list[tuple[_Work, IndexedDocument]]:
        self.chunks += sum(len(item.chunks) for item in extracted)
        done = []
        for work, item in zip(plan.works, extracted, strict=True):
            if item.failure:
                failed = replace(work.report, status=Status.FAILED, reason=item.failure)
                work.reports[work.place] = failed
                continue
            self.usage += item.extraction.usage
            work.reports[work.place] = _with_extraction(work.report, item)
            document = carried_out(_indexed(work, item), self._decisions)
            done.append((work, self._in_terms(work, document)))
        return done

    def _in_terms(self, work: _Work, document: IndexedDocument) -> IndexedDocument:
        """The document with its facts in the terms of the ontology; what breaks it is reported."""
        if not document.facts:
            return document
        types = {mention.key: mention.type for mention in document.mentions if mention.type}
        types |= {entity.key: entity.type for entity in document.entities if entity.type}
        facts, violations = normalised(document.facts, types, self._ontology)
        messages = tuple(violation.message for violation in violations)
        work.reports[work.place] = replace(work.report, violations=messages)
        return replace(document, facts=facts)

    def _embed(
        self, extracted: Sequence[tuple[_Work, IndexedDocument]], watch: Watch
    ) -> list[tuple[_Work, IndexedDocument]]:
        """Make the vectors of those that came without."""
        bare = [pair for pair in extracted if pair[1].chunk_vectors is None]
        if self.embedder is None or not bare:
            return list(extracted)
        documents = embed_documents(
            self.embedder,
            [document for _, document in bare],
            [known_vectors(work.before) for work, _ in bare],
            slice_passages=self._slice_passages(),
            watch=watch,
        )
        embedded = {document.document.id: document for document in documents}
        return [
            (work, embedded.get(document.document.id, document)) for work, document in extracted
        ]

    def _slice_passages(self) -> int:
        """Enough to keep all calls of the embedder busy that may be under way."""
        config = self.config
        return max(_LEAST_SLICE, config.embedding_batch_size * config.embedding_concurrency)

    def _require_fitting(self) -> None:
        """Before the first document is extracted and embedded, not after."""
        if not self._fits and len(self.store.select_documents()):
            given = None if self.embedder is None else space_of(self.embedder)
            require_same_space(self.store.embedding, given)
        self._fits = True


def space_of(embedder: Embedder) -> EmbeddingSpace:
    return EmbeddingSpace(fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)


def stamp(source_hash: str, settings: str) -> str:
    """The hash of a file together with the settings it was read under; ``""`` for no file."""
    return content_id("", source_hash, settings) if source_hash else ""


def settings_hash(config: ClewConfig, method: str, embedder: Embedder | None) -> str:
    """What, besides the document itself, its records depend on. The embedder only where texts are
    cut by it: vectors are replaced without reading anything anew.
    """
    values: Mapping[str, Any] = config.to_dict()
    names = sorted(
        {item.name for stage in (ChunkingConfig, ExtractionConfig) for item in fields(stage)}
        - {"ontology", "chunk_similarity", "ku_concurrency", "ku_extraction_method"}
    )
    told = [f"{name}={values[name]!r}" for name in names]
    if method == "llm":  # the others make no facts
        told.append(f"ontology={named_ontology(config.ontology).digest}")
    if model := embedder_for(config, embedder):
        told.append(f"similarity={model.fingerprint}")
    version = METHOD_VERSIONS.get(method)
    of_method = [method] if version is None else [method, version]
    return content_id("", RECORDS_VERSION, *of_method, *told)


def is_named_by_file(document: Document) -> bool:
    """Whether the name is that of a file, or the number of a record in it; not the record's own."""
    source, name = document.source, document.doc_id
    return bool(source) and (name == source or name.startswith(f"{source}#"))


def _twin_key(document: Document) -> str | None:
    """Equal for documents that are named by their files and hold the same: whole files of equal
    content, and the records of equal number in equal files.
    """
    if not is_named_by_file(document):
        return None
    number = document.doc_id.removeprefix(document.source)
    return f"{document.source_hash}{number}" if number else document.content_hash


def _indexed(work: _Work, extracted: Extracted) -> IndexedDocument:
    document, extraction = work.document, extracted.extraction
    if extraction.problems:  # not equal to any whole one: the next run tries the rest again
        document = replace(document, content_hash=f"{INCOMPLETE}{document.content_hash}")
    return IndexedDocument(
        document=document,
        chunks=extracted.chunks,
        units=extraction.units,
        mentions=extraction.mentions,
        entities=extraction.entities,
        topics=extraction.topics,
        facts=extraction.facts,
        merges=extraction.merges,
        reply_keys=extraction.reply_keys,
        chunk_vectors=extracted.chunk_vectors,
        unit_vectors=extracted.unit_vectors,
    )


def _with_extraction(report: DocumentReport, extracted: Extracted) -> DocumentReport:
    extraction = extracted.extraction
    problems = extraction.problems
    if not problems:
        return replace(report, ungrounded_facts=extraction.ungrounded)
    others = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    chunks = len(extracted.chunks)
    degraded = len({unit.chunk_id for unit in extraction.units if unit.degraded})
    read = f"{chunks - degraded} of {chunks} chunks were read by the model; " if degraded else ""
    return replace(
        report,
        status=Status.PARTIAL,
        reason=f"{read}{problems[0]}{others}",
        degraded_chunks=degraded,
        ungrounded_facts=extraction.ungrounded,
    )


def _finish(report: DocumentReport, document: IndexedDocument) -> DocumentReport:
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
