"""Token states and their places in the text, from a loaded ``SentenceTransformer``.

The library gives the states (``output_value="token_embeddings"``), the tokenizer the offsets, and
both see the same stretch of text, so that the two lists belong together. Texts beyond the model's
window are read in overlapping stretches (see :mod:`clew.models.pooling`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clew.errors import EmbeddingError
from clew.models.base import Span, Vectors
from clew.models.pooling import LatePooling, Window, token_ranges, windows

MOST_TOKENS = 8192
_USUAL_TOKENS = 512
_SPARE_TOKENS = 8
_PROBE = "Ariadne gave Theseus a thread, and he found the way."


def reads_tokens(model: Any) -> bool:
    """Whether the sentence vector of ``model`` is the mean of token states whose places in the text
    can be told.
    """
    modules = list(model.children())
    if len(modules) < 2 or not getattr(getattr(model, "tokenizer", None), "is_fast", False):
        return False
    first, pooling, *behind = modules
    if getattr(first, "do_lower_case", False) or not _is_mean(pooling):
        return False
    if any(type(module).__name__ != "Normalize" for module in behind):
        return False
    states = model.encode(
        [_PROBE], output_value="token_embeddings", prompt="", show_progress_bar=False
    )
    return len(states[0]) == len(_tokens(model, _PROBE)["input_ids"])


@dataclass(frozen=True, kw_only=True, slots=True)
class _Stretch:
    """``text`` begins at ``start`` in the whole; tokens that begin in ``owned`` count."""

    text: str
    start: int
    owned: Span
    first: bool
    last: bool


class TokenReader:
    """Reads texts and pools them, and spans inside them, from their token states."""

    def __init__(self, model: Any, *, batch_size: int) -> None:
        self._model = model
        self._batch_size = batch_size
        markers = len(_tokens(model, "")["input_ids"])
        self._size = max(_window(model) - markers - _SPARE_TOKENS, 2 * _SPARE_TOKENS)

    def read(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], *, dimensions: int
    ) -> tuple[Vectors, Vectors]:
        stretches = [list(self._stretches(text)) for text in texts]
        states = iter(self._states([one.text for each in stretches for one in each]))
        pooled = [
            self._pooled(each, [next(states) for _ in each], own, dimensions)
            for each, own in zip(stretches, spans, strict=True)
        ]
        nothing = np.empty((0, dimensions), np.float32)
        return (
            np.concatenate([nothing, *(of_text[None] for of_text, _ in pooled)]),
            np.concatenate([nothing, *(of_spans for _, of_spans in pooled)]),
        )

    def _stretches(self, text: str) -> Iterator[_Stretch]:
        """Blanks at both ends are left out here: some versions of the library cut them off."""
        offsets = _offsets(_tokens(self._model, text, whole=True))
        for window in windows(len(offsets), size=self._size, overlap=self._size // 4):
            start, end = _reach(offsets, window, text)
            owned = (
                0 if window.owned_start == 0 else int(offsets[window.owned_start][0]),
                len(text) if window.end == len(offsets) else int(offsets[window.owned_end][0]),
            )
            piece = text[start:end]
            yield _Stretch(
                text=piece.strip(),
                start=start + len(piece) - len(piece.lstrip()),
                owned=owned,
                first=window.start == 0,
                last=window.end == len(offsets),
            )

    def _states(self, texts: list[str]) -> list[Vectors]:
        if not texts:
            return []
        found = self._model.encode(
            texts,
            output_value="token_embeddings",
            prompt="",
            batch_size=self._batch_size,
            show_progress_bar=False,
        )
        return [states.detach().float().cpu().numpy() for states in found]

    def _pooled(
        self,
        stretches: Sequence[_Stretch],
        states: Sequence[Vectors],
        spans: Sequence[Span],
        dimensions: int,
    ) -> tuple[Vectors, Vectors]:
        rows, places, markers = [], [], np.zeros(dimensions, np.float32)
        for stretch, of_stretch in zip(stretches, states, strict=True):
            tokens = _tokens(self._model, stretch.text)
            if len(tokens["input_ids"]) != len(of_stretch):
                raise EmbeddingError(
                    f"the model gave {len(of_stretch)} token states for "
                    f"{len(tokens['input_ids'])} tokens of {stretch.text[:60]!r}; "
                    "late_pooling=False does without them"
                )
            special = np.asarray(tokens["special_tokens_mask"], bool)
            offsets = np.asarray(tokens["offset_mapping"], np.int64).reshape(-1, 2) + stretch.start
            first, end = stretch.owned
            owned = ~special & (offsets[:, 0] >= first) & (offsets[:, 0] < end)
            rows.append(of_stretch[owned])
            places.append(offsets[owned])
            markers += of_stretch[_own_markers(special, stretch)].sum(axis=0)
        offsets = np.concatenate(places)
        pooling = LatePooling(token_ranges(spans, offsets), dimensions)
        pooling.add(Window(0, len(offsets), 0, len(offsets)), np.concatenate(rows))
        pooling.add_marker(markers)
        return pooling.vectors()


def _own_markers(special: NDArray[np.bool_], stretch: _Stretch) -> NDArray[np.bool_]:
    """The model's own tokens before the first stretch of a text and behind the last."""
    text = np.flatnonzero(~special)
    place = np.arange(len(special))
    middle = int(text[0]) if len(text) else 1
    before, behind = place < middle, place >= middle
    wanted: NDArray[np.bool_] = special & ((before & stretch.first) | (behind & stretch.last))
    return wanted


def _reach(offsets: NDArray[np.int64], window: Window, text: str) -> Span:
    start = 0 if window.start == 0 else int(offsets[window.start][0])
    end = len(text) if window.end == len(offsets) else int(offsets[window.end - 1][1])
    return start, end


def _tokens(model: Any, text: str, *, whole: bool = False) -> Any:
    """The tokens of a text as the model sees it, or of the whole text without the model's own."""
    return model.tokenizer(
        text,
        add_special_tokens=not whole,
        truncation=not whole,
        max_length=None if whole else _window(model),
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        verbose=False,
    )


def _offsets(tokens: Any) -> NDArray[np.int64]:
    return np.asarray(tokens["offset_mapping"], np.int64).reshape(-1, 2)


def _window(model: Any) -> int:
    stated = getattr(model, "max_seq_length", None)
    return min(stated, MOST_TOKENS) if isinstance(stated, int) and stated > 0 else _USUAL_TOKENS


def pooling_modes(model: Any) -> tuple[str, ...]:
    """How ``model`` makes one vector of token states, such as ``("mean",)``; older versions of the
    library keep a flag for each way.
    """
    modes = {mode for module in model.children() for mode in _modes_of(module)}
    return tuple(sorted(modes))


def _modes_of(module: Any) -> set[str]:
    stated = getattr(module, "pooling_mode", None)
    if stated is not None:
        return {stated} if isinstance(stated, str) else set(stated)
    return {
        name.removeprefix("pooling_mode_").removesuffix("s").removesuffix("_token")
        for name, value in vars(module).items()
        if name.startswith("pooling_mode_") and value is True
    }


def _is_mean(pooling: Any) -> bool:
    return _modes_of(pooling) == {"mean"} and bool(getattr(pooling, "include_prompt", True))
