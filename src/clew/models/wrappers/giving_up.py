"""A model that has never answered is not asked for ever: a wrong key, a server that is down."""

from __future__ import annotations

from threading import Lock

from clew.errors import BudgetExceededError, ModelError
from clew.models.base import Completion
from clew.models.wrappers.layers import Proceed, Reply, Request

PATIENCE = 8
"""Failures in a row, from the first call on, after which a model is given up."""


class GivingUpLayer:
    """Makes no more calls after ``patience`` failures with no success before them, and none after
    :meth:`stop`. One object for one run.
    """

    def __init__(self, name: str, patience: int = PATIENCE) -> None:
        self._name = name
        self._patience = patience
        self._lock = Lock()
        self._failures = 0
        self._answered = False
        self._stopped = False

    def stop(self) -> None:
        """Let calls that are under way end, and begin no other."""
        self._stopped = True

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        if self._stopped:
            raise ModelError("not asked: the run was stopped")
        if not self._answered and self._failures >= self._patience:
            raise ModelError(
                f"not asked: {self._name} failed {self._failures} times and never replied"
            )
        try:
            for item in proceed(request):
                self._answered = self._answered or isinstance(item, Completion)
                yield item
        except BudgetExceededError:
            raise
        except Exception:  # whatever a user's model raises
            with self._lock:
                self._failures += 1
            raise
