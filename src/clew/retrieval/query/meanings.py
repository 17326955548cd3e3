"""How many things a number of entities are.

A document gives what it is about several names ("Ada Norr", "A. Norr", "Ada Norr (born 1970)"),
and each is an entity of its own: they are one meaning. Entities that no document is about count
where there are no others, or where they are spoken of as much; those that only add to the shortest
of them are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clew.records import Entity
from clew.retrieval.query.name_lookup import NameLookup, keys_of_entity
from clew.stores.base import Links, Numbers

_OFTEN = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Meaning:
    """Entities that are one thing. ``count`` is in how many chunks the best known is spoken of."""

    entities: tuple[int, ...]
    name: str
    count: int


def meanings_of(lookup: NameLookup, numbers: Numbers) -> list[Meaning]:
    """Put the entities of ``numbers`` (ascending) together, in order of their first."""
    if not len(numbers):
        return []
    records, counts = lookup.entities(numbers), lookup.chunk_counts(numbers)
    about = lookup.about(numbers)
    groups = _by_chunk(about)
    if groups:
        best = max(int(counts[group].max()) for group in groups)
        rest = np.setdiff1d(np.flatnonzero(counts >= max(best, _OFTEN)), np.concatenate(groups))
        groups += [[row] for row in rest.tolist()]
    else:
        groups = _by_name(records)
    weights = [float(about.weights[start:end].max(initial=0.0)) for start, end in _rows(about)]
    meanings = []
    for group in groups:
        known = max(group, key=lambda row: (weights[row], counts[row], -row))
        meanings.append(
            Meaning(
                entities=tuple(int(numbers[row]) for row in group),
                name=records[known].name,
                count=int(counts[group].max()),
            )
        )
    return meanings


def _by_chunk(about: Links) -> list[list[int]]:
    """Rows that are about a common chunk, directly or through others."""
    groups: list[tuple[set[int], list[int]]] = []
    for row, (start, end) in enumerate(_rows(about)):
        chunks = set(about.targets[start:end].tolist())
        if not chunks:
            continue
        near = [group for group in groups if group[0] & chunks]
        rows = [row]
        for group in near:
            groups.remove(group)
            chunks |= group[0]
            rows += group[1]
        groups.append((chunks, sorted(rows)))
    return sorted(rows for _, rows in groups)


def _by_name(records: Sequence[Entity]) -> list[list[int]]:
    """All names together if each holds the shortest one; else each by itself."""
    shortest = min((record.key.removeprefix("the ") for record in records), key=len)
    if all(_holds(record, shortest) for record in records):
        bare = [row for row, record in enumerate(records) if _bare(record) == shortest]
        return [bare]
    return [[row] for row in range(len(records))]


def _holds(record: Entity, name: str) -> bool:
    return any(f" {name} " in f" {key} " for key in keys_of_entity(record))


def _bare(record: Entity) -> str:
    return record.key.removeprefix("the ")


def _rows(links: Links) -> list[tuple[int, int]]:
    return list(zip(links.indptr[:-1].tolist(), links.indptr[1:].tolist(), strict=True))
