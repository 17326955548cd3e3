"""How far a chunk reaches, by characters and by counters."""

from __future__ import annotations

import pytest

from clew.chunking import FixedWindowChunker
from clew.chunking.measures import CharacterMeasure, CountMeasure, measure_of
from clew.errors import ConfigError


def _count_words(text: str) -> int:
    return len(text.split())


def test_characters() -> None:
    measure = measure_of("abcdefghij", chunk_size=4, chunk_overlap=1, count=len)
    assert isinstance(measure, CharacterMeasure)
    assert [measure.reach(0), measure.reach(8), measure.back(5), measure.back(0)] == [4, 10, 4, 0]
    assert measure.fits(0, 4)
    assert not measure.fits(0, 5)


@pytest.mark.parametrize("start", range(0, 40, 3))
def test_counter_reaches_as_far_as_it_can(start: int) -> None:
    text = "one two three four five six seven eight nine ten eleven"
    measure = CountMeasure(text, 3, 2, _count_words)
    reach, back = measure.reach(start), measure.back(start)
    assert _count_words(text[start:reach]) <= 3
    assert reach == len(text) or _count_words(text[start : reach + 1]) > 3
    assert _count_words(text[back:start]) <= 2
    assert back == 0 or _count_words(text[back - 1 : start]) > 2


def test_counter_is_asked_only_about_stretches_near_a_chunk() -> None:
    asked: list[int] = []

    def count(text: str) -> int:
        asked.append(len(text))
        return len(text.split())

    text = "word " * 40_000
    measure = CountMeasure(text, 30, 5, count)
    at = 0
    while at < len(text):
        at = measure.reach(at)
    assert max(asked[10:]) < 1_000
    assert sum(asked) < 12 * len(text)


@pytest.mark.parametrize(
    ("size", "overlap", "named"),
    [(0, 0, "chunk_size=0"), (5, 5, "overlap=5"), (5, -1, "overlap=-1")],
)
def test_impossible_sizes_are_named(size: int, overlap: int, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        FixedWindowChunker(chunk_size=size, chunk_overlap=overlap)
