"""What linking asks a store about names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from clew.records import Entity
from clew.stores.base import GraphReader, Links, Numbers, Ranking
from clew.text.names import name_key, without_accents


@dataclass(frozen=True, kw_only=True, slots=True)
class NameLookup:
    """``threshold`` is the least similarity at which a name still matches."""

    reader: GraphReader
    threshold: float

    def find(self, keys: Iterable[str]) -> dict[str, Numbers]:
        """The entities of each of the keys that the store knows."""
        wanted = sorted(set(keys))
        links = self.reader.find_entities(wanted)
        return {key: row for key, row in zip(wanted, _rows(links), strict=True) if len(row)}

    def similar(self, key: str, *, threshold: float, k: int) -> Ranking:
        return self.reader.similar_entities(key, threshold=threshold, k=k)

    def holding(self, phrase: str, *, k: int) -> Numbers:
        return self.reader.entities_holding(phrase, k=k).numbers

    def abbreviated(self, letters: str, *, k: int) -> Numbers:
        return self.reader.entities_abbreviated(letters, k=k)

    def entities(self, numbers: Numbers) -> list[Entity]:
        return self.reader.get_entities(numbers)

    def chunk_counts(self, numbers: Numbers) -> Numbers:
        """In how many chunks each entity is mentioned, or is what they are about."""
        mentioned = self.reader.entity_frequencies(numbers)
        return np.maximum(mentioned, np.diff(self.about(numbers).indptr))

    def about(self, numbers: Numbers) -> Links:
        """The chunks that are about each entity."""
        return self.reader.chunks_about(numbers)

    def word_counts(self, terms: Sequence[str]) -> Numbers:
        """In how many chunks each search term occurs."""
        return self.reader.document_frequencies("chunk", terms)


def keys_of_entity(entity: Entity) -> set[str]:
    """The keys of all names of an entity, without accents, with and without "the"."""
    names = {entity.key, *map(name_key, (entity.name, *entity.aliases))}
    plain = {without_accents(key) for key in names if key}
    return plain | {key.removeprefix("the ") for key in plain}


def _rows(links: Links) -> list[Numbers]:
    return [
        links.targets[start:end]
        for start, end in zip(links.indptr[:-1].tolist(), links.indptr[1:].tolist(), strict=True)
    ]
