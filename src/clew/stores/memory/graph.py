"""KnowledgeGraph: a whole graph in memory, exact, saved as one JSON file when asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Self

from clew.errors import NotFoundError
from clew.models.base import PaidReply, UsageEntry
from clew.records import (
    DEFAULT_SCOPE,
    Chunk,
    Entity,
    EntityDecision,
    IndexedDocument,
    KnowledgeUnit,
)
from clew.stores.admission import admitted_space, require_sound
from clew.stores.base import CommitReceipt, EmbeddingSpace, Renaming, Scores
from clew.stores.delegation import DirectReads
from clew.stores.memory import saving
from clew.stores.memory.entry import Entry, make_entry
from clew.stores.memory.register import EntityRegister
from clew.stores.memory.snapshot import GraphSnapshot
from clew.stores.memory.traces import find_traces
from clew.stores.merging import without_merge, without_merges
from clew.stores.powers import Trace
from clew.stores.receipts import counts_of, receipt_of, with_replies
from clew.stores.revectoring import each_once, revectored, without_vectors
from clew.stores.usage import UsageBook
from clew.stores.written_forms import written_forms


class KnowledgeGraph(DirectReads):
    """A store in memory (:class:`clew.stores.base.Store`), the reference for every other.

    Beside the protocol it shows the graph as lists (``chunks``, ``knowledge_units``, ``entities``,
    ``edges``) and looks single records up by id or name. Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._generation = 0
        self._embedding: EmbeddingSpace | None = None
        self._entries: dict[str, Entry] = {}
        self._register = EntityRegister()
        self._vocabulary: dict[str, int] = {}
        self._given = Counter[str]()
        self._replies: dict[tuple[str, str], str] = {}
        self._undone: dict[str, str] = {}
        self._usage = UsageBook()
        self._decisions: dict[str, EntityDecision] = {}
        self._snapshot: GraphSnapshot | None = None

    # --- reading --------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[GraphSnapshot]:
        yield self._current()

    def _current(self) -> GraphSnapshot:
        with self._lock:
            if self._snapshot is None:
                self._snapshot = GraphSnapshot(
                    generation=self._generation,
                    embedding=self._embedding,
                    entries=sorted(self._entries.values(), key=lambda entry: entry.number),
                    entities=dict(self._register.elected),
                    entity_keys=dict(self._register.keys),
                    vocabulary=self._vocabulary,
                )
            return self._snapshot

    @property
    def chunks(self) -> list[Chunk]:
        return [chunk for indexed in self._documents() for chunk in indexed.chunks]

    @property
    def knowledge_units(self) -> list[KnowledgeUnit]:
        return [unit for indexed in self._documents() for unit in indexed.units]

    @property
    def entities(self) -> list[Entity]:
        with self._lock:
            return list(self._register.elected.values())

    @property
    def edges(self) -> list[tuple[str, str, str]]:
        """(id, kind, id): a chunk ``holds`` a unit, a unit ``mentions`` an entity, a chunk is
        ``about`` an entity; each link once.
        """
        triples: dict[tuple[str, str, str], None] = {}
        for indexed in self._documents():
            triples |= {(unit.chunk_id, "holds", unit.id): None for unit in indexed.units}
            triples |= {
                (item.unit_id, "mentions", item.entity_id): None for item in indexed.mentions
            }
            triples |= {
                (topic.chunk_id, "about", topic.entity_id): None for topic in indexed.topics
            }
        return list(triples)

    def _documents(self) -> list[IndexedDocument]:
        with self._lock:
            entries = sorted(self._entries.values(), key=lambda entry: entry.number)
        return [entry.indexed for entry in entries]

    def get_chunk(self, id: str) -> Chunk | None:  # noqa: A002 - the word for it
        found = self.numbers_of("chunk", [id])
        return self.get_chunks(found)[0] if found[0] >= 0 else None

    def get_unit(self, id: str) -> KnowledgeUnit | None:  # noqa: A002
        found = self.numbers_of("unit", [id])
        return self.get_units(found)[0] if found[0] >= 0 else None

    def get_entity(self, id: str) -> Entity | None:  # noqa: A002
        found = self.numbers_of("entity", [id])
        return self.get_entities(found)[0] if found[0] >= 0 else None

    def entity_by_name(self, name: str, *, scope: str = DEFAULT_SCOPE) -> Entity | None:
        """The entity of this name, whatever its case; one that only has it as an alias if need
        be.
        """
        return self._current().entity_by_name(name, scope)

    def neighbors(self, id: str) -> list[str]:  # noqa: A002
        """The ids that a chunk, a unit or an entity is linked with, sorted."""
        return self._current().neighbors(id)

    # --- writing --------------------------------------------------------------------------------

    def commit(
        self,
        documents: Sequence[IndexedDocument] = (),
        *,
        delete: Sequence[str] = (),
        renamed: Sequence[Renaming] = (),
        embedding: EmbeddingSpace | None = None,
    ) -> CommitReceipt:
        with self._lock:
            before = {one.before for one in renamed if one.before != one.after}
            undone = self._undone_after(renamed)
            latest = {indexed.document.id: without_merges(indexed, undone) for indexed in documents}
            space = admitted_space(
                self._embedding,
                embedding,
                list(latest.values()),
                holds_documents=bool(self._entries),
            )
            require_sound(list(latest.values()), space)
            receipt = self._apply({*delete, *before, *latest}, list(latest.values()), space)
            self._undone = undone
            self._rename(renamed)
            kept = len(self._replies)
            self._forget(set(delete) - set(latest), latest)
            if receipt.removed:
                self._forget({""}, {})
            return with_replies(receipt, kept - len(self._replies))

    def _undone_after(self, renamed: Sequence[Renaming]) -> dict[str, str]:
        """The merges that were taken back, by the ids that they have after these renamings."""
        names = {one.before: one for one in renamed}
        return {
            names[name].merges.get(merge_id, merge_id) if name in names else merge_id: (
                names[name].after if name in names else name
            )
            for merge_id, name in self._undone.items()
        }

    def _rename(self, renamed: Sequence[Renaming]) -> None:
        names = {one.before: one.after for one in renamed}
        self._replies = {
            (names.get(name, name), key): reply for (name, key), reply in self._replies.items()
        }
        self._usage.rename(names)

    def _apply(
        self,
        gone: Iterable[str],
        documents: Sequence[IndexedDocument],
        space: EmbeddingSpace | None,
    ) -> CommitReceipt:
        removed, added = Counter[str](), Counter[str]()
        entries = [self._entries.pop(name) for name in sorted(gone) if name in self._entries]
        if not entries and not documents and space == self._embedding:
            return CommitReceipt(generation=self._generation)
        for entry in entries:
            removed.update(counts_of([entry.indexed]))
            self._register.count(entry.indexed, -1)
        for indexed in documents:
            added.update(counts_of([indexed]))
            self._register.count(indexed, +1)
        added["entities"], removed["entities"] = self._register.settle()
        for indexed in documents:
            self._entries[indexed.document.id] = self._numbered(indexed)
        self._embedding = space
        return self._next_generation(added, removed)

    def _numbered(self, indexed: IndexedDocument) -> Entry:
        entry = make_entry(
            indexed,
            number=self._given["documents"],
            first_chunk=self._given["chunks"],
            first_unit=self._given["units"],
            entity_numbers=self._register.numbers,
            vocabulary=self._vocabulary,
        )
        self._given.update(documents=1, chunks=len(indexed.chunks), units=len(indexed.units))
        return entry

    def _next_generation(
        self, added: Mapping[str, int], removed: Mapping[str, int]
    ) -> CommitReceipt:
        self._generation += 1
        self._snapshot = None
        return receipt_of(self._generation, added, removed)

    def replace_vectors(
        self, embedding: EmbeddingSpace | None, vectors: Iterable[tuple[str, Scores, Scores]]
    ) -> CommitReceipt:
        with self._lock:
            if embedding is None:
                changed = [without_vectors(indexed) for indexed in self._documents()]
            else:
                changed = [
                    revectored(self._entries[name].indexed, embedding, chunk_vectors, unit_vectors)
                    for name, chunk_vectors, unit_vectors in each_once(vectors, self._entries)
                ]
            for indexed in changed:
                entry = self._entries[indexed.document.id]
                self._entries[indexed.document.id] = entry.with_vectors_of(indexed)
            self._embedding = embedding
            return self._next_generation({}, {})

    def undo_merge(self, merge_id: str) -> None:
        with self._lock:
            for indexed in self._documents():
                if any(merge.id == merge_id for merge in indexed.merges):
                    changed = without_merge(indexed, merge_id)
                    self._apply([indexed.document.id], [changed], self._embedding)
                    self._undone[merge_id] = indexed.document.id
                    return
        raise NotFoundError(f"no merge {merge_id!r}; merges() lists them")

    # --- replies --------------------------------------------------------------------------------

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        with self._lock:
            self._replies |= {(document_id, key): reply for key, reply in replies.items()}

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        wanted = set(keys)
        with self._lock:
            return {key: reply for (_, key), reply in self._replies.items() if key in wanted}

    def keep_reply(self, key: str, reply: str, *, documents: Sequence[str] = ()) -> None:
        self.keep_replies([PaidReply(key=key, text=reply, documents=tuple(documents))])

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        with self._lock:
            for reply in replies:
                for document_id in reply.documents or ("",):
                    self.remember(document_id, {reply.key: reply.text})
            self.record_usage(usage)

    def record_usage(self, entries: Iterable[UsageEntry]) -> None:
        with self._lock:
            self._usage.add(entries)

    def usage(self) -> list[UsageEntry]:
        with self._lock:
            return self._usage.entries()

    def decide(self, decision: EntityDecision) -> None:
        with self._lock:
            self._decisions[decision.id] = decision

    def decisions(self) -> list[EntityDecision]:
        with self._lock:
            return list(self._decisions.values())

    def withdraw(self, decision_id: str) -> None:
        with self._lock:
            if self._decisions.pop(decision_id, None) is None:
                raise NotFoundError(f"no decision {decision_id!r}; decisions() lists them")

    def _forget(self, deleted: set[str], committed: Mapping[str, IndexedDocument]) -> None:
        self._undone = {
            merge_id: name for merge_id, name in self._undone.items() if name not in deleted
        }
        if deleted - {""}:
            self._usage.forget(deleted)
        told = {key for name, key in self._replies if name in deleted}
        kept = {name: set(indexed.reply_keys) for name, indexed in committed.items()}
        self._replies = {
            (name, key): reply
            for (name, key), reply in self._replies.items()
            if name not in deleted
            and key in kept.get(name, {key})
            and (key not in told or key in self._made_from(name))
        }

    def _made_from(self, document_id: str) -> tuple[str, ...]:
        entry = self._entries.get(document_id)
        return () if entry is None else entry.indexed.reply_keys

    def traces(self, texts: Sequence[str]) -> Iterator[Trace]:
        """:class:`clew.stores.powers.Tracing`"""
        yield from find_traces(self.to_dict(), written_forms(texts))

    def compact(self) -> None:
        """Nothing is kept of what was deleted (:class:`clew.stores.powers.Erasing`)."""

    def close(self) -> None:
        """Nothing to close: the graph lives as long as it is referred to."""

    # --- saving ---------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """The whole graph as plain data for JSON, vectors included."""
        with self._lock:
            return saving.graph_to_dict(
                self._documents(),
                self._embedding,
                self._replies,
                self._undone,
                self.usage(),
                self.decisions(),
            )

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        saved = saving.graph_from_dict(plain)
        graph = cls()
        graph.commit(saved.documents, embedding=saved.embedding)
        graph._replies = saved.replies
        graph._undone = saved.undone
        graph._usage.add(saved.usage)
        graph._decisions = {decision.id: decision for decision in saved.decisions}
        return graph

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the graph as JSON text; write it to ``path`` too, whole or not at all."""
        return saving.write_json(self.to_dict(), path)

    @classmethod
    def from_json(cls, source: str | Path) -> Self:
        """Read JSON text (it begins with ``{``), or the file at a path."""
        return cls.from_dict(saving.read_json(source))
