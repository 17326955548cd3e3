"""Reports on a user's questions as the rows of one table, for a terminal or a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clew.evaluation.answer_report import LABELS, AnswerReport
from clew.evaluation.bootstrap import Difference

NOTHING = "–"


def answer_rows(
    reports: Sequence[AnswerReport], differences: Mapping[str, Difference]
) -> list[list[str]]:
    """The head, then a figure a line: its label, a cell for each report, and with ``differences``
    the second report minus the first.
    """
    figures = [report.figures for report in reports]
    rows = [[f"{len(reports[0].results):,} questions", *(report.name for report in reports)]]
    for key, label in LABELS.items():
        if any(key in found for found in figures):
            cells = [f"{100 * found[key]:.1f} %" if key in found else NOTHING for found in figures]
            rows.append([label, *cells, _difference(differences.get(key))])
    rows[0].append("difference (95 %)")
    rows += [[*row, ""] for row in _plain_rows(reports)]
    return rows if differences else [row[:-1] for row in rows]


def _difference(found: Difference | None) -> str:
    if found is None:
        return ""
    mark = " *" if found.significant else ""
    return f"{100 * found.mean:+.1f} ({100 * found.low:+.1f} to {100 * found.high:+.1f}){mark}"


def _plain_rows(reports: Sequence[AnswerReport]) -> list[list[str]]:
    values = {
        "latency, half below / 95 % below": [
            " / ".join(f"{value:.0f} ms" for value in report.latency_ms.values()) or NOTHING
            for report in reports
        ],
        "calls of a model": [f"{report.usage.calls:,}" for report in reports],
        "tokens in / out": [
            f"{report.usage.input_tokens:,} / {report.usage.output_tokens:,}" for report in reports
        ],
        "cost": [shown_cost(report) for report in reports],
    }
    return [[label, *cells] for label, cells in values.items()]


def shown_cost(report: AnswerReport) -> str:
    """Money for people."""
    if report.cost is None:
        return "not known"
    return f"{report.cost:.4f} {report.currency}".rstrip() if report.cost else "0"
