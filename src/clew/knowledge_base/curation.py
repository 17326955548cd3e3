"""Names and facts in a knowledge base: looked at, joined, split, and held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from clew.errors import NotFoundError
from clew.ids import document_id
from clew.knowledge_base.opened import OpenedStore
from clew.records import Entity, EntityDecision, EntityMerge, Fact

if TYPE_CHECKING:
    from clew.curation.names import NamingReceipt
    from clew.graph.contradictions import Contradiction
    from clew.graph.ontology.schema import Ontology


class Curation(OpenedStore):
    """Part of :class:`clew.KnowledgeBase`."""

    def entity_names(
        self, prefix: str = "", *, most: int = 1000, where: Mapping[str, Any] | None = None
    ) -> list[str]:
        """The names of entities that begin with ``prefix``, in the order of their keys."""
        with self._reading(where) as reader:
            return reader.entity_names(prefix, k=most)

    def entities(
        self, prefix: str = "", *, most: int = 1000, where: Mapping[str, Any] | None = None
    ) -> list[Entity]:
        """The entities whose names begin with ``prefix``, in the order of their keys, named as the
        documents of the scope that satisfy ``where`` name them.
        """
        from clew.curation.entities import entities_called  # noqa: PLC0415

        with self._reading(where) as reader:
            return entities_called(reader, prefix, most)

    def facts(
        self,
        about: str | None = None,
        *,
        predicate: str | None = None,
        where: Mapping[str, Any] | None = None,
        most: int | None = None,
    ) -> list[Fact]:
        """The facts that speak of ``about``, by any of its names, and say ``predicate``, in any of
        its forms; without either, all of them.
        """
        from clew.curation.facts import find_facts  # noqa: PLC0415

        with self._reading(where) as reader:
            found = find_facts(reader, about=about, predicate=predicate, ontology=self._ontology)
            return list(islice(found, most))

    def contradictions(
        self, about: str | None = None, *, where: Mapping[str, Any] | None = None
    ) -> list[Contradiction]:
        """Facts that cannot all be true, with their sources: of one thing, or of everything."""
        from clew.curation.facts import find_contradictions  # noqa: PLC0415

        facts = self.facts(about, where=where)
        with self._reading(where) as reader:
            return find_contradictions(reader, facts, self._ontology)

    def merges(self, doc_id: str | None = None) -> list[EntityMerge]:
        """The log of names that were read as one entity."""
        if doc_id is not None:
            return self.store.merges(document_id=document_id(self.config.scope, doc_id))
        with self._reading() as reader:
            return reader.merges()

    def join_names(self, names: Iterable[str], into: str) -> list[NamingReceipt]:
        """Read ``names`` (or the one given) as names of ``into``, in all documents, those that come
        later too.
        """
        from clew.curation.names import join_names  # noqa: PLC0415

        return self._changed(join_names(self.store, _several(names), into, self.config))

    def split_name(self, name: str, into: str, doc_ids: Iterable[str]) -> NamingReceipt:
        """In the documents ``doc_ids`` (or the one given), read ``name`` as another thing, called
        ``into``.
        """
        from clew.curation.names import split_name  # noqa: PLC0415

        return self._changed(split_name(self.store, name, into, _several(doc_ids), self.config))

    def decisions(self) -> list[EntityDecision]:
        """What was decided by :meth:`join_names` and :meth:`split_name`, in that order."""
        return [one for one in self.store.decisions() if one.scope == self.config.scope]

    def undo_merge(self, merge_id: str) -> None:
        """Take back one line of the merge log (see :meth:`merges`), or a decision about names."""
        from clew.curation.names import take_back  # noqa: PLC0415

        if any(decision.id == merge_id for decision in self.decisions()):
            take_back(self.store, merge_id, self.config)
        elif any(merge.id == merge_id for merge in self.merges()):
            self.store.undo_merge(merge_id)
        else:
            raise NotFoundError(f"no merge {merge_id!r}; `clew entities --merges` lists them")
        self._changed(None)

    @property
    def _ontology(self) -> Ontology:
        from clew.graph.ontology.schema import named_ontology  # noqa: PLC0415

        return named_ontology(self.config.ontology)


def _several(names: Iterable[str]) -> list[str]:
    """A lone text is one name, not its characters."""
    return [names] if isinstance(names, str) else list(names)
