"""What some of the documents of a SQLite store call the things that they speak of."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from clew.records import Entity
from clew.stores.base import Links, Numbers
from clew.stores.names_within import NamesWithin
from clew.stores.naming import MOST_VOTERS
from clew.stores.rows import entities_from_json
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.entities import EntityReader
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")

Speaking = Callable[[Numbers, Numbers | None], tuple[Links, Links]]
"""The units that mention each entity and the chunks about it, in some documents or in all."""


class SQLiteNamesWithin(NamesWithin):
    """:class:`clew.stores.names_within.NamesWithin` of one ``reading()`` block."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        arrays: GenerationArrays,
        documents: Numbers,
        speaking: Speaking,
    ) -> None:
        super().__init__(documents)
        self._connection = connection
        self._arrays = arrays
        self._speaking = speaking

    def _spoken_of(self, entities: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        inside = sum(np.diff(links.indptr) for links in self._speaking(entities, self._documents))
        everywhere = sum(np.diff(links.indptr) for links in self._speaking(entities, None))
        return np.greater(inside, 0), np.less(inside, everywhere)

    def _elected_by_all(self, entities: Numbers) -> list[Entity]:
        return EntityReader(self._connection).get(entities)

    def _undecided(self, entities: Sequence[int]) -> set[int]:
        reader = EntityReader(self._connection)
        forms: dict[int, int] = {}
        for number, _ in reader.forms(entities):
            forms[number] = forms.get(number, 0) + 1
        return {number for number, count in forms.items() if count > 1} | reader.types(entities)

    def _voters(self, entities: Numbers) -> dict[int, list[int]]:
        layers = self._arrays.units, self._arrays.chunks
        spoken = list(zip(layers, self._speaking(entities, self._documents), strict=True))
        voters = {}
        for at, entity in enumerate(entities.tolist()):
            owners = [
                layer.document_rows[
                    layer.rows(links.targets[links.indptr[at] : links.indptr[at + 1]])
                ]
                for layer, links in spoken
            ]
            first = np.unique(np.concatenate(owners))[:MOST_VOTERS]
            voters[entity] = self._arrays.document_numbers[first].tolist()
        return voters

    def _mention_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int, str, str]]:
        asked = as_json(documents), as_json(entities)
        return self._connection.execute(_SQL["mention_votes"], asked)

    def _title_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int]]:
        asked = as_json(documents), as_json(entities)
        return self._connection.execute(_SQL["title_votes"], asked)

    def _declared(self, documents: Sequence[int]) -> Iterator[tuple[int, Sequence[Entity]]]:
        for document, text in self._connection.execute(_SQL["declared"], (as_json(documents),)):
            yield document, entities_from_json(text)
