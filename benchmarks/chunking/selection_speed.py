"""How fast a strategy is chosen, and that time grows linearly.

Data: the laws of ``$CLEW_DATA/chunking/regulations``. CPU time on one core, the best of three, for
1, 2, 4 and 8 million characters; chunks of 1,000. Run ``python
benchmarks/chunking/selection_speed.py``. Measured on two quiet cores, Python 3.11::

    partition             11 ms a million
    words                 13 ms, with what it needs
    sentences              1 ms, with what it needs
    references            17 ms, with what it needs
    vectors               24 ms, with what it needs
    recursive             19 ms to cut, partition included; 6 ms to measure
    split-then-merge      20 ms to cut, partition included; 6 ms to measure
    page-index            19 ms to cut, partition included; 6 ms to measure
    hybrid                72 ms to cut, partition included; 6 ms to measure
    all, overlap   0   5.0 MB/s; seconds for 1, 2, 4, 8 MB: 0.20  0.38  0.83  1.68
    all, overlap 200   4.2 MB/s; seconds for 1, 2, 4, 8 MB: 0.24  0.48  1.04  2.22
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

from clew.chunking import ChunkingConfig, Outline
from clew.chunking.selector import AdaptiveSelector
from clew.text.blocks import partition

DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
MILLION = 1_000_000


def laws() -> str:
    lines = (DATA / "chunking" / "regulations" / "corpus.jsonl").read_text("utf-8").splitlines()
    return "\n\n".join(json.loads(line)["text"] for line in lines)


def seconds(run: Callable[[], object]) -> float:
    def once() -> float:
        began = time.process_time()
        run()
        return time.process_time() - began

    return min(once() for _ in range(3))


def outline_of(text: str) -> Outline:
    return Outline(text, partition(text, "markdown"), media_type="text/markdown")


def parts(text: str, selector: AdaptiveSelector) -> None:
    outline = outline_of(text)
    print(f"partition          {1000 * seconds(lambda: outline_of(text)):5.0f} ms a million")
    for part in ("words", "sentences", "references", "vectors"):
        taken = seconds(lambda part=part: getattr(selector.evaluator.analyse(outline), part))  # type: ignore[misc]
        print(f"{part:18} {1000 * taken:5.0f} ms, with what it needs")
    analysis = selector.evaluator.analyse(outline)
    for chunker in selector.chunkers:
        cut = seconds(lambda chunker=chunker: chunker.cuts(outline_of(text)))  # type: ignore[misc]
        spans = chunker.cuts(outline)
        selector.evaluator.evaluate(analysis, spans)
        measured = seconds(lambda spans=spans: selector.evaluator.evaluate(analysis, spans))  # type: ignore[misc]
        print(
            f"{chunker.name:18} {1000 * cut:5.0f} ms to cut, partition included; "
            f"{1000 * measured:.0f} ms to measure"
        )


def chosen(text: str, selector: AdaptiveSelector) -> float:
    return seconds(lambda: selector.select(outline_of(text)))


def main() -> None:
    text = laws()
    text *= 1 + 8 * MILLION // len(text)
    for overlap in (0, 200):
        selector = AdaptiveSelector(config=ChunkingConfig(chunk_overlap=overlap))
        if not overlap:
            parts(text[:MILLION], selector)
        taken = [chosen(text[: size * MILLION], selector) for size in (1, 2, 4, 8)]
        print(
            f"all, overlap {overlap:3}   {1 / taken[0]:.1f} MB/s; seconds for 1, 2, 4, 8 MB: "
            + "  ".join(f"{value:.2f}" for value in taken)
        )


if __name__ == "__main__":
    main()
