"""Entities that may be one, and entities that nearly everything speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from clew.records import Entity, EntityDecision
from clew.stores.base import GraphReader, Numbers
from clew.text.names import name_key, without_accents
from clew.upkeep.health.findings import Finding, suspect

MOST_COMPARED = 1000
"""Entities whose spelling is compared with others', those that most chunks speak of first."""

_FIGURE = re.compile(r"\d+")
_LIKENESS = 0.9
_LEAST_SIGNS = 6
_LIKE_EACH = 5
_LEAST_CHUNKS = 50
_HUB_SHARE = 0.2


def doubles(
    reader: GraphReader,
    entities: Sequence[Entity],
    frequencies: Numbers,
    decisions: Sequence[EntityDecision],
    documents: Numbers,
) -> Iterator[Finding]:
    """Yield pairs of entities whose names differ in no letter or digit, or hardly."""
    apart = {frozenset((one.key, one.into_key)) for one in decisions}
    weight = dict(zip((one.id for one in entities), frequencies.tolist(), strict=True))
    told: set[frozenset[str]] = set()
    for first, second in (*_squashed(entities), *_alike(reader, entities, frequencies, documents)):
        pair = frozenset((first.key, second.key))
        if pair in told or pair in apart or len(pair) < 2:
            continue
        told.add(pair)
        rare, common = sorted((first, second), key=lambda one: (weight.get(one.id, 0), one.key))
        yield suspect(
            "duplicate entity",
            f"{rare.name} / {common.name}",
            "two names that are written nearly alike, read as two things",
            f'if they are one: `clew entities --join "{rare.name}" --into "{common.name}"`',
        )


def hubs(entities: Sequence[Entity], frequencies: Numbers, chunks: int) -> Iterator[Finding]:
    """Yield entities that so many chunks speak of that to share one says little."""
    if chunks < _LEAST_CHUNKS:
        return
    order = np.argsort(-frequencies, kind="stable")
    for at in order[frequencies[order] > _HUB_SHARE * chunks].tolist():
        entity, count = entities[at], int(frequencies[at])
        yield suspect(
            "hub",
            entity.name,
            f"{count:,} of {chunks:,} chunks speak of it, so links through it say little",
            "search weighs it down by itself; if it is several things of one name: "
            f'`clew entities --split "{entity.name}" --into NAME --in DOCUMENT`',
        )


def _squashed(entities: Sequence[Entity]) -> Iterator[tuple[Entity, Entity]]:
    """Those whose names have the same letters and numbers in the same order."""
    groups: dict[tuple[str, ...], list[Entity]] = {}
    for entity in entities:
        letters = "".join(sign for sign in without_accents(entity.key) if sign.isalpha())
        if letters and _is_plain(entity.key):
            groups.setdefault((letters, *_figures(entity.key)), []).append(entity)
    for signs in sorted(groups):
        yield from combinations(sorted(groups[signs], key=lambda one: one.key), 2)


def _alike(
    reader: GraphReader, entities: Sequence[Entity], frequencies: Numbers, documents: Numbers
) -> Iterator[tuple[Entity, Entity]]:
    for at in np.argsort(-frequencies, kind="stable")[:MOST_COMPARED].tolist():
        entity = entities[at]
        if len(entity.key) < _LEAST_SIGNS or not _is_plain(entity.key):
            continue
        found = reader.similar_entities(
            entity.key, threshold=_LIKENESS, k=_LIKE_EACH, documents=documents
        )
        for other in reader.get_entities(found.numbers):
            same_words = len(other.key.split()) == len(entity.key.split())
            if other.id != entity.id and same_words and _same_figures(other.key, entity.key):
                yield entity, other


def _same_figures(one: str, other: str) -> bool:
    """ "Mill 1" and "Mill 2" differ in what matters; so do initials and first letters."""
    if _figures(one) != _figures(other):
        return False
    words = zip(one.split(), other.split(), strict=True)
    return all(first[0] == second[0] and len(first) > 2 for first, second in words)


def _figures(key: str) -> list[str]:
    """ "Mill 1-11" and "Mill 11-1" are two."""
    return _FIGURE.findall(key)


def _is_plain(key: str) -> bool:
    """ "C++" and "C#" are told apart by their signs."""
    return not set(key) & set("+#*@&/") and name_key(key) == key
