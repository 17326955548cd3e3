"""Entities in ``main.db``: looked up by key, by spelling, by prefix."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from clew.errors import NotFoundError
from clew.records import Entity
from clew.stores.base import Numbers
from clew.stores.likeness import NO_LIMIT, Found, alike, holding, lengths_like
from clew.stores.naming import cached_key, trigrams
from clew.stores.rows import entity_of, in_order
from clew.stores.spelling import Clause, abbreviates, spelling_clause
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.seals import unsealed
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")
_LAST_CHARACTER = "\U0010ffff"


class EntityReader:
    """Reads entities on one connection, inside the transaction that it is in."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._there: set[int] = set()

    def count(self) -> int:
        return int(self._execute(_SQL["count"]).fetchone()[0])

    def require(self, numbers: Numbers) -> None:
        """Raise :class:`NotFoundError` for the first number that is no entity."""
        asked = set(numbers.tolist()) - self._there
        if not asked:
            return
        found = self._execute(_SQL["known"], (as_json(sorted(asked)),)).fetchall()
        self._there.update(number for (number,) in found)
        missing = asked - self._there
        if missing:
            raise NotFoundError(
                f"no entity with the number {min(missing)} in this generation of the store"
            )

    def get(self, numbers: Numbers) -> list[Entity]:
        found = self._execute(_SQL["by_number"], (as_json(numbers),))
        return in_order(unsealed(found, "entities"), numbers, entity_of, "entity")

    def by_keys(self, keys: Sequence[str]) -> list[list[int]]:
        """Per key the numbers of its entities, ascending."""
        found: dict[str, set[int]] = {}
        for entity, key in self._keys("by_key", as_json(keys)):
            found.setdefault(key, set()).add(entity)
        return [sorted(found.get(key, ())) for key in keys]

    def similar(self, key: str, threshold: float) -> list[Found]:
        """The entities with a key that is spelled like ``key``."""
        clause = spelling_clause(key)
        if not clause:
            return []
        bounds = lengths_like(key, threshold)
        return alike(key, threshold, self._keys("by_trigrams", _matching(clause), *bounds))

    def holding(self, phrase: str) -> list[Found]:
        """The entities with a key that has the words of ``phrase``, and how much of it they are."""
        if not phrase:
            return []
        wanted = _all(trigrams(phrase))
        return holding(phrase, self._keys("by_trigrams", wanted, len(phrase), NO_LIMIT))

    def abbreviated(self, letters: str) -> list[Found]:
        """The entities with a key whose words begin with ``letters``."""
        if not letters.isalnum():
            return []
        first, pattern = letters[0], " ".join(f"{letter}*" for letter in letters)
        found = self._keys("by_initials", first, first + _LAST_CHARACTER, pattern)
        return [(entity, name, 1.0) for entity, name in found if abbreviates(letters, name)]

    def by_prefix(self, prefix: str) -> Iterator[tuple[int, str, str]]:
        """(number, key, name) of the entities whose key begins with that of ``prefix``, by key."""
        key = cached_key(prefix)
        found = self._execute(_SQL["by_prefix"], (key, key + _LAST_CHARACTER))
        return ((row[0], row[3], row[2]) for row in unsealed(found, "entities"))

    def _keys(self, name: str, *asked: int | str) -> Iterator[tuple[int, str]]:
        """(entity, key)"""
        found = unsealed(self._execute(_SQL[name], asked), "entity_keys")
        return ((entity, key) for _, key, entity, _ in found)

    def forms(self, numbers: Iterable[int]) -> Iterator[tuple[int, str]]:
        """(entity, key) of each form that any document gives one of these entities."""
        found = self._execute(_SQL["forms"], (as_json(numbers),))
        return ((entity, key) for entity, key, *_ in found)

    def types(self, numbers: Iterable[int]) -> set[int]:
        """Those of the entities that any document gives a type."""
        return {row[0] for row in self._execute(_SQL["types"], (as_json(numbers),))}


def _matching(clause: Clause) -> str:
    """A clause in the language of full-text search."""
    words = [" OR ".join(_all(grams) for grams in word) for word in clause]
    return " AND ".join(f"({word})" for word in words)


def _all(grams: Iterable[str]) -> str:
    return "(" + " AND ".join(_quoted(gram) for gram in sorted(grams)) + ")"


def _quoted(gram: str) -> str:
    return '"' + gram.replace('"', '""') + '"'
