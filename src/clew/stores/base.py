"""The contract of every store: what retrieval reads and what indexing writes.

Reading works on *numbers*: int64 handles of documents, chunks, units and entities that a store
gives out and never uses again for another record. They are arrays in and arrays out, many at once,
so that a hop through the graph is one call whatever the store is made of (an array look-up, an SQL
statement). Ids, which are content hashes, are for everything that outlives a query.

Two powers matter for correctness:

* ``documents`` (sorted document numbers, or None for all) restricts *every* read that could leak
  what a filter or a tenant must not see: searches, neighbours, topics, frequencies, and what
  entities are called. :meth:`GraphReader.within` restricts all of them at once, and is what a
  question is put to;
* ``reading()`` gives one consistent state for the whole of a query, however many writers commit
  meanwhile.

:class:`clew.stores.memory.KnowledgeGraph` is the exact reference; the contract suite in
:mod:`clew.testing.store_contract` holds every other store to the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from clew.models.base import PaidReply, UsageEntry
from clew.records import (
    Chunk,
    Document,
    Entity,
    EntityDecision,
    EntityMerge,
    Fact,
    IndexedDocument,
    KnowledgeUnit,
)

Numbers = NDArray[np.int64]
Scores = NDArray[np.float32]
Layer = Literal["chunk", "unit"]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """Numbers with scores, best first; equal scores in order of number."""

    numbers: Numbers
    scores: Scores


@dataclass(frozen=True, slots=True, eq=False)
class Links:
    """Neighbours of many at once (compressed rows): those of the i-th number asked for are
    ``targets[indptr[i]:indptr[i + 1]]``, ascending, without duplicates, and ``weights`` runs
    beside ``targets`` (all ones where the link has no weight).
    """

    indptr: Numbers
    targets: Numbers
    weights: Scores


@dataclass(frozen=True, kw_only=True, slots=True)
class EmbeddingSpace:
    """Which embedder made the vectors of a store."""

    fingerprint: str
    dimensions: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Renaming:
    """A document that goes on under another id. ``merges`` says what the ids of its merges become,
    those that were taken back too.
    """

    before: str
    after: str
    merges: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class CommitReceipt:
    """What one commit changed: counts per layer, and the generation that shows it. ``removed``
    counts ``replies`` of models too, where some were kept that nothing is made from any more.
    """

    generation: int
    added: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Problem:
    """One finding of an integrity check."""

    kind: str
    where: str
    message: str


class GraphReader(Protocol):
    """Reads. Unknown numbers raise :class:`clew.errors.NotFoundError`; empty input gives empty
    output; nothing is ever returned from outside ``documents``.
    """

    # --- the store as a whole -------------------------------------------------------------------

    @property
    def generation(self) -> int:
        """Grows by one with every commit that changes something."""
        ...

    @property
    def embedding(self) -> EmbeddingSpace | None:
        """None while nothing was embedded (words alone)."""
        ...

    def within(self, documents: Numbers) -> GraphReader:
        """The same state as if the store held only ``documents`` (sorted numbers).

        Nothing of another document is returned, counted, named or told to be there: numbers and
        ids of its records are unknown. Generation and embedding are those of the store.
        """
        ...

    def stats(self, *, documents: Numbers | None = None) -> dict[str, int]:
        """Count ``documents, chunks, knowledge_units, entities, facts, mentions, topics, edges``.

        Edges are chunk–unit, unit–entity and chunk–topic links.
        """
        ...

    def select_documents(
        self, *, scope: str | None = None, where: Mapping[str, Any] | None = None
    ) -> Numbers:
        """Return the sorted numbers of the documents in ``scope`` that satisfy ``where``.

        ``where`` compares metadata keys, and ``doc_id``, ``source``, ``title``, ``media_type``:
        ``{"year": {"$gte": 2020}, "$or": [...]}`` (see :mod:`clew.stores.filters`).
        Raises :class:`clew.errors.FilterError`.
        """
        ...

    # --- search ---------------------------------------------------------------------------------

    def search_vectors(
        self, layer: Layer, query: Scores, k: int, *, documents: Numbers | None = None
    ) -> Ranking:
        """The ``k`` nearest by inner product (cosine, since all vectors have length 1)."""
        ...

    def score_vectors(self, layer: Layer, query: Scores, numbers: Numbers) -> Scores:
        """Inner product of ``query`` with each of ``numbers``, in their order."""
        ...

    def vectors(self, layer: Layer, numbers: Numbers) -> Scores:
        """Return float32 ``[len(numbers), dimensions]``."""
        ...

    def search_text(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None = None,
        population: Numbers | None = None,
    ) -> Ranking:
        """The ``k`` best by BM25 (k1 = 1.2, b = 0.75; idf = ln((N - n + .5) / (n + .5)), at least
        1e-6) among those that hold any of ``terms`` (from :func:`clew.text.words.terms`).

        N, n and the mean length are those of the records of ``population`` (document numbers, of
        which ``documents`` are some; None: all of the store), so that a score tells nothing of
        what is outside of it.

        A chunk is searched with its title, heading path and context, a unit with its title and
        context (:func:`search_text_of_chunk`, :func:`search_text_of_unit`).
        """
        ...

    def document_frequencies(
        self, layer: Layer, terms: Sequence[str], *, documents: Numbers | None = None
    ) -> Numbers:
        """In how many records of the layer each term occurs."""
        ...

    # --- links ----------------------------------------------------------------------------------

    def documents_of_chunks(self, chunks: Numbers) -> Numbers: ...

    def chunks_of_units(self, units: Numbers) -> Numbers: ...

    def units_of_chunks(self, chunks: Numbers) -> Links: ...

    def entities_of_units(self, units: Numbers) -> Links:
        """The entities that each unit mentions."""
        ...

    def units_of_entities(
        self, entities: Numbers, *, documents: Numbers | None = None, limit: int | None = None
    ) -> Links:
        """The units that mention each entity; at most ``limit`` each, lowest numbers first."""
        ...

    def topics_of_chunks(self, chunks: Numbers) -> Links:
        """The entities that each chunk is about, with weights."""
        ...

    def chunks_about(self, entities: Numbers, *, documents: Numbers | None = None) -> Links:
        """The chunks that are about each entity, with weights."""
        ...

    def entity_frequencies(self, entities: Numbers, *, documents: Numbers | None = None) -> Numbers:
        """In how many chunks each entity is mentioned."""
        ...

    def find_entities(self, keys: Sequence[str], *, documents: Numbers | None = None) -> Links:
        """Per key (from :func:`clew.text.names.name_key`) the entities that have it as their key
        or as the key of an alias, with accents or without. With ``documents``, here and in the
        look-ups below, an entity has the names that these give it (:meth:`get_entities`).
        """
        ...

    def similar_entities(
        self, key: str, *, threshold: float, k: int, documents: Numbers | None = None
    ) -> Ranking:
        """Entities whose key, or an alias's, is spelled like ``key``: normalised similarity (0–1,
        rapidfuzz ``fuzz.ratio`` / 100) at least ``threshold``. For typos; found among the names
        that share parts of its words (:func:`clew.stores.spelling.spelling_clause`), not by a scan
        of all names.
        """
        ...

    def entities_holding(self, phrase: str, *, k: int, documents: Numbers | None = None) -> Ranking:
        """Entities whose key, or an alias's, has the words of ``phrase`` (a key) side by side
        among others; the score is the part of the key that they make up.
        """
        ...

    def entities_abbreviated(
        self, letters: str, *, k: int, documents: Numbers | None = None
    ) -> Numbers:
        """The first ``k`` entities, by number, whose key, or an alias's, has words that begin with
        ``letters`` (small ones, such as "of", may be passed over): what an acronym may stand for.
        """
        ...

    def entity_names(self, prefix: str, *, k: int, documents: Numbers | None = None) -> list[str]:
        """Display names whose key begins with the key of ``prefix``, for completion: ordered by
        key, without duplicates.
        """
        ...

    # --- records --------------------------------------------------------------------------------

    def get_documents(self, numbers: Numbers) -> list[Document]:
        """Whole documents, text and blocks included."""
        ...

    def get_chunks(self, numbers: Numbers) -> list[Chunk]: ...

    def get_units(self, numbers: Numbers) -> list[KnowledgeUnit]: ...

    def get_entities(self, numbers: Numbers, *, documents: Numbers | None = None) -> list[Entity]:
        """With ``documents`` named, typed and aliased by these alone (:mod:`clew.stores.naming`);
        of an entity that more of them speak of than :data:`clew.stores.naming.MOST_VOTERS`, the
        first so many, by number, may do. One that none of them speaks of is unknown.
        """
        ...

    def facts_of_units(self, units: Numbers) -> list[list[Fact]]: ...

    def find_facts(
        self,
        *,
        keys: Sequence[str] | None = None,
        predicates: Sequence[str] | None = None,
        documents: Numbers | None = None,
    ) -> Iterator[Fact]:
        """Facts in the order of the store: those whose subject or object has one of ``keys`` (from
        :func:`clew.text.names.name_key`; None for any) and whose predicate is one of ``predicates``
        (None for any).
        """
        ...

    def predicates(self, *, documents: Numbers | None = None) -> dict[str, int]:
        """How many facts there are of each predicate; the predicates are sorted."""
        ...

    def numbers_of(
        self, layer: Literal["document", "chunk", "unit", "entity"], ids: Sequence[str]
    ) -> Numbers:
        """The number of each id; -1 where there is none."""
        ...

    def list_documents(self, *, documents: Numbers | None = None) -> list[Document]:
        """All documents, ordered by ``doc_id``, *without* text and blocks (those stay empty)."""
        ...

    def load_document(self, document_id: str) -> IndexedDocument | None:
        """Everything that a document contributed, as it was committed, vectors included."""
        ...

    def merges(self, *, document_id: str | None = None) -> list[EntityMerge]: ...

    def check(self) -> Iterator[Problem]:
        """Verify spans against texts, references, counts, full text and vectors."""
        ...


class Store(GraphReader, Protocol):
    """Reads and writes. All writing methods are atomic and durable when they return."""

    def reading(self) -> AbstractContextManager[GraphReader]:
        """One consistent state for the length of the ``with`` block."""
        ...

    def commit(
        self,
        documents: Sequence[IndexedDocument] = (),
        *,
        delete: Sequence[str] = (),
        renamed: Sequence[Renaming] = (),
        embedding: EmbeddingSpace | None = None,
    ) -> CommitReceipt:
        """Put ``documents`` (each replaces what its document id had) and delete the document ids
        in ``delete``, in one transaction. Unknown ids in ``delete`` are ignored; of two documents
        with one id the last is put; one that is put and deleted is put. A commit that changes
        nothing leaves the generation as it is.

        A document that is ``renamed`` goes too, and what was kept beside its records (replies,
        merges that were taken back, lines of the books) goes on under the new id, whose document
        is among ``documents``.

        Entities that nothing mentions any more, and no chunk is about, go with the last that did;
        what the others are called is decided by :mod:`clew.stores.naming`.
        Raises :class:`clew.errors.FingerprintMismatchError` when ``embedding`` differs from the
        store's and the store holds documents, :class:`clew.errors.EmbeddingError` for vectors that
        are missing or not of length 1, and the store errors of :mod:`clew.errors`.
        """
        ...

    def replace_vectors(
        self, embedding: EmbeddingSpace | None, vectors: Iterable[tuple[str, Scores, Scores]]
    ) -> CommitReceipt:
        """Swap all vectors for those of another embedder: (document id, chunk vectors, unit
        vectors) for *every* document. Readers see the old ones until all are in. Without an
        ``embedding`` the old ones go and ``vectors`` is not looked at.
        """
        ...

    def remember(self, document_id: str, replies: Mapping[str, str]) -> None:
        """Keep model replies that were paid for, durably and at once, until the document is
        committed without their keys in ``reply_keys``, or deleted.
        """
        ...

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        """The replies that are kept for these keys."""
        ...

    def keep_reply(self, key: str, reply: str, *, documents: Sequence[str] = ()) -> None:
        """Keep one reply, durably and at once, as :meth:`remember` does for each of ``documents``
        (ids); one with no document behind it, until something is removed from the store. When one
        of them is deleted it goes for the others too, save those whose records were made from it.
        """
        ...

    def keep_replies(self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()) -> None:
        """Keep several, and add to the books what they cost, all in one transaction."""
        ...

    def record_usage(self, entries: Iterable[UsageEntry]) -> None:
        """Add to the books of what language models were used for."""
        ...

    def usage(self) -> list[UsageEntry]:
        """The books (:mod:`clew.stores.usage`): one entry a key, in the order of the keys. Those
        of a deleted document stay, without its id; then no question keeps its words either.
        """
        ...

    def undo_merge(self, merge_id: str) -> None:
        """Give the mentions of a merge back to the entity of their own key. The merge stays undone
        when the document is committed again, until it is deleted.
        """
        ...

    def decide(self, decision: EntityDecision) -> None:
        """Keep what a person decided about names, durably and at once, in place of a decision with
        the same id. Documents are not changed by it (see :mod:`clew.graph.decisions`).
        """
        ...

    def decisions(self) -> list[EntityDecision]:
        """What was decided, in the order in which it was."""
        ...

    def withdraw(self, decision_id: str) -> None:
        """Forget a decision. Raises :class:`clew.errors.NotFoundError`."""
        ...

    def close(self) -> None: ...


def search_text_of_chunk(document: Document, chunk: Chunk) -> str:
    """The text that full-text search sees of a chunk: what it is about, then what it says."""
    return "\n".join(
        part for part in (document.title, *chunk.heading_path, chunk.context, chunk.text) if part
    )


def search_text_of_unit(document: Document, unit: KnowledgeUnit) -> str:
    """The text that full-text search sees of a unit."""
    return "\n".join(part for part in (document.title, unit.context, unit.text) if part)
