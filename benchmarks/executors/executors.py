"""One corpus indexed by every executor: is the graph the same, and what does each take?

Each run is `clew ingest` in a session of its own, whose processes are watched in /proc: the
processor's time of the caller, of the workers and of what Ray needs for itself. Of the runs with
Ray, one loses a worker on the way (SIGKILL).

    python benchmarks/executors/executors.py /path/to/corpus.jsonl [--passages N] [--workers 2]

With `--ray-address auto`, runs with Ray go to the one that `ray start` left on this machine.

Prints a line of JSON a run; exit status 1 when a graph differs from that of `inline`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_EVERY_S = 0.5


@dataclass(slots=True)
class Watched:
    """The processor's seconds of each process of the caller's session, and of those of a Ray that
    was there, as last seen; ``before`` is what these had used when the run began.
    """

    caller: int
    sessions: set[int]
    before: dict[int, float] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    roles: dict[int, str] = field(default_factory=dict)

    def look(self) -> None:
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                if int(stat[3]) not in self.sessions:
                    continue
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (OSError, IndexError):  # it has just ended
                continue
            number = int(entry.name)
            self.seconds[number] = (int(stat[11]) + int(stat[12])) / _TICKS
            self.roles[number] = _role(number, self.caller, command)

    def by_role(self) -> dict[str, float]:
        total: defaultdict[str, float] = defaultdict(float)
        for number, seconds in self.seconds.items():
            total[self.roles[number]] += seconds - self.before.get(number, 0.0)
        return {role: round(seconds, 1) for role, seconds in total.items() if role != "others"}

    def workers(self) -> list[int]:
        return [number for number, role in self.roles.items() if role == "workers"]


def _role(number: int, caller: int, command: str) -> str:
    if number == caller:
        return "caller"
    if command.startswith("ray::Worker") or "LokyProcess" in command:
        return "workers"
    of_ray = command.startswith("ray::") or "/site-packages/ray/" in command
    return "ray itself" if of_ray else "others"


def run(
    corpus: Path,
    folder: Path,
    executor: str,
    workers: int,
    kill_after_s: float | None,
    address: str | None,
) -> dict[str, object]:
    """Index ``corpus`` into a store; kill a worker once it has computed for ``kill_after_s``."""
    store = folder / "store"
    shutil.rmtree(store, ignore_errors=True)
    command = [
        sys.executable,
        "-m",
        "clew",
        "--store",
        str(store),
        "--quiet",
        "ingest",
        str(corpus),
    ]
    command += ["--executor", executor]
    if executor != "inline":
        command += ["--workers", str(workers)]
    standing = set[int]()
    if executor == "ray" and address is not None:
        command += ["--ray-address", address]
        standing = _sessions_of_ray()
    there = Watched(0, standing)
    there.look()
    began = time.perf_counter()
    told = folder / "told.txt"
    with told.open("wb") as file:
        process = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=file
        )
    watched, killed = Watched(process.pid, standing | {process.pid}, there.seconds), 0
    while process.poll() is None:
        watched.look()
        for worker in watched.workers():
            if kill_after_s is not None and not killed and watched.seconds[worker] > kill_after_s:
                os.kill(worker, signal.SIGKILL)
                killed = 1
        time.sleep(_EVERY_S)
    seconds = time.perf_counter() - began
    err = told.read_text(encoding="utf-8")
    if process.returncode:
        raise SystemExit(f"{executor} failed: {err[-2000:]}")
    return {
        "executor": executor,
        "killed": killed,
        "wall_s": round(seconds, 1),
        "cpu_s": watched.by_role(),
        "cpu_s_in_all": round(sum(watched.by_role().values()), 1),
        "disk_mb": round(_bytes(store) / 1e6, 1),
        "graph": _digest(store, folder),
        "told": [line for line in err.splitlines() if "was lost" in line],
    }


def _sessions_of_ray() -> set[int]:
    found = subprocess.run(["pgrep", "-x", "raylet"], capture_output=True, text=True, check=True)
    return {os.getsid(int(number)) for number in found.stdout.split()}


def _digest(store: Path, folder: Path) -> str:
    """Of everything in the store that a person can export, vectors included."""
    path = folder / "export.jsonl"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", "clew", "--store", str(store), "--quiet", "export", str(path)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def _bytes(store: Path) -> int:
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--passages", type=int)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--kill-after-s", type=float, default=15.0)
    parser.add_argument("--ray-address")
    parser.add_argument("--executors", default="inline,processes,ray,ray-killed")
    options = parser.parse_args()
    lines = options.corpus.read_text(encoding="utf-8").splitlines()[: options.passages]
    graphs = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        corpus = folder / "corpus.jsonl"
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
        for executor in options.executors.split(","):
            is_killed = executor.endswith("-killed")
            after = options.kill_after_s if is_killed else None
            kind, address = executor.removesuffix("-killed"), options.ray_address
            found = run(corpus, folder, kind, options.workers, after, address)
            print(json.dumps({"passages": len(lines), **found}), flush=True)
            if is_killed and not found["killed"]:
                raise SystemExit("no worker was killed: fewer --kill-after-s, or more passages")
            graphs.add(found["graph"])
    if len(graphs) > 1:
        raise SystemExit(f"the graphs differ: {sorted(map(str, graphs))}")


if __name__ == "__main__":
    main()
