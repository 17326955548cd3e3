"""The metrics of chunks against slow, obvious versions of their definitions."""

from __future__ import annotations

from itertools import pairwise
from math import log

import numpy as np
import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from clew.chunking.metrics.coherence import document_contextual_coherence
from clew.chunking.metrics.cohesion import intrachunk_cohesion
from clew.chunking.metrics.integrity import block_integrity, sentence_integrity
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.references import references_completeness
from clew.chunking.metrics.repetition import information_density, redundancy
from clew.chunking.metrics.sizes import coverage, overlap_control, size_compliance
from clew.chunking.metrics.vectors import (
    DIMENSIONS,
    HashedVectors,
    PooledVectors,
    bucket_bits,
)
from clew.chunking.metrics.words import Ints, Words

Spans = list[tuple[int, int]]

_CHECK = settings(max_examples=60, deadline=None)

_PIECES = st.sampled_from(
    "rope hemp Rope ROPE jute is old . , -- x_1 3.5 naïve İstanbul 食べ物 漢 हिन्दी كتاب 👍".split()
)
_TEXTS = st.lists(st.tuples(_PIECES, st.sampled_from([" ", " ", "", "\n\n"])), max_size=60).map(
    lambda parts: "".join(word + gap for word, gap in parts)
)


@st.composite
def _cases(draw: st.DrawFn) -> tuple[str, Spans, list[int]]:
    """A text, spans whose starts and ends strictly increase, and split points."""
    text = draw(_TEXTS.filter(bool))
    offsets = st.integers(0, len(text))
    starts = sorted(draw(st.sets(st.integers(0, len(text) - 1), min_size=1, max_size=8)))
    ends = sorted(draw(st.sets(offsets, min_size=len(starts), max_size=len(starts))))
    spans = [(start, end) for start, end in zip(starts, ends, strict=False) if start < end]
    return text, spans, sorted(draw(st.sets(offsets, max_size=12)))


def _array(values: list[int]) -> Ints:
    return np.array(values, np.int64)


def _close(found: float | None, wanted: float | None) -> None:
    if wanted is None:
        assert found is None
    else:
        assert found == pytest.approx(wanted, abs=1e-5)
        assert found is not None
        assert 0 <= found <= 1


_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"(?P<run>[{_UNSPACED}]+)|[[\p{{L}}\p{{N}}\p{{M}}_]--[{_UNSPACED}]]+", regex.V1
)
_TOKEN = regex.compile(
    rf"[{_UNSPACED}]|[[\p{{L}}\p{{N}}\p{{M}}_]--[{_UNSPACED}]]+"
    rf"|([[^\s\p{{L}}\p{{N}}\p{{M}}_]])\1*",
    regex.V1,
)


def _words(text: str) -> list[tuple[int, str]]:
    low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    found = []
    for match in _WORD.finditer(low):
        start, end = match.span()
        if match["run"] is None or end - start == 1:
            found.append((start, match[0]))
        else:
            found += [(at, low[at : at + 2]) for at in range(start, end - 1)]
    return found


@_CHECK
@given(_TEXTS)
def test_words_and_tokens(text: str) -> None:
    words = Words.of(text)
    wanted = _words(text)
    assert words.starts.tolist() == [start for start, _ in wanted]
    low = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    assert words.token_starts.tolist() == [match.start() for match in _TOKEN.finditer(low)]
    assert words.visible.tolist() == [
        sum(not char.isspace() for char in text[:at]) for at in range(len(text) + 1)
    ]
    numbers: dict[str, int] = {}
    for (_, word), number in zip(wanted, words.numbers.tolist(), strict=True):
        assert numbers.setdefault(word, number) == number
    assert len(set(numbers.values())) == len(numbers)


def test_numbers_do_not_hang_on_the_text_around() -> None:
    alone = Words.of("hemp").numbers[0]
    assert Words.of("old rope, Hemp: new").numbers[2] == alone


