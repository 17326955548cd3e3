"""Linked evidence with one of its parts switched off, to see what the part is worth.

A part is one of the weights by name (:mod:`clew.retrieval.pool.weights`), which becomes zero
wherever it stands, or one of the groups below. Nothing is fitted anew, so a part that another can
stand in for looks dearer than it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from clew.config import ClewConfig
from clew.errors import ConfigError, nearest
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.systems import ClewMethod, Maker
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.pool.weights import WITH_VECTORS, LinkedWeights, weights_for

GROUPS = {
    "links": ("about_link", "shared_link"),
    "names": ("about", "mentions"),
    "gaps": ("dense_gap", "unit_dense_gap", "words_gap"),
    "selection": ("new_words", "source", "sibling"),
    "vectors": ("dense", "unit_dense", "dense_gap", "unit_dense_gap"),
}
"""Weights that are one part together."""

COVERAGE = "coverage"
"""Not a weight: that source and target may cover the question together. Without it the target of a
link must cover the question alone."""

ROUNDS = {"second_round": 1, "rounds": 0}
"""Not weights: the rounds of links behind the first, or all of them."""

_NOT_PARTS = {"bias", "slope", "shift"}
_Value = TypeVar("_Value")


def parts() -> tuple[str, ...]:
    """Everything that can be switched off."""
    weights = [name for name in _weights_in(WITH_VECTORS) if name not in _NOT_PARTS]
    groups = (group for group, names in GROUPS.items() if set(names) & set(weights))
    return tuple(dict.fromkeys((*groups, COVERAGE, *ROUNDS, *weights)))


def ablated(part: str) -> tuple[str, Maker]:
    """The name and the maker of linked evidence without ``part``.

    Raises :class:`ConfigError` for what is no part.
    """
    if part not in parts():
        raise ConfigError(
            f"nothing called {part!r} to switch off: choose of {', '.join(parts())}"
            f"{nearest(part, parts())}"
        )
    name = f"linked − {part}"

    def make(indexed: IndexedCorpus) -> ClewMethod:
        measured = weights_for(with_vectors=indexed.asking is not None)
        method = LinkedEvidence(weights=without(measured, part))
        return ClewMethod.over(indexed, method, name=name, config=_config(indexed.config, part))

    return name, make


def without(weights: LinkedWeights, part: str) -> LinkedWeights:
    """``weights`` with those of a part at zero."""
    left = replace(weights, rounds=weights.rounds[: ROUNDS.get(part)])
    return left if part in ROUNDS else _zeroed(left, GROUPS.get(part, (part,)))


def _config(config: ClewConfig, part: str) -> ClewConfig:
    return config.replace(query_update_weight=0.0) if part == COVERAGE else config


def _weights_in(value: object) -> Iterator[str]:
    """The names of all numbers in a record of records."""
    if isinstance(value, tuple):
        for item in value:
            yield from _weights_in(item)
    elif is_dataclass(value):
        for item in fields(value):
            inner = getattr(value, item.name)
            if isinstance(inner, float):
                yield item.name
            else:
                yield from _weights_in(inner)


def _zeroed(value: _Value, names: Collection[str]) -> _Value:
    """A record of records with the numbers of these names at zero."""
    if isinstance(value, tuple):
        return type(value)(_zeroed(item, names) for item in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {
        item.name: 0.0 if item.name in names else _zeroed(getattr(value, item.name), names)
        for item in fields(value)
    }
    return replace(value, **changes)
