"""What is measured: the spans of one way to cut a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

import numpy as np

from clew.chunking.metrics.words import Ints

_EXACT = 100
_STEP = 1.02


@dataclass(frozen=True, slots=True)
class Plan:
    """Spans as parallel arrays. Their starts and their ends strictly increase, none is empty."""

    starts: Ints
    ends: Ints

    @classmethod
    def of(cls, spans: Iterable[tuple[int, int]], length: int) -> Plan:
        """Check spans over a text of ``length`` characters; :class:`ValueError` names the first
        that is wrong.
        """
        pairs = np.array(list(spans), np.int64).reshape(-1, 2)
        starts, ends = pairs[:, 0].copy(), pairs[:, 1].copy()
        bad = (starts < 0) | (ends > length) | (starts >= ends)
        bad[1:] |= (starts[1:] <= starts[:-1]) | (ends[1:] <= ends[:-1])
        if bad.any():
            at = int(np.flatnonzero(bad)[0])
            raise ValueError(
                f"chunk {at} spans {starts[at]}–{ends[at]} of a text of {length} characters: "
                "chunks must lie inside the text, hold something, and each must begin and end "
                "behind the one before it"
            )
        return cls(starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def cuts(self) -> Ints:
        """Where every chunk but the first begins."""
        return self.starts[1:]

    @property
    def borders(self) -> Ints:
        """Every start but the first and every end but the last, in order."""
        return np.unique(np.concatenate((self.starts[1:], self.ends[:-1])))

    def windows(self, length: int) -> Plan:
        """Return equally long windows over the text: as many as there are chunks, and with as much
        overlap. Of many, within one in a hundred: so similar plans have the same windows.
        """
        count = _rounded(len(self))
        if count < 2:
            return self
        edges = np.linspace(0, length, count + 1).astype(np.int64)
        shared = _rounded(int(np.maximum(self.ends[:-1] - self.starts[1:], 0).mean()))
        ends = np.minimum(edges[1:] + shared, length)
        keep = np.append(True, np.diff(ends) > 0)
        return Plan(edges[:-1][keep], ends[keep])


def _rounded(count: int) -> int:
    if count <= _EXACT:
        return count
    return round(_EXACT * _STEP ** round(log(count / _EXACT, _STEP)))
