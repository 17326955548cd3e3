"""Paths as people write them and as documents are named by them."""

from __future__ import annotations

import glob
import os
from collections.abc import Collection, Sequence
from pathlib import Path, PurePosixPath

from clew.documents import source_name
from clew.documents.walking import matches
from clew.errors import DocumentError
from clew.records import Document

Paths = str | Path | Sequence[str | Path]


def normal_paths(paths: Paths) -> list[str]:
    """Paths in their normal form, so that ``docs/`` and ``./docs`` name the same documents."""
    given = [paths] if isinstance(paths, str | Path) else paths
    return [_normal(path) for path in given]


def documents_named(documents: Sequence[Document], name: str | Path) -> list[Document]:
    """Those that are called ``name``, or came from the file of that name; else all that came from
    below the folder.
    """
    normal = posix_name(name)
    found = [
        document
        for document in documents
        if document.doc_id in {str(name), normal} or document.source == normal
    ]
    if found or normal == ".":
        return found
    return [
        document
        for document in documents
        if document.source and is_below(document.source, str(name))
    ]


def posix_name(path: str | Path) -> str:
    """A path as documents are named by it: normalised, with forward slashes."""
    return source_name(os.path.normpath(path))


def is_among(source: str, names: Collection[str]) -> bool:
    """Whether ``source``, or a folder that it lies in, is one of ``names``."""
    return source in names or any(str(folder) in names for folder in PurePosixPath(source).parents)


def is_glob(path: str) -> bool:
    return any(sign in path for sign in "*?[")


def is_below(source: str, root: str) -> bool:
    """Whether ``source`` is ``root``, lies in the folder ``root``, or matches the glob ``root``."""
    base = posix_name(root)
    if source == base:
        return True
    if is_glob(root) and not Path(root).exists():
        if "/" not in base:
            return matches(source.split("/", maxsplit=1)[0], base)
        return matches(source.lstrip("/"), base.lstrip("/"))
    if base == ".":
        return not source.startswith(("/", "../"))
    return source.startswith(base.rstrip("/") + "/")


def exists(path: str) -> bool:
    return Path(path).exists() or (
        is_glob(path) and bool(glob.glob(path, recursive=True))  # noqa: PTH207 - as walk does it
    )


def _normal(path: str | Path) -> str:
    if not str(path):
        raise DocumentError("a path is empty; '.' is the current folder")
    return os.path.normpath(path)
