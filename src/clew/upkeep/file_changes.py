"""What changes below some folders, as the operating system tells it."""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from clew.indexing.paths import posix_name
from clew.models.extras import import_extra

_STEP_MS = 50
_TICK_MS = 200
_MODIFIED = 2


class FileChanges:
    """Follows folders from the moment at which it is entered; a context manager.

    A name is what the documents of a file are called (:func:`posix_name`). That of a folder that
    came, went or was moved stands for all that is in it.
    """

    def __init__(self, folders: Sequence[str], *, ignored: Collection[Path], poll: bool) -> None:
        """``ignored`` are folders of which nothing is told; with ``poll`` the folders are looked
        through again and again, for file systems that tell nothing. Raises
        :class:`clew.errors.MissingExtraError`.
        """
        self._watchfiles: Any = import_extra(
            "watchfiles", extra="watch", purpose="following a folder"
        )
        self._folders = folders
        self._ignored = tuple(str(path.resolve()) for path in ignored)
        self._poll = poll
        self._changes: Generator[set[tuple[int, str]], None, None] | None = None

    def __enter__(self) -> Self:
        changes: Generator[set[tuple[int, str]], None, None] = self._watchfiles.watch(
            *self._folders,
            watch_filter=None,
            debounce=_TICK_MS,
            step=_STEP_MS,
            rust_timeout=_TICK_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=self._poll or None,
        )
        self._changes = changes
        self._early = next(changes, set())  # it follows from here on
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._changes is not None:
            self._changes.close()
            self._changes = None

    def tick(self) -> set[str]:
        """Wait a fifth of a second, or less when something changes; return the names of that."""
        assert self._changes is not None, "entered"
        found, self._early = self._early or next(self._changes, set()), set()
        return {
            name
            for change, path in found
            if not self._is_ignored(path) and not (change == _MODIFIED and Path(path).is_dir())
            for name in self._names(path)
        }

    def _is_ignored(self, path: str) -> bool:
        return any(path == folder or path.startswith(folder + os.sep) for folder in self._ignored)

    def _names(self, path: str) -> list[str]:
        """The path by way of each of the folders that it is below."""
        names = []
        for folder in self._folders:
            for base in dict.fromkeys((os.path.abspath(folder), os.path.realpath(folder))):  # noqa: PTH100
                if path == base or path.startswith(base.rstrip(os.sep) + os.sep):
                    names.append(posix_name(Path(folder, os.path.relpath(path, base))))
                    break
        return names
