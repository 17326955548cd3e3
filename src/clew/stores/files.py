"""Writing a file so that it is either the old one or the new one, never something between."""

from __future__ import annotations

import errno
import os
import shutil
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
        return StoreFullError(f"{path}: {reason}: {said_of_room(path)}")
    if error.errno in _FORBIDDEN:
        return ReadOnlyStoreError(
            f"{path}: cannot be written: {reason}. Change its permissions or choose another place"
        )
    if error.errno == errno.EIO:
        reason += "; what was committed before is whole. See to the disk, then run `clew check`"
    return StoreError(f"{path}: {reason}")


def said_of_room(path: Path) -> str:
    """What a message tells of a full disk, and what to do."""
    free = shutil.disk_usage(_existing(path)).free
    return (
        f"the disk is full ({free / 1e6:,.1f} MB are free) or a quota or limit was reached. What "
        "was committed before is whole. Make room and run the command again: it goes on from there"
    )


def no_room(path: Path) -> bool:
    """Does a little file beside ``path`` find no room, or may ``path`` itself not grow?"""
    try:
        with tempfile.TemporaryFile(dir=_existing(path).parent) as file:
            file.write(bytes(_LITTLE_BYTES))
            file.flush()
    except OSError as error:
        return error.errno in _FULL
    limit = _file_limit()
    beside = path.parent.glob(f"{path.name}*")
    return limit is not None and any(item.stat().st_size + _LITTLE_BYTES > limit for item in beside)


_LITTLE_BYTES = 1 << 16


def _existing(path: Path) -> Path:
    return path if path.exists() or path.parent == path else _existing(path.parent)


def _file_limit() -> int | None:
    """The most bytes that a file of this process may have."""
    try:
        import resource  # noqa: PLC0415 - not there on Windows
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return None if limit == resource.RLIM_INFINITY else limit
