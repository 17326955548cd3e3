"""What language models were used for: the books of a store as people ask for them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.models.base import Usage, UsageEntry
from clew.reports import shown_cost
from clew.results import to_plain

KEYS = ("stage", "document", "question", "model", "day")


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageLine:
    """``document`` is a ``doc_id``: empty where none was concerned, or it was deleted since.
    ``cost`` is None where the price was not known.
    """

    day: str
    stage: str
    model: str
    document: str = ""
    question: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    cost: float | None = None
    currency: str = ""


def usage_report(
    entries: Iterable[UsageEntry], scope: str, documents: Mapping[str, str]
) -> UsageReport:
    """The books of one scope; ``documents`` leads from ids to ``doc_id``."""
    lines = [
        UsageLine(
            day=entry.day,
            stage=entry.stage,
            model=entry.model,
            document=documents.get(entry.document_id, ""),
            question=entry.question,
            usage=entry.usage,
            seconds=entry.seconds,
            cost=entry.cost,
            currency=entry.currency,
        )
        for entry in entries
        if entry.scope == scope
    ]
    lines.sort(key=lambda line: (line.day, line.stage, line.document, line.question))
    return UsageReport(lines=tuple(lines))


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageSum:
    """``costs`` are by currency; ``unpriced_calls`` are not in them. ``priced`` is False where any
    part of a cost is not known, be it that of a call which is counted for another document. Of
    ``uncounted_calls`` the provider did not state the tokens.
    """

    usage: Usage = Usage()
    seconds: float = 0.0
    costs: Mapping[str, float] = field(default_factory=dict)
    unpriced_calls: int = 0
    priced: bool = True
    uncounted_calls: int = 0

    def plus(self, line: UsageLine) -> UsageSum:
        costs, unpriced = dict(self.costs), self.unpriced_calls
        if line.cost is None:
            unpriced += line.usage.calls
        else:
            costs[line.currency] = costs.get(line.currency, 0.0) + line.cost
        return UsageSum(
            usage=self.usage + line.usage,
            seconds=self.seconds + line.seconds,
            costs=costs,
            unpriced_calls=unpriced,
            uncounted_calls=self.uncounted_calls + uncounted_calls(line.usage),
            priced=self.priced and (line.cost is not None or not _is_paid(line.usage)),
        )

    def shown_tokens(self, number: int) -> str:
        """``number``, of tokens that were read or written, for people."""
        if not self.uncounted_calls:
            return f"{number:,}"
        return f"{number:,} + unknown" if number else "unknown"

    @property
    def shown_cost(self) -> str:
        """Money for people."""
        parts = [shown_cost(cost, currency) for currency, cost in sorted(self.costs.items())]
        if self.unpriced_calls:
            parts.append(f"unknown for {self.unpriced_calls:,} calls")
        elif not self.priced:
            parts.append("unknown in part" if parts else "unknown")
        return " + ".join(parts) or "0"


@dataclass(frozen=True, kw_only=True, slots=True)
class UsageReport:
    """``lines`` are in the order of day, stage, document and question."""

    lines: tuple[UsageLine, ...] = ()

    @property
    def total(self) -> UsageSum:
        return _sum(self.lines)

    def by(self, *names: str) -> dict[tuple[str, ...], UsageSum]:
        """Sums by any of ``stage, document, question, model, day``, in order."""
        for name in names:
            if name not in KEYS:
                raise ValueError(f"{name!r} is not one of {', '.join(KEYS)}")
        groups: dict[tuple[str, ...], list[UsageLine]] = {}
        for line in self.lines:
            groups.setdefault(tuple(getattr(line, name) for name in names), []).append(line)
        return {key: _sum(groups[key]) for key in sorted(groups)}

    def to_dict(self) -> dict[str, Any]:
        return {"total": to_plain(self.total), "lines": to_plain(self.lines)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def uncounted_calls(usage: Usage) -> int:
    """The calls of ``usage`` if nothing was stated of what they read and wrote."""
    return 0 if usage.input_tokens or usage.output_tokens else usage.calls


def _is_paid(usage: Usage) -> bool:
    """Whether any of it cost something, which replies from the cache did not."""
    return bool(usage.calls or usage.input_tokens or usage.output_tokens)


def _sum(lines: Iterable[UsageLine]) -> UsageSum:
    total = UsageSum()
    for line in lines:
        total = total.plus(line)
    return total
