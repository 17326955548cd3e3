"""A hard stop: what may be spent, what is spent, and what calls under way have reserved."""

from __future__ import annotations

from collections import Counter
from threading import Condition, get_ident

from clew.errors import BudgetExceededError
from clew.models.base import Completion, Usage
from clew.models.wrappers.estimates import Estimate, Estimates
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.prices import Price


class BudgetLayer:
    """Makes no call that, by its estimate, would bring the costs of a run above ``most``.

    Where what is under way may leave too little, a call waits until that is known. Before the first
    reply nobody knows how long they get: calls beside the first then reserve what they may cost at
    most. A call that fails costs nothing; one that is broken off while it streams costs its
    estimate. ``setting`` is what the user calls the limit.
    """

    def __init__(
        self,
        most: float,
        *,
        price: Price,
        name: str,
        estimates: Estimates,
        setting: str = "llm_max_cost",
    ) -> None:
        self._most = most
        self._setting = setting
        self._price = price
        self._name = name
        self._estimates = estimates
        self._changed = Condition()
        self._spent = 0.0
        self._reserved = 0.0
        self._callers: Counter[int] = Counter()
        self.refused = False

    @property
    def spent(self) -> float:
        return self._spent

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        caller = get_ident()
        estimate, reserved = self._reserve(request, caller)
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
            with self._changed:
                self._callers -= Counter([caller])
                self._reserved = self._reserved - reserved if self._callers else 0.0
                self._spent += cost
                self._changed.notify_all()

    def _reserve(self, request: Request, caller: int) -> tuple[Estimate, float]:
        with self._changed:
            while True:
                others = bool(self._callers)
                estimate = (self._estimates.worst_of if others else self._estimates.of)(request)
                cost = self._price.of(
                    Usage(input_tokens=estimate.input_tokens, output_tokens=estimate.output_tokens)
                )
                if self._spent + self._reserved + cost <= self._most:
                    self._reserved += cost
                    self._callers[caller] += 1
                    return estimate, cost
                if not others or caller in self._callers:  # nothing to wait for but itself
                    self.refused = True
                    raise self._used_up(cost)
                self._changed.wait()

    def _used_up(self, cost: float) -> BudgetExceededError:
        return BudgetExceededError(
            f"the budget is used up: {self._spent:.4f} of {self._setting}={self._most:g} "
            f"{self._price.currency} is spent, {self._reserved:.4f} is under way, and a "
            f"call of {self._name} would cost about {cost:.4f} more; run again with a "
            f"higher {self._setting} to go on"
        )
