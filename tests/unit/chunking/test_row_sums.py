"""Sums of rows, to the last bit those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from clew.chunking.row_sums import row_sums


@pytest.mark.parametrize("rows", [0, 1, 7, 300])
def test_same_bits_as_cumsum(rows: int) -> None:
    values = np.random.default_rng(rows).normal(size=(rows, 5))
    for given in (values, values.astype(np.float32)):
        sums = row_sums(given)
        assert not sums[0].any()
        assert (sums[1:] == np.cumsum(given, axis=0, dtype=np.float64)).all()
