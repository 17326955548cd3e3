"""Everything that is derived, made anew from the records.

The documents are read from the state before, whole, while one transaction empties all tables that
hold records or what is derived from them, and puts the documents again: so what belongs to no
document is not there afterwards, others read the old state until it is done, and whoever is killed
meanwhile has changed nothing. Replies, books, decisions and the queue are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace, Layer, Problem
from clew.stores.postgres.connections import Session
from clew.stores.postgres.records import RecordReader
from clew.stores.postgres.state import State, read_state, write_state
from clew.stores.postgres.statements import Statements
from clew.stores.postgres.vectors import VectorReader
from clew.stores.postgres.writer import StoreWriter
from clew.stores.powers import RebuildReceipt
from clew.stores.whole import whole_document

_SQL = Statements("rebuilding")
_TOGETHER = 256
_LAYERS: tuple[Layer, Layer] = ("chunk", "unit")
_EMPTIED = (
    "documents", "bodies", "chunks", "units", "mentions", "topics", "facts", "merges", "entities",
    "entity_forms", "entity_types", "entity_keys", "chunk_terms", "unit_terms", "chunk_vectors",
    "unit_vectors",
)  # fmt: skip


def rebuild(old: Session, new: Session, writer: StoreWriter) -> RebuildReceipt:
    """Read from ``old``, a read transaction that began when ``new``, one for writing, had locked
    what documents share. ``writer`` writes to ``new``.

    Raises :class:`StoreCorruptError` for a document that is not whole.
    """
    state = read_state(new)
    done = ["full text, links, names and their spelling made anew from the records"]
    space = state.embedding
    if space is not None and not _has_all_vectors(old, state):
        space = None
        done.append("vectors were lost: `clew reembed` makes all of them anew")
    lines = old.rows(_SQL["documents"])
    for _ in _loaded(old, lines, state, space):  # all of it, before anything is touched
        pass
    for table in _EMPTIED:
        new.run(_SQL.named("empty", table=table))
    renewed = state.with_embedding(space).changed_by((), (state,))  # nothing is there
    renewed = replace(renewed, generation=state.generation + 1)
    batch: list[IndexedDocument] = []
    for indexed in _loaded(old, lines, state, space):
        batch.append(indexed)
        if len(batch) == _TOGETHER:
            renewed = writer.put(batch, renewed)
            batch = []
    write_state(new, writer.put(batch, renewed))
    return RebuildReceipt(documents=len(lines), done=tuple(done))


def find_orphans(session: Session) -> Iterator[Problem]:
    """Yield a problem for each table with rows of no owner, beside those that name a document
    (:mod:`clew.stores.postgres.checks`).
    """
    for table, owner, column in (
        ("units", "chunks", "chunk"),
        *((f"entity_{kind}", "entities", "entity") for kind in ("keys", "forms", "types")),
    ):
        statement = _SQL.named("orphans", table=table, owner=owner, column=column)
        (count,) = session.row(statement)
        if count:
            yield Problem(
                kind="orphan", where=table, message=f"{count} rows belong to nothing that is there"
            )


def _has_all_vectors(session: Session, state: State) -> bool:
    return all(
        session.row(_SQL.named("lacking", layer=layer), {"space": state.space})[0] == 0
        for layer in _LAYERS
    )


def _loaded(
    session: Session,
    lines: list[tuple[str, int, int, int, int, int]],
    state: State,
    space: EmbeddingSpace | None,
) -> Iterator[IndexedDocument]:
    records = RecordReader(session)
    vectors = VectorReader(session, state, exact_up_to=0)

    def load(document_id: str) -> IndexedDocument | None:
        found = records.indexed(document_id)
        if found is None or space is None:
            return None if found is None else found.indexed
        return vectors.with_vectors(found)

    for id_, *counts in lines:
        yield whole_document(id_, counts, load, space)
