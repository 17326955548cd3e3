"""What a store of a given size takes: opening, searching, adding, deleting, memory.

::

    python -m benchmarks.stores.build 1000000 /tmp/made-1m
    python -m benchmarks.stores.measure /tmp/made-1m                   # leaves the store as it was
    python -m benchmarks.stores.measure /tmp/made-1m --profile 30      # where a search spends it

Times are the processor's, on one core. Questions are those of the world that the store was built
of (:mod:`benchmarks.stores.made_world`), their vectors given. **open** is `SQLiteStore.open`,
**first** the first search after it, **p50** and **p95** those of all others: the whole search
through `RetrievePipeline` with its defaults, but for embedding the question. **recall** compares
the 50 nearest by `search_vectors` with an exact scan. **memory** is what belongs to the process
alone (Linux: `Anonymous`), Python and clew included. Pages of mapped files are not in it, since
the system takes them back whenever it needs room; **mapped** says how much of them was read.

**add** commits 1,000 new units, **after add** is the first search then, **delete** removes one
document at a time; the medians and the slowest are shown. Writing happens in a copy, which goes
afterwards, or with ``--in-place`` in the store itself.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.multihop.environment import environment, with_one_blas_thread
from benchmarks.stores.build import report_of
from benchmarks.stores.made_world import (
    SPACE,
    UNITS_PER_DOCUMENT,
    GivenVectors,
    MadeWorld,
    Question,
)

from clew.config import ClewConfig
from clew.evaluation.environment import folder_mb, one_core
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import Layer
from clew.stores.sqlite import SQLiteStore

NEAREST = 50
WARM_UP = 10
RECALL_QUESTIONS = 40
ADDED_DOCUMENTS = 1000 // UNITS_PER_DOCUMENT
BEYOND = 1_000_000
"""A batch of documents that no store of a benchmark has."""

_MAKING = "CLEW_BENCHMARK_MAKING"


class Clock:
    """Milliseconds of the processor."""

    def __init__(self) -> None:
        self.spent: dict[str, list[float]] = {}

    @contextmanager
    def times(self, what: str) -> Iterator[None]:
        began = time.process_time()
        yield
        self.spent.setdefault(what, []).append(1000 * (time.process_time() - began))

    def quantile(self, what: str, share: float) -> float:
        return round(float(np.quantile(self.spent[what], share)), 1)


def private_mb() -> float:
    """What this process holds for itself; 0 where the system does not tell."""
    return memory_mb("Anonymous")


def memory_mb(kind: str) -> float:
    """A line of what Linux tells of the process's memory."""
    table = Path("/proc/self/smaps_rollup")
    if not table.exists():
        return 0.0
    found = re.search(rf"^{kind}:\s+(\d+) kB", table.read_text(encoding="ascii"), re.MULTILINE)
    return 0.0 if found is None else round(int(found[1]) / 1024, 1)


def measure_reading(folder: Path, questions: Sequence[Question], clock: Clock) -> dict[str, Any]:
    """Open and search."""
    embedder = GivenVectors(questions)
    before = private_mb()
    with clock.times("open"):
        store = SQLiteStore.open(folder)
    with store:
        searching = RetrievePipeline(store, embedding=embedder, config=ClewConfig())
        with clock.times("first"):
            searching.search(questions[0].text)
        for question in questions[1:WARM_UP]:
            searching.search(question.text)
        found: dict[str, list[bool]] = {}
        for question in questions[WARM_UP:]:
            with clock.times("search"):
                result = searching.search(question.text)
            held = {unit.id for item in result.items for unit in item.units}
            found.setdefault(question.kind, []).append(question.unit_id in held)
        memory, mapped = private_mb(), round(memory_mb("Rss") - private_mb(), 1)
        asked = questions[:RECALL_QUESTIONS]
        recall = {layer: _recall(store, layer, asked) for layer in ("unit", "chunk")}
        counts = store.stats()
    return {
        "units": counts["knowledge_units"],
        "entities": counts["entities"],
        "open_ms": clock.quantile("open", 0.5),
        "first_search_ms": clock.quantile("first", 0.5),
        "search_p50_ms": clock.quantile("search", 0.5),
        "search_p95_ms": clock.quantile("search", 0.95),
        "recall_units": recall["unit"],
        "recall_chunks": recall["chunk"],
        "found": {kind: round(float(np.mean(hits)), 3) for kind, hits in found.items()},
        "private_mb": memory,
        "private_mb_before": before,
        "mapped_mb": mapped,
    }


