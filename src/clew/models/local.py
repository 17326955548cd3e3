"""The embedder that needs no key and no network: a BERT-like ONNX graph on this machine's cores.

Texts are read one at a time, each on one core, as many at once as there are threads. That is the
faster way here (measured with one graph on two cores: 150 passages a second, against 100 in padded
batches of 32 with both cores on each) and wastes nothing on padding. And it makes a vector
independent of what else is embedded with it: int8 activations are scaled over a whole batch, so
batch mates would change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from clew.errors import MissingModelError, ModelError
from clew.executors.concurrently import map_concurrently
from clew.models.base import Span, TextKind, Vectors
from clew.models.location import ModelFiles, find_model
from clew.models.onnx_files import cores, load_graph, load_tokenizer
from clew.models.pooling import LatePooling, token_ranges, windows

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WINDOW_TOKENS = 256
"""The model was made for this length; 512 is 30 % slower a token."""

OVERLAP_TOKENS = 64


class LocalEmbedder:
    """all-MiniLM-L6-v2, or another graph that returns token states. A ``SpanEmbedder``.

    ``path`` is an ``.onnx`` file with ``tokenizer.json`` beside it, or the folder of the two; None
    looks where :mod:`clew.models.location` says. The files are checked at once and loaded on first
    use; an instance can be used from several threads and sent to other processes.

    Raises :class:`MissingModelError` when there are no files, :class:`ModelError` when they are
    damaged.
    """

    def __init__(self, path: str | Path | None = None, *, threads: int | None = None) -> None:
        files = find_model(path)
        if files is None:
            raise MissingModelError(
                "the local embedding model is not installed: `pip install clew-minilm`, "
                "or name a file with CLEW_MODEL"
            )
        self.files: ModelFiles = files
        self.fingerprint: str = f"{files.name}/tokens/{files.verify()[:12]}"
        self.threads: int = threads or cores()
        self._lock = Lock()

    @property
    def dimensions(self) -> int:
        return self._graph.dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:  # noqa: ARG002
        """Questions and passages are embedded alike: the model knows no difference."""
        vectors, _ = self.embed_spans(texts, [()] * len(texts))
        return vectors

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        graph = self._graph
        tasks = list(zip(texts, spans, strict=True))
        order = sorted(range(len(tasks)), key=lambda at: -len(tasks[at][0]))
        read = map_concurrently(lambda at: graph.read(*tasks[at]), order, self.threads)
        by_place = dict(zip(order, read, strict=True))
        nothing = np.empty((0, graph.dimensions), np.float32)
        of_texts = [by_place[at][0][None] for at in range(len(tasks))]
        of_spans = [by_place[at][1] for at in range(len(tasks))]
        return np.concatenate([nothing, *of_texts]), np.concatenate([nothing, *of_spans])

    @property
    def _graph(self) -> _Graph:
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> _Graph:
        return _Graph(self.files)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.files.graph, self.threads)


class _Graph:
    """The loaded model."""

    def __init__(self, files: ModelFiles) -> None:
        self._session = load_graph(files.graph)
        self._tokenizer = load_tokenizer(files.tokenizer)
        markers = self._tokenizer.encode("").ids
        self._before, self._behind = markers[:1], markers[1:]
        self._inputs = {
            entry.name: np.int64 if entry.type == "tensor(int64)" else np.int32
            for entry in self._session.get_inputs()
        }
        self.dimensions = _dimensions(self._session, files)

    def read(self, text: str, spans: Sequence[Span]) -> tuple[Vectors, Vectors]:
        # A lone surrogate is no character; "?" in its place keeps all offsets.
        legible = text.encode("utf-8", "replace").decode("utf-8")
        tokens = self._tokenizer.encode(legible, add_special_tokens=False)
        offsets = np.asarray(tokens.offsets, np.int64).reshape(-1, 2)
        pooling = LatePooling(token_ranges(spans, offsets), self.dimensions)
        ids = tokens.ids
        markers = len(self._before) + len(self._behind)
        for window in windows(len(ids), size=WINDOW_TOKENS - markers, overlap=OVERLAP_TOKENS):
            states = self._states(ids[window.start : window.end])
            pooling.add(window, states[len(self._before) :])
            if window.start == 0:
                pooling.add_marker(states[: len(self._before)].sum(axis=0))
            if window.end == len(ids):
                pooling.add_marker(states[len(states) - len(self._behind) :].sum(axis=0))
        return pooling.vectors()

    def _states(self, ids: list[int]) -> Vectors:
        whole = np.array([[*self._before, *ids, *self._behind]])
        values = {"input_ids": whole, "attention_mask": np.ones_like(whole)}
        values["token_type_ids"] = np.zeros_like(whole)
        feed = {name: values[name].astype(kind) for name, kind in self._inputs.items()}
        states: Vectors = self._session.run(None, feed)[0][0]
        return states


def _dimensions(session: InferenceSession, files: ModelFiles) -> int:
    shape = session.get_outputs()[0].shape
    if len(shape) != 3 or not isinstance(shape[2], int):
        raise ModelError(
            f"{files.graph}: its first output has shape {shape}; expected token states "
            "[texts, tokens, dimensions], the last hidden state before pooling"
        )
    return shape[2]


def _restore(path: Path, threads: int) -> LocalEmbedder:
    return LocalEmbedder(path, threads=threads)
