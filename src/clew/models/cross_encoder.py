"""A cross-encoder of sentence-transformers as a reranker, or as an entailment model.

Published models end in one logit, or in two (unfit, fit), and some apply a sigmoid themselves and
some do not. Here the model is always asked for bare logits, so that a score is a share in 0–1
whichever model gives it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from clew.errors import MissingModelError, ModelError
from clew.models.base import Entailment
from clew.models.entailment import labels_of
from clew.models.extras import import_extra

EXTRA = "sentence-transformers"


class CrossEncoderModel:
    """A :class:`clew.models.base.Reranker` around a loaded ``CrossEncoder``.

    Pairs longer than the model's window lose the end of the longer text; the model's own tokenizer
    sees to that. ``batch_size`` pairs are read at a time.
    """

    def __init__(self, model: Any, *, name: str = "", batch_size: int = 32) -> None:
        self.model = model
        self.batch_size = batch_size
        self.fingerprint = f"{name or _name_of(model)}/cross-encoder"
        self._lock = Lock()
        labels = _labels(model)
        if labels not in {1, 2}:
            raise ModelError(
                f"{self.fingerprint} gives {labels} values for a pair; a reranker gives one score, "
                "or two (unfit, fit): take a model made for ranking"
            )
        if _is_headless(model):
            raise ModelError(
                f"{self.fingerprint}: the model has no trained head that ranks, so its scores "
                "would be chance; it looks like an embedder. Take a cross-encoder"
            )

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        if not texts:
            return []
        pairs = [(question, text) for text in texts]
        with self._lock:  # the tokenizer must not be used by two threads at once
            logits = self.model.predict(
                pairs,
                batch_size=self.batch_size,
                activation_fn=_identity(),
                show_progress_bar=False,
            )
        values = np.asarray(logits, np.float64).reshape(len(texts), -1)
        differences = values[:, -1] - (values[:, 0] if values.shape[1] == 2 else 0.0)
        return [float(share) for share in 1.0 / (1.0 + np.exp(-np.clip(differences, -60, 60)))]


class CrossEncoderEntailment:
    """A :class:`clew.models.base.EntailmentModel` around a loaded ``CrossEncoder``; which of its
    logits says what is in the ``id2label`` of its configuration.
    """

    def __init__(self, model: Any, *, name: str = "", batch_size: int = 32) -> None:
        self.model = model
        self.batch_size = batch_size
        self.fingerprint = f"{name or _name_of(model)}/entailment"
        names = getattr(getattr(model, "config", None), "id2label", None) or {}
        self._labels = labels_of(
            {int(number): str(label) for number, label in names.items()}, model=self.fingerprint
        )
        self._lock = Lock()

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        if not pairs:
            return []
        with self._lock:
            logits = self.model.predict(
                list(pairs),
                batch_size=self.batch_size,
                activation_fn=_identity(),
                show_progress_bar=False,
            )
        rows = np.asarray(logits, np.float64).reshape(len(pairs), -1)
        return [self._labels.read(row.tolist()) for row in rows]


def load_cross_encoder(
    name: str | Path, *, batch_size: int = 32, device: str | None = None
) -> CrossEncoderModel:
    """Load a reranker by its name on the hub, or from a folder.

    Raises :class:`clew.errors.MissingExtraError` without sentence-transformers,
    :class:`MissingModelError` when there is no such model.
    """
    model = _loaded(name, device, what="reranker")
    return CrossEncoderModel(model, name=Path(name).name or str(name), batch_size=batch_size)


def load_entailment(
    name: str | Path, *, batch_size: int = 32, device: str | None = None
) -> CrossEncoderEntailment:
    """Load an entailment model, with the errors of :func:`load_cross_encoder`."""
    model = _loaded(name, device, what="entailment model")
    return CrossEncoderEntailment(model, name=Path(name).name or str(name), batch_size=batch_size)


def _loaded(name: str | Path, device: str | None, *, what: str) -> Any:
    library = import_extra("sentence_transformers", extra=EXTRA, purpose=f"{what} {str(name)!r}")
    try:
        return library.CrossEncoder(str(name), device=device)
    except Exception as error:  # of transformers, the hub, torch: there is no common root
        raise MissingModelError(
            f"the {what} {str(name)!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _identity() -> Any:
    """An activation that changes nothing; the library wants a module of torch, which is loaded
    where a model of it is.
    """
    torch = sys.modules.get("torch")
    return torch.nn.Identity() if torch else lambda logits: logits


def _labels(model: Any) -> int:
    config = getattr(model, "config", None)
    stated = getattr(config, "num_labels", None)
    return stated if isinstance(stated, int) else 1


def _is_headless(model: Any) -> bool:
    """Whether a new, random head was put on a bare encoder, which libraries do with a warning."""
    architectures = getattr(getattr(model, "config", None), "architectures", None) or ()
    parts = list(model.children()) if callable(getattr(model, "children", None)) else []
    trained = [part for part in parts if _has_weights(part)]
    return bool(architectures) and len(trained) == 1 and not any("For" in a for a in architectures)


def _has_weights(part: Any) -> bool:
    weights = part.parameters() if callable(getattr(part, "parameters", None)) else ()
    return next(iter(weights), None) is not None


def _name_of(model: Any) -> str:
    inner = getattr(getattr(model, "config", None), "_name_or_path", None)
    return Path(inner).name if isinstance(inner, str) and inner else type(model).__name__
