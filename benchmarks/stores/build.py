"""Builds the store of a made-up world, commit by commit, and says what that took.

::

    python -m benchmarks.stores.build 100000 /tmp/made-100k

The documents of :mod:`benchmarks.stores.made_world` go through ``SQLiteStore.commit``, 250 a
commit, as those of ``clew ingest`` do. A build that was interrupted goes on where it stopped. A
file beside the folder says what was spent: the processor's seconds of the commits alone, without
those that the made-up records take.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from benchmarks.multihop.environment import environment, with_one_blas_thread
from benchmarks.stores.made_world import DOCUMENTS_PER_BATCH, SPACE, MadeWorld

from clew.evaluation.environment import folder_mb, peak_memory_mb
from clew.stores.sqlite import SQLiteStore


def build(units: int, folder: Path) -> dict[str, object]:
    """Build or go on building; return the report."""
    world = MadeWorld(units)
    batches = -(-world.documents // DOCUMENTS_PER_BATCH)
    spent, slowest = 0.0, 0.0
    with SQLiteStore.open(folder) as store:
        done = store.stats()["documents"]
        for batch in range(done // DOCUMENTS_PER_BATCH, batches):
            made = world.batch(batch)
            began = time.process_time()
            store.commit(made, embedding=SPACE)
            took = time.process_time() - began
            spent, slowest = spent + took, max(slowest, took)
            if (batch + 1) % 10 == 0:
                sys.stderr.write(f"{batch + 1}/{batches} commits, {spent:.0f} s of the processor\n")
        counts = store.stats()
    return {
        "units": world.units,
        "resumed_from": done,
        "commit_cpu_s": round(spent, 1),
        "slowest_commit_cpu_s": round(slowest, 2),
        "disk_mb": round(folder_mb(folder)),
        "peak_memory_mb": round(peak_memory_mb()),
        "counts": counts,
        "environment": environment(),
    }


def report_of(folder: Path) -> Path:
    """Where the report on a store is kept: beside it."""
    return folder.with_name(f"{folder.name}.build.json")


def main() -> None:
    with_one_blas_thread("benchmarks.stores.build")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("units", type=int)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    report = build(options.units, options.folder)
    report_of(options.folder).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
