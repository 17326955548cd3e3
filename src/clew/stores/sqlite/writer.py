"""What one write transaction does.

The caller holds the writer's lock and has begun the transaction. Vectors are appended and made
durable here; they count from the moment at which the caller's COMMIT is through, together with the
rows, the postings and the generation.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from clew.models.base import PaidReply
from clew.records import IndexedDocument
from clew.stores.admission import admitted_space, require_sound
from clew.stores.base import CommitReceipt, EmbeddingSpace, Renaming, Scores
from clew.stores.merging import without_merges
from clew.stores.numbering import Counters, Numbered, number_document
from clew.stores.receipts import counts_of, receipt_of, with_replies
from clew.stores.rows import Row
from clew.stores.sqlite import sealed_rows
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.postings import count_terms
from clew.stores.sqlite.renaming import rename_beside
from clew.stores.sqlite.seals import seal, sums_of
from clew.stores.sqlite.segment_table import SegmentTable
from clew.stores.sqlite.segments import AppendedVectors, make_segment
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.usage_table import UsageTable
from clew.stores.sqlite.vector_table import VectorTable
from clew.stores.sqlite.vote_table import SQLiteVoteTable
from clew.stores.sqlite.whole_documents import Spans, WholeDocuments
from clew.stores.votes import VoteLedger
from clew.stores.wording import terms_of_document

_SQL = statements("writing")

NO_DOCUMENT = ""
"""Stands where a reply has no document behind it."""

_RECORDS: tuple[tuple[str, Callable[[Numbered], Iterable[Row]]], ...] = (
    ("add_document", lambda numbered: (sealed_rows.document_row(numbered),)),
    ("add_body", lambda numbered: (sealed_rows.body_row(numbered),)),
    ("add_chunk", sealed_rows.chunk_rows),
    ("add_unit", sealed_rows.unit_rows),
    ("add_mention", sealed_rows.mention_rows),
    ("add_topic", sealed_rows.topic_rows),
    ("add_fact", sealed_rows.fact_rows),
    ("add_merge", sealed_rows.merge_rows),
)


class StoreWriter:
    """Changes a store inside one transaction of ``connection``."""

    def __init__(
        self, connection: sqlite3.Connection, vectors: Path, space: EmbeddingSpace | None
    ) -> None:
        self._connection = connection
        self._documents = WholeDocuments(connection)
        self._segments = SegmentTable(connection)
        self._vectors = VectorTable(connection, vectors)
        self._space = space

    def commit(
        self,
        documents: Sequence[IndexedDocument],
        delete: Sequence[str],
        renamed: Sequence[Renaming],
        embedding: EmbeddingSpace | None,
    ) -> CommitReceipt:
        rename_beside(self._connection, renamed)
        latest = {indexed.document.id: indexed for indexed in documents}
        documents = [self._with_undone(indexed) for indexed in latest.values()]
        space = admitted_space(
            self._space, embedding, documents, holds_documents=self._holds_documents()
        )
        require_sound(documents, space)
        before = {one.before for one in renamed}
        receipt = self.put(documents, {*delete, *before, *latest}, space)
        forgotten = self._forget(set(delete) - latest.keys(), documents)
        if receipt.removed:
            forgotten += self._connection.execute(_SQL["forget"], (NO_DOCUMENT,)).rowcount
        return with_replies(receipt, forgotten)

    def keep_undone(self, document_id: str, merge_id: str) -> None:
        self._connection.execute(_SQL["keep_undone"], (document_id, merge_id))

    def _with_undone(self, indexed: IndexedDocument) -> IndexedDocument:
        """Merges that were taken back before stay so."""
        if not indexed.merges:
            return indexed
        found = self._connection.execute(_SQL["undone"], (indexed.document.id,)).fetchall()
        return without_merges(indexed, {merge_id for (merge_id,) in found})

    def put(
        self,
        documents: Sequence[IndexedDocument],
        gone: Iterable[str],
        space: EmbeddingSpace | None,
    ) -> CommitReceipt:
        """Replace and remove, without looking at replies."""
        found = (self._documents.indexed(document_id) for document_id in sorted(gone))
        removed = [item for item in found if item is not None]
        if not documents and not removed and space == self._space:
            return CommitReceipt(generation=self._generation())
        counters = Counters(**dict(zip(Counters.names(), self._state(), strict=True)))
        ledger = VoteLedger(SQLiteVoteTable(self._connection), counters)
        for line, indexed in removed:
            ledger.count(indexed, -1)
            self._remove(line)
        for indexed in documents:
            ledger.count(indexed, +1)
        came, went = ledger.settle()
        self._add(documents, counters, ledger.numbers, space)
        self._segments.tidy()
        added = counts_of(documents) | {"entities": came}
        taken = counts_of([indexed for _, indexed in removed]) | {"entities": went}
        return self.next_generation(space, added, taken)

    def next_generation(
        self, space: EmbeddingSpace | None, added: Mapping[str, int], removed: Mapping[str, int]
    ) -> CommitReceipt:
        described = (None, None) if space is None else (space.fingerprint, space.dimensions)
        self._connection.execute(_SQL["next_generation"], described)
        self._segments.set_seal()
        return receipt_of(self._generation(), added, removed)

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        self._connection.executemany(
            _SQL["remember"], [(document_id, *item, seal(item)) for item in replies.items()]
        )

    def keep_replies(self, replies: Iterable[PaidReply]) -> None:
        for reply in replies:
            for document_id in reply.documents or (NO_DOCUMENT,):
                self.remember(document_id, {reply.key: reply.text})

    # --- adding ---------------------------------------------------------------------------------

    def _add(
        self,
        documents: Sequence[IndexedDocument],
        counters: Counters,
        entities: Mapping[str, int],
        space: EmbeddingSpace | None,
    ) -> None:
        numbered = [number_document(indexed, counters, entities) for indexed in documents]
        for name, make in _RECORDS:
            self._connection.executemany(_SQL[name], chain.from_iterable(map(make, numbered)))
        state = [getattr(counters, name) for name in Counters.names()]
        self._connection.execute(_SQL["set_state"], state)
        if numbered:
            self._add_segment(numbered, self._append_vectors(documents, space))

    def _append_vectors(
        self, documents: Sequence[IndexedDocument], space: EmbeddingSpace | None
    ) -> AppendedVectors | None:
        if space is None:
            return None
        if space != self._space:
            self._vectors.clear()
        writer = self._vectors.writer(space.dimensions)
        chunks = _joined((item.chunk_vectors for item in documents), space)
        units = _joined((item.unit_vectors for item in documents), space)
        appended = AppendedVectors(
            first_chunk=writer.append("chunk", chunks),
            first_unit=writer.append("unit", units),
            chunk_sums=sums_of(chunks),
            unit_sums=sums_of(units),
        )
        self._vectors.note(writer)
        return appended

    def _add_segment(self, numbered: Sequence[Numbered], vectors: AppendedVectors | None) -> None:
        terms = [terms_of_document(item.indexed) for item in numbered]
        chunk_terms, chunk_lengths = count_terms([row for chunks, _ in terms for row in chunks])
        unit_terms, unit_lengths = count_terms([row for _, units in terms for row in units])
        segment = make_segment(numbered, chunk_lengths, unit_lengths, vectors)
        self._segments.add(segment, {"chunk": chunk_terms, "unit": unit_terms})

    # --- removing -------------------------------------------------------------------------------

    def _remove(self, line: Spans) -> None:
        execute = self._connection.execute
        for kind, (first, count) in line.spans.items():
            execute(_SQL[f"remove_{kind}"], (first, first + count - 1))
        for table in ("document", "body", "merges"):
            execute(_SQL[f"remove_{table}"], (line.number,))
        execute(statements("segments")["add_dead"], (line.number,))

    def _forget(self, deleted: set[str], documents: Sequence[IndexedDocument]) -> int:
        """Replies that nothing was made from, and all that was kept for deleted documents. Return
        how many replies went.
        """
        names = [(name,) for name in sorted(deleted)]
        went = self._connection.executemany(_SQL["forget_told"], names).rowcount if names else 0
        self._connection.executemany(_SQL["forget_undone"], names)
        if deleted:
            UsageTable(self._connection).forget(deleted)
        others = [(indexed.document.id, as_json(indexed.reply_keys)) for indexed in documents]
        if others:
            went += self._connection.executemany(_SQL["forget_others"], others).rowcount
        return went

    # --- state ----------------------------------------------------------------------------------

    def _holds_documents(self) -> bool:
        found = self._connection.execute("SELECT EXISTS (SELECT 1 FROM documents)").fetchone()
        return bool(found[0])

    def _generation(self) -> int:
        return int(self._connection.execute(_SQL["generation"]).fetchone()[0])

    def _state(self) -> Row:
        state: Row = self._connection.execute(_SQL["state"]).fetchone()
        return state


def _joined(parts: Iterable[Scores | None], space: EmbeddingSpace) -> Scores:
    present = [part for part in parts if part is not None]
    if not present:
        return np.empty((0, space.dimensions), np.float32)
    return np.concatenate(present)
