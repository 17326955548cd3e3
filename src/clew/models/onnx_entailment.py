"""An entailment model without PyTorch: an ONNX graph, its tokenizer and its ``config.json``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from clew.errors import ModelError
from clew.models.base import Entailment
from clew.models.entailment import Labels, labels_of
from clew.models.onnx_pairs import ONNXPairs


class ONNXEntailment:
    """A :class:`clew.models.base.EntailmentModel`; for its options see
    :class:`clew.models.onnx_pairs.ONNXPairs`. ``config.json`` stands beside the tokenizer, or
    beside the graph.
    """

    def __init__(
        self, path: str | Path, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        self._pairs = ONNXPairs(path, max_tokens=max_tokens, threads=threads)
        files = self._pairs.files
        self.fingerprint: str = f"{files.name}/entailment/{self._pairs.digest}"
        self._labels = _stated_labels((files.tokenizer.parent, files.graph.parent))

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        return [self._labels.read(row.tolist()) for row in self._pairs.logits(pairs)]


def _stated_labels(folders: Sequence[Path]) -> Labels:
    path = next((one for f in folders if (one := f / "config.json").is_file()), None)
    if path is None:
        raise ModelError(
            f"{folders[0]}: there is no config.json, so nobody knows which output of the model "
            "means entailment; copy the published one beside tokenizer.json"
        )
    try:
        stated: Any = json.loads(path.read_text(encoding="utf-8"))
        names = {int(number): str(name) for number, name in stated.get("id2label", {}).items()}
    except (json.JSONDecodeError, UnicodeDecodeError, AttributeError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read: {error}") from error
    return labels_of(names, model=str(path.parent))
