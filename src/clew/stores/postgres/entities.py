"""Entities: looked up by key, by spelling, by prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clew.records import Entity
from clew.stores.base import Numbers
from clew.stores.likeness import NO_LIMIT, Found, alike, holding, lengths_like
from clew.stores.naming import cached_key, trigrams
from clew.stores.postgres.connections import Session, sayable
from clew.stores.postgres.records import shortened
from clew.stores.postgres.statements import Statements
from clew.stores.rows import entity_of, in_order
from clew.stores.spelling import spelling_clause

_SQL = Statements("entities")
_LAST_CHARACTER = "\U0010ffff"


class EntityReader:
    """Reads entities on one connection, inside the transaction that it is in."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def get(self, numbers: Numbers) -> list[Entity]:
        found = self._session.rows(_SQL["by_number"], {"numbers": numbers})
        return in_order(found, numbers, entity_of, "entity")

    def by_keys(self, keys: Sequence[str]) -> list[list[int]]:
        """Per key the numbers of its entities, ascending."""
        asked = list(filter(sayable, dict.fromkeys(keys)))
        found: dict[str, list[int]] = {}
        parameters = {"keys": asked, "short": shortened(asked)}
        for key, entity in self._session.rows(_SQL["by_key"], parameters):
            found.setdefault(key, []).append(entity)
        return [found.get(key, []) for key in keys]

    def similar(self, key: str, threshold: float) -> list[Found]:
        """The entities with a key that is spelled like ``key``."""
        clause = spelling_clause(key)
        if not clause or not sayable(key):
            return []
        return alike(key, threshold, self._holding_trigrams(clause, *lengths_like(key, threshold)))

    def holding(self, phrase: str) -> list[Found]:
        """The entities with a key that has the words of ``phrase``, and how much of it they are."""
        if not phrase or not sayable(phrase):
            return []
        wanted = ((frozenset(trigrams(phrase)),),)
        return holding(phrase, self._holding_trigrams(wanted, len(phrase), NO_LIMIT))

    def _holding_trigrams(
        self, clause: Iterable[Iterable[frozenset[str]]], shortest: int, longest: int
    ) -> list[tuple[int, str]]:
        """(entity, key) of the keys that hold, for each word, one of its sets of trigrams."""
        parameters: dict[str, Any] = {"shortest": shortest, "longest": longest}
        words = []
        for word in clause:
            parts = []
            for grams in word:
                name = f"p{len(parameters)}"
                parameters[name] = sorted(grams)
                parts.append(f"trigrams @> %({name})s::text[]")
            words.append(f"({' OR '.join(parts)})")
        condition = " AND ".join(words)
        statement = (
            "SELECT entity, key FROM entity_keys "
            f"WHERE {condition} AND char_length(key) BETWEEN %(shortest)s AND %(longest)s"
        )
        return self._session.rows(statement, parameters)

    def abbreviated(self, letters: str) -> list[Found]:
        """The entities with a key whose words begin with ``letters``."""
        if not letters or not sayable(letters):
            return []
        found = self._session.rows(_SQL["by_initials"], {"letters": letters})
        return [(entity, key, 1.0) for entity, key in found]

    def by_prefix(self, prefix: str) -> Iterator[tuple[int, str, str]]:
        """(number, key, name) of the entities whose key begins with that of ``prefix``, by key."""
        key = cached_key(prefix)
        if not sayable(key):
            return iter(())
        parameters = {"prefix": key, "last": key + _LAST_CHARACTER}
        return self._session.stream(_SQL["by_prefix"], parameters)
