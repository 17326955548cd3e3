"""Twice the text takes twice the time, by every strategy.

Measured over three doublings, the best of several rounds: on a busy machine one doubling alone says
little, while quadratic work would take sixty-four times as long and not eight.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest

from clew.chunking import STRATEGIES, ChunkingConfig, chunk_document
from clew.records import Document

MOST = 2.3**3
ROUNDS = 5

PROSE = (
    "The bridge over the Norr was mended in {n}. It had stood for years. Masons of the valley set "
    "its {n} arches anew, e.g. those near the mill, and nobody paid.\n\n"
)
UNITS = {
    "json": '{{"mill": {n}, "owner": {{"name": "Lind {n}"}}, "open": true}},\n',
    "html": "<h2>Mill {n}</h2><p>It grinds <b>rye</b> of field {n}.</p>\n",
    "code": "@cached\ndef mill_{n}(rye):\n    if rye:\n        return {n}\n    return 0\n\n\n",
}
FRAMES = {"json": ("[\n", "0]"), "html": ("<!doctype html><html><body>", "</body></html>")}


def _text(strategy: str, size: int) -> str:
    unit = UNITS.get(strategy, PROSE)
    first, last = FRAMES.get(strategy, ("", ""))
    parts, length = [first], 0
    for number in range(size):
        heading = f"## Part {number}\n\n" if unit is PROSE and number % 12 == 0 else ""
        parts.append(heading + unit.format(n=number))
        length += len(parts[-1])
        if length >= size:
            break
    return "".join([*parts, last])


def _document(strategy: str, text: str) -> Document:
    return Document(
        id="d",
        doc_id="mills.py" if strategy == "code" else "mills",
        text=text,
        media_type="text/plain" if strategy in UNITS else "text/markdown",
    )


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """It would look through all that the other tests left, as often as it likes."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _seconds(document: Document, strategy: str) -> float:
    began = time.process_time()
    chunk_document(document, ChunkingConfig(chunk_strategy=strategy))
    return time.process_time() - began


def _growth(short: Document, long: Document, strategy: str) -> float:
    """How many times as long the second takes."""
    before, after = _seconds(short, strategy), _seconds(long, strategy)
    for _ in range(ROUNDS):
        if after / before <= MOST:
            break
        before = min(before, _seconds(short, strategy))
        after = min(after, _seconds(long, strategy))
    return after / before


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_eight_times_the_text_takes_eight_times_the_time(strategy: str) -> None:
    short, long = (_document(strategy, _text(strategy, size)) for size in (500_000, 4_000_000))
    assert _growth(short, long, strategy) <= MOST


def test_eight_megabytes_by_the_usual_strategy() -> None:
    strategy = ChunkingConfig().chunk_strategy
    short, long = (_document(strategy, _text(strategy, size)) for size in (1_000_000, 8_000_000))
    assert _growth(short, long, strategy) <= MOST


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name not in UNITS])
def test_thousands_of_paragraphs_under_one_heading_take_no_more(strategy: str) -> None:
    short, long = (
        _document(strategy, "# Mills\n\n" + "".join(PROSE.format(n=n) for n in range(count)))
        for count in (1_000, 8_000)
    )
    assert _growth(short, long, strategy) <= MOST
