"""What some of the documents of an SQL store call the things that they speak of.

Names are elected by all documents, and the outcome is kept (:mod:`clew.stores.naming`). It is right
for a selection too where all who speak of an entity are in it, which is so of every entity of a
tenant, and where there is nothing to choose. Only for the rest are votes counted again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from clew.errors import NotFoundError
from clew.records import Entity
from clew.stores.base import Numbers
from clew.stores.naming import MENTION, Ballot, declare, elect, keys_of

_BATCH = 512


class NamesWithin(ABC):
    """Entities as ``documents`` alone name them; what was found out is kept."""

    def __init__(self, documents: Numbers) -> None:
        self._documents = documents
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
        inside, outside = self._spoken_of(asked)
        self._unseen.update(asked[~inside].tolist())
        known = self._elected_by_all(asked[inside])
        elected = dict(zip(asked[inside].tolist(), known, strict=True))
        open_ = self._undecided(asked[inside & outside].tolist())
        if open_:
            voters = self._voters(np.array(sorted(open_), np.int64))
            for number, ballot in self._count(voters, elected).items():
                entity = elected[number]
                elected[number] = elect(entity.id, entity.key, entity.scope, ballot)
                self._keys[number] = keys_of(entity.key, ballot)
        self._entities.update(elected)

    def _count(
        self, voters: Mapping[int, Sequence[int]], entities: Mapping[int, Entity]
    ) -> dict[int, Ballot]:
        """The votes for each entity of the documents that ``voters`` names for it."""
        ballots = {
            (entity, document): Ballot()
            for entity, documents in voters.items()
            for document in documents
        }
        documents = sorted({document for _, document in ballots})
        asked = sorted(voters)
        for entity, document, key, surface in self._mention_votes(documents, asked):
            if (entity, document) in ballots:
                ballots[entity, document].add((key, surface), MENTION)
        titled = set(self._title_votes(documents, asked))
        numbers = {entities[number].id: number for number in voters}
        for document, records in self._declared(documents):
            for declared in records:
                place = numbers.get(declared.id, -1), document
                if place in ballots:
                    declare(declared, ballots[place], titled=place in titled)
        totals: dict[int, Ballot] = {}
        for (entity, _), ballot in ballots.items():
            totals.setdefault(entity, Ballot()).count(ballot)
        return totals

    # --- what a store says ----------------------------------------------------------------------

    @abstractmethod
    def _spoken_of(self, entities: Numbers) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Of each entity: do any of the documents speak of it, do any others?"""

    @abstractmethod
    def _elected_by_all(self, entities: Numbers) -> list[Entity]:
        """The entities as the whole store names them."""

    @abstractmethod
    def _undecided(self, entities: Sequence[int]) -> set[int]:
        """Those that have more than one form, or a type: it may be another's."""

    @abstractmethod
    def _voters(self, entities: Numbers) -> dict[int, list[int]]:
        """The first :data:`~clew.stores.naming.MOST_VOTERS` of the documents that speak of each."""

    @abstractmethod
    def _mention_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int, str, str]]:
        """(entity, document, key, surface) of each mention."""

    @abstractmethod
    def _title_votes(
        self, documents: Sequence[int], entities: Sequence[int]
    ) -> Iterable[tuple[int, int]]:
        """(entity, document) of those that a title makes a topic."""

    @abstractmethod
    def _declared(self, documents: Sequence[int]) -> Iterable[tuple[int, Sequence[Entity]]]:
        """What entity records each document has."""
