"""Kill a writer at random moments of everything that writes, and see that nothing is lost or torn.

``python -m benchmarks.stores.kills --runs 200`` lets a child ingest, delete, sync, compact and
embed anew, and kills it (SIGKILL) at a random moment of a random step. After each kill the check
must be clean; every document is as it was before that step or as it is after it; what steps before
it committed is there; the generation never goes back. The child then goes on. A store that gets
through must export what an undisturbed one exports, byte by byte, and find the same. The stores
are small, and have signs all the same.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import IO, NoReturn

from clew import ClewConfig, KnowledgeBase
from clew.stores.sqlite import SQLiteStore, sign_file
from clew.testing import FakeEmbedder

CONFIG = ClewConfig(executor="inline")

_QUESTIONS = ("Who built the mill at Brook 3?", "Miller 5", "What does the harbour have?")
_FILES = 24
_BATCH = 10


@dataclass(frozen=True, slots=True)
class Step:
    """``run(store, notes)``: one change of the store, whose vectors are those of ``embedder`` then;
    ``notes`` is the folder that is synced, of which ``version`` is written before.
    """

    name: str
    run: Callable[[Path, Path], None]
    embedder: int
    version: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """What a store holds after a step: the hash of each document, and whose its vectors are."""

    generation: int
    documents: dict[str, str]
    embedder: str | None


@dataclass(slots=True)
class Report:
    """``kills`` by step; ``faults`` should be empty."""

    kills: Counter[str] = field(default_factory=Counter)
    finished: int = 0
    faults: list[str] = field(default_factory=list)


@contextmanager
def small_stores_signed() -> Iterator[None]:
    """Let stores of every size have signs beside their vectors."""
    kept = sign_file.MOST_SCANNED, sign_file.MOST_UNSIGNED
    sign_file.MOST_SCANNED, sign_file.MOST_UNSIGNED = 0, 1
    try:
        yield
    finally:
        sign_file.MOST_SCANNED, sign_file.MOST_UNSIGNED = kept


def _open(store: Path, embedder: int) -> KnowledgeBase:
    return KnowledgeBase.open(store, embedding=FakeEmbedder(32, seed=embedder), config=CONFIG)


def _ingest(batch: int, embedder: int) -> Step:
    def run(store: Path, _: Path) -> None:
        documents = [
            {
                "doc_id": f"d{number:03}",
                "text": "\n\n".join(
                    f"Mill {number} at Brook {part} was built by Miller {number % 17} in "
                    f"18{part:02}. Harbour {part} of Town {number % 5} has a lighthouse."
                    for part in range(1 + number % 9)
                ),
            }
            # Each batch also replaces the first document of the one before.
            for number in [max(batch - 1, 0) * _BATCH, *range(batch * _BATCH, (batch + 1) * _BATCH)]
        ]
        with _open(store, embedder) as kb:
            kb.ingest_documents(documents)

    return Step("ingest", run, embedder)


def _delete(numbers: Sequence[int], embedder: int) -> Step:
    def run(store: Path, _: Path) -> None:
        with _open(store, embedder) as kb:
            for number in numbers:
                kb.delete(f"d{number:03}")

    return Step("delete", run, embedder)


def _sync(version: int, embedder: int) -> Step:
    def run(store: Path, notes: Path) -> None:
        with _open(store, embedder) as kb:
            kb.sync(notes)

    return Step("sync", run, embedder, version)


def write_notes(notes: Path, version: int) -> None:
    """Put a version of the folder there: some files are new, some changed, some gone."""
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    for number in range(version * 6, _FILES + version * 6):
        edition = version if number % 3 == 0 else 0
        path = notes / f"n{number:02}.md"
        path.write_text(
            f"# Note {number}\n\nBridge {number} was painted by Painter {number % 7}, "
            f"edition {edition}.\n" + "\nIt crosses River 4.\n" * (number % 5),
            encoding="utf-8",
        )
        os.utime(path, (1_700_000_000, 1_700_000_000 + edition))


def take(step: Step, store: Path, notes: Path) -> None:
    """Take one step from its begin."""
    if step.version is not None:
        write_notes(notes, step.version)
    step.run(store, notes)


def _compact(embedder: int) -> Step:
    def run(store: Path, _: Path) -> None:
        with SQLiteStore.open(store) as opened:
            opened.compact()

    return Step("compact", run, embedder)


def _reembed(embedder: int) -> Step:
    def run(store: Path, _: Path) -> None:
        with _open(store, embedder) as kb:
            kb.reembed()

    return Step("reembed", run, embedder)


STEPS = (
    _ingest(0, 0),
    _ingest(1, 0),
    _sync(0, 0),
    _ingest(2, 0),
    _delete((1, 4, 12), 0),
    _compact(0),
    _reembed(1),
    _ingest(3, 1),
    _sync(1, 1),
    _delete((5, 20, 21, 33), 1),
    _reembed(2),
    _ingest(4, 2),
    _sync(2, 2),
    _compact(2),
)


class Undisturbed:
    """A run of all steps that nobody kills: the store after each, and how long each takes."""

    def __init__(self, folder: Path, notes: Path) -> None:
        store = folder / "undisturbed.clew"
        self.states = [State(0, {}, None)]
        self.seconds: list[float] = []
        for step in STEPS:
            began = time.monotonic()
            take(step, store, notes)
            self.seconds.append(time.monotonic() - began)
            self.states.append(state_of(store))
        self.outcome = outcome_of(store, STEPS[-1].embedder)


def state_of(path: Path) -> State:
    """Raises AssertionError when the check finds something."""
    if not (path / "main.db").exists():
        return State(0, {}, None)
    with SQLiteStore.open(path) as store:
        problems = list(store.check())
        assert not problems, problems[:3]
        documents = {item.doc_id: item.content_hash for item in store.list_documents()}
        embedding = store.embedding
        return State(store.generation, documents, embedding.fingerprint if embedding else None)


def outcome_of(path: Path, embedder: int) -> tuple[bytes, list[object]]:
    """The export of a store, and what searches find in it."""
    with _open(path, embedder) as kb:
        kb.export(path.with_suffix(".jsonl"))
        found: list[object] = [
            [(item.doc_id, round(item.score, 5)) for item in kb.search(question).items]
            for question in _QUESTIONS
        ]
    return path.with_suffix(".jsonl").read_bytes(), found


def run_kills(runs: int, seed: int, folder: Path, said: IO[str] = sys.stderr) -> Report:
    """Kill ``runs`` times."""
    random = Random(seed)
    notes = folder / "notes"
    undisturbed = Undisturbed(folder, notes)
    report = Report()
    store, step, generation = folder / "0.clew", 0, 0
    while sum(report.kills.values()) < runs:
        target = min(step + random.randint(0, 4), len(STEPS))
        after_s = random.uniform(0.0, 1.1 * [*undisturbed.seconds, 0.0][target])
        step, killed = _run_and_kill(store, notes, step, target, after_s)
        if killed:
            report.kills[STEPS[step].name] += 1
        try:
            state = state_of(store)
            _compare(state, undisturbed.states[step : step + 2], generation)
            generation = state.generation
            if step == len(STEPS):
                assert outcome_of(store, STEPS[-1].embedder) == undisturbed.outcome, (
                    "other than the undisturbed run"
                )
        except Exception:
            place = STEPS[step].name if step < len(STEPS) else "the end"
            report.faults.append(f"{store.name} at {place}: {traceback.format_exc(limit=-3)}")
            print(report.faults[-1], file=said, flush=True)
            step = len(STEPS)
        if step == len(STEPS):
            report.finished += 1
            if not report.faults:
                shutil.rmtree(store)
            store, step, generation = folder / f"{report.finished}.clew", 0, 0
    return report


def _run_and_kill(
    store: Path, notes: Path, first: int, target: int, after_s: float
) -> tuple[int, bool]:
    """Let a child take the steps from ``first`` on; kill it ``after_s`` after the begin of
    ``target``, which may be the end. Return how many steps are through, and whether it was killed
    while one was not.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _take_steps(store, notes, first, writing)
    os.close(writing)
    done = first
    with os.fdopen(reading, "rb", buffering=0) as told:
        while done < target and told.read(1):
            done += 1
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        done += len(told.read())
    return done, done < len(STEPS)


def _take_steps(store: Path, notes: Path, first: int, told: int) -> NoReturn:
    try:
        for step in STEPS[first:]:
            take(step, store, notes)
            os.write(told, b".")
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _compare(state: State, around: Sequence[State], generation: int) -> None:
    """``around``: the states before and after the step in which the child was killed."""
    assert state.generation >= generation, f"generation {state.generation} after {generation}"
    before, after = around[0], around[-1]
    assert state.embedder in {before.embedder, after.embedder}, state.embedder
    for name in {*before.documents, *after.documents, *state.documents}:
        allowed = {before.documents.get(name), after.documents.get(name)}
        assert state.documents.get(name) in allowed, f"{name} is of neither state"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, small_stores_signed():
        report = run_kills(options.runs, options.seed, Path(name))
    kills = ", ".join(f"{step} {count}" for step, count in sorted(report.kills.items()))
    print(f"{sum(report.kills.values())} kills ({kills}), {report.finished} stores got through")
    print(f"{len(report.faults)} faults")
    return int(bool(report.faults))


if __name__ == "__main__":
    sys.exit(main())
