"""Files and folders as the source of a store: what is new, what changed, what is gone."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from clew.documents import LoadFailure, RecordFields, load_file
from clew.errors import DocumentError
from clew.indexing.found_files import Choice, FoundFiles, find_files
from clew.indexing.moves import Stamps, carry_out, find_moves
from clew.indexing.paths import (
    Paths,
    exists,
    is_among,
    is_below,
    is_glob,
    normal_paths,
    posix_name,
)
from clew.indexing.pipeline import IndexPipeline
from clew.indexing.run import INCOMPLETE, is_named_by_file, settings_hash
from clew.records import Document
from clew.reports import DocumentReport, IngestReport, Status
from clew.stores.base import Store
from clew.stores.queues import queue_of

Stop = Callable[[], bool]

GONE = "its file or record is gone"
LEFT_OUT = "left out by include or exclude"

_QUEUED_AT_ONCE = 256


class FolderIndexer:
    """Indexes files into a store, and makes the store mirror them."""

    def __init__(self, pipeline: IndexPipeline, store: Store) -> None:
        self.pipeline = pipeline
        self.store = store
        self.scope = pipeline.config.scope

    def ingest(self, paths: Paths, choice: Choice, should_stop: Stop) -> IngestReport:
        """Index the files that ``paths`` mean. Raises :class:`DocumentError` for one that does not
        exist, before anything is written.
        """
        found = find_files(normal_paths(paths), choice)
        return self._index(found, choice, should_stop, Stamps(self._settings))

    def enqueue(self, paths: Paths, choice: Choice, should_stop: Stop) -> IngestReport:
        """Read the files that are new or changed, and put their documents into the store's queue,
        some at a time; workers index them.
        """
        began = time.perf_counter()
        queue = queue_of(self.store)
        found = find_files(normal_paths(paths), choice)
        reports, changed = self._unchanged_and_changed(found, Stamps(self._settings))
        waiting: list[Document] = []
        interrupted = False
        for item in self._load(found, changed, choice.fields or RecordFields()):
            reports.append(_queued(item))
            if isinstance(item, Document):
                waiting.append(item)
            if len(waiting) >= _QUEUED_AT_ONCE:
                queue.put(waiting)
                waiting = []
            if interrupted := should_stop():
                break
        queue.put(waiting)
        return IngestReport(
            documents=tuple(reports),
            seconds=time.perf_counter() - began,
            interrupted=interrupted,
            notes=("queued: `clew worker` indexes what waits, as many at once as you start",),
        )

    def sync(self, paths: Paths, choice: Choice, should_stop: Stop) -> IngestReport:
        """Index as :meth:`ingest` does, and remove what came from below ``paths`` and is gone. A
        file that was moved keeps its records: they are renamed.
        """
        self.pipeline.require_fitting(self.store)
        wanted = normal_paths(paths)
        return self._mirror(find_files(self._present(wanted), choice), wanted, choice, should_stop)

    def sync_changed(
        self, paths: Paths, changed: Collection[str], choice: Choice, should_stop: Stop
    ) -> IngestReport:
        """Do what :meth:`sync` does for what is called, or lies below, one of the names in
        ``changed`` (see :func:`posix_name`), and look at no other file's content.
        """
        self.pipeline.require_fitting(self.store)
        wanted = normal_paths(paths)
        found = find_files(self._present(wanted), choice)
        files = [file for file in found.files if is_among(posix_name(file), changed)]
        return self._mirror(
            FoundFiles(files, found.failures), wanted, choice, should_stop, changed=changed
        )

    def _mirror(
        self,
        found: FoundFiles,
        wanted: Sequence[str],
        choice: Choice,
        should_stop: Stop,
        *,
        changed: Collection[str] | None = None,
    ) -> IngestReport:
        there = {posix_name(file): file for file in found.files}
        stamps = Stamps(self._settings)
        below = [
            document
            for document in self._below(wanted)
            if changed is None or is_among(document.source, changed)
        ]
        lost = [
            document
            for document in below
            if document.source not in there and not found.hides(document.source)
        ]
        moved = self._move(lost, there, stamps)
        # What is named by a file that is gone goes first: a copy of it is no duplicate then.
        # A record with a name of its own may stand in another file now.
        gone = [
            document for document in lost if is_named_by_file(document) and document.id not in moved
        ]
        removed = self._remove(gone)
        report = self._index(found, choice, should_stop, stamps)
        if not report.interrupted:
            left = [document for document in below if document.id not in moved]
            removed += self._remove(self._dropped(left, found, report))
        names = dict(moved.values())
        documents = tuple(_told_moved(item, names) for item in report.documents)
        return replace(report, documents=documents + removed)

    def _move(
        self, lost: Sequence[Document], there: Mapping[str, Path], stamps: Stamps
    ) -> dict[str, tuple[str, str]]:
        """Rename the documents whose files were moved. Return, by the id that each had, what it is
        called and what it was called.
        """
        known = self._by_source()
        fresh = {name: file for name, file in there.items() if name not in known}
        if not fresh:  # files that only change places are read again
            return {}
        displaced = [
            document
            for name in there.keys() & known.keys()
            for document in known[name]
            if stamps.of(there[name]) not in {"", document.source_hash}
        ]
        fresh |= {document.source: there[document.source] for document in displaced}
        moves = find_moves([*lost, *displaced], fresh, stamps)
        names = carry_out(moves, self.store, self.pipeline.config) if moves else {}
        return {
            move.document.id: (move.doc_id, names[move.doc_id])
            for move in moves
            if move.doc_id in names
        }

    def documents(self) -> list[Document]:
        """The documents of the scope, without their texts."""
        chosen = self.store.select_documents(scope=self.scope)
        return self.store.list_documents(documents=chosen)

    @property
    def _settings(self) -> str:
        pipeline = self.pipeline
        return settings_hash(pipeline.config, pipeline.method, pipeline.embedder)

    # --- indexing -------------------------------------------------------------------------------

    def _index(
        self, found: FoundFiles, choice: Choice, should_stop: Stop, stamps: Stamps
    ) -> IngestReport:
        began = time.perf_counter()
        unchanged, changed = self._unchanged_and_changed(found, stamps)
        report = self.pipeline.index(
            self._load(found, changed, choice.fields or RecordFields()),
            self.store,
            total=sum(_records_in(file) for file in changed),
            should_stop=should_stop,
        )
        return replace(
            report,
            documents=tuple(unchanged) + report.documents,
            seconds=time.perf_counter() - began,
        )

    def _unchanged_and_changed(
        self, found: FoundFiles, stamps: Stamps
    ) -> tuple[list[DocumentReport], list[Path]]:
        """The reports of what need not be parsed, and the files that have to be."""
        known = self._by_source()
        unchanged: list[DocumentReport] = []
        changed: list[Path] = []
        for file in found.files:
            before = known.get(posix_name(file), [])
            if before and _is_unchanged(file, before, stamps):
                unchanged += [_unchanged(document) for document in before]
            else:
                changed.append(file)
        return unchanged, changed

    def _load(
        self, found: FoundFiles, files: Iterable[Path], fields: RecordFields
    ) -> Iterator[Document | LoadFailure]:
        yield from found.failures
        for file in files:
            try:
                yield from load_file(file, scope=self.scope, fields=fields)
            except DocumentError as error:
                name = posix_name(file)
                yield LoadFailure(source=name, doc_id=name, reason=str(error))

    # --- removing -------------------------------------------------------------------------------

    def _present(self, wanted: Sequence[str]) -> list[str]:
        """The paths that are there. A file that is not was removed; of a folder that is not, nobody
        knows: it may be a disk that is not mounted.
        """
        present = []
        for path in wanted:
            if exists(path):
                present.append(path)
                continue
            below = [document.source for document in self._below([path])]
            if not below:
                raise DocumentError(f"there is no file or folder {path!r}; check the path")
            if not is_glob(path) and any(source != posix_name(path) for source in below):
                raise DocumentError(
                    f"the folder {path!r} is gone, and {len(below)} documents came from it; "
                    "nothing was changed. If it is gone for good, "
                    f"`clew delete {path}` removes them"
                )
        return present

    def _below(self, wanted: Sequence[str]) -> list[Document]:
        return [
            document
            for document in self.documents()
            if document.source and any(is_below(document.source, root) for root in wanted)
        ]

    def _dropped(
        self, below: Sequence[Document], found: FoundFiles, report: IngestReport
    ) -> list[Document]:
        """Records that their file does not hold any more, unless the file could not be read."""
        there = {document.id: document for document in self.documents()}
        given = {document.doc_id for document in report.documents}
        failed = {item.source for item in report.documents if item.status is Status.FAILED}
        return [
            there[document.id]
            for document in below
            if document.id in there
            and document.doc_id not in given
            and there[document.id].source not in failed
            and not found.hides(there[document.id].source)
        ]

    def _remove(self, documents: Sequence[Document]) -> tuple[DocumentReport, ...]:
        if documents:
            self.store.commit(delete=[document.id for document in documents])
        return tuple(
            DocumentReport(
                source=document.source,
                doc_id=document.doc_id,
                status=Status.REMOVED,
                reason=_why_removed(document),
            )
            for document in documents
        )

    def _by_source(self) -> dict[str, list[Document]]:
        found: dict[str, list[Document]] = {}
        for document in self.documents():
            found.setdefault(document.source, []).append(document)
        return found


def _is_unchanged(file: Path, before: Sequence[Document], stamps: Stamps) -> bool:
    """Whether a file need not be parsed again. A file of many records always is: some of them may
    not have been reached by a run that was stopped.
    """
    if any(document.source != document.doc_id for document in before):
        return False
    return all(
        document.source_hash == stamps.of(file) and not document.content_hash.startswith(INCOMPLETE)
        for document in before
    )


def _unchanged(document: Document) -> DocumentReport:
    return DocumentReport(
        source=document.source or document.doc_id,
        doc_id=document.doc_id,
        status=Status.UNCHANGED,
    )


def _told_moved(item: DocumentReport, before: Mapping[str, str]) -> DocumentReport:
    if item.status is not Status.UNCHANGED or item.doc_id not in before:
        return item
    return replace(item, status=Status.RENAMED, reason=f"it was {before[item.doc_id]} before")


def _queued(item: Document | LoadFailure) -> DocumentReport:
    if isinstance(item, LoadFailure):
        return DocumentReport(
            source=item.source, doc_id=item.doc_id, status=Status.FAILED, reason=item.reason
        )
    return DocumentReport(
        source=item.source or item.doc_id, doc_id=item.doc_id, status=Status.QUEUED
    )


def _why_removed(document: Document) -> str:
    of_one_file = document.source == document.doc_id
    return LEFT_OUT if of_one_file and Path(document.source).exists() else GONE


def _records_in(file: Path) -> int:
    """How many documents a file will give, near enough for a progress bar."""
    if file.suffix.lower() not in {".jsonl", ".ndjson"}:
        return 1
    lines, last = 0, b"\n"
    try:
        with file.open("rb") as stream:
            for block in iter(lambda: stream.read(1 << 20), b""):
                lines += block.count(b"\n")
                last = block[-1:]
    except OSError:
        return 1
    return max(1, lines + (last != b"\n"))
