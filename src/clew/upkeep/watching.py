"""Folders that are followed: what changes in them is brought into the store while it changes.

A round begins when nothing has changed for a moment, and syncs what has changed, no more. A file
that is still being written changes again, and has its turn again; one that cannot be read is told
and left. What fails as a whole, such as a model that cannot be reached, is tried again later.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clew.errors import (
    DocumentError,
    ModelError,
    StoreFullError,
    StoreLockedError,
)
from clew.indexing.folders import FolderIndexer
from clew.indexing.found_files import Choice
from clew.indexing.paths import normal_paths
from clew.reports import DocumentReport, IngestReport, Status
from clew.results import to_plain
from clew.upkeep.file_changes import FileChanges

_LONGEST_WAIT_S = 10.0
_FIRST_RETRY_S = 2.0
_LAST_RETRY_S = 60.0
_PASSING = (DocumentError, ModelError, StoreFullError, StoreLockedError)
"""What may be otherwise a moment later."""

Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True, slots=True)
class WatchEvent:
    """Something that happened. ``event`` is

    =================  ===========================================================================
    ``begun``          the store mirrors the folders now, and goes on to; ``counts`` as in a report
    a status           (``inserted``, ``updated``, ``renamed``, ``removed``, ``failed`` …) what
                       became of the document ``doc_id``, ``reason`` why
    ``error``          a round failed as a whole, for this ``reason``, and is tried again
    ``stopped``        the end; ``counts`` adds up the events
    =================  ===========================================================================

    ``at`` is when (UTC, ISO 8601).
    """

    event: str
    doc_id: str = ""
    source: str = ""
    reason: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    at: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"))

    def to_dict(self) -> dict[str, Any]:
        """Without what is empty."""
        plain: dict[str, Any] = to_plain(self)
        return {key: value for key, value in plain.items() if value}


def watch(
    indexer: Callable[[], FolderIndexer],
    folders: str | Path | Sequence[str | Path],
    choice: Choice,
    *,
    ignored: Collection[Path],
    settle_s: float,
    poll: bool,
    should_stop: Callable[[], bool],
) -> Iterator[WatchEvent]:
    """Yield what happens until ``should_stop``, which is asked several times a second.

    Raises :class:`DocumentError` for what is no folder, :class:`clew.errors.MissingExtraError`, and
    in the first round whatever :meth:`FolderIndexer.sync` raises.
    """
    wanted = require_folders(folders)
    watcher = _Watcher(indexer, wanted, choice, settle_s=settle_s, should_stop=should_stop)
    first = True
    while not should_stop():
        if not all(Path(folder).is_dir() for folder in wanted):
            time.sleep(min(settle_s, 0.2))  # one is gone, or its disk is: it may come back
            continue
        with FileChanges(wanted, ignored=ignored, poll=poll) as changes:
            if first:
                yield from watcher.begin()
                first = False
            else:
                watcher.pending = set(wanted)
            yield from watcher.follow(changes)
    yield WatchEvent(event="stopped", counts=dict(sorted(watcher.counts.items())))


def require_folders(folders: str | Path | Sequence[str | Path]) -> list[str]:
    """Their normal paths. Raises :class:`DocumentError` for what is no folder."""
    wanted = normal_paths(folders)
    for folder in wanted:
        if not Path(folder).is_dir():
            raise DocumentError(f"{folder!r} is no folder; `clew watch` follows folders")
    return wanted


class _Watcher:
    """The state between rounds."""

    def __init__(
        self,
        indexer: Callable[[], FolderIndexer],
        folders: Sequence[str],
        choice: Choice,
        *,
        settle_s: float,
        should_stop: Callable[[], bool],
        now: Clock = time.monotonic,
    ) -> None:
        self.pending: set[str] = set()
        self.counts = Counter[str]()
        self._indexer = indexer
        self._folders = folders
        self._choice = choice
        self._settle_s = settle_s
        self._should_stop = should_stop
        self._now = now
        self._retry_s = _FIRST_RETRY_S

    def begin(self) -> Iterator[WatchEvent]:
        """The first round, over everything."""
        report = self._indexer().sync(self._folders, self._choice, self._should_stop)
        yield from self._told(report)
        yield WatchEvent(event="begun", counts=dict(report.counts))

    def follow(self, changes: FileChanges) -> Iterator[WatchEvent]:
        """Rounds over what changes, until asked to stop, or a folder is not there any more."""
        first = last = self._now()
        not_before = 0.0
        while not self._should_stop():
            if found := changes.tick():
                first = first if self.pending else self._now()
                last = self._now()
                self.pending |= found
            quiet = self._now() - last >= self._settle_s
            due = quiet or self._now() - first >= _LONGEST_WAIT_S
            if not self.pending or not due or self._now() < not_before:
                continue
            if not all(Path(folder).is_dir() for folder in self._folders):
                yield self._failed(f"{', '.join(map(repr, self._missing()))} is gone")
                return
            names, self.pending = self.pending, set()
            try:
                yield from self._told(self._round(names))
                self._retry_s = _FIRST_RETRY_S
            except _PASSING as error:
                self.pending |= names
                not_before = self._now() + self._retry_s
                self._retry_s = min(2 * self._retry_s, _LAST_RETRY_S)
                yield self._failed(str(error))

    def _round(self, names: Collection[str]) -> IngestReport:
        return self._indexer().sync_changed(self._folders, names, self._choice, self._should_stop)

    def _missing(self) -> list[str]:
        return [folder for folder in self._folders if not Path(folder).is_dir()]

    def _told(self, report: IngestReport) -> Iterator[WatchEvent]:
        for document in report.documents:
            if document.status is not Status.UNCHANGED:
                self.counts[str(document.status)] += 1
                yield _event(document)

    def _failed(self, reason: str) -> WatchEvent:
        self.counts["error"] += 1
        return WatchEvent(event="error", reason=reason)


def _event(document: DocumentReport) -> WatchEvent:
    return WatchEvent(
        event=str(document.status),
        doc_id=document.doc_id,
        source=document.source,
        reason=document.reason,
    )
