"""Reports as Markdown tables. What a report does not hold is shown as a dash."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Report = Mapping[str, Any]

COLUMNS = {
    "recall@2": "recall@2",
    "recall@5": "recall@5",
    "recall@10": "recall@10",
    "recall@20": "recall@20",
    "all@5": "all@5",
    "mrr": "MRR",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
    "cpu_ms": "CPU ms",
}
"""Figures of a system by key, as tables call them."""

STAGES = ("embed", "link", "find", "rank")
NOTHING = "–"
_REFERENCE = "linked"


def recall_table(report: Report) -> str:
    """A system a line: recall, latency, and how far it is from linked evidence in recall@5."""
    head = ("method", *COLUMNS.values(), f"recall@5 − {_REFERENCE} (95 %)")
    rows = [
        (name, *(_cell(figures, key) for key in COLUMNS), difference(report, name))
        for name, figures in report["systems"].items()
    ]
    return markdown_table(head, rows)


def stage_table(report: Report) -> str:
    """A system a line: where the processor's time of a search goes, in milliseconds. Systems that
    are not clew's have no stages.
    """
    rows = [
        (name, *(_cell(stages, stage) for stage in STAGES), _cell(figures, "cpu_ms"))
        for name, figures in report["systems"].items()
        if set(stages := figures.get("cpu_ms_by_stage", {})) & set(STAGES)
    ]
    return markdown_table(("method", *STAGES, "whole"), rows)


def kind_table(report: Report, *, by: str = "by_kind") -> str:
    """A type of question a line: recall@5 of each system. ``by="by_passages"`` groups by the number
    of passages needed instead.
    """
    systems = report["systems"]
    kinds = sorted({kind for figures in systems.values() for kind in figures.get(by, {})})
    rows = []
    for kind in kinds:
        found = [figures.get(by, {}).get(kind, {}) for figures in systems.values()]
        counts = [str(figures["questions"]) for figures in found if "questions" in figures]
        cells = [_cell(figures, "recall@5") for figures in found]
        rows.append((kind, counts[0] if counts else NOTHING, *cells))
    return markdown_table(("type" if by == "by_kind" else "passages", "questions", *systems), rows)


def summary_table(reports: Sequence[Report]) -> str:
    """A system a line, a set a column: recall@2 / recall@5 / all@5."""
    systems = dict.fromkeys(name for report in reports for name in report["systems"])
    keys = ("recall@2", "recall@5", "all@5")
    rows = [
        (
            name,
            *(
                " / ".join(_cell(report["systems"][name], key) for key in keys)
                if name in report["systems"]
                else NOTHING
                for report in reports
            ),
        )
        for name in systems
    ]
    return markdown_table(("", *(_named(report) for report in reports)), rows)


def difference(report: Report, system: str, reference: str = _REFERENCE) -> str:
    """How far ``system`` is from ``reference`` in recall@5, with its interval."""
    found = report.get("differences", {}).get(system, {}).get(reference)
    if found is None:
        return NOTHING
    return f"{found['mean']:+.1f} ({found['low']:+.1f} to {found['high']:+.1f})"


def markdown_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *map(list, rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _named(report: Report) -> str:
    questions, passages = report["questions"], report["index"].get("pieces")
    of = f", {passages:,} passages" if passages else ""
    return f"{report['set']}: {questions:,} questions{of}"


def _cell(figures: Mapping[str, Any], key: str) -> str:
    return str(figures[key]) if key in figures else NOTHING