def _recall(store: SQLiteStore, layer: Layer, questions: Sequence[Question]) -> float:
    """How many of the nearest are found, against a scan of all vectors that are there."""
    shares = []
    with store.reading() as reader:
        rows = reader._arrays.layer(layer)  # noqa: SLF001 - an exact scan, to compare with
        for question in questions:
            exact = np.argsort(-rows.scores(question.vector), kind="stable")[:NEAREST]
            found = reader.search_vectors(layer, question.vector, NEAREST).numbers
            shares.append(np.isin(rows.numbers[exact], found).mean())
    return round(float(np.mean(shares)), 4)


def measure_writing(
    folder: Path, world: MadeWorld, questions: Sequence[Question], clock: Clock, rounds: int
) -> dict[str, Any]:
    """Add and delete, several times over."""
    embedder = GivenVectors(questions)
    with SQLiteStore.open(folder) as store:
        searching = RetrievePipeline(store, embedding=embedder, config=ClewConfig())
        searching.search(questions[0].text)
        added: list[str] = []
        for turn in range(rounds):
            made = world.batch(BEYOND + turn, name="added")[:ADDED_DOCUMENTS]
            with clock.times("add"):
                store.commit(made, embedding=SPACE)
            with clock.times("after"):
                searching.search(questions[turn % len(questions)].text)
            added += [item.document.id for item in made]
        listed = store.list_documents()
        old = [listed[at].id for at in np.linspace(0, len(listed) // 2, rounds, dtype=int)]
        for document_id in old:
            with clock.times("delete"):
                store.commit(delete=[document_id])
        for document_id in added[:rounds]:
            with clock.times("delete new"):
                store.commit(delete=[document_id])
    return {
        "add_ms": clock.quantile("add", 0.5),
        "add_slowest_ms": clock.quantile("add", 1.0),
        "search_after_add_ms": clock.quantile("after", 0.5),
        "delete_ms": clock.quantile("delete", 0.5),
        "delete_slowest_ms": max(clock.quantile("delete", 1.0), clock.quantile("delete new", 1.0)),
    }


def profile(folder: Path, questions: Sequence[Question]) -> None:
    """Print where searches spend their time."""
    with SQLiteStore.open(folder) as store:
        searching = RetrievePipeline(store, embedding=GivenVectors(questions), config=ClewConfig())
        searching.search(questions[0].text)
        profiler = cProfile.Profile(time.process_time)
        profiler.enable()
        for question in questions[1:]:
            searching.search(question.text)
        profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(40)
    pstats.Stats(profiler).sort_stats("cumtime").print_stats(60)


def copied(folder: Path, place: Path) -> Path:
    """A copy to write in."""
    return Path(shutil.copytree(folder, place / "copy"))


def questions_of(folder: Path, world: MadeWorld, count: int) -> list[Question]:
    """Kept in a file beside the store; made by another process, so that this holds no corpus."""
    file = folder.with_name(f"{folder.name}.questions-{count}.npz")
    if not file.exists():
        if os.environ.get(_MAKING):
            made = world.questions(count)
            texts = [(item.text, item.kind, item.unit_id) for item in made]
            np.savez(file, texts=np.array(texts), vectors=np.stack([item.vector for item in made]))
        else:
            command = [sys.executable, "-m", "benchmarks.stores.measure", *sys.argv[1:]]
            subprocess.run(command, check=True, env={**os.environ, _MAKING: "1"})
    with np.load(file) as kept:
        return [
            Question(text=text, kind=kind, unit_id=unit_id, vector=vector)
            for (text, kind, unit_id), vector in zip(
                kept["texts"].tolist(), kept["vectors"], strict=True
            )
        ]


def main() -> None:
    with_one_blas_thread("benchmarks.stores.measure")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=12, help="commits to add and to delete")
    parser.add_argument("--profile", type=int, default=0, metavar="QUESTIONS")
    parser.add_argument("--reading-only", action="store_true")
    parser.add_argument("--in-place", action="store_true", help="write in the store itself")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    options = parser.parse_args()
    built = json.loads(report_of(options.folder).read_text(encoding="utf-8"))
    world = MadeWorld(built["units"])
    clock = Clock()
    questions = questions_of(options.folder, world, options.questions + WARM_UP)
    if os.environ.get(_MAKING):
        return
    with one_core():
        if options.profile:
            profile(options.folder, questions[: options.profile + 1])
            return
        report = measure_reading(options.folder, questions, clock)
        sys.stderr.write(f"{json.dumps(report)}\n")
        report["disk_mb"] = round(folder_mb(options.folder))
        report["build"] = built
        if options.in_place:
            report |= measure_writing(options.folder, world, questions, clock, options.rounds)
        elif not options.reading_only:
            with tempfile.TemporaryDirectory(dir=options.folder.parent) as place:
                copy = copied(options.folder, Path(place))
                report |= measure_writing(copy, world, questions, clock, options.rounds)
    report["environment"] = environment()
    print(json.dumps(report, indent=1))
    if options.out is not None:
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
