"""Signs of vectors: the order that they put vectors into, and the file that they lie in."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from clew.stores.base import Scores
from clew.stores.sqlite.sign_file import SignFile
from clew.stores.sqlite.signs import Signs, mean_of, signs_of

_STEP = 0.586


def _vectors(rows: int, dimensions: int, *, seed: int = 0) -> Scores:
    random = np.random.default_rng(seed)
    made = random.standard_normal((rows, dimensions)).astype(np.float32) + np.float32(0.3)
    scaled: Scores = made / np.linalg.norm(made, axis=1, keepdims=True)
    return scaled


def _made(vectors: Scores) -> Signs:
    mean = mean_of([vectors])
    return Signs(np.concatenate(list(signs_of([vectors], mean, 0))), mean)


@pytest.mark.parametrize("dimensions", [3, 64, 100, 384, 1000])
def test_a_distance_counts_the_signs_that_differ_by_their_weight(dimensions: int) -> None:
    vectors, query = _vectors(40, dimensions), _vectors(1, dimensions, seed=1)[0]
    expected = []
    for vector in vectors:
        above, distance = vector > vectors.mean(axis=0), 0
        for coordinate in range(dimensions):
            level = int(np.clip(np.floor(query[coordinate] / (_STEP * query.std())) + 4, 0, 7))
            for weight in (4, 2, 1):
                distance += weight * (bool(level & weight) != bool(above[coordinate]))
        expected.append(distance)
    assert _made(vectors).distances(query).tolist() == expected


def test_the_nearest_seem_near() -> None:
    vectors = _vectors(5000, 384)
    signs, shares = _made(vectors), []
    for row in range(0, 5000, 500):
        query = vectors[row] + 0.5 * _vectors(1, 384, seed=row)[0]
        nearest = np.argsort(-(vectors @ query))[:10]
        seeming = np.argsort(signs.distances(query), kind="stable")[:500]
        shares.append(np.isin(nearest, seeming).mean())
        assert row in seeming[:5]
    assert np.mean(shares) >= 0.9, "vectors without any order are the hardest"


def test_a_query_of_one_value_is_no_error() -> None:
    assert len(_made(_vectors(9, 16)).distances(np.full(16, 0.25, np.float32))) == 9


def test_a_file_that_grew_has_what_one_writing_would_have(tmp_path: Path) -> None:
    first, second, third = _vectors(50, 100), _vectors(20, 100, seed=1), _vectors(9, 100, seed=2)
    grown, made = SignFile(tmp_path / "a.signs", 100), _made(first)
    grown.extend([first])
    grown.extend([first, second[:5]])
    grown.extend([first, second, third])
    assert grown.rows() == 79
    signs = grown.map(1000)
    assert signs is not None
    assert np.array_equal(signs.mean, made.mean), "that of the first rows stays"
    assert np.array_equal(signs.bits[:50], made.bits)
    assert signs.differing([first, second, third]) == 0
    assert signs.differing([first, second[::-1], third]) >= 18
    few = grown.map(60)
    assert few is not None
    assert few.rows == 60


def test_no_file_has_no_rows(tmp_path: Path) -> None:
    file = SignFile(tmp_path / "a.signs", 8)
    assert file.rows() == 0
    assert file.map(10) is None
    file.cut(3)
    assert not file.path.exists()


@pytest.mark.parametrize("damage", ["head", "mean", "short", "empty", "dimensions"])
def test_a_file_that_is_not_whole_is_made_anew(tmp_path: Path, damage: str) -> None:
    vectors = _vectors(30, 64)
    file = SignFile(tmp_path / "a.signs", 64)
    file.extend([vectors])
    before = file.path.read_bytes()
    raw = bytearray(file.path.read_bytes())
    if damage in {"head", "mean"}:
        raw[20 if damage == "head" else 100] ^= 1
        file.path.write_bytes(raw)
    elif damage == "dimensions":
        SignFile(file.path, 32).extend([_vectors(9, 32)])
    else:
        os.truncate(file.path, 0 if damage == "empty" else len(raw) - 1)
    assert file.rows() == 0
    file.extend([vectors])
    assert file.path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["a.signs"]


def test_a_torn_tail_never_counts(tmp_path: Path) -> None:
    vectors = _vectors(30, 64)
    file = SignFile(tmp_path / "a.signs", 64)
    file.extend([vectors[:20]])
    with file.path.open("ab") as tail:
        tail.write(b"\x55" * 50)
    assert file.rows() == 20
    file.extend([vectors])
    signs = file.map(30)
    assert signs is not None
    assert signs.differing([vectors]) == 0


def test_rows_that_were_cut_are_written_again(tmp_path: Path) -> None:
    old, new = _vectors(30, 64), _vectors(10, 64, seed=5)
    file = SignFile(tmp_path / "a.signs", 64)
    file.extend([old])
    file.cut(40)
    assert file.rows() == 30
    file.cut(20)
    file.extend([old[:20], new])
    signs = file.map(30)
    assert signs is not None
    assert signs.differing([old[:20], new]) == 0