@_CHECK
@given(_cases())
def test_hashed_vectors(case: tuple[str, Spans, list[int]]) -> None:
    text, spans, points = case
    words = Words.of(text)
    blocks = sorted({0, *points})
    vectors = HashedVectors(words, _array(blocks))
    starts, ends = _array([s for s, _ in spans]), _array([e for _, e in spans])
    numbers = words.numbers.tolist()
    shift = 64 - bucket_bits(len(numbers))
    assume(len({number >> shift for number in numbers}) == len(set(numbers)))
    having: dict[int, set[int]] = {}
    for at, number in zip(words.starts.tolist(), numbers, strict=True):
        having.setdefault(number, set()).add(sum(block <= at for block in blocks))
    rows = []
    for start, end in spans:
        row = np.zeros(DIMENSIONS)
        for at, number in zip(words.starts.tolist(), numbers, strict=True):
            if start <= at < end:
                sign = -1 if number >> 40 & 1 else 1
                rarity = log((1 + len(blocks)) / (1 + len(having[number]))) + 1
                row[number % DIMENSIONS] += sign * rarity
        length = np.linalg.norm(row)
        rows.append(row / length if length > 1e-9 else row * 0)
    wanted = np.array(rows).reshape(-1, DIMENSIONS)
    assert vectors.of(starts, ends) == pytest.approx(wanted, abs=1e-5)
    many = vectors.of(np.tile(starts, 5), np.tile(ends, 5))  # overlapping: by prefix sums
    assert many == pytest.approx(np.tile(wanted, (5, 1)), abs=1e-5)


@_CHECK
@given(_cases())
def test_pooled_vectors(case: tuple[str, Spans, list[int]]) -> None:
    text, spans, points = case
    words = Words.of(text)
    blocks = sorted({0, *(point for point in points if point < len(text))})
    texts = [text[a:b] for a, b in pairwise([*blocks, len(text)])]
    embedded = np.random.default_rng(len(text)).normal(size=(len(texts), 6)).astype(np.float32)
    vectors = PooledVectors(lambda asked: embedded[: len(asked)], words, texts, _array(blocks))
    found = vectors.of(_array([s for s, _ in spans]), _array([e for _, e in spans]))
    for row, (start, end) in zip(found, spans, strict=True):
        wanted = np.zeros(6)
        for at in words.starts.tolist():
            if start <= at < end:
                wanted += embedded[sum(block <= at for block in blocks) - 1]
        length = np.linalg.norm(wanted)
        assert row == pytest.approx(wanted / length if length > 1e-9 else wanted * 0, abs=1e-4)


class _OneByOne:
    """Unit vectors of single spans, asked for one at a time."""

    def __init__(self, text: str, points: list[int]) -> None:
        self.vectors = HashedVectors(Words.of(text), _array(sorted({0, *points})))

    def __call__(self, start: int, end: int) -> list[float]:
        row: list[float] = self.vectors.of(_array([start]), _array([end]))[0].tolist()
        return row


def _dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def _clipped_mean(values: list[float]) -> float | None:
    return min(1.0, max(0.0, sum(values) / len(values))) if values else None


@_CHECK
@given(_cases())
def test_intrachunk_cohesion(case: tuple[str, Spans, list[int]]) -> None:
    text, spans, points = case
    vector = _OneByOne(text, points)
    scores = []
    for start, end in spans:
        edges = [start, *(point for point in points if start < point < end), end]
        if len(edges) > 2:
            whole = vector(start, end)
            scores.append(sum(_dot(vector(*p), whole) for p in pairwise(edges)) / (len(edges) - 1))
    found = intrachunk_cohesion(Plan.of(spans, len(text)), _array(points), vector.vectors)
    _close(found.value, _clipped_mean(scores))


@_CHECK
@given(_cases(), st.integers(0, 12))
def test_document_contextual_coherence(case: tuple[str, Spans, list[int]], limit: int) -> None:
    text, spans, points = case
    vector = _OneByOne(text, points)
    words = Words.of(text)
    tokens = words.token_starts.tolist()

    def count(start: int, end: int) -> int:
        return sum(start <= token < end for token in tokens)

    windows: list[list[int]] = []
    for first in range(len(spans)):
        covered, held = spans[first][0], 0
        members: list[int] = []
        for number in range(first, len(spans)):
            start, end = spans[number]
            added = count(max(covered, start), end)
            if members and held + added > limit:
                break
            covered, held = max(covered, end), held + added
            members.append(number)
        if len(members) > 1 and not (windows and windows[-1][-1] == members[-1]):
            windows.append(members)
    likeness = [
        _dot(vector(*spans[number]), vector(spans[members[0]][0], spans[members[-1]][1]))
        for members in windows
        for number in members
    ]
    found = document_contextual_coherence(
        Plan.of(spans, len(text)), vector.vectors, words.tokens_in, limit
    )
    _close(found.value, _clipped_mean(likeness))


