"""A reranker as users bring it, called in batches and believed only after a look at its scores.

============================================  ==================================================
the object has                                it becomes
============================================  ==================================================
``score(question, texts) -> scores in 0–1``   a checked reranker; the method may be ``async``
``predict(pairs)``, such as the CrossEncoder  :class:`clew.models.cross_encoder.CrossEncoderModel`,
of sentence-transformers                      checked
============================================  ==================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clew.errors import ClewError, ModelError
from clew.models.event_loop import EventLoopThread

_ROUNDING = 1e-4
_SHOWN_CHARS = 60


class CheckedReranker:
    """Wraps any :class:`clew.models.base.Reranker`; scores are floats in 0–1, one per text.

    Raises :class:`ModelError` for scores that are no scores and for whatever the reranker raises.
    """

    def __init__(self, reranker: Any, *, batch_size: int = 32) -> None:
        self.reranker = reranker
        self.batch_size = batch_size
        self._loop = EventLoopThread()

    @property
    def fingerprint(self) -> str:
        """What the reranker calls itself, else the name of its class."""
        own = getattr(self.reranker, "fingerprint", None)
        return own if isinstance(own, str) and own else type(self.reranker).__name__

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        found: list[float] = []
        for start in range(0, len(texts), self.batch_size):
            batch = list(texts[start : start + self.batch_size])
            found += self._checked(self._call(question, batch), batch)
        return found

    def _call(self, question: str, batch: list[str]) -> Any:
        try:
            return self._loop.resolve(self.reranker.score(question, batch))
        except ClewError:
            raise
        except Exception as error:  # of any library: the cause is kept
            raise ModelError(
                f"{self.fingerprint} failed: {type(error).__name__}: {error}"
            ) from error

    def _checked(self, scores: Any, batch: list[str]) -> list[float]:
        if not hasattr(scores, "__len__") or len(scores) != len(batch):
            count = len(scores) if hasattr(scores, "__len__") else type(scores).__name__
            raise ModelError(f"{self.fingerprint} returned {count} scores for {len(batch)} texts")
        values = np.asarray(scores, np.float64).reshape(len(batch), -1)
        if values.shape[1] != 1:
            raise ModelError(
                f"{self.fingerprint} returned {values.shape[1]} values for each text; one is needed"
            )
        for value, text in zip(values[:, 0], batch, strict=True):
            if not -_ROUNDING <= value <= 1 + _ROUNDING:  # a NaN fails too
                raise ModelError(
                    f"{self.fingerprint} returned {value:g} for {_beginning(text)}; scores must "
                    "lie in 0–1: a logit x becomes one by 1 / (1 + exp(-x))"
                )
        return [float(value) for value in np.clip(values[:, 0], 0.0, 1.0)]


def as_reranker(model: object, *, batch_size: int = 32) -> CheckedReranker:
    """Return ``model`` as a reranker that is called with at most ``batch_size`` texts and whose
    every score is checked.
    """
    if isinstance(model, CheckedReranker):
        return model
    if isinstance(model, type):
        raise ModelError(
            f"reranker={model.__name__} is a class; pass an object of it: {model.__name__}(…)"
        )
    if callable(getattr(model, "score", None)):
        return CheckedReranker(model, batch_size=batch_size)
    if callable(getattr(model, "predict", None)):
        from clew.models.cross_encoder import CrossEncoderModel  # noqa: PLC0415 - an extra

        return CheckedReranker(CrossEncoderModel(model), batch_size=batch_size)
    raise ModelError(
        f"reranker=<{type(model).__name__}> has no method score(question, texts); give it one that "
        "returns a number in 0–1 for each text, or pass a CrossEncoder of sentence-transformers"
    )


def _beginning(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…")
