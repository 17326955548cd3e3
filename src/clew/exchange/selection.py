"""What an export holds: the documents of a scope that satisfy a filter, in one state of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from clew.records import Document, EntityDecision, IndexedDocument
from clew.stores.base import EmbeddingSpace, GraphReader, Store

Tell = Callable[[int, int, str], None]
"""Told ``(done, total, stage)`` as an export or an import goes on."""


def silence(_done: int, _total: int, _stage: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Selection:
    """``reader`` knows of nothing else, so names and counts are those of the selection too.

    ``listed`` are the documents without their texts, by ``doc_id``; whole ones come one by one.
    """

    store: Store
    reader: GraphReader
    listed: tuple[Document, ...]
    decisions: tuple[EntityDecision, ...]
    vectors: bool
    tell: Tell

    @property
    def embedding(self) -> EmbeddingSpace | None:
        return self.reader.embedding if self.vectors else None

    def documents(self) -> Iterator[IndexedDocument]:
        """Every document whole, with its vectors where they are wanted."""
        total = len(self.listed)
        for done, document in enumerate(self.listed, start=1):
            indexed = self.reader.load_document(document.id)
            assert indexed is not None, "one state lists what it holds"
            if not self.vectors:
                indexed = replace(indexed, chunk_vectors=None, unit_vectors=None)
            yield indexed
            self.tell(done, total, "export")

    def replies(self, indexed: IndexedDocument) -> dict[str, str]:
        """The model replies that a document was made from."""
        return self.store.remembered(indexed.reply_keys)


@contextmanager
def selected(
    store: Store,
    *,
    scope: str | None = None,
    where: Mapping[str, Any] | None = None,
    vectors: bool = True,
    tell: Tell = silence,
) -> Iterator[Selection]:
    """One state of ``store``, restricted to ``scope`` (None: all) and ``where``."""
    with store.reading() as reader:
        seen = reader.within(reader.select_documents(scope=scope, where=where))
        decisions = tuple(one for one in store.decisions() if scope in {None, one.scope})
        yield Selection(
            store=store,
            reader=seen,
            listed=tuple(seen.list_documents()),
            decisions=() if where else decisions,
            vectors=vectors,
            tell=tell,
        )
