"""Entities in ``main.db``: looked up by key, by spelling, by prefix."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
from rapidfuzz import fuzz

from clew.errors import NotFoundError
from clew.records import Entity
from clew.stores.base import Numbers
from clew.stores.naming import cached_key, trigrams
from clew.stores.sqlite.documents import as_json, in_order
from clew.stores.sqlite.rows import entity_of
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")
_LAST_CHARACTER = "\U0010ffff"


class EntityReader:
    """Reads entities on one connection, inside the transaction that it is in."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute

    def count(self) -> int:
        return int(self._execute(_SQL["count"]).fetchone()[0])

    def require(self, numbers: Numbers) -> None:
        """Raise :class:`NotFoundError` for the first number that is no entity."""
        found = self._execute(_SQL["known"], (as_json(numbers),)).fetchall()
        missing = set(numbers.tolist()).difference(number for (number,) in found)
        if missing:
            raise NotFoundError(
                f"no entity with the number {min(missing)} in this generation of the store"
            )

    def get(self, numbers: Numbers) -> list[Entity]:
        found = self._execute(_SQL["by_number"], (as_json(numbers),))
        return in_order(found, numbers, entity_of, "entity")

    def by_keys(self, keys: Sequence[str]) -> list[list[int]]:
        """Per key the numbers of its entities, ascending."""
        found: dict[str, set[int]] = {}
        for key, entity in self._execute(_SQL["by_key"], (as_json(keys),)):
            found.setdefault(key, set()).add(entity)
        return [sorted(found.get(key, ())) for key in keys]

    def similar(self, key: str, threshold: float) -> tuple[Numbers, np.ndarray]:
        """Ascending numbers and similarities of the entities with a key spelled like ``key``."""
        wanted = " OR ".join(_quoted(gram) for gram in sorted(trigrams(key)))
        similarity: dict[int, float] = {}
        for entity, name in self._execute(_SQL["by_trigram"], (wanted,)):
            if 2 * min(len(key), len(name)) < threshold * (len(key) + len(name)):
                continue  # even if the shorter were a part of the longer
            score = fuzz.ratio(key, name) / 100
            if score >= threshold:
                similarity[entity] = max(score, similarity.get(entity, 0.0))
        numbers = np.array(sorted(similarity), np.int64)
        return numbers, np.array([similarity[number] for number in numbers.tolist()], np.float32)

    def by_prefix(self, prefix: str) -> Iterator[tuple[int, str]]:
        """(number, name) of the entities whose key begins with that of ``prefix``, by key."""
        key = cached_key(prefix)
        return self._execute(_SQL["by_prefix"], (key, key + _LAST_CHARACTER))


def _quoted(gram: str) -> str:
    return '"' + gram.replace('"', '""') + '"'
