"""A hard stop: what may be spent, what is spent, and what calls under way have reserved."""

from __future__ import annotations

from threading import Lock

from clew.errors import BudgetExceededError
from clew.models.base import Completion, Usage
from clew.models.wrappers.estimates import Estimate, Estimates
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.prices import Price


class BudgetLayer:
    """Makes no call that, by its estimate, would bring the costs of a run above ``most``.

    A call that fails costs nothing; one that is broken off while it streams costs its estimate.
    """

    def __init__(self, most: float, *, price: Price, name: str, estimates: Estimates) -> None:
        self._most = most
        self._price = price
        self._name = name
        self._estimates = estimates
        self._lock = Lock()
        self._spent = 0.0
        self._reserved = 0.0

    @property
    def spent(self) -> float:
        return self._spent

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        estimate = self._estimates.of(request)
        reserved = self._reserve(estimate)
        cost = 0.0
        try:
            for item in proceed(request):
                if isinstance(item, Completion):
                    used = self._estimates.told(estimate, item.text, item.usage)
                    cost = self._price.of(used)
                else:
                    cost = reserved
                yield item
        finally:
            with self._lock:
                self._reserved -= reserved
                self._spent += cost

    def _reserve(self, estimate: Estimate) -> float:
        usage = Usage(input_tokens=estimate.input_tokens, output_tokens=estimate.output_tokens)
        cost = self._price.of(usage)
        with self._lock:
            if self._spent + self._reserved + cost > self._most:
                raise BudgetExceededError(
                    f"the budget is used up: {self._spent:.4f} of llm_max_cost={self._most:g} "
                    f"{self._price.currency} is spent, {self._reserved:.4f} is under way, and a "
                    f"call of {self._name} would cost about {cost:.4f} more; run again with a "
                    "higher llm_max_cost to go on"
                )
            self._reserved += cost
        return cost
