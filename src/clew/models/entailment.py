"""Whether a text bears out a claim: models of natural language inference, as users bring them.

Published ones end in three logits (entailment, neutral, contradiction), in an order of their own
that their ``config.json`` names, or in two (entailment, not entailment). ``score = softmax`` as in
Bowman et al. 2015 (SNLI) and Honovich et al. 2022 (TRUE, arXiv 2204.04991), where such models are
the measure of factual consistency.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.errors import ClewError, ModelError
from clew.models.base import Entailment
from clew.models.event_loop import EventLoopThread

_ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class Labels:
    """Which logit says what; ``contradiction`` is None for a model that tells only two apart."""

    count: int
    entailment: int
    contradiction: int | None

    def read(self, logits: Sequence[float]) -> Entailment:
        """The two shares, of a softmax over all labels."""
        values = np.asarray(logits, np.float64)
        if values.shape != (self.count,):
            raise ModelError(
                f"an entailment model with {self.count} labels gave {values.shape} values"
            )
        shares = np.exp(values - values.max())
        shares /= shares.sum()
        against = 0.0 if self.contradiction is None else float(shares[self.contradiction])
        return Entailment(float(shares[self.entailment]), against)


def labels_of(names: Mapping[int, str], *, model: str) -> Labels:
    """Which label is which, by the names in ``id2label``.

    Raises :class:`ModelError` for a model that is none of natural language inference.
    """
    lowered = {number: name.lower() for number, name in names.items()}
    entailing = [n for n, name in lowered.items() if "entail" in name and not _is_negated(name)]
    contradicting = [number for number, name in lowered.items() if "contradict" in name]
    if len(names) not in {2, 3} or len(entailing) != 1 or len(contradicting) > 1:
        listed = ", ".join(names.values()) or "none"
        raise ModelError(
            f"{model} is no entailment model: its labels are {listed}; expected entailment, "
            "neutral and contradiction in the id2label of its config.json"
        )
    return Labels(len(names), entailing[0], contradicting[0] if contradicting else None)


class CheckedEntailment:
    """Wraps any :class:`clew.models.base.EntailmentModel`, whose ``judge`` may be ``async``.

    Raises :class:`ModelError` for what is no judgement and for whatever the model raises.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._loop = EventLoopThread()

    @property
    def fingerprint(self) -> str:
        """What the model calls itself, else the name of its class."""
        own = getattr(self.model, "fingerprint", None)
        return own if isinstance(own, str) and own else type(self.model).__name__

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        if not pairs:
            return []
        try:
            judged = self._loop.resolve(self.model.judge(list(pairs)))
        except ClewError:
            raise
        except Exception as error:  # of any library: the cause is kept
            raise ModelError(
                f"{self.fingerprint} failed: {type(error).__name__}: {error}"
            ) from error
        if not isinstance(judged, Sequence) or len(judged) != len(pairs):
            count = len(judged) if isinstance(judged, Sequence) else type(judged).__name__
            raise ModelError(f"{self.fingerprint} returned {count} judgements for {len(pairs)}")
        return [self._checked(one) for one in judged]

    def _checked(self, judged: object) -> Entailment:
        if not isinstance(judged, Entailment) or not (
            _is_share(judged.entailed) and _is_share(judged.contradicted)
        ):
            raise ModelError(
                f"{self.fingerprint} returned {judged!r}; a judgement is "
                "clew.models.base.Entailment(entailed, contradicted), both in 0–1"
            )
        return Entailment(_clipped(judged.entailed), _clipped(judged.contradicted))


def as_entailment(model: object) -> CheckedEntailment:
    """Return ``model`` as one whose every judgement is checked. It has ``judge(pairs)``, or it is
    a ``CrossEncoder`` of sentence-transformers with the labels of natural language inference.
    """
    if isinstance(model, CheckedEntailment):
        return model
    if isinstance(model, type):
        raise ModelError(
            f"entailment={model.__name__} is a class; pass an object of it: {model.__name__}(…)"
        )
    if callable(getattr(model, "judge", None)):
        return CheckedEntailment(model)
    if callable(getattr(model, "predict", None)):
        from clew.models.cross_encoder import CrossEncoderEntailment  # noqa: PLC0415 - an extra

        return CheckedEntailment(CrossEncoderEntailment(model))
    raise ModelError(
        f"entailment=<{type(model).__name__}> has no method judge(pairs); give it one that returns "
        "a clew.models.base.Entailment for each (text, claim), or pass a CrossEncoder of "
        "sentence-transformers"
    )


def _is_share(value: float) -> bool:
    return -_ROUNDING <= value <= 1 + _ROUNDING  # not so of a NaN


def _clipped(value: float) -> float:
    return min(max(float(value), 0.0), 1.0)


def _is_negated(name: str) -> bool:
    return name.startswith(("not", "non", "no_", "no-"))
