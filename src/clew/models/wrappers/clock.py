"""Time as the wrappers see it, so that tests need not wait."""

from __future__ import annotations

import time
from typing import Protocol

from clew.models.wrappers.stopping import is_stopping

_LOOKS_EVERY_S = 0.2


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    def sleep(self, seconds: float) -> None:
        """Less where the run is to end meanwhile: see :mod:`clew.models.wrappers.stopping`."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        until = self.now() + seconds
        while (left := until - self.now()) > 0 and not is_stopping():
            time.sleep(min(left, _LOOKS_EVERY_S))
