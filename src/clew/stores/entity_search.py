"""Entities by what is asked for: the part of a reader that every SQL store has alike.

A store finds entities by keys and spellings; with ``documents``, only those count that these speak
of, under the names that they have there (:mod:`clew.stores.names_within`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol

from clew.stores.base import Links, Numbers, Ranking
from clew.stores.likeness import Found, best_of
from clew.stores.links import from_lists, keep
from clew.stores.names_within import NamesWithin


class EntityFinder(Protocol):
    """Finds entities of the whole store."""

    def by_keys(self, keys: Sequence[str]) -> list[list[int]]:
        """Per key the numbers of its entities, ascending."""
        ...

    def similar(self, key: str, threshold: float) -> list[Found]:
        """The entities with a key that is spelled like ``key``."""
        ...

    def holding(self, phrase: str) -> list[Found]:
        """The entities with a key that has the words of ``phrase``, and how much of it they are."""
        ...

    def abbreviated(self, letters: str) -> list[Found]:
        """The entities with a key whose words begin with ``letters``."""
        ...

    def by_prefix(self, prefix: str) -> Iterator[tuple[int, str, str]]:
        """(number, key, name) of the entities whose key begins with that of ``prefix``, by key."""
        ...


class EntitySearch(ABC):
    """That part of :class:`clew.stores.base.GraphReader`."""

    @property
    @abstractmethod
    def _finder(self) -> EntityFinder: ...

    @abstractmethod
    def _names_within(self, documents: Numbers) -> NamesWithin: ...

    def find_entities(self, keys: Sequence[str], *, documents: Numbers | None = None) -> Links:
        found = self._finder.by_keys(keys)
        links = from_lists(found)
        if documents is None:
            return links
        asked = [(number, key) for key, row in zip(keys, found, strict=True) for number in row]
        return keep(links, self._names_within(documents).have_keys(asked))

    def similar_entities(
        self, key: str, *, threshold: float, k: int, documents: Numbers | None = None
    ) -> Ranking:
        return self._ranked(self._finder.similar(key, threshold), k, documents)

    def entities_holding(self, phrase: str, *, k: int, documents: Numbers | None = None) -> Ranking:
        return self._ranked(self._finder.holding(phrase), k, documents)

    def entities_abbreviated(
        self, letters: str, *, k: int, documents: Numbers | None = None
    ) -> Numbers:
        return self._ranked(self._finder.abbreviated(letters), k, documents).numbers

    def entity_names(self, prefix: str, *, k: int, documents: Numbers | None = None) -> list[str]:
        if k <= 0:
            return []
        found = self._finder.by_prefix(prefix)
        if documents is not None:
            found = self._names_within(documents).named(found)
        names: dict[str, None] = {}
        for _, _, name in found:
            names[name] = None
            if len(names) >= k:
                break
        return list(names)

    def _ranked(self, found: Sequence[Found], k: int, documents: Numbers | None) -> Ranking:
        """The entities, each with the best of its scores."""
        if documents is not None:
            names = self._names_within(documents)
            has = names.have_keys([(entity, key) for entity, key, _ in found]).tolist()
            found = [one for one, kept in zip(found, has, strict=True) if kept]
        return best_of(found, k)
