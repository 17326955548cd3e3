"""Files → documents: read the bytes, find the format, let its reader read, make the documents."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from hashlib import blake2b
from os import PathLike
from pathlib import Path, PurePosixPath

from clew.documents.failures import LoadFailure
from clew.documents.fields import DEFAULT_FIELDS, RecordFields
from clew.documents.formats import find_format
from clew.documents.making import make_document
from clew.documents.readers.base import Parsed, Rejected, SourceFile
from clew.documents.readers.registry import find_reader, find_record_reader
from clew.errors import BrokenDocumentError, DocumentError
from clew.records import DEFAULT_SCOPE, Document


def load_file(
    path: str | PathLike[str],
    *,
    root: str | PathLike[str] | None = None,
    scope: str = DEFAULT_SCOPE,
    fields: RecordFields = DEFAULT_FIELDS,
) -> Iterator[Document | LoadFailure]:
    """Yield the documents of a file: one, or one for each record of a JSON or CSV file.

    The ``doc_id`` of a file is ``path`` as given, relative to ``root`` where one is given and
    holds it; that of a record is its own id, or ``path#N`` with N from 1. A file that cannot be
    read raises :class:`DocumentError` with its path and the reason when the first document is
    asked for; a record that is no document is a :class:`LoadFailure`, and the others follow.
    """
    file = Path(path)
    source = source_name(file)
    name = source_name(_relative(file, root))
    yield from load_bytes(_read(file, source), source, name=name, scope=scope, fields=fields)


def load_bytes(
    data: bytes,
    source: str,
    *,
    name: str | None = None,
    scope: str = DEFAULT_SCOPE,
    fields: RecordFields = DEFAULT_FIELDS,
) -> Iterator[Document | LoadFailure]:
    """Yield the documents in the content of a file that need not be on this disk.

    ``source`` says where it came from, and its suffix what it may be; ``name`` is the ``doc_id`` of
    the whole, by default ``source``. Raises what :func:`load_file` does.
    """
    name = source if name is None else name
    found = SourceFile(name=source, data=data, suffix=PurePosixPath(source).suffix)
    digest = source_hash(data)
    try:
        for item in _parse(found, fields, name):
            if isinstance(item, Rejected):
                reason = f"{source}: {item.reason}"
                yield LoadFailure(source=source, doc_id=item.doc_id, reason=reason)
            else:
                yield _document(item, name, source, scope, digest)
    except DocumentError as error:
        raise type(error)(f"{source}: {error}") from error


def source_hash(data: bytes) -> str:
    """Return what ``Document.source_hash`` is for these bytes."""
    return blake2b(data, digest_size=16).hexdigest()


def source_name(path: str | PathLike[str]) -> str:
    """Return what ``Document.source`` is for this path: with slashes, and always storable.

    Bytes of a name that are no text are escaped.
    """
    return os.fsencode(Path(path).as_posix()).decode("utf-8", "backslashreplace")


def _parse(file: SourceFile, fields: RecordFields, name: str) -> Iterator[Parsed | Rejected]:
    format_ = find_format(file.data, file.suffix)
    read_records = find_record_reader(format_)
    read = None if read_records else find_reader(format_)
    try:
        if read is not None:
            yield read(file)
        elif read_records is not None:
            yield from _named(read_records(file, fields), name)
    except (DocumentError, GeneratorExit, MemoryError):
        raise
    except RecursionError as error:
        raise BrokenDocumentError("it is nested too deeply to be read") from error
    except Exception as error:
        # Parsers of other libraries give up in any way they like; their cause is kept.
        shown = f"{type(error).__name__}: {error}"
        raise BrokenDocumentError(f"its {format_.upper()} cannot be read ({shown})") from error


def _named(items: Iterator[Parsed | Rejected], name: str) -> Iterator[Parsed | Rejected]:
    """Put the file's name before ``#N``, and refuse a second record of the same id."""
    seen: set[str] = set()
    for item in items:
        doc_id = f"{name}{item.doc_id}" if item.doc_id.startswith("#") else item.doc_id
        if isinstance(item, Rejected):
            yield Rejected(doc_id=doc_id, reason=item.reason)
        elif doc_id and doc_id in seen:
            reason = f"a second record has the id {doc_id!r}; ids must differ within a file"
            yield Rejected(doc_id=doc_id, reason=reason)
        else:
            seen.add(doc_id)
            yield item if item.doc_id == doc_id else replace(item, doc_id=doc_id)


def _document(item: Parsed, name: str, source: str, scope: str, digest: str) -> Document:
    return make_document(
        item.text,
        doc_id=item.doc_id or name,
        title=item.title,
        metadata=item.metadata,
        source=source,
        media_type=item.media_type,
        scope=scope,
        blocks=item.blocks,
        pages=item.pages,
        source_hash=digest,
    )


def _read(file: Path, source: str) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise DocumentError(f"{source}: it cannot be opened ({reason})") from error


def _relative(file: Path, root: str | PathLike[str] | None) -> Path:
    if root is not None and file.is_relative_to(root):
        return file.relative_to(root)
    return file
