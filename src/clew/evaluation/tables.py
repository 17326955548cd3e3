"""Reports as tables: lists of rows, the first of which is the head, and Markdown made of them.

What a report does not hold is shown as a dash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Report = Mapping[str, Any]
Rows = list[tuple[str, ...]]

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


def heading(report: Report) -> str:
    """What was measured on: the set, its form, its size."""
    pieces = report["index"].get("pieces")
    of = f", {pieces:,} {'chunks' if 'concatenated' in report['form'] else 'passages'}"
    form = f" ({', '.join(report['form'])})" if report["form"] else ""
    return f"{report['set']}{form}: {report['questions']:,} questions{of if pieces else ''}"


def recall_rows(report: Report) -> Rows:
    """A system a line: recall, latency, and how far it is from linked evidence in recall@5."""
    return [
        ("method", *COLUMNS.values(), f"recall@5 − {_REFERENCE} (95 %)"),
        *(
            (name, *(_cell(figures, key) for key in COLUMNS), difference(report, name))
            for name, figures in report["systems"].items()
        ),
    ]


def stage_rows(report: Report) -> Rows:
    """A system a line: where the processor's time of a search goes, in milliseconds. Systems that
    are not clew's have no stages.
    """
    return [
        ("CPU ms by stage", *STAGES, "whole"),
        *(
            (name, *(_cell(stages, stage) for stage in STAGES), _cell(figures, "cpu_ms"))
            for name, figures in report["systems"].items()
            if set(stages := figures.get("cpu_ms_by_stage", {})) & set(STAGES)
        ),
    ]


def kind_rows(report: Report) -> Rows:
    """A type of question a line: recall@5 of each system. Where the set has no types, the number of
    passages that a question needs stands for it.
    """
    systems = report["systems"].values()
    by = "by_kind" if any(figures.get("by_kind") for figures in systems) else "by_passages"
    kinds = sorted({kind for figures in systems for kind in figures.get(by, {})})
    rows: Rows = [("type" if by == "by_kind" else "passages", "questions", *report["systems"])]
    for kind in kinds:
        found = [figures.get(by, {}).get(kind, {}) for figures in systems]
        counts = [_cell(figures, "questions") for figures in found if "questions" in figures]
        cells = [_cell(figures, "recall@5") for figures in found]
        rows.append((kind, next(iter(counts), NOTHING), *cells))
    return rows


def index_rows(report: Report) -> Rows:
    """A stage of indexing a line: seconds by the clock and of the processor."""
    index = report["index"]
    seconds, cpu = (index.get(f"{kind}_by_stage", {}) for kind in ("seconds", "cpu_seconds"))
    rows: Rows = [("indexing", "seconds", "CPU seconds")]
    rows += [(stage, _cell(seconds, stage), _cell(cpu, stage)) for stage in seconds]
    if "seconds" in index:
        rows.append(("whole", _cell(index, "seconds"), _cell(index, "cpu_seconds")))
    return rows


def summary_rows(reports: Sequence[Report]) -> Rows:
    """A system a line, a set a column: recall@2 / recall@5 / all@5."""
    names = dict.fromkeys(name for report in reports for name in report["systems"])
    return [
        ("method", *(f"{report['set']}" for report in reports)),
        *((name, *(_summary(report, name) for report in reports)) for name in names),
    ]


def difference(report: Report, system: str, reference: str = _REFERENCE) -> str:
    """How far ``system`` is from ``reference`` in recall@5, with its interval."""
    found = report["differences"].get(system, {}).get(reference)
    if found is None:
        return NOTHING
    return f"{found['mean']:+.1f} ({found['low']:+.1f} to {found['high']:+.1f})"


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    head, *rest = rows
    lines = [head, ["---"] * len(head), *rest]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines) + "\n"


def _summary(report: Report, system: str) -> str:
    if system not in report["systems"]:
        return NOTHING
    figures = report["systems"][system]
    return " / ".join(_cell(figures, key) for key in ("recall@2", "recall@5", "all@5"))


def _cell(figures: Mapping[str, Any], key: str) -> str:
    return str(figures[key]) if key in figures else NOTHING
