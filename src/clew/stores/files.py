"""Writing a file so that it is either the old one or the new one, never something between."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from clew.errors import ReadOnlyStoreError, StoreError, StoreFullError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


@contextmanager
def atomic_text(path: Path) -> Iterator[IO[str]]:
    """Write to a file beside ``path``, make it durable, then put it in place.

    Whatever goes wrong, the old file stays as it was and nothing is left beside it. A pipe or a
    device is written to as it is: it must never be replaced by a file.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with named_errors(path), path.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    path = path.resolve()
    with named_errors(path):
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".new")
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _keep_mode(name, path)
            Path(name).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(name).unlink()
            raise
        sync_folder(path.parent)


def _keep_mode(name: str, path: Path) -> None:
    try:
        mode = path.stat().st_mode & 0o7777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    Path(name).chmod(mode)


def sync_folder(folder: Path) -> None:
    """Make a new name in ``folder`` durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Turn what the operating system says about ``path`` into an error of clew."""
    try:
        yield
    except OSError as error:
        if isinstance(error, StoreError):
            raise
        raise store_error(path, error) from error


def store_error(path: Path, error: OSError) -> StoreError:
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return StoreFullError(
            f"{path}: {reason}; what was committed before is whole. Free some space and try again"
        )
    if error.errno in _FORBIDDEN:
        return ReadOnlyStoreError(
            f"{path}: cannot be written: {reason}. Change its permissions or choose another place"
        )
    return StoreError(f"{path}: {reason}")
