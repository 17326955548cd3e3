"""One store, one configuration, and everything that people do with them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Self

import numpy as np

from clew.answering import ExtractiveAnswerer
from clew.config import ClewConfig
from clew.documents import (
    LoadFailure,
    RecordFields,
    documents_from,
    load_file,
    source_hash,
    source_name,
    walk,
)
from clew.embedding import embed_documents
from clew.errors import DocumentError, NotFoundError
from clew.ids import document_id
from clew.indexing import INCOMPLETE, IndexPipeline, resolve_embedder, settings_hash, stamp
from clew.models.base import Embedder
from clew.records import Document, EntityMerge, IndexedDocument
from clew.reports import DeleteReceipt, DocumentReport, IngestReport, Status
from clew.results import Answer, RetrievalResult
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores import open_store
from clew.stores.base import CommitReceipt, EmbeddingSpace, Problem, Scores, Store
from clew.stores.json_store import export_jsonl, import_jsonl
from clew.stores.memory import KnowledgeGraph

Paths = str | Path | Sequence[str | Path]
Stop = Callable[[], bool]


class KnowledgeBase:
    """A store with a configuration and models: ingest, sync, search, ask, delete.

    >>> with KnowledgeBase.open("notes.clew") as kb:  # doctest: +SKIP
    ...     kb.ingest("docs/")
    ...     print(kb.ask("Who founded the company that bought Norr Works?").answer)
    """

    def __init__(
        self,
        store: Store,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
    ) -> None:
        self.store = store
        self.config = config or ClewConfig()
        self._llm = llm
        self._embedding = embedding

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
        create: bool = True,
        read_only: bool = False,
    ) -> Self:
        """Open the store at ``path``; it is created if absent, unless ``create`` is False.

        Raises the store errors of :mod:`clew.errors`; nothing is touched then.
        """
        store = open_store(path, create=create, read_only=read_only)
        return cls(store, llm=llm, embedding=embedding, config=config)

    @classmethod
    def in_memory(
        cls,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        config: ClewConfig | None = None,
    ) -> Self:
        """A knowledge base that is gone with the process."""
        return cls(KnowledgeGraph(), llm=llm, embedding=embedding, config=config)

    def close(self) -> None:
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # --- models, made when first needed ---------------------------------------------------------

    @cached_property
    def embedder(self) -> Embedder | None:
        return resolve_embedder(self._embedding, self.config)

    @cached_property
    def _indexing(self) -> IndexPipeline:
        config = self.config
        if self.embedder is None:
            config = config.replace(embedding_model="none")
        return IndexPipeline(self._llm, self.embedder, config, store=self.store)

    @cached_property
    def _retrieval(self) -> RetrievePipeline:
        embedding = self.embedder if self.store.embedding is not None else None
        return RetrievePipeline(self.store, self._llm, embedding, self.config)

    # --- writing --------------------------------------------------------------------------------

    def ingest(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Index files, folders or globs. A file that cannot be read is reported and the run goes
        on; a file that did not change since it was indexed is not even parsed.
        """
        files = walk(_as_list(paths), include=include, exclude=exclude)
        return self._ingest_files(files, fields or RecordFields(), should_stop)

    def ingest_text(
        self,
        text: str,
        *,
        name: str | None = None,
        title: str = "",
        metadata: Mapping[str, Any] | None = None,
    ) -> IngestReport:
        """Index one text under ``name`` (its ``doc_id``; by default made from its content)."""
        record: dict[str, Any] = {"text": text, "title": title, "metadata": dict(metadata or {})}
        if name is not None:
            record["doc_id"] = name
        return self.ingest_documents([record])

    def ingest_documents(self, documents: Any) -> IngestReport:
        """Index texts, dicts (``text``, ``doc_id``, ``title``, ``metadata``) or records."""
        loaded = documents_from(documents, scope=self.config.scope)
        return self._index(loaded, total=None, should_stop=lambda: False)

    def sync(
        self,
        paths: Paths,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        fields: RecordFields | None = None,
        should_stop: Stop = lambda: False,
    ) -> IngestReport:
        """Make the store mirror ``paths``: index what is new or changed, remove what is gone.

        Only documents that came from below ``paths`` are ever removed, and none whose file is
        there but could not be read.
        """
        wanted = _as_list(paths)
        present = [path for path in wanted if Path(path).exists() or _is_glob(str(path))]
        files = walk(present, include=include, exclude=exclude) if present else []
        # Files that are gone go first: one that was renamed is not taken for a duplicate then.
        there = {_posix(file) for file in files}
        removed = self._remove(
            [document for document in self._below(wanted) if document.source not in there]
        )
        report = self._ingest_files(files, fields or RecordFields(), should_stop)
        if not report.interrupted:
            removed += self._remove(self._dropped(wanted, report))
        return replace(report, documents=report.documents + removed)

    def delete(self, doc_id: str | Path) -> DeleteReceipt:
        """Remove the document named ``doc_id``, or all that came from the file of that name, from
        every layer. Deleting what is not there does nothing, and the receipt says so.
        """
        name = _posix(doc_id)
        found = [
            document
            for document in self._documents()
            if document.doc_id in {str(doc_id), name} or document.source == name
        ]
        if not found:
            return DeleteReceipt(note=f"nothing to delete: no document {str(doc_id)!r}")
        receipt = self.store.commit(delete=[document.id for document in found])
        return DeleteReceipt(
            doc_ids=tuple(document.doc_id for document in found), removed=receipt.removed
        )

    def reembed(self) -> CommitReceipt:
        """Replace all vectors by those of the current embedder; readers see the old ones until
        all are in.
        """
        embedder = self.embedder
        if embedder is None:
            return self.store.replace_vectors(None, ())
        space = EmbeddingSpace(fingerprint=embedder.fingerprint, dimensions=embedder.dimensions)
        receipt = self.store.replace_vectors(space, self._vectors(embedder))
        self.__dict__.pop("_retrieval", None)
        return receipt

    def undo_merge(self, merge_id: str) -> None:
        """Take back one line of the merge log (see :meth:`merges`)."""
        self.store.undo_merge(merge_id)

    # --- reading --------------------------------------------------------------------------------

    def search(
        self, query: str, *, top_n: int | None = None, where: Mapping[str, Any] | None = None
    ) -> RetrievalResult:
        """Find the passages that answer ``query``, best first, each with the path that led to it.

        ``where`` filters documents by metadata: ``{"year": {"$gte": 2020}}``.
        """
        return self._retrieval.search(query, top_n=top_n, where=where)

    def ask(
        self,
        question: str,
        *,
        quality_mode: str | None = None,
        include_source_text: bool | None = None,
        max_source_chars: int | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Answer from the documents, cited to the character, or say what is missing."""
        given = {
            "quality_mode": quality_mode,
            "include_source_text": include_source_text,
            "max_source_chars": max_source_chars,
        }
        changes = {key: value for key, value in given.items() if value is not None}
        config = self.config.replace(**changes) if changes else self.config
        answerer = ExtractiveAnswerer(config)
        result = self._retrieval.search(question, top_n=answerer.reads, where=where)
        with self.store.reading() as reader:
            return answerer.answer(question, result, reader)

    def documents(self) -> list[Document]:
        """All documents of the scope by ``doc_id``, without their texts."""
        return self._documents()

    def document(self, doc_id: str) -> IndexedDocument:
        """Everything that one document contributed. Raises :class:`NotFoundError`."""
        for name in (doc_id, _posix(doc_id)):
            found = self.store.load_document(document_id(self.config.scope, name))
            if found is not None:
                return found
        raise NotFoundError(f"no document {doc_id!r}; `clew show` lists them all")

    def merges(self, doc_id: str | None = None) -> list[EntityMerge]:
        """The log of names that were read as one entity."""
        name = None if doc_id is None else document_id(self.config.scope, doc_id)
        return self.store.merges(document_id=name)

    def stats(self) -> dict[str, int]:
        return self.store.stats(documents=self._scope())

    def check(self) -> list[Problem]:
        """Verify spans, references, full text and vectors; an empty list means all is well."""
        return list(self.store.check())

    def export(self, path: str | Path) -> int:
        """Write everything as JSON Lines, atomically; returns the number of documents."""
        return export_jsonl(self.store, path)

    def import_(self, path: str | Path) -> int:
        """Read what :meth:`export` wrote; returns the number of documents."""
        return import_jsonl(path, self.store)

    # --- how ------------------------------------------------------------------------------------

    def _ingest_files(
        self, files: Sequence[Path], fields: RecordFields, should_stop: Stop
    ) -> IngestReport:
        began = time.perf_counter()
        known = self._by_source()
        settings = settings_hash(self.config, self._indexing.method)
        unchanged: list[DocumentReport] = []
        changed: list[Path] = []
        for file in files:
            before = known.get(_posix(file), [])
            if before and _is_unchanged(file, before, settings):
                unchanged += [_unchanged(document) for document in before]
            else:
                changed.append(file)
        total = sum(_records_in(file) for file in changed)
        report = self._index(self._load(changed, fields), total=total, should_stop=should_stop)
        return replace(
            report,
            documents=tuple(unchanged) + report.documents,
            seconds=time.perf_counter() - began,
        )

    def _load(
        self, files: Iterable[Path], fields: RecordFields
    ) -> Iterator[Document | LoadFailure]:
        for file in files:
            try:
                yield from load_file(file, scope=self.config.scope, fields=fields)
            except DocumentError as error:
                yield LoadFailure(source=_posix(file), doc_id=_posix(file), reason=str(error))

    def _index(
        self, documents: Iterable[Document | LoadFailure], *, total: int | None, should_stop: Stop
    ) -> IngestReport:
        report = self._indexing.index(documents, self.store, total=total, should_stop=should_stop)
        self.__dict__.pop("_retrieval", None)
        return report

    def _below(self, wanted: Sequence[str | Path]) -> list[Document]:
        return [
            document
            for document in self._documents()
            if document.source and any(_is_below(document.source, str(root)) for root in wanted)
        ]

    def _dropped(self, wanted: Sequence[str | Path], report: IngestReport) -> list[Document]:
        """Records that their file does not hold any more, unless the file could not be read."""
        given = {document.doc_id for document in report.documents}
        failed = {item.source for item in report.documents if item.status is Status.FAILED}
        return [
            document
            for document in self._below(wanted)
            if document.doc_id not in given and document.source not in failed
        ]

    def _remove(self, documents: Sequence[Document]) -> tuple[DocumentReport, ...]:
        if documents:
            self.store.commit(delete=[document.id for document in documents])
        return tuple(
            DocumentReport(
                source=document.source,
                doc_id=document.doc_id,
                status=Status.REMOVED,
                reason="its file or record is gone",
            )
            for document in documents
        )

    def _vectors(self, embedder: Embedder) -> Iterator[tuple[str, Scores, Scores]]:
        for listed in self.store.list_documents():
            indexed = self.store.load_document(listed.id)
            if indexed is None:
                continue
            fresh = embed_documents(embedder, [indexed], [{}])[0]
            assert fresh.chunk_vectors is not None
            assert fresh.unit_vectors is not None
            yield listed.id, fresh.chunk_vectors, fresh.unit_vectors

    def _by_source(self) -> dict[str, list[Document]]:
        found: dict[str, list[Document]] = {}
        for document in self._documents():
            found.setdefault(document.source, []).append(document)
        return found

    def _documents(self) -> list[Document]:
        return self.store.list_documents(documents=self._scope())

    def _scope(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        return self.store.select_documents(scope=self.config.scope)


def _as_list(paths: Paths) -> list[str | Path]:
    """Paths in their normal form, so that ``docs/`` and ``./docs`` name the same documents."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [os.path.normpath(path) for path in given]


def _posix(path: str | Path) -> str:
    """A path as documents are named by it: normalised, with forward slashes."""
    return source_name(os.path.normpath(path))


def _is_glob(path: str) -> bool:
    return any(sign in path for sign in "*?[")


def _is_below(source: str, root: str) -> bool:
    if _is_glob(root):
        return PurePosixPath(source).match(_posix(root))
    base = _posix(root)
    if base == ".":
        return not source.startswith(("/", "../"))
    return source == base or source.startswith(base.rstrip("/") + "/")


def _is_unchanged(file: Path, before: Sequence[Document], settings: str) -> bool:
    """Whether a file need not be parsed again. A file of many records always is: some of them may
    not have been reached by a run that was stopped.
    """
    if any(document.source != document.doc_id for document in before):
        return False
    try:
        expected = stamp(source_hash(file.read_bytes()), settings)
    except OSError:  # reading it for real will say why
        return False
    return all(
        document.source_hash == expected and not document.content_hash.startswith(INCOMPLETE)
        for document in before
    )


def _unchanged(document: Document) -> DocumentReport:
    return DocumentReport(
        source=document.source or document.doc_id,
        doc_id=document.doc_id,
        status=Status.UNCHANGED,
    )


def _records_in(file: Path) -> int:
    """How many documents a file will give, near enough for a progress bar."""
    if file.suffix.lower() not in {".jsonl", ".ndjson"}:
        return 1
    try:
        with file.open("rb") as stream:
            return max(
                1, sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))
            )
    except OSError:
        return 1
