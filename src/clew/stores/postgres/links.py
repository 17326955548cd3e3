"""Hops: one statement each, however many numbers it starts from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clew.errors import NotFoundError
from clew.stores.base import Links, Numbers, Scores
from clew.stores.links import offsets
from clew.stores.postgres.connections import Session
from clew.stores.postgres.statements import Statements

_SQL = Statements("links")
_SOURCES = {
    "units_of_chunks": "chunk",
    "entities_of_units": "unit",
    "units_of_entities": "entity",
    "topics_of_chunks": "chunk",
    "chunks_about": "entity",
}


class LinkReader:
    """Hops on one connection, inside the transaction that it is in."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def hop(self, name: str, numbers: Numbers, **filters: Any) -> Links:
        """The links of the statement ``name``; raises :class:`NotFoundError`."""
        numbers = np.asarray(numbers, np.int64)
        if not len(numbers):
            return Links(np.zeros(1, np.int64), _NONE, np.empty(0, np.float32))
        asked: Mapping[str, Any] = {"numbers": numbers, **filters}
        positions, targets, weights, missing = self._session.row(_SQL[name], asked)
        if missing is not None:
            raise _not_found(_SOURCES[name], missing)
        if positions is None:
            return Links(np.zeros(len(numbers) + 1, np.int64), _NONE, np.empty(0, np.float32))
        counts = np.bincount(positions - 1, minlength=len(numbers))
        given: Scores = np.ones(len(targets), np.float32) if weights is None else weights
        return Links(offsets(counts), targets, given)

    def owners(self, name: str, numbers: Numbers, source: str) -> Numbers:
        """The chunk of each unit, or the document of each chunk."""
        numbers = np.asarray(numbers, np.int64)
        if not len(numbers):
            return _NONE
        (found,) = self._session.row(_SQL[name], {"numbers": numbers})
        missing = numbers[found < 0]
        if len(missing):
            raise _not_found(source, int(missing[0]))
        owners: Numbers = found
        return owners

    def frequencies(self, entities: Numbers, documents: Numbers | None) -> Numbers:
        """In how many chunks each entity is mentioned."""
        entities = np.asarray(entities, np.int64)
        if not len(entities):
            return _NONE
        asked = {"numbers": entities, "documents": documents}
        counts, missing = self._session.row(_SQL["entity_frequencies"], asked)
        if missing is not None:
            raise _not_found("entity", missing)
        found: Numbers = counts
        return found


_NONE = np.empty(0, np.int64)


def _not_found(source: str, number: int) -> NotFoundError:
    return NotFoundError(f"no {source} with the number {number} in this generation of the store")
