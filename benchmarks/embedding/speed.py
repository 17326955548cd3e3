"""How fast the local embedder is on this machine: passages with spans, sentences, questions, start.

    python benchmarks/embedding/speed.py [--passages 300] [--json]

Passages are 100 to 140 words of encyclopedia text from ``$CLEW_DATA/tune`` (default
``../shared/data``), with one span a sentence; without that data, invented text of the same shape.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from clew.models.base import Span
from clew.models.local import LocalEmbedder
from clew.text.sentences import sentence_spans

_SETS = ("hotpotqa", "2wiki", "musique")
_QUESTION = "Who founded the company that built the bridge near the harbour of the old town?"
_START = (
    "import time; began = time.perf_counter(); from clew.models.local import LocalEmbedder; "
    "LocalEmbedder().embed(['ready']); print(time.perf_counter() - began)"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    found = measure(_passages(arguments.passages))
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        print(f"{name:36} {value}")


def measure(passages: list[str]) -> dict[str, float | str]:
    spans = [sentence_spans(passage) for passage in passages]
    sentences = [
        text[start:end] for text, own in zip(passages, spans, strict=True) for start, end in own
    ]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    found: dict[str, float | str] = {
        "machine": f"{platform.machine()}, {cores} cores",
        "start_s": round(min(_start_seconds() for _ in range(3)), 3),
        "spans_per_passage": round(len(sentences) / len(passages), 1),
    }
    for threads in (1, 2):
        embedder = LocalEmbedder(threads=threads)
        embedder.embed(["ready"])
        rate = _rate(embedder, passages, spans)
        found[f"passages_with_spans_per_s_{threads}_threads"] = round(rate, 1)
        rate = _rate(embedder, sentences, [[] for _ in sentences])
        found[f"sentences_per_s_{threads}_threads"] = round(rate, 1)
    times = [_seconds(lambda: embedder.embed([_QUESTION], kind="query")) for _ in range(100)]
    found["question_ms_median"] = round(1000 * statistics.median(times), 2)
    found["question_ms_p95"] = round(1000 * sorted(times)[94], 2)
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found["peak_memory_mb"] = round(peak_kb / 1024)
    return found


def _rate(embedder: LocalEmbedder, texts: list[str], spans: list[list[Span]]) -> float:
    return len(texts) / _seconds(lambda: embedder.embed_spans(texts, spans))


def _seconds(function: Callable[[], object]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def _start_seconds() -> float:
    """A new process from the import of the embedder to the first vector."""
    found = subprocess.run([sys.executable, "-c", _START], capture_output=True, check=True)
    return float(found.stdout)


def _passages(count: int) -> list[str]:
    folder = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared/data"), "tune")
    paths = [folder / name / "corpus.jsonl" for name in _SETS]
    if not all(path.is_file() for path in paths):
        return [_invented(number) for number in range(count)]
    texts = (
        json.loads(line)["text"]
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return [text for text in texts if 100 <= len(text.split()) <= 140][:count]


def _invented(number: int) -> str:
    sentence = "Keeper {} of the lighthouse at Tamsund wrote down wind, rain and passing ships. "
    return "".join(sentence.format(number * 9 + line) for line in range(9)).strip()


if __name__ == "__main__":
    main()
