"""The constants of linked evidence, fitted stage by stage.

First the weights of a chunk by itself, then those of the first round of links, which start from it,
then those of the second. The examples of a question are the first hundred chunks by the sum of the
four plain scores, the first hundred by the scores so far, and the chunks that support the answer;
these share a weight of 1 and all others of 3. Last, slope and shift of each stage bring its scores
to the share of chunks that do support an answer (Platt scaling), every chunk counting once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from clew.errors import ConfigError
from clew.evaluation.fitting.asked import Asked
from clew.evaluation.fitting.logistic import Examples, logistic
from clew.evaluation.measuring import silent
from clew.evaluation.recall import all_recall_at, mean, recall_at
from clew.progress_lines import Tell
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.weights import FusionWeights, LinkedWeights, RoundWeights
from clew.stores.base import Scores

NEGATIVE_SHARE = 3.0
_FIRST = 100
_NO_FEATURES = {"bias", "slope", "shift"}
_PLAIN = ("dense", "unit_dense", "words", "unit_words")
_Stage = TypeVar("_Stage", FusionWeights, RoundWeights)


def fit(questions: Sequence[Asked], start: LinkedWeights, *, tell: Tell = silent) -> LinkedWeights:
    """The weights that fit ``questions`` best, calibrated; ``start`` gives the stages and their
    features. Raises :class:`ConfigError` when no question has a supporting chunk in its pool.
    """
    count = 1 + len(start.rounds)
    tell(0, count, "fit")
    fitted = replace(start, rounds=())
    fitted = replace(fitted, alone=_fit_stage(questions, fitted, start.alone))
    for number, this in enumerate(start.rounds, start=1):
        tell(number, count, "fit")
        # The stage's features come from links weighed by what was fitted before.
        probe = replace(fitted, rounds=(*fitted.rounds, this))
        weights = _fit_stage(questions, probe, this)
        fitted = replace(fitted, rounds=(*fitted.rounds, weights))
    tell(count, count, "calibrate")
    return calibrated(questions, fitted)


def calibrated(questions: Sequence[Asked], weights: LinkedWeights) -> LinkedWeights:
    """``weights`` with slope and shift of every stage fitted."""
    alone = replace(weights.alone, **_platt(questions, replace(weights, rounds=())))
    rounds = tuple(
        replace(this, **_platt(questions, replace(weights, rounds=weights.rounds[: number + 1])))
        for number, this in enumerate(weights.rounds)
    )
    return replace(weights, alone=alone, rounds=rounds)


def scores(
    questions: Sequence[Asked], weights: LinkedWeights, *, rounds: int
) -> dict[str, dict[str, float]]:
    """recall@5 and all@5 of each set, in percent."""
    found: dict[str, list[tuple[float, float]]] = {}
    for question in questions:
        best, wanted = _first_five(question, weights, rounds)
        pair = recall_at(5, best, wanted), all_recall_at(5, best, wanted)
        found.setdefault(question.set, []).append(pair)
    return {
        name: {
            "recall@5": round(100 * mean(recall for recall, _ in pairs), 1),
            "all@5": round(100 * mean(every for _, every in pairs), 1),
        }
        for name, pairs in found.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A question under some weights: the features of the last stage, and the scores before it."""

    trails: LinkedTrails
    features: dict[str, Scores]
    so_far: Scores
    gold: NDArray[np.bool_]
    ignored: NDArray[np.bool_]

    @classmethod
    def of(cls, question: Asked, weights: LinkedWeights) -> _Seen:
        trails = question.trails(weights, rounds=len(weights.rounds))
        if trails.rounds:
            last = trails.rounds[-1]
            features, so_far = dict(last.features), last.before
        else:
            features = trails.standing.features(trails.pool)
            so_far = np.zeros(len(trails.pool.chunks), dtype=np.float32)
        gold, ignored = (
            np.isin(trails.pool.chunks, these) for these in (question.gold, question.ignored)
        )
        return cls(trails, features, so_far, gold, ignored)

    @property
    def scores(self) -> Scores:
        """The scores of the last stage."""
        return self.trails.rounds[-1].after if self.trails.rounds else self.trails.alone

    def kept(self) -> NDArray[np.int64]:
        """The rows that are examples."""
        plain = np.sum([self.features[name] for name in _PLAIN], axis=0)
        best = [np.argsort(-values, kind="stable")[:_FIRST] for values in (plain, self.so_far)]
        rows = np.unique(np.concatenate([*best, np.flatnonzero(self.gold)]))
        kept: NDArray[np.int64] = rows[~self.ignored[rows]]
        return kept


def _fit_stage(questions: Sequence[Asked], weights: LinkedWeights, stage: _Stage) -> _Stage:
    names = [item.name for item in fields(stage) if item.name not in _NO_FEATURES]
    seen = [one for question in questions if (one := _Seen.of(question, weights)).gold.any()]
    if not seen:
        raise ConfigError("no supporting passage of any question is found: nothing to fit on")
    values, bias = logistic(_together([_examples(one, names) for one in seen]))
    found = {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
    return replace(stage, **found, bias=round(bias, 3))


def _examples(seen: _Seen, names: Sequence[str]) -> Examples:
    kept = seen.kept()
    gold = seen.gold[kept]
    negative = NEGATIVE_SHARE / max(int((~gold).sum()), 1)
    return Examples(
        features=np.stack([seen.features[name][kept] for name in names], axis=1).astype(np.float64),
        labels=gold.astype(np.float64),
        weights=np.where(gold, 1.0 / int(gold.sum()), negative),
    )


def _together(every: Sequence[Examples]) -> Examples:
    return Examples(
        features=np.concatenate([one.features for one in every]),
        labels=np.concatenate([one.labels for one in every]),
        weights=np.concatenate([one.weights for one in every]),
    )


def _platt(questions: Sequence[Asked], weights: LinkedWeights) -> dict[str, float]:
    seen = [_Seen.of(question, weights) for question in questions]
    scores = np.concatenate([one.scores for one in seen]).astype(np.float64)
    inside = np.clip(scores, 1e-7, 1.0 - 1e-7)
    logits = np.log(inside) - np.log1p(-inside)
    labels = np.concatenate([one.gold for one in seen]).astype(np.float64)
    examples = Examples(features=logits[:, None], labels=labels, weights=np.ones(len(labels)))
    slope, shift = logistic(examples, ridge=0.0)
    return {"slope": round(float(slope[0]), 3), "shift": round(shift, 3)}


def _first_five(question: Asked, weights: LinkedWeights, rounds: int) -> tuple[list[str], set[str]]:
    """The names of the first five chunks, and of those that support the answer."""
    evidence = question.evidence(weights, rounds=rounds)
    rows = np.flatnonzero(~np.isin(evidence.chunks, question.ignored))
    best = rows[np.argsort(-evidence.chunk_scores[rows], kind="stable")[:5]]
    return list(map(str, evidence.chunks[best])), set(map(str, question.gold))
