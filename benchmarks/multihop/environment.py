"""On what a figure was measured: machine, versions, commit."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PACKAGES = ("numpy", "onnxruntime", "tokenizers", "bm25s")


def environment() -> dict[str, object]:
    """What a reader needs to compare figures."""
    return {
        "commit": commit(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in _PACKAGES},
    }


def commit() -> str:
    """The commit of the working tree; ``+`` behind it when a source file differs from it."""
    number = _git("rev-parse", "--short=12", "HEAD")
    return number + ("+" if _git("status", "--porcelain", "--", "src", "benchmarks") else "")


def processor() -> str:
    """The name of the processor, where the system tells it."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def peak_memory_mb() -> float:
    """The most memory that this process ever held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def with_one_blas_thread(module: str) -> None:
    """Start ``module`` anew with one thread for matrices, unless that is so already: numpy reads
    the setting when it is loaded.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]])


def on_one_core() -> None:
    """Bind this process to one core, so that no parallelism hides in a latency."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def folder_mb(folder: Path) -> float:
    """What the files of a folder take on disk."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
