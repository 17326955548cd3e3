"""Fit, and say how much better it is: on what was fitted on, and on what was held out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clew.evaluation.datasets import Dataset
from clew.evaluation.fitting.asked import Asked, asked
from clew.evaluation.fitting.stages import fit, scores
from clew.evaluation.indexed import IndexedCorpus
from clew.evaluation.measuring import silent
from clew.progress_lines import Tell
from clew.retrieval.pool.weights import LinkedWeights, weights_for

Scored = dict[str, dict[str, float]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Refit:
    """New weights, and recall@5 and all@5 by set with the weights that clew has and with these."""

    weights: LinkedWeights
    before: Scored
    after: Scored


def refit(
    indexed: IndexedCorpus,
    datasets: Sequence[Dataset],
    *,
    fitted_on: Collection[str],
    tell: Tell = silent,
) -> Refit:
    """Fit weights, for the embedder of ``indexed``, on those of ``datasets`` that ``fitted_on``
    names. What is ``indexed`` are the passages of all of them
    (:func:`clew.evaluation.fitting.asked.together`).
    """
    measured = weights_for(with_vectors=indexed.asking is not None)
    with asked(indexed, datasets) as questions:
        chosen = [question for question in questions if question.set in fitted_on]
        weights = fit(chosen, measured, tell=tell)
        return Refit(
            weights=weights,
            before=_scores(questions, measured),
            after=_scores(questions, weights),
        )


def _scores(questions: Sequence[Asked], weights: LinkedWeights) -> Scored:
    return scores(questions, weights, rounds=len(weights.rounds))
