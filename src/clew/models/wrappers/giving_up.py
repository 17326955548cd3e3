"""A model that has never answered is not asked for ever: a wrong key, a server that is down."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Lock

from clew.errors import BudgetExceededError, ModelError, ModelRefusedError
from clew.models.base import Completion
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.stopping import STOPPED, stopped_by

PATIENCE = 8
"""Failures in a row, from the first call on, after which a model is given up."""

_OF_THE_PROMPT = frozenset({0, 400, 413, 422})
_REFUSALS_A_FAILURE = 8
"""A prompt that is refused (its length, its content) says little of the next one."""


class GivingUpLayer:
    """Makes no more calls after ``patience`` failures with no success before them, and none after
    :meth:`stop`. One object for one run.
    """

    def __init__(self, name: str, patience: int = PATIENCE) -> None:
        self._name = name
        self._patience = patience
        self._lock = Lock()
        self._failures = 0
        self._refusals = 0
        self._answered = False
        self._stopped = False

    def stop(self) -> None:
        """Let calls that are under way end, cut short what others wait for, and begin none."""
        self._stopped = True

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        if self._stopped:
            raise ModelError(STOPPED)
        failures = self._failures + self._refusals // _REFUSALS_A_FAILURE
        if not self._answered and failures >= self._patience:
            raise ModelError(
                f"not asked: {self._name} failed {self._failures + self._refusals} times and never "
                "replied"
            )
        try:
            # Whoever reads a stream goes on in between, and with what is no business of this run.
            with nullcontext() if request.streamed else stopped_by(lambda: self._stopped):
                for item in proceed(request):
                    self._answered = self._answered or isinstance(item, Completion)
                    yield item
        except BudgetExceededError:
            raise
        except Exception as error:  # whatever a user's model raises
            refused = isinstance(error, ModelRefusedError) and error.status in _OF_THE_PROMPT
            with self._lock:
                self._refusals += refused
                self._failures += not refused
            raise