@_CHECK
@given(_cases(), st.integers(0, 5))
def test_block_integrity(case: tuple[str, Spans, list[int]], tolerance: int) -> None:
    text, spans, points = case
    bounds = [0, *points, len(text)]
    broken = 0
    for left, right in pairwise(bounds):
        broken += any(left + tolerance < start < right - tolerance for start, _ in spans[1:])
    wanted = 1 - broken / (len(bounds) - 1) if spans else None
    found = block_integrity(Plan.of(spans, len(text)), _array(points), len(text), tolerance)
    _close(found.value, wanted)


@_CHECK
@given(_cases(), st.data())
def test_references_completeness(case: tuple[str, Spans, list[int]], data: st.DataObject) -> None:
    text, spans, _ = case
    offsets = st.integers(0, len(text))
    pairs = sorted(tuple(sorted(pair)) for pair in data.draw(st.sets(st.tuples(offsets, offsets))))
    borders = {start for start, _ in spans[1:]} | {end for _, end in spans[:-1]}
    broken = sum(any(first < border < end for border in borders) for first, end in pairs)
    found = references_completeness(
        Plan.of(spans, len(text)), (_array([a for a, _ in pairs]), _array([b for _, b in pairs]))
    )
    _close(found.value, 1 - broken / len(pairs) if pairs else None)


@_CHECK
@given(_cases())
def test_sentence_integrity(case: tuple[str, Spans, list[int]]) -> None:
    text, spans, points = case
    sentences = [(a, b) for a, b in pairwise([0, *points, len(text)]) if a < b]
    whole = sum(any(s <= a and b <= e for s, e in spans) for a, b in sentences)
    found = sentence_integrity(
        Plan.of(spans, len(text)),
        (_array([a for a, _ in sentences]), _array([b for _, b in sentences])),
    )
    _close(found.value, whole / len(sentences) if spans and sentences else None)


@_CHECK
@given(_cases(), st.integers(0, 6), st.integers(0, 6))
def test_sizes_coverage_and_overlap(
    case: tuple[str, Spans, list[int]], least: int, more: int
) -> None:
    text, spans, _ = case
    plan, words = Plan.of(spans, len(text)), Words.of(text)
    tokens = [sum(s <= at < e for at in words.token_starts.tolist()) for s, e in spans]
    good = sum(least <= count <= least + more for count in tokens)
    found = size_compliance(words.tokens_in(plan.starts, plan.ends), least, least + more)
    _close(found.value, good / len(spans) if spans else None)

    visible = {at for at, char in enumerate(text) if not char.isspace()}
    covered = visible & {at for start, end in spans for at in range(start, end)}
    _close(coverage(plan, words).value, len(covered) / len(visible) if visible else None)

    held = sum(len(visible & set(range(start, end))) for start, end in spans)
    repeated = 1 - len(covered) / held if held else 0
    wanted = None if not held else 1.0 if repeated <= 0.2 else (1 - repeated) / 0.8
    _close(overlap_control(plan, words, 0.2).value, wanted)


@_CHECK
@given(_cases())
def test_repetition(case: tuple[str, Spans, list[int]]) -> None:
    text, spans, _ = case
    plan, words = Plan.of(spans, len(text)), Words.of(text)
    held = [[word for at, word in _words(text) if s <= at < e] for s, e in spans]
    shares = [len(set(chunk)) / len(chunk) for chunk in held if chunk]
    _close(information_density(plan, words).value, _clipped_mean(shares))

    seen: dict[tuple[str, ...], int] = {}
    new = []
    for number, chunk in enumerate(held):
        for at in range(len(chunk) - 7):
            run = tuple(chunk[at : at + 8])
            new.append(float(seen.setdefault(run, number) == number))
    _close(redundancy(plan, words).value, _clipped_mean(new))
