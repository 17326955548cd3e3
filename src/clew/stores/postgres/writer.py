"""What one write transaction does, in the order of its locks (:mod:`clew.stores.postgres.locks`).

First what a document has for itself, while others write theirs; then, one writer at a time, what
documents share. The row of the state comes last: with it everything becomes visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clew.errors import NotFoundError
from clew.records import IndexedDocument
from clew.stores.admission import (
    admitted_space,
    require_matrix,
    require_same_space,
    require_sound,
)
from clew.stores.base import CommitReceipt, EmbeddingSpace, Layer, Renaming, Scores
from clew.stores.merging import without_merge, without_merges
from clew.stores.numbering import Counters, Numbered, number_document
from clew.stores.postgres.books import NO_DOCUMENT, Books
from clew.stores.postgres.connections import Session, sayable, transaction
from clew.stores.postgres.document_rows import (
    OWN,
    SHARING,
    copy_documents,
    copy_records,
    totals_of,
)
from clew.stores.postgres.fulltext import term_rows
from clew.stores.postgres.locks import lock_books, lock_documents, lock_shared
from clew.stores.postgres.records import Found, RecordReader
from clew.stores.postgres.renaming import rename_undone
from clew.stores.postgres.state import State, Totals, read_state, write_state
from clew.stores.postgres.statements import Statements
from clew.stores.postgres.vectors import VectorReader, write_vectors
from clew.stores.postgres.vote_table import PostgresVoteTable
from clew.stores.receipts import counts_of, receipt_of, with_replies
from clew.stores.revectoring import each_once
from clew.stores.votes import VoteLedger
from clew.stores.wording import terms_of_document

_SQL = Statements("writing")
_STATE = Statements("state")
_COPYING = Statements("copying")
_LAYERS: tuple[Layer, Layer] = ("chunk", "unit")
_RECORDS = {"chunks": "chunk", "units": "unit", "mentions": "mention", "topics": "topic"} | {
    "facts": "fact"
}
_VECTORS_AT_ONCE = 256


class _NotYet(dict[str, int]):
    """Stands for the numbers of entities before they are known."""

    def __missing__(self, key: str) -> int:
        return -1


@dataclass(frozen=True, kw_only=True, slots=True)
class _Put:
    """Documents on their way in: their first numbers, and the lengths of their search texts."""

    documents: Sequence[IndexedDocument]
    first: Mapping[str, int]
    lengths: Sequence[tuple[int, int]] = ()

    def numbered(self, entities: Mapping[str, int]) -> list[Numbered]:
        counters = Counters(**self.first)
        return [number_document(indexed, counters, entities) for indexed in self.documents]


class StoreWriter:
    """Changes a store through one connection that is in no transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._records = RecordReader(session)
        self._books = Books(session)

    def commit(
        self,
        documents: Sequence[IndexedDocument],
        delete: Sequence[str],
        renamed: Sequence[Renaming],
        embedding: EmbeddingSpace | None,
    ) -> CommitReceipt:
        latest = {indexed.document.id: indexed for indexed in documents}
        given = list(latest.values())
        self._admit(read_state(self._session), given, embedding)  # before anything is locked
        numbers = self._take_numbers(given)
        with transaction(self._session.connection):
            before = {one.before for one in renamed}
            gone = sorted(filter(sayable, {*delete, *before, *latest}))
            lock_documents(self._session, gone)
            rename_undone(self._session, renamed)
            given = self._with_undone(given)
            state = read_state(self._session)
            space = self._admit(state, given, embedding)
            if space != state.embedding:
                lock_shared(self._session)
                state = read_state(self._session)
                space = self._admit(state, given, embedding)
            put = self._write_own(_Put(documents=given, first=numbers), state.with_embedding(space))
            receipt = self._share(put, gone, state, space)
            lock_books(self._session)
            self._books.rename(renamed)
            forgotten = self._forget(set(delete) - latest.keys(), given, receipt)
        return with_replies(receipt, forgotten)

    def undo_merge(self, merge_id: str) -> None:
        document_id = self._records.document_of_merge(merge_id) if sayable(merge_id) else None
        if document_id is None:
            raise NotFoundError(f"no merge {merge_id!r}; merges() lists them")
        with transaction(self._session.connection):
            lock_documents(self._session, [document_id])
            found = self._records.indexed(document_id)
            if found is None:
                raise NotFoundError(f"no merge {merge_id!r}; merges() lists them")
            state = read_state(self._session)
            vectors = VectorReader(self._session, state, exact_up_to=0)
            changed = without_merge(vectors.with_vectors(found), merge_id)
            put = _Put(documents=[changed], first=self._take_numbers([changed]))
            put = self._write_own(put, state)
            self._share(put, [document_id], state, state.embedding)
            undone = {"document_id": document_id, "merge_id": merge_id}
            self._session.run(_SQL["keep_undone"], undone)

    def replace_vectors(
        self, embedding: EmbeddingSpace | None, vectors: Iterable[tuple[str, Scores, Scores]]
    ) -> CommitReceipt:
        with transaction(self._session.connection):
            lock_shared(self._session)
            state = read_state(self._session)
            renewed = replace(
                state.with_embedding(embedding),
                space=state.space + 1,
                generation=state.generation + 1,
            )
            if embedding is not None:
                self._write_vectors_anew(embedding, vectors, renewed.space)
            for layer in _LAYERS:
                statement = _SQL.named("remove_other_spaces", layer=layer)
                self._session.run(statement, {"space": renewed.space})
            write_state(self._session, renewed)
        return CommitReceipt(generation=renewed.generation)

    # --- what lets documents in -----------------------------------------------------------------

    def _admit(
        self,
        state: State,
        documents: Sequence[IndexedDocument],
        embedding: EmbeddingSpace | None,
    ) -> EmbeddingSpace | None:
        space = admitted_space(
            state.embedding, embedding, documents, holds_documents=state.documents > 0
        )
        require_sound(documents, space)
        return space

    def _with_undone(self, documents: Sequence[IndexedDocument]) -> list[IndexedDocument]:
        """Merges that were taken back before stay so."""
        merged = [indexed.document.id for indexed in documents if indexed.merges]
        if not merged:
            return list(documents)
        undone: dict[str, set[str]] = {}
        for document_id, merge_id in self._session.rows(_SQL["undone"], {"ids": merged}):
            undone.setdefault(document_id, set()).add(merge_id)
        return [
            without_merges(indexed, undone.get(indexed.document.id, set())) for indexed in documents
        ]

    # --- what a document has for itself ---------------------------------------------------------

    def _take_numbers(self, documents: Sequence[IndexedDocument]) -> dict[str, int]:
        """The first number of each kind, taken for good: a commit that fails leaves a gap."""
        counts = counts_of(documents)
        taken = {
            "document": counts["documents"],
            "chunk": counts["chunks"],
            "unit": counts["knowledge_units"],
            "mention": counts["mentions"],
            "topic": counts["topics"],
            "fact": counts["facts"],
        }
        if not any(taken.values()):
            return dict.fromkeys(taken, 0)
        firsts = self._session.row(_STATE["take_numbers"], taken)
        return dict(zip(taken, firsts, strict=True))

    def _write_own(self, put: _Put, state: State) -> _Put:
        if not put.documents:
            return put
        documents = put.numbered(_NotYet())
        copy_records(self._session, OWN, documents)
        words = [terms_of_document(numbered.indexed) for numbered in documents]
        pairs = list(zip(documents, words, strict=True))
        self._session.copy(
            _COPYING.named("terms", layer="chunk"),
            (row for it, (of, _) in pairs for row in term_rows(it.number, it.first_chunk, of)),
        )
        self._session.copy(
            _COPYING.named("terms", layer="unit"),
            (row for it, (_, of) in pairs for row in term_rows(it.number, it.first_unit, of)),
        )
        if state.embedding is not None:
            chunks = [(it.number, it.first_chunk, it.indexed.chunk_vectors) for it in documents]
            units = [(it.number, it.first_unit, it.indexed.unit_vectors) for it in documents]
            write_vectors(self._session, "chunk", state.space, chunks)
            write_vectors(self._session, "unit", state.space, units)
        lengths = [(sum(map(len, chunk)), sum(map(len, unit))) for chunk, unit in words]
        return replace(put, lengths=lengths)

    # --- what documents share -------------------------------------------------------------------

    def _share(
        self, put: _Put, gone: Sequence[str], before: State, space: EmbeddingSpace | None
    ) -> CommitReceipt:
        """Take the place of what had these ids, count the votes, name the entities, and say so."""
        lock_shared(self._session)
        state = read_state(self._session)
        if state.space != before.space:
            require_same_space(state.embedding, space)
            require_same_space(state.embedding, before.embedding)
        found = (self._records.indexed(document_id) for document_id in gone)
        removed = [item for item in found if item is not None]
        if not put.documents and not removed and space == state.embedding:
            return CommitReceipt(generation=state.generation)
        state, came, went = self._exchange(put, removed, state.with_embedding(space))
        state = replace(state, generation=state.generation + 1)
        write_state(self._session, state)
        return receipt_of(
            state.generation,
            counts_of(put.documents) | {"entities": came},
            counts_of([item.indexed for item in removed]) | {"entities": went},
        )

    def _exchange(
        self, put: _Put, removed: Sequence[Found], state: State
    ) -> tuple[State, int, int]:
        """Return the state with the ones and without the others, and how many entities came and
        went.
        """
        counters = Counters(entity=state.next_entity)
        ledger = VoteLedger(PostgresVoteTable(self._session), counters)
        for item in removed:
            ledger.count(item.indexed, -1)
        for indexed in put.documents:
            ledger.count(indexed, +1)
        self._remove([item.number for item in removed])
        came, went = ledger.settle()
        added = self._add_shared(put, ledger.numbers)
        state = state.changed_by(
            [*added, Totals(entities=came)],
            [*(item.totals for item in removed), Totals(entities=went)],
        )
        return replace(state, next_entity=counters.entity), came, went

    def put(self, documents: Sequence[IndexedDocument], state: State) -> State:
        """Write documents that are not there, inside a transaction that has locked what documents
        share; return the state with them.
        """
        put = _Put(documents=documents, first=self._take_numbers(documents))
        renewed, _, _ = self._exchange(self._write_own(put, state), (), state)
        return renewed

    def _add_shared(self, put: _Put, entities: Mapping[str, int]) -> list[Totals]:
        if not put.documents:
            return []
        documents = put.numbered(entities)
        copy_records(self._session, SHARING, documents)
        totals = [
            totals_of(numbered, *lengths)
            for numbered, lengths in zip(documents, put.lengths, strict=True)
        ]
        copy_documents(self._session, list(zip(documents, totals, strict=True)))
        return totals

    def _remove(self, documents: Sequence[int]) -> None:
        if not documents:
            return
        asked = {"documents": np.array(documents, np.int64)}
        names = [
            *(_SQL.named("remove_vectors", layer=layer) for layer in _LAYERS),
            *(_SQL.named("remove_terms", layer=layer) for layer in _LAYERS),
            *(
                _SQL.named("remove_records", table=table, record=record)
                for table, record in _RECORDS.items()
            ),
            *(_SQL[name] for name in ("remove_merges", "remove_bodies", "remove_documents")),
        ]
        self._session.run_together(*((name, asked) for name in names))

    def _forget(
        self,
        deleted: set[str],
        documents: Sequence[IndexedDocument],
        receipt: CommitReceipt,
    ) -> int:
        """Replies that nothing was made from, and all that was kept for deleted documents. Return
        how many replies went.
        """
        went = 0
        names = sorted(filter(sayable, deleted))
        if names:
            went += self._books.forget_told(names)
            self._session.run(_SQL["forget_undone"], {"ids": names})
            self._books.forget_usage(names)
        went += self._books.forget_other_replies(
            [(indexed.document.id, indexed.reply_keys) for indexed in documents]
        )
        if receipt.removed:
            went += self._books.forget_replies([NO_DOCUMENT])
        return went

    # --- vectors of another embedder ------------------------------------------------------------

    def _write_vectors_anew(
        self,
        embedding: EmbeddingSpace,
        vectors: Iterable[tuple[str, Scores, Scores]],
        space: int,
    ) -> None:
        spans = self._records.spans()
        parts: dict[Layer, list[tuple[int, int, Scores | None]]] = {"chunk": [], "unit": []}

        def write() -> None:
            for layer, waiting in parts.items():
                write_vectors(self._session, layer, space, waiting)
                waiting.clear()

        for document_id, chunk_vectors, unit_vectors in each_once(vectors, spans):
            number, first_chunk, chunks, first_unit, units = spans[document_id]
            require_matrix(f"chunk vectors of {document_id}", chunks, chunk_vectors, embedding)
            require_matrix(f"unit vectors of {document_id}", units, unit_vectors, embedding)
            parts["chunk"].append((number, first_chunk, np.asarray(chunk_vectors, np.float32)))
            parts["unit"].append((number, first_unit, np.asarray(unit_vectors, np.float32)))
            if len(parts["chunk"]) >= _VECTORS_AT_ONCE:
                write()
        write()
