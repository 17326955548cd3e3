"""What an examination finds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from clew.results import to_plain
from clew.stores.base import Problem


class Severity(StrEnum):
    """``broken`` is wrong whoever looks at it; ``suspect`` is for somebody to look at."""

    BROKEN = "broken"
    SUSPECT = "suspect"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """``remedy`` says what to do; ``is_fixable`` whether ``clew doctor --fix`` does it."""

    kind: str
    severity: Severity
    where: str
    message: str
    remedy: str
    is_fixable: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class HealthReport:
    """``checked`` counts what was looked at, ``notes`` say what was not, and why; ``fixed`` what
    was done before what is in ``findings`` was found.
    """

    findings: tuple[Finding, ...] = ()
    checked: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()

    @property
    def broken(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.severity is Severity.BROKEN)

    @property
    def suspects(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.severity is Severity.SUSPECT)

    def exit_status(self, *, strict: bool = False) -> int:
        """0 when nothing is broken (``strict``: and nothing suspect), else 1."""
        return 1 if self.broken or (strict and self.findings) else 0

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = to_plain(self)
        counts = {"broken": len(self.broken), "suspect": len(self.suspects)}
        return {"ok": not self.broken, "counts": counts} | plain

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def suspect(kind: str, where: str, message: str, remedy: str) -> Finding:
    """Something that may be all right."""
    return Finding(
        kind=kind, severity=Severity.SUSPECT, where=where, message=message, remedy=remedy
    )


_REBUILT = frozenset(
    {"rows", "index", "links", "full text", "entity", "orphan", "reference", "damage"}
)
"""Kinds of problems in what is derived from the records; or in the records, which it says then."""

_REMEDIES = {
    "database": "restore the store from a backup, or delete its folder and ingest again",
    "damage": "`clew doctor --fix`; where that says that the records are damaged, restore the "
    "store from a backup, or delete its folder and ingest again",
    "span": "delete the document and ingest it again: `clew delete NAME`, `clew ingest PATH`",
    "reference": "`clew doctor --fix`; where that says that the records are damaged, "
    "`clew delete NAME` and `clew ingest PATH`",
    "vectors": "make all vectors anew: `clew reembed`",
    "store": "ask whoever may see the whole store to run `clew doctor`",
}
_REBUILD = "`clew doctor --fix` makes anew what is derived from the records"


def broken(problem: Problem) -> Finding:
    """A problem of the integrity check, with what to do about it."""
    return Finding(
        kind=problem.kind,
        severity=Severity.BROKEN,
        where=problem.where,
        message=problem.message,
        remedy=_REMEDIES.get(problem.kind, _REBUILD),
        is_fixable=problem.kind in _REBUILT,
    )
