"""Everything that is derived, made anew from the records.

The documents are read from the state before, whole, while one transaction empties all tables that
hold records or what is derived from them, and puts the documents again: so what belongs to no
document is not there afterwards, and whoever is killed meanwhile has changed nothing. Replies,
books and decisions are no part of it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace
from clew.stores.powers import RebuildReceipt
from clew.stores.sqlite.orphans import ownerless_merges
from clew.stores.sqlite.seals import RESTORE, DamagedPartError
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.whole_documents import WholeDocuments
from clew.stores.sqlite.writer import StoreWriter
from clew.stores.whole import Load, damaged, whole_document

_SQL = statements("rebuilding")
_TOGETHER = 256
_EMPTIED = (
    "documents", "bodies", "chunks", "units", "mentions", "topics", "facts", "merges", "entities",
    "entity_forms", "entity_types", "entity_keys", "segments", "segment_arrays", "segment_terms",
    "dead_documents", "vector_files",
)  # fmt: skip


def rebuild(
    old: sqlite3.Connection,
    new: sqlite3.Connection,
    load: Load | None,
    writer: StoreWriter,
    space: EmbeddingSpace | None,
) -> RebuildReceipt:
    """Read from ``old``, a read transaction, and write to ``new``, one for writing. ``load`` gives
    a document with its vectors; None where nobody can say which those are.

    Raises :class:`StoreCorruptError` for a document that is not whole.
    """
    if lost := ownerless_merges(old):
        raise damaged("the table merges", f"{lost} rows belong to no document", RESTORE)
    lines = old.execute(_SQL["documents"]).fetchall()
    (generation,) = new.execute(_SQL["generation"]).fetchone()
    done = ["full text, links, names and their spelling made anew from the records"]
    if load is None:
        load, space = _without_vectors(old), None
        done.append("which vector belongs to which text was lost: `clew reembed` makes them anew")
    for _ in _loaded(lines, load, space):  # all of it, before anything is touched
        pass
    for table in _EMPTIED:
        new.execute(f'DELETE FROM "{table}"')
    new.execute(_SQL["drop_trigrams"])
    batch: list[IndexedDocument] = []
    for indexed in _loaded(lines, load, space):
        batch.append(indexed)
        if len(batch) == _TOGETHER:
            writer.put(batch, (), space)
            batch = []
    writer.put(batch, (), space)
    new.execute(_SQL["set_generation"], (generation + 1,))
    SegmentTable(new).set_seal()
    return RebuildReceipt(documents=len(lines), done=tuple(done))


def _without_vectors(old: sqlite3.Connection) -> Load:
    documents = WholeDocuments(old)

    def load(document_id: str) -> IndexedDocument | None:
        found = documents.indexed(document_id)
        return None if found is None else found[1]

    return load


def _loaded(
    lines: Sequence[tuple[str, int, int, int, int, int]], load: Load, space: EmbeddingSpace | None
) -> Iterator[IndexedDocument]:
    def found(id_: str) -> IndexedDocument:
        indexed = load(id_)
        if indexed is None:  # one transaction lists what it holds
            raise DamagedPartError("the index of documents does not lead to it")
        return indexed

    for id_, *counts in lines:
        try:
            yield whole_document(id_, counts, found, space)
        except DamagedPartError as error:
            raise damaged(id_, str(error), RESTORE) from error
