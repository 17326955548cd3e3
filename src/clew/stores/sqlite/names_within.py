"""What some of the documents of a SQLite store call the things that they speak of.

Names are elected by all documents, and the outcome is kept (:mod:`clew.stores.naming`). It is right
for a selection too where all who speak of an entity are in it, which is so of every entity of a
tenant, and where there is nothing to choose. Only for the rest are votes counted again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from clew.errors import NotFoundError
from clew.records import Entity
from clew.stores.base import Links, Numbers
from clew.stores.naming import MENTION, MOST_VOTERS, Ballot, declare, elect, keys_of
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.documents import as_json
from clew.stores.sqlite.entities import EntityReader
from clew.stores.sqlite.rows import entities_from_json
from clew.stores.sqlite.statements import statements

_SQL = statements("entities")
_BATCH = 512

Speaking = Callable[[Numbers, Numbers | None], tuple[Links, Links]]
"""The units that mention each entity and the chunks about it, in some documents or in all."""


class NamesWithin:
    """Entities as ``documents`` alone name them; what was found out is kept."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        arrays: GenerationArrays,
        documents: Numbers,
        speaking: Speaking,
    ) -> None:
        self._connection = connection
        self._arrays = arrays
        self._documents = documents
        self._speaking = speaking
        self._entities: dict[int, Entity] = {}
        self._unseen: set[int] = set()
        self._keys: dict[int, set[str]] = {}
        """Of entities that were elected anew: of the others every key holds."""

    def get(self, numbers: Numbers) -> list[Entity]:
        """Raises :class:`NotFoundError` for an entity that the documents do not speak of."""
        asked = np.asarray(numbers).tolist()
        self._learn(asked)
        for number in asked:
            if number in self._unseen:
                raise NotFoundError(f"no entity with the number {number} in this generation")
        return [self._entities[number] for number in asked]

    def have_keys(self, asked: Sequence[tuple[int, str]]) -> NDArray[np.bool_]:
        """One flag for each (entity, key), the key being one that the whole store has for it."""
        self._learn(number for number, _ in asked)
        has = (
            number not in self._unseen and (number not in self._keys or key in self._keys[number])
            for number, key in asked
        )
        return np.fromiter(has, bool, len(asked))

    def named(self, found: Iterator[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
        """Of (number, key, name) in order of key and name those that can be seen, with the names
        that they have here.
        """
        while batch := list(islice(found, _BATCH)):
            self._learn(number for number, _, _ in batch)
            seen = [
                (number, key, self._entities[number].name)
                for number, key, _ in batch
                if number in self._entities
            ]
            yield from sorted(seen, key=lambda one: one[1:])

    def _learn(self, numbers: Iterable[int]) -> None:
        fresh = sorted(set(numbers) - self._unseen - self._entities.keys())
        if not fresh:
            return
        asked = np.array(fresh, np.int64)
        units, about = self._speaking(asked, self._documents)
        inside = np.diff(units.indptr) + np.diff(about.indptr)
        everywhere = sum(np.diff(links.indptr) for links in self._speaking(asked, None))
        self._unseen.update(asked[inside == 0].tolist())
        known = EntityReader(self._connection).get(asked[inside > 0])
        elected = dict(zip(asked[inside > 0].tolist(), known, strict=True))
        self._elect(
            elected, asked, np.flatnonzero((inside > 0) & (inside < everywhere)), units, about
        )
        self._entities.update(elected)

    def _elect(
        self,
        elected: dict[int, Entity],
        asked: Numbers,
        places: Numbers,
        units: Links,
        about: Links,
    ) -> None:
        """Put the outcome among ``documents`` for the entities at ``places`` of ``asked``."""
        open_ = self._undecided(asked[places].tolist())
        voters = {
            int(asked[at]): self._voters(
                units.targets[units.indptr[at] : units.indptr[at + 1]],
                about.targets[about.indptr[at] : about.indptr[at + 1]],
            )
            for at in places.tolist()
            if int(asked[at]) in open_
        }
        for number, ballot in self._count(voters, elected).items():
            entity = elected[number]
            elected[number] = elect(entity.id, entity.key, entity.scope, ballot)
            self._keys[number] = keys_of(entity.key, ballot)

    def _undecided(self, numbers: Sequence[int]) -> set[int]:
        """Those that have more than one form, or a type: it may be another's."""
        reader = EntityReader(self._connection)
        forms: dict[int, int] = {}
        for number, _ in reader.forms(numbers):
            forms[number] = forms.get(number, 0) + 1
        return {number for number, count in forms.items() if count > 1} | reader.types(numbers)

    def _voters(self, units: Numbers, chunks: Numbers) -> list[int]:
        """The first documents that have any of these units and chunks."""
        layers = (self._arrays.units, units), (self._arrays.chunks, chunks)
        owners = [layer.document_rows[layer.rows(numbers)] for layer, numbers in layers]
        first = np.unique(np.concatenate(owners))[:MOST_VOTERS]
        numbers: list[int] = self._arrays.document_numbers[first].tolist()
        return numbers

    def _count(
        self, voters: dict[int, list[int]], entities: dict[int, Entity]
    ) -> dict[int, Ballot]:
        """The votes for each entity of the documents that ``voters`` names for it."""
        ballots = {
            (entity, document): Ballot()
            for entity, documents in voters.items()
            for document in documents
        }
        if not ballots:
            return {}
        documents = sorted({document for _, document in ballots})
        asked = as_json(documents), as_json(voters)
        execute = self._connection.execute
        for entity, document, key, surface in execute(_SQL["mention_votes"], asked):
            if (entity, document) in ballots:
                ballots[entity, document].add((key, surface), MENTION)
        titled = set(execute(_SQL["title_votes"], asked))
        numbers = {entities[number].id: number for number in voters}
        for document, text in execute(_SQL["declared"], asked[:1]):
            for declared in entities_from_json(text):
                place = numbers.get(declared.id, -1), document
                if place in ballots:
                    declare(declared, ballots[place], titled=place in titled)
        return _sums(ballots)


def _sums(ballots: dict[tuple[int, int], Ballot]) -> dict[int, Ballot]:
    totals: dict[int, Ballot] = {}
    for (entity, _), ballot in ballots.items():
        totals.setdefault(entity, Ballot()).count(ballot)
    return totals
