"""On what a figure was measured: machine, versions, commit."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import clew

_PACKAGES = ("clew", "numpy", "onnxruntime", "tokenizers", "bm25s")


def environment(root: Path | None = None) -> dict[str, object]:
    """What a reader needs to compare figures. ``root`` is the repository (else that of the package,
    where it is one).
    """
    return {
        "commit": commit(root or Path(clew.__file__).parents[2]),
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": dict(_versions()),
    }


def commit(root: Path) -> str:
    """The commit of the working tree, with ``+`` behind it when a source file differs from it;
    ``""`` where ``root`` is no repository.
    """
    if not (root / ".git").exists():
        return ""
    number = _git(root, "rev-parse", "--short=12", "HEAD")
    return number + ("+" if _git(root, "status", "--porcelain", "--", "src", "benchmarks") else "")


def processor() -> str:
    """The name of the processor, where the system tells it."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def peak_memory_mb() -> float:
    """The most memory that this process ever held; 0.0 where the system does not tell."""
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def folder_mb(folder: Path) -> float:
    """What the files of a folder take on disk."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20


@contextmanager
def one_core() -> Iterator[None]:
    """Bind this thread, and those that it starts, to one core, so that no parallelism hides in a
    latency.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def one_blas_thread() -> None:
    """Let numpy use one thread for matrices; it reads the setting when it is loaded, so afterwards
    this does nothing.
    """
    if "numpy" not in sys.modules:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _versions() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _git(root: Path, *arguments: str) -> str:
    command = ["git", *arguments]  # the one on the path is meant
    done = subprocess.run(  # noqa: S603
        command, cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()
