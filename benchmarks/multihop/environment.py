"""One thread for matrices, for measurements in a process of their own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from clew.evaluation import environment as machine

ROOT = Path(__file__).parents[2]


def environment() -> dict[str, object]:
    """What a reader needs to compare figures."""
    return machine.environment(ROOT)


def with_one_blas_thread(module: str) -> None:
    """Start ``module`` anew with one thread for matrices, unless that is so already: numpy reads
    the setting when it is loaded.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
        os.execv(sys.executable, [sys.executable, "-m", module, *sys.argv[1:]])
