"""Reading documents back: what every format that can be read gives, and how a store takes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

from clew.errors import StoreCorruptError, StoreError
from clew.exchange.selection import Tell, silence
from clew.records import EntityDecision, IndexedDocument
from clew.stores.admission import require_same_space
from clew.stores.base import EmbeddingSpace, Store

_BATCH = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """``count`` is how many documents are said to follow."""

    embedding: EmbeddingSpace | None
    count: int
    decisions: tuple[EntityDecision, ...]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Read:
    """One document with the model replies that it was made from, and where it stands."""

    place: str
    indexed: IndexedDocument
    replies: dict[str, str]


class Source(Protocol):
    """An export that can be read from its beginning as often as asked, a document at a time.

    Raises :class:`StoreCorruptError` and :class:`clew.errors.StoreVersionError`, with the place.
    """

    @property
    def path(self) -> Path: ...

    def header(self) -> Header: ...

    def documents(self) -> Iterator[Read]: ...


def check_source(source: Source, *, scope: str | None = None) -> Header:
    """Read everything and write nothing. With a ``scope``, documents of another are refused."""
    header = source.header()
    found = 0
    for read in source.documents():
        found += 1
        document = read.indexed.document
        if scope not in {None, document.scope}:
            raise StoreError(
                f"{read.place}: document {document.doc_id!r} is of the scope {document.scope!r}, "
                f"and this knowledge base reads and writes {scope!r}. Nothing was written. Import "
                f"it with --scope {document.scope} (in Python: ClewConfig(scope=…))"
            )
    if found != header.count:
        raise StoreCorruptError(
            f"{source.path}: {found} documents where {header.count} are promised: the export was "
            "cut. Nothing was written; export again, or fetch the whole file"
        )
    strangers = {one.scope for one in header.decisions} - {scope}
    if scope is not None and strangers:
        raise StoreError(
            f"{source.path}: decisions about names of the scope {min(strangers)!r}, and this "
            f"knowledge base reads and writes {scope!r}. Nothing was written"
        )
    return header


def import_source(
    source: Source, store: Store, *, scope: str | None = None, tell: Tell = silence
) -> int:
    """Put the documents into ``store``, each replacing the one of its id; return how many.

    All of it is checked before the first document is written. Raises
    :class:`clew.errors.FingerprintMismatchError` when the store was made with another embedder.
    """
    header = source.header()
    if store.stats()["documents"]:
        require_same_space(
            store.embedding, header.embedding, where="the store that the file is read into"
        )
    check_source(source, scope=scope)
    for decision in header.decisions:
        store.decide(decision)
    done = 0
    documents = source.documents()
    while batch := list(islice(documents, _BATCH)):
        for read in batch:
            if read.replies:
                store.remember(read.indexed.document.id, read.replies)
        store.commit([read.indexed for read in batch], embedding=header.embedding)
        done += len(batch)
        tell(done, header.count, "import")
    return done
