"""Linked evidence with one of its parts switched off, to see what the part is worth.

A part is one of the weights by name (:mod:`clew.retrieval.pool.weights`), which becomes zero
wherever it stands, or one of the groups below. Nothing is fitted anew, so a part that another can
stand in for looks dearer than it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TypeVar

from clew.config import ClewConfig
from clew.errors import ConfigError, nearest
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.systems import ClewMethod, Maker
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.pool.weights import FusionWeights, LinkedWeights, RoundWeights, weights_for

GROUPS = {
    "links": ("about_link", "shared_link", "shared_link_dense"),
    "shared_link": ("shared_link", "shared_link_dense"),
    "names": ("about", "mentions"),
    "title": ("title_words",),
    "gaps": ("dense_gap", "unit_dense_gap", "words_gap"),
}
"""Weights that are one part together."""

COVERAGE = "coverage"
"""Not a weight: that source and target may cover the question together. Without it the target of a
link must cover the question alone."""

ROUNDS = {"second_round": 1, "rounds": 0}
"""Not weights: the rounds of links behind the first, or all of them."""

_NOT_PARTS = {"bias", "slope", "shift"}
_Stage = TypeVar("_Stage", FusionWeights, RoundWeights)


def parts() -> tuple[str, ...]:
    """Everything that can be switched off."""
    single = (item.name for kind in (FusionWeights, RoundWeights) for item in fields(kind))
    names = (*GROUPS, COVERAGE, *ROUNDS, *(name for name in single if name not in _NOT_PARTS))
    return tuple(dict.fromkeys(names))


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
    names = GROUPS.get(part, (part,))
    return replace(
        weights,
        alone=_zeroed(weights.alone, names),
        rounds=tuple(_zeroed(this, names) for this in weights.rounds[: ROUNDS.get(part)]),
    )


def _config(config: ClewConfig, part: str) -> ClewConfig:
    return config.replace(query_update_weight=0.0) if part == COVERAGE else config


def _zeroed(stage: _Stage, names: tuple[str, ...]) -> _Stage:
    return replace(stage, **dict(_zeros(stage, names)))


def _zeros(
    stage: FusionWeights | RoundWeights, names: tuple[str, ...]
) -> Iterator[tuple[str, float]]:
    for item in fields(stage):
        if item.name in names:
            yield item.name, 0.0
