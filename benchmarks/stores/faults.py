"""Let each write of a store fail once, and the disk fill up: nothing that was committed is harmed.

``python -m benchmarks.stores.faults`` (Linux, with ``strace``; as root also on a small tmpfs) takes
each kind of change of :mod:`benchmarks.stores.kills` on a store that holds something, and

* lets the N-th write, truncation or sync of it fail with EIO, with ENOSPC, or kill the process, for
  N = 1, 1 + every, 1 + 2·every, …;
* runs it in a folder with so little room, and a little more, until it gets through;
* runs it where no file may grow beyond so many bytes, and a little more, until it gets through
  (needs neither ``strace`` nor root).

The change may fail with an error of clew and nothing else. Afterwards the check is clean, every
document is as it was or as it should be, and the change made again without the fault ends in the
state of an undisturbed run, and exports and finds the same.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from benchmarks.stores.kills import (
    STEPS,
    State,
    Step,
    outcome_of,
    small_stores_signed,
    state_of,
    take,
    write_notes,
)

from clew.errors import ClewError, StoreFullError

_CALLS = "write,pwrite64,fdatasync,fsync,ftruncate,unlink,rename"
_FAULTS = ("error=EIO", "error=ENOSPC", "signal=SIGKILL")
_FIRST = 3
"""Steps before this one only fill the store."""
_DONE, _REFUSED, _FULL, _TRACEBACK = 0, 10, 11, 12
_NAMES = {_DONE: "absorbed", _REFUSED: "refused", _FULL: "refused: full", _TRACEBACK: "traceback"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Case:
    """One kind of change: a store before it, and the states around it."""

    step: Step
    store: Path
    before: State
    after: State
    outcome: tuple[bytes, list[object]]


def cases(folder: Path, notes: Path, only: str | None) -> Iterator[Case]:
    """Each kind of change once, or ``only`` one, in the order of the steps."""
    store, seen = folder / "whole.clew", set()
    for number, step in enumerate(STEPS):
        kept = folder / f"{number}.clew"
        wanted = only in {None, step.name}
        fresh = wanted and number >= _FIRST and step.name not in seen
        if fresh:
            seen.add(step.name)
            shutil.copytree(store, kept)
        before = state_of(store)
        take(step, store, notes)
        if fresh:
            yield Case(
                step=step,
                store=kept,
                before=before,
                after=state_of(store),
                outcome=outcome_of(store, step.embedder),
            )


def failing_calls(case: Case, notes: Path, folder: Path, every: int) -> Iterator[tuple[str, str]]:
    """Yield (fault, what became of it) for each call that is made to fail."""
    store = folder / "failing.clew"
    for fault in _FAULTS:
        for number in range(1, _count_calls(case, notes, store), every):
            _restore(case, store, notes)
            code = _in_child(case.step, store, notes, f"{_CALLS}:{fault}:when={number}")
            yield fault, _judged(case, store, notes, code)


def little_room(case: Case, notes: Path, folder: Path, more: int) -> Iterator[tuple[str, str]]:
    """Yield (room, what became of it), each time with so many bytes ``more``, until the change gets
    through.
    """
    size = sum(file.stat().st_size for file in case.store.rglob("*"))
    for room in range(0, 64 << 20, more):
        with _small_folder(folder / "small", size + (128 << 10) + room) as (small, widen):
            store = small / "small.clew"
            _restore(case, store, notes)
            code = _in_child(case.step, store, notes)
            widen()
            yield f"{room >> 10} KiB", _judged(case, store, notes, code)
        if code == _DONE:
            return


def small_files(case: Case, notes: Path, folder: Path, more: int) -> Iterator[tuple[str, str]]:
    """Like :func:`little_room`, with a limit to what any file may grow to."""
    store = folder / "limited.clew"
    for limit in range(0, 64 << 20, more):
        _restore(case, store, notes)
        code = _in_child(case.step, store, notes, limit=limit)
        yield f"{limit >> 10} KiB", _judged(case, store, notes, code)
        if code == _DONE:
            return


@contextmanager
def no_larger_files(limit: int) -> Iterator[None]:
    """This process may make no file larger than ``limit`` bytes."""
    kept = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, kept[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, kept)


def _restore(case: Case, store: Path, notes: Path) -> None:
    shutil.rmtree(store, ignore_errors=True)
    shutil.copytree(case.store, store)
    if case.step.version is not None:
        write_notes(notes, case.step.version)


def _judged(case: Case, store: Path, notes: Path, code: int) -> str:
    outcome = _NAMES.get(code, "killed" if code < 0 else f"exit {code}")
    try:
        state = state_of(store)
        for name in {*case.before.documents, *case.after.documents, *state.documents}:
            allowed = {case.before.documents.get(name), case.after.documents.get(name)}
            assert state.documents.get(name) in allowed, f"{name} is of neither state"
        assert state.embedder in {case.before.embedder, case.after.embedder}
        take(case.step, store, notes)
        again = state_of(store)
        assert (again.documents, again.embedder) == (case.after.documents, case.after.embedder)
        assert outcome_of(store, case.step.embedder) == case.outcome
    except Exception:
        return f"FAULT after {outcome}: {traceback.format_exc(limit=-3)}"
    return outcome if code != _TRACEBACK else f"FAULT: {outcome}"


def _count_calls(case: Case, notes: Path, store: Path) -> int:
    _restore(case, store, notes)
    with tempfile.NamedTemporaryFile() as log:
        assert _in_child(case.step, store, notes, log=log.name) == _DONE
        return sum(b"(" in line for line in log.read().splitlines())


def _in_child(
    step: Step,
    store: Path,
    notes: Path,
    inject: str | None = None,
    *,
    log: str | None = None,
    limit: int | None = None,
) -> int:
    """Take ``step`` in a child; return its exit code, or minus the signal that ended it."""
    waiting, go = os.pipe()
    child = os.fork()
    if not child:
        os.close(go)
        os.read(waiting, 1)
        with nullcontext() if limit is None else no_larger_files(limit):
            _take(step, store, notes)
    os.close(waiting)
    tracer = None
    if inject or log:
        asked = ["-e", f"inject={inject}"] if inject else []
        tracer = subprocess.Popen(
            [
                *("strace", "-f", "-o", log or os.devnull, "-e", f"trace={_CALLS}"),
                *(*asked, "-p", str(child)),
            ],
            stderr=subprocess.PIPE,
        )
        assert tracer.stderr is not None
        said = tracer.stderr.readline()
        assert b"attached" in said, said
    os.close(go)
    _, status = os.waitpid(child, 0)
    if tracer is not None:
        tracer.communicate()
    return os.waitstatus_to_exitcode(status)


def _take(step: Step, store: Path, notes: Path) -> NoReturn:
    try:
        step.run(store, notes)
    except StoreFullError:
        os._exit(_FULL)
    except ClewError:
        os._exit(_REFUSED)
    except BaseException:
        traceback.print_exc()
        os._exit(_TRACEBACK)
    os._exit(_DONE)


@contextmanager
def _small_folder(path: Path, size: int) -> Iterator[tuple[Path, Callable[[], None]]]:
    """A tmpfs of ``size`` bytes, and how to make it wide."""
    path.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path))
    try:
        yield path, lambda: _mount("-o", "remount,size=256m", str(path))
    finally:
        subprocess.run(["umount", str(path)], check=True)


def _mount(*arguments: str) -> None:
    subprocess.run(["mount", *arguments], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="Fail each so-many-th call, 0: none.")
    parser.add_argument("--more", type=int, default=32, help="KiB more at each small disk.")
    parser.add_argument("--only", choices=sorted({step.name for step in STEPS}))
    options = parser.parse_args()
    faults, more = 0, options.more << 10
    with tempfile.TemporaryDirectory() as name, small_stores_signed():
        folder = Path(name)
        notes = folder / "notes"
        for case in cases(folder, notes, options.only):
            counts: Counter[tuple[str, str]] = Counter()
            tried = {"small files": small_files(case, notes, folder, more)}
            if os.geteuid() == 0:
                tried["small disk"] = little_room(case, notes, folder, more)
            if options.every:
                tried["call"] = failing_calls(case, notes, folder, options.every)
            for source, outcomes in tried.items():
                for fault, outcome in outcomes:
                    if outcome.startswith("FAULT"):
                        faults += 1
                        print(f"{case.step.name}, {source} {fault}: {outcome}", flush=True)
                    counts[fault if source == "call" else source, outcome[:20]] += 1
            for (fault, outcome), count in sorted(counts.items()):
                print(f"{case.step.name:8} {fault:16} {outcome:20} {count:5}", flush=True)
    if os.geteuid() != 0:
        print("not tried: a small file system, for only root can mount one")
    print(f"{faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
