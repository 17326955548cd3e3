"""A text analysed once for all metrics and all plans: each part is made when first asked for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

import numpy as np

from clew.chunking.metrics.references import reference_pairs
from clew.chunking.metrics.vectors import Embed, HashedVectors, PooledVectors, SpanVectors
from clew.chunking.metrics.words import Ints, Words
from clew.chunking.outline import LINEWISE, Outline


class Analysis:
    """``split_points`` are where blocks begin; without them, those of the outline are taken.

    ``baselines`` remembers what windows of equal length are worth: similar plans share them.
    """

    def __init__(
        self,
        outline: Outline,
        *,
        split_points: Sequence[int] | None = None,
        embed: Embed | None = None,
        near: int = 3000,
    ) -> None:
        self.outline = outline
        self.text = outline.text
        self.length = len(outline.text)
        given = outline.starts[1:] if split_points is None else split_points
        self.split_points: Ints = np.array(sorted(given), np.int64)
        self._embed = embed
        self._near = near
        self.baselines: dict[Hashable, float | None] = {}

    @cached_property
    def words(self) -> Words:
        return Words.of(self.text)

    @cached_property
    def vectors(self) -> SpanVectors:
        starts = np.unique(np.append(self.split_points, 0))
        if self._embed is None:
            return HashedVectors(self.words, starts)
        ends = [*starts[1:].tolist(), self.length]
        texts = [self.text[at:end] for at, end in zip(starts.tolist(), ends, strict=True)]
        return PooledVectors(self._embed, self.words, texts, starts)

    @cached_property
    def sentences(self) -> tuple[Ints, Ints]:
        """Starts and ends of all sentences; a line of code or a row of a table counts as one."""
        outline = self.outline
        spans: list[tuple[int, int]] = []
        for number, kind in enumerate(outline.kinds):
            if kind in LINEWISE:
                spans.append((outline.starts[number], outline.ends[number]))
            else:
                spans.extend(outline.sentences(number))
        pairs = np.array(spans, np.int64).reshape(-1, 2)
        return pairs[:, 0].copy(), pairs[:, 1].copy()

    @cached_property
    def references(self) -> tuple[Ints, Ints]:
        """Where what is referred to begins, and where what refers to it ends."""
        return reference_pairs(self.outline, self.sentences, self._near)
