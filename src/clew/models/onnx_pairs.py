"""A model that reads two texts together, as an ONNX graph and a tokenizer from a folder.

It is what ``optimum-cli export onnx --task text-classification`` makes of a published
cross-encoder. Pairs are read one at a time, each on one core, for the reasons given in
:mod:`clew.models.local`: nothing is wasted on padding, and int8 scores do not depend on what else
is read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clew.errors import MissingModelError, ModelError
from clew.executors.concurrently import map_concurrently
from clew.models.location import ModelFiles, find_model
from clew.models.onnx_files import cores, load_graph, load_tokenizer

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Logits = NDArray[np.float64]
USUAL_TOKENS = 512


class ONNXPairs:
    """The logits of pairs of texts.

    ``path`` is an ``.onnx`` file with ``tokenizer.json`` beside it, or the folder of the two. A
    pair of more than ``max_tokens`` tokens (None: what the model's own files say, else 512) loses
    the end of the longer of its two texts. The files are checked at once, loaded on first use.
    """

    def __init__(
        self, path: str | Path, *, max_tokens: int | None = None, threads: int | None = None
    ) -> None:
        files = find_model(path)
        if files is None:
            raise MissingModelError(f"no model at {path}")
        self.files: ModelFiles = files
        self.digest: str = files.verify()[:12]
        self.max_tokens: int = max_tokens or _stated_tokens(files.tokenizer.parent)
        self.threads: int = threads or cores()
        self._lock = Lock()

    def logits(self, pairs: Sequence[tuple[str, str]]) -> list[Logits]:
        """One row of float64 for each pair, as long as the model has outputs."""
        with self._lock:
            graph = self._graph
        order = sorted(range(len(pairs)), key=lambda at: -len(pairs[at][1]))
        read = map_concurrently(lambda at: graph.read(*pairs[at]), order, self.threads)
        by_place = dict(zip(order, read, strict=True))
        return [by_place[at] for at in range(len(pairs))]

    @cached_property
    def _graph(self) -> _Graph:
        return _Graph(self.files, self.max_tokens)


class _Graph:
    """The loaded model."""

    def __init__(self, files: ModelFiles, max_tokens: int) -> None:
        self._files = files
        self._session: InferenceSession = load_graph(files.graph)
        self._tokenizer: Tokenizer = load_tokenizer(files.tokenizer)
        self._tokenizer.enable_truncation(max_tokens, strategy="longest_first")
        self._inputs = {
            entry.name: np.int64 if entry.type == "tensor(int64)" else np.int32
            for entry in self._session.get_inputs()
        }

    def read(self, first: str, second: str) -> Logits:
        pair = self._tokenizer.encode(_legible(first), _legible(second))
        values = {
            "input_ids": pair.ids,
            "attention_mask": pair.attention_mask,
            "token_type_ids": pair.type_ids,
        }
        if unknown := set(self._inputs) - set(values):
            raise ModelError(f"{self._files.graph}: it wants {', '.join(sorted(unknown))} too")
        feed = {name: np.array([values[name]], kind) for name, kind in self._inputs.items()}
        logits: Logits = np.asarray(self._session.run(None, feed)[0], np.float64)
        if logits.ndim != 2 or len(logits) != 1:
            raise ModelError(
                f"{self._files.graph}: its first output has shape {logits.shape}; expected one row "
                "for a pair, as a cross-encoder gives"
            )
        row: Logits = logits[0]
        return row


def _legible(text: str) -> str:
    """A lone surrogate is no character."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _stated_tokens(folder: Path) -> int:
    """The window that ``tokenizer_config.json`` states; 512, that of nearly all, when it does not
    (some state an astronomic number instead).
    """
    path = folder / "tokenizer_config.json"
    if not path.is_file():
        return USUAL_TOKENS
    try:
        stated: Any = json.loads(path.read_text(encoding="utf-8")).get("model_max_length")
    except (json.JSONDecodeError, UnicodeDecodeError, AttributeError) as error:
        raise ModelError(f"{path}: not a JSON object: {error}") from error
    if isinstance(stated, int) and 0 < stated <= 1_000_000:
        return stated
    return USUAL_TOKENS
