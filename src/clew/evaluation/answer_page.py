"""A report on a user's questions as one HTML page that needs nothing else: no script, no network.

The filters are radio buttons and style rules alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib import resources
from pathlib import Path

from clew.evaluation.answer_report import AnswerReport, compare
from clew.evaluation.answer_table import NOTHING, answer_rows
from clew.evaluation.answered import AnsweredQuestion, CheckedCitation

VERDICTS = ("right", "nearly", "wrong", "refused", "failed", "unscored")
CHANGES = ("better", "worse")


def write_page(path: str | Path, first: AnswerReport, second: AnswerReport | None = None) -> None:
    """Write :func:`page` to a file."""
    Path(path).write_text(page(first, second), encoding="utf-8")


def page(first: AnswerReport, second: AnswerReport | None = None) -> str:
    """The page of one report, or of two on the same questions side by side."""
    reports = [first] if second is None else [first, second]
    rows = list(zip(*(report.results for report in reports), strict=True))
    classes = [_classes(row) for row in rows]
    style = resources.files(__package__).joinpath("answer_page.css").read_text(encoding="utf-8")
    title = f"{len(rows):,} questions"
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title>",
            f"<style>\n{style}{_filter_rules()}</style></head><body>",
            f"<h1>{title}</h1>",
            _figures(reports),
            _filters(classes),
            "<main>",
            *(_article(row, names) for row, names in zip(rows, classes, strict=True)),
            "</main></body></html>\n",
        ]
    )


def _classes(row: Sequence[AnsweredQuestion]) -> list[str]:
    """The verdict, and against a second answer whether that is better or worse."""
    if len(row) == 1:
        return [row[0].verdict]
    old, new = (_worth(one) for one in row)
    change = ["better"] if new > old else ["worse"] if new < old else []
    return [row[-1].verdict, *change]


def _worth(one: AnsweredQuestion) -> float:
    return 1.0 if one.verdict == "right" else one.f1 or 0.0


def _filter_rules() -> str:
    return "".join(
        f"#only-{name}:checked ~ main article:not(.{name}) {{ display: none }}\n"
        for name in (*VERDICTS, *CHANGES)
    )


def _filters(classes: Sequence[Sequence[str]]) -> str:
    parts = [_filter("all", len(classes), checked=True)]
    for name in (*VERDICTS, *CHANGES):
        count = sum(name in names for names in classes)
        if count:
            parts.append(_filter(name, count, checked=False))
    return "\n".join(parts)


def _filter(name: str, count: int, *, checked: bool) -> str:
    mark = " checked" if checked else ""
    return (
        f'<input class="filter" type="radio" name="only" id="only-{name}"{mark}>'
        f'<label class="filter" for="only-{name}">{name} {count:,}</label>'
    )


def _figures(reports: Sequence[AnswerReport]) -> str:
    differences = compare(*reports) if len(reports) == 2 else {}
    head, *rows = answer_rows(reports, differences)
    settings = [", ".join(f"{key}={value}" for key, value in one.settings.items()) or NOTHING
                for one in reports]  # fmt: skip
    rows.append(["settings", *settings])
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in head)]
    for label, *cells in rows:
        shown = "".join(f'<td class="number">{escape(cell)}</td>' for cell in cells)
        lines.append(f"<td>{escape(label)}</td>{shown}")
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _article(row: Sequence[AnsweredQuestion], classes: Sequence[str]) -> str:
    question = row[0].question
    expected = " | ".join(question.answers) or ("–" if question.answerable else "a refusal")
    parts = [f"<h2>{escape(question.question)}</h2>", f"<dl>{_pair('expected', expected)}</dl>"]
    for label, one in zip(("",) if len(row) == 1 else ("first", "second"), row, strict=True):
        parts.append(_given(label, one))
    return f'<article class="{" ".join(classes)}">{"".join(parts)}</article>'


def _given(label: str, one: AnsweredQuestion) -> str:
    verdict = f"{label}: {one.verdict}" if label else one.verdict
    measured = [] if one.f1 is None else [f"F1 {one.f1:.2f}"]
    measured += [f"confidence {one.answer.confidence:.2f}", f"{one.ms:.0f} ms"]
    given = one.error or one.answer.answer or one.answer.sentence
    pairs = _pair("given", given)
    if one.answer.answer and one.answer.sentence:
        pairs += _pair("in full", one.answer.sentence)
    if one.answer.missing:
        pairs += _pair("missing", ", ".join(one.answer.missing))
    quotes = "".join(_quote(checked) for checked in one.citations)
    return (
        f'<p><span class="verdict">{verdict}</span> <span class="place">'
        f"{', '.join(measured)}</span></p><dl>{pairs}</dl>{quotes}"
    )


def _pair(label: str, text: str) -> str:
    return f"<dt>{label}</dt><dd>{escape(text)}</dd>"


def _quote(checked: CheckedCitation) -> str:
    citation = checked.citation
    place = f"{citation.doc_id}, {citation.start}–{citation.end}"
    doubts = [] if checked.resolves else ["not the text of the document"]
    doubts += ["does not support a right answer"] if checked.supports is False else []
    bad = f' <span class="bad">{"; ".join(doubts)}</span>' if doubts else ""
    return (
        f"<blockquote>“{escape(citation.text)}” "
        f'<span class="place">[{citation.number}] {escape(place)}</span>{bad}</blockquote>'
    )
