"""What indexing tells about each document: data, not log lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from clew.models.base import Usage
from clew.results import to_plain


class Status(StrEnum):
    """What became of a document."""

    INSERTED = "inserted"
    UPDATED = "updated"
    RENAMED = "renamed"
    UNCHANGED = "unchanged"
    DUPLICATE_OF = "duplicate_of"
    EMPTY = "empty"
    PARTIAL = "partial"
    FAILED = "failed"
    REMOVED = "removed"
    QUEUED = "queued"


TROUBLE = frozenset({Status.PARTIAL, Status.FAILED})


@dataclass(frozen=True, kw_only=True, slots=True)
class DocumentReport:
    """``reason`` says why for every status but inserted, updated and unchanged. ``violations`` are
    facts that break the ontology, and how; they are kept.
    """

    source: str
    status: Status
    doc_id: str = ""
    reason: str = ""
    chunks: int = 0
    knowledge_units: int = 0
    facts: int = 0
    degraded_chunks: int = 0
    ungrounded_facts: int = 0
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestReport:
    """One run of indexing. ``notes`` say what the user should know about how it was done. ``cost``
    is what the language model cost, None where its price is not known.
    """

    documents: tuple[DocumentReport, ...] = ()
    method: str = ""
    embedder: str = ""
    seconds: float = 0.0
    interrupted: bool = False
    notes: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost: float | None = 0.0
    currency: str = ""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many documents ended in each status that occurs."""
        return dict(sorted(Counter(str(report.status) for report in self.documents).items()))

    @property
    def trouble(self) -> tuple[DocumentReport, ...]:
        """The documents that failed, wholly or in part."""
        return tuple(report for report in self.documents if report.status in TROUBLE)

    @property
    def summary(self) -> str:
        """One line: how many documents, what became of them, how long it took."""
        if not self.documents:
            return "no documents" if self.interrupted else "no documents: there was nothing to read"
        by_status = ", ".join(
            f"{number:,} {status.replace('_', ' ')}" for status, number in self.counts.items()
        )
        units = sum(document.knowledge_units for document in self.documents)
        return (
            f"{len(self.documents):,} documents ({by_status}), {units:,} knowledge units "
            f"in {self.seconds:.1f} s{self._spending}"
        )

    @property
    def _spending(self) -> str:
        usage = self.usage
        if not usage.calls:
            return ""
        tokens = f"{usage.input_tokens:,} tokens in and {usage.output_tokens:,} out"
        if not (usage.input_tokens or usage.output_tokens):
            tokens = "of unknown length, for it states no tokens"
        cost = shown_cost(self.cost, self.currency)
        return f"; {usage.calls:,} calls of the model, {tokens}, {cost}"

    @property
    def exit_status(self) -> int:
        """0 when all is well, 3 when some documents failed, 1 when all did."""
        if not self.trouble:
            return 0
        all_failed = all(report.status is Status.FAILED for report in self.documents)
        return 1 if all_failed else 3

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = to_plain(self)
        return plain | {"counts": dict(self.counts), "exit_status": self.exit_status}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def shown_cost(cost: float | None, currency: str) -> str:
    """Money for people; an unknown price is no price of 0.

    >>> shown_cost(0.01234, "USD"), shown_cost(12.0, "EUR"), shown_cost(None, "")
    ('0.0123 USD', '12.00 EUR', 'cost unknown')
    """
    if cost is None:
        return "cost unknown"
    return f"{cost:.{2 if cost >= 1 or not cost else 4}f} {currency}".rstrip()


class Remains(Protocol):
    """:class:`clew.stores.powers.Trace`"""

    @property
    def where(self) -> str: ...

    @property
    def message(self) -> str: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class DeleteReceipt:
    """What a deletion removed, per layer: documents, chunks, knowledge units, facts, mentions,
    topics, entities that nothing speaks of any more, vectors, texts of the full-text search,
    replies of models, documents that waited to be indexed (``queued``). ``doc_ids`` is empty when
    there was nothing to delete. ``erased`` says that it was taken off the disk and looked for,
    ``remains`` where it stands still.
    """

    doc_ids: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    note: str = ""
    erased: bool = False
    remains: tuple[Remains, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = to_plain(self)
        return plain
