"""The books: who used how much of which model, for what, and what it cost.

Every reply is entered; those from the cache too, which cost nothing. What a call was for says
:mod:`clew.models.purpose`; where it was for several documents, each bears its share.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock

from clew.models.base import Completion, Usage, UsageEntry
from clew.models.purpose import Purpose, current_purpose
from clew.models.wrappers.estimates import Estimates
from clew.models.wrappers.keeping import Keeping
from clew.models.wrappers.layers import Proceed, Reply, Request
from clew.models.wrappers.prices import Price


@dataclass(frozen=True, kw_only=True, slots=True)
class Spent:
    """What a run has used so far. ``cost`` is None when the price is not known."""

    usage: Usage = Usage()
    cost: float | None = 0.0
    currency: str = ""


class LedgerLayer:
    """Enters each reply of the model ``fingerprint`` into ``keeping``, under ``scope``. It stands
    inside the cache, so that a reply and what it cost are written together.
    """

    def __init__(
        self,
        fingerprint: str,
        keeping: Keeping | None,
        *,
        scope: str,
        price: Price | None,
        estimates: Estimates,
        today: Callable[[], str] = lambda: datetime.now(UTC).date().isoformat(),
    ) -> None:
        self._fingerprint = fingerprint
        self._keeping = keeping
        self._scope = scope
        self._price = price
        self._estimates = estimates
        self._today = today
        self._lock = Lock()
        self._spent = Spent(currency=price.currency if price else "")

    @property
    def spent(self) -> Spent:
        return self._spent

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        estimate, purpose = self._estimates.of(request), current_purpose()
        began = time.perf_counter()
        for item in proceed(request):
            if isinstance(item, Completion):
                item = _counted(item)  # noqa: PLW2901 - who does not count calls made one
                seconds = time.perf_counter() - began
                self._enter(item.usage, purpose, estimate.counted, seconds)
            yield item

    def hit(self) -> None:
        """Enter a call that was answered from the cache."""
        self._enter(Usage(cached_calls=1), current_purpose(), 0, 0.0)

    def _enter(self, usage: Usage, purpose: Purpose, counted: int, seconds: float) -> None:
        entry = self._entry(usage, counted, seconds)
        with self._lock:
            known = None if entry.cost is None else self._spent.cost
            cost = None if known is None else known + (entry.cost or 0.0)
            self._spent = replace(self._spent, usage=self._spent.usage + usage, cost=cost)
        if self._keeping is not None:
            self._keeping.enter(_shares(entry, purpose))

    def _entry(self, usage: Usage, counted: int, seconds: float) -> UsageEntry:
        is_paid = bool(usage.calls)
        return UsageEntry(
            scope=self._scope,
            day=self._today(),
            stage="",
            model=self._fingerprint,
            usage=usage,
            estimated_tokens=counted if is_paid and usage.input_tokens else 0,
            seconds=seconds if is_paid else 0.0,
            cost=self._cost(usage),
            currency=self._price.currency if self._price else "",
        )

    def _cost(self, usage: Usage) -> float | None:
        """Unknown, too, where a provider does not state tokens that it charges for."""
        price = self._price
        if price is None:
            return None
        is_stated = bool(usage.input_tokens or usage.output_tokens)
        is_free = not (price.input or price.output)
        return price.of(usage) if is_stated or is_free or not usage.calls else None


def _counted(completion: Completion) -> Completion:
    usage = completion.usage
    if usage.calls or usage.cached_calls:
        return completion
    return replace(completion, usage=replace(usage, calls=1))


def _shares(entry: UsageEntry, purpose: Purpose) -> list[UsageEntry]:
    """One entry a document; what cannot be parted is the first one's."""
    named = replace(entry, stage=purpose.stage, question=purpose.question)
    parts = len(purpose.documents)
    if not parts:
        return [named]
    usage = entry.usage
    shares = []
    for place, document_id in enumerate(purpose.documents):
        share = Usage(
            calls=usage.calls if place == 0 else 0,
            cached_calls=usage.cached_calls if place == 0 else 0,
            input_tokens=_part(usage.input_tokens, parts, place),
            output_tokens=_part(usage.output_tokens, parts, place),
        )
        shares.append(
            replace(
                named,
                document_id=document_id,
                usage=share,
                estimated_tokens=_part(entry.estimated_tokens, parts, place),
                seconds=entry.seconds / parts,
                cost=None if entry.cost is None else entry.cost / parts,
            )
        )
    return shares


def _part(number: int, parts: int, place: int) -> int:
    """Whole numbers that add up to ``number``."""
    return number // parts + (1 if place < number % parts else 0)
