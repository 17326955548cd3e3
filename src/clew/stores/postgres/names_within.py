"""What some of the documents of a PostgreSQL store call the things that they speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from clew.records import Entity
from clew.stores.base import Numbers
from clew.stores.names_within import NamesWithin
from clew.stores.naming import MOST_VOTERS
from clew.stores.postgres.connections import Session
from clew.stores.postgres.entities import EntityReader
from clew.stores.postgres.statements import Statements
from clew.stores.rows import entities_from_json

_SQL = Statements("naming")


class PostgresNamesWithin(NamesWithin):
    """:class:`clew.stores.names_within.NamesWithin` of one ``reading()`` block."""

    def __init__(self, session: Session, documents: Numbers) -> None:
        super().__init__(documents)
        self._session = session

    def _spoken_of(self, entities: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        asked = {"entities": entities, "documents": self._documents}
        found = self._session.rows(_SQL["spoken_of"], asked)
        inside, outside = zip(*found, strict=True)
        return np.array(inside, bool), np.array(outside, bool)

    def _elected_by_all(self, entities: Numbers) -> list[Entity]:
        return EntityReader(self._session).get(entities)

    def _undecided(self, entities: Sequence[int]) -> set[int]:
        if not entities:
            return set()
        return {row[0] for row in self._session.rows(_SQL["undecided"], {"entities": entities})}

    def _voters(self, entities: Numbers) -> dict[int, list[int]]:
        asked = {"entities": entities, "documents": self._documents, "most": MOST_VOTERS}
        voters: dict[int, list[int]] = {}
        for entity, document in self._session.rows(_SQL["voters"], asked):
            voters.setdefault(entity, []).append(document)
        return voters

    def _mention_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int, str, str]]:
        asked = {"documents": documents, "entities": entities}
        return self._session.rows(_SQL["mention_votes"], asked)

    def _title_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int]]:
        asked = {"documents": documents, "entities": entities}
        return self._session.rows(_SQL["title_votes"], asked)

    def _declared(self, documents: Sequence[int]) -> Iterator[tuple[int, Sequence[Entity]]]:
        for document, text in self._session.rows(_SQL["declared"], {"documents": documents}):
            yield document, entities_from_json(text)
