"""Sums over the books: what is not known is never shown as nothing."""

from __future__ import annotations

from typing import Any

from clew.models.base import Usage, UsageEntry
from clew.usage_report import UsageReport, usage_report


def _report(*costs: float | None, **usage: Any) -> UsageReport:
    """One call for as many documents as there are costs, as the ledger enters it."""
    entries = [
        UsageEntry(
            scope="default",
            day="2026-01-01",
            stage="extraction",
            model="m",
            document_id=str(number),
            usage=Usage(**usage) if usage else Usage(calls=int(number == 0), input_tokens=5),
            cost=cost,
            currency="" if cost is None else "USD",
        )
        for number, cost in enumerate(costs)
    ]
    return usage_report(entries, "default", {str(number): f"d{number}" for number in range(9)})


def test_a_share_of_a_call_without_a_price_is_unknown() -> None:
    sums = _report(None, None).by("document")
    assert [one.shown_cost for one in sums.values()] == ["unknown for 1 calls", "unknown"]
    assert not any(one.priced for one in sums.values())


def test_what_is_known_is_shown_beside_what_is_not() -> None:
    assert _report(0.5, None).total.shown_cost == "0.5000 USD + unknown in part"
    assert _report(0.5, 0.25).total.shown_cost == "0.7500 USD"


def test_tokens_that_are_not_stated_are_unknown() -> None:
    unstated = _report(None, calls=2).total
    assert (unstated.uncounted_calls, unstated.shown_tokens(0)) == (2, "unknown")
    stated = _report(0.5, calls=1, input_tokens=1500, output_tokens=0).total
    assert (stated.uncounted_calls, stated.shown_tokens(1500)) == (0, "1,500")
    assert stated.shown_tokens(0) == "0"
    cached = _report(None, cached_calls=3).total
    assert (cached.uncounted_calls, cached.shown_tokens(0)) == (0, "0")
    mixed = UsageReport(
        lines=(*_report(None, calls=2).lines, *_report(0.5, calls=1, input_tokens=1500).lines)
    ).total
    assert mixed.shown_tokens(1500) == "1,500 + unknown"


def test_replies_from_the_cache_cost_nothing() -> None:
    total = _report(None, cached_calls=1).total
    assert (total.shown_cost, total.priced) == ("0", True)
