"""Which files a list of files, folders and globs means."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from os import PathLike
from pathlib import Path, PurePath

from clew.errors import DocumentError

LEFT_OUT_FOLDERS = frozenset({"node_modules", "__pycache__", "CVS"})
STORE_FILE = "main.db"


def walk(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    on_unreadable: Callable[[OSError], None] | None = None,
) -> list[Path]:
    """Return the files that ``paths`` mean, sorted, each once.

    Hidden files and folders (so also those of version control), ``node_modules`` and stores of
    clew are left out, unless a path names them itself. ``include`` and ``exclude`` are globs: one
    with a slash is matched against the path relative to the folder given, with ``**`` for any
    folders; one without against each name on the way. A path that does not exist, or is no file
    and no folder, raises :class:`DocumentError`; so does a folder that cannot be looked into,
    unless ``on_unreadable`` takes the error.
    """
    told = on_unreadable or _refuse_folder
    given = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    found: set[Path] = set()
    for path in given:
        for root, base in _roots(Path(path)):
            for file in _files(root, told):
                relative = file.relative_to(base).as_posix()
                if _is_wanted(relative, include, exclude):
                    found.add(file)
    return sorted(found, key=lambda file: file.as_posix())


def matches(relative: str, pattern: str) -> bool:
    """Tell whether a glob means this path, or a folder on the way to it.

    >>> matches("a/b/c.md", "*.md"), matches("a/b/c.md", "a/*.md"), matches("a/b/c.md", "a/**")
    (True, False, True)
    """
    parts = PurePath(relative).parts
    cleaned = pattern.removeprefix("./").rstrip("/")
    if "/" not in cleaned:
        compiled = _compiled(cleaned)
        return any(compiled.fullmatch(part) for part in parts)
    compiled = _compiled(cleaned)
    return any(compiled.fullmatch("/".join(parts[:end])) for end in range(1, len(parts) + 1))


def _roots(path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield (file or folder, what its files are relative to)."""
    if path.is_dir():
        yield path, path
    elif path.is_file():
        yield path, path.parent
    elif path.exists():
        raise DocumentError(
            f"{str(path)!r} is neither a file nor a folder; save what it gives in a file"
        )
    elif glob.has_magic(str(path)):
        names = sorted(glob.iglob(str(path), recursive=True))  # noqa: PTH207 - absolute patterns too
        if not names:
            raise DocumentError(f"no file matches {str(path)!r}; check the pattern")
        for found in map(Path, names):
            if found.is_dir() or found.is_file():
                yield found, found.parent
    else:
        raise DocumentError(f"there is no file or folder {str(path)!r}; check the path")


def _files(root: Path, on_unreadable: Callable[[OSError], None]) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    seen: set[tuple[int, int]] = set()
    for folder, folders, names in os.walk(root, followlinks=True, onerror=on_unreadable):
        here = Path(folder)
        status = here.stat()
        if (status.st_dev, status.st_ino) in seen or (here != root and STORE_FILE in names):
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders[:] = sorted(name for name in folders if not _is_left_out(name))
        for name in names:
            file = here / name
            if not name.startswith(".") and _is_file(file, on_unreadable):
                yield file


def _is_file(file: Path, on_unreadable: Callable[[OSError], None]) -> bool:
    try:
        return file.is_file()
    except PermissionError as error:  # the folder may be listed and not entered
        on_unreadable(PermissionError(error.errno, error.strerror, str(file.parent)))
        return False


def _refuse_folder(error: OSError) -> None:
    reason = error.strerror or str(error)
    raise DocumentError(f"{error.filename}: the folder cannot be opened ({reason})") from error


def _is_left_out(name: str) -> bool:
    return name.startswith(".") or name in LEFT_OUT_FOLDERS


def _is_wanted(relative: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    if include and not any(matches(relative, pattern) for pattern in include):
        return False
    return not any(matches(relative, pattern) for pattern in exclude)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"(\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]]+\])", pattern)
    return re.compile("".join(map(_as_regex, pieces)), re.DOTALL)


def _as_regex(piece: str) -> str:
    fixed = {"**/": "(?:[^/]+/)*", "/**": "/.+", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if piece in fixed:
        return fixed[piece]
    if len(piece) > 2 and piece[0] == "[" and piece[-1] == "]":
        inner = piece[1:-1]
        return f"[^{inner[1:]}]" if inner[0] == "!" else f"[{inner}]"
    return re.escape(piece)
