"""Progress as plain lines on standard error, now and then: for pipes, logs and ``verbose``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

Tell = Callable[[int, int, str], None]


def progress_lines(unit: str, *, every_s: float = 5.0) -> Tell:
    """Give a callback ``(done, total, stage)`` that writes a line when the last one is old."""
    began = last = time.monotonic()

    def tell(done: int, total: int, stage: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last < every_s:
            return
        last = now
        rate = done / (now - began)
        left = f", {max(0, total - done) / rate:.0f} s left" if rate else ""
        sys.stderr.write(f"{stage}: {done}/{total} {unit}, {rate:.0f}/s{left}\n")
        sys.stderr.flush()

    return tell
