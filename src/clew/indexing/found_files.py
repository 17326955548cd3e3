"""Which files of the paths given are there, and which folders could not be looked into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clew.documents import LoadFailure, RecordFields, walk
from clew.indexing.paths import is_below, posix_name


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """Which files of the paths given are taken, and how their records are read."""

    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    fields: RecordFields | None = None


@dataclass(frozen=True, slots=True)
class FoundFiles:
    """What :func:`find_files` came upon."""

    files: list[Path]
    failures: list[LoadFailure]

    def hides(self, source: str) -> bool:
        return any(is_below(source, failure.source) for failure in self.failures)


def find_files(paths: Sequence[str], choice: Choice) -> FoundFiles:
    failures: list[LoadFailure] = []

    def note(error: OSError) -> None:
        name = posix_name(error.filename)
        reason = f"{name}: the folder cannot be opened ({error.strerror or error})"
        failure = LoadFailure(source=name, doc_id=name, reason=reason)
        if failure not in failures:
            failures.append(failure)

    files = walk(paths, include=choice.include, exclude=choice.exclude, on_unreadable=note)
    return FoundFiles(files, failures)
