"""A knowledge base as files and as objects of other packages, and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from clew.knowledge_base.opened import OpenedStore

if TYPE_CHECKING:
    from clew.config import ClewConfig


class Exchange(OpenedStore):
    """Part of :class:`clew.KnowledgeBase`."""

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        llm: object | None = None,
        embedding: object | None = None,
        reranker: object | None = None,
        entailment: object | None = None,
        config: ClewConfig | None = None,
    ) -> Self:
        """A knowledge base in memory with what :meth:`save` wrote to a file."""
        kb = cls.in_memory(
            llm=llm, embedding=embedding, reranker=reranker, entailment=entailment, config=config
        )
        kb.import_(path, format="jsonl")
        return kb

    def export(
        self,
        path: str | Path,
        *,
        format: str | None = None,  # noqa: A002 - the word for it
        where: Mapping[str, Any] | None = None,
        vectors: bool = True,
    ) -> int:
        """Write the documents of the scope that satisfy ``where``, atomically; return how many.

        The suffix says the ``format``: ``jsonl``, ``graphml``, or ``parquet``, which is a folder
        (extra ``arrow``). ``-`` is standard output.
        """
        from clew.exchange.exporting import export_store  # noqa: PLC0415

        return export_store(
            self.store,
            path,
            format=format,
            scope=self.config.scope,
            where=where,
            vectors=vectors,
            tell=self._tell,
        )

    def save(self, path: str | Path) -> int:
        """Write all documents to one file of JSON Lines: :meth:`export`. A knowledge base that was
        opened at a path need not be saved, for what is ingested is kept there at once.
        """
        return self.export(path, format="jsonl")

    def import_(self, path: str | Path, *, format: str | None = None) -> int:  # noqa: A002
        """Read what :meth:`export` wrote as JSON Lines or Parquet; return the number of documents.

        All is checked before anything is written, and documents of another scope are refused.
        """
        from clew.exchange.exporting import import_store  # noqa: PLC0415

        scope = self.config.scope
        read = import_store(path, self.store, format=format, scope=scope, tell=self._tell)
        return self._changed(read)

    def to_networkx(self, *, where: Mapping[str, Any] | None = None) -> Any:
        """The graph as a ``networkx.MultiDiGraph`` (extra ``networkx``): documents, chunks, units,
        facts and entities, with what they hold as attributes (:mod:`clew.exchange.elements`).
        """
        from clew.exchange.networks import network_of  # noqa: PLC0415
        from clew.exchange.selection import selected  # noqa: PLC0415

        scope = self.config.scope
        with selected(self.store, scope=scope, where=where, vectors=False) as selection:
            return network_of(selection)

    def to_pandas(
        self, *, where: Mapping[str, Any] | None = None, vectors: bool = False
    ) -> dict[str, Any]:
        """The records as data frames (extra ``pandas``), one for each kind:
        ``documents, chunks, units, mentions, entities, topics, facts, merges, replies, decisions``.
        """
        from clew.exchange.frames import frames_of  # noqa: PLC0415
        from clew.exchange.selection import selected  # noqa: PLC0415

        scope = self.config.scope
        with selected(self.store, scope=scope, where=where, vectors=vectors) as selection:
            return frames_of(selection)
