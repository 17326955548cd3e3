"""How results look: JSON for programs, tables and trees for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import markup
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clew.cli.analysed import print_analysis
from clew.cli.explained import print_explanation
from clew.cli.streams import speaks_unicode, visible

if TYPE_CHECKING:
    from clew.results import Answer, Citation, Doubt, PathStep, RetrievalItem, RetrievalResult

RELATIONS = {
    "anchor": "found by",
    "similar": "found by likeness",
    "mentions": "shares",
    "about": "leads to what is about",
}


_BY_NAME = {"mentions", "about"}
_WIDEST = 60
_SHOWN_CHARS = 300


def console() -> Console:
    """Standard output; wide when it is a pipe, so that no line is broken there."""
    made = Console(highlight=False)
    if not made.is_terminal:
        made = Console(highlight=False, width=10_000, soft_wrap=True)
    return made


def escape(text: str) -> str:
    """Text of a document for a line with markup: as it is, and unable to steer the terminal."""
    return markup.escape(visible(text))


def print_json(value: Any) -> None:
    ascii_only = not speaks_unicode(sys.stdout)
    sys.stdout.write(json.dumps(value, ensure_ascii=ascii_only, indent=2, default=str) + "\n")


def note(text: str) -> None:
    """Say something beside the result, on standard error."""
    Console(stderr=True, highlight=False).print(escape(text), style="dim", soft_wrap=True)


def print_table(out: Console, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Columns as wide as the terminal lets them be; in a pipe as wide as what is in them."""
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    if not out.is_terminal:
        sys.stdout.writelines(_plain_lines(columns, cells))
        return
    made = Table(box=None, pad_edge=False, show_header=any(columns))
    for name in columns:
        made.add_column(name, overflow="fold")
    for row in cells:
        made.add_row(*map(markup.escape, row))
    out.print(made)


def _plain_lines(columns: Sequence[str], rows: list[list[str]]) -> Iterable[str]:
    lines = [[" ".join(cell.split("\n")) for cell in row] for row in rows]
    if any(columns):
        lines.insert(0, list(columns))
    widths = [min(_WIDEST, max(map(len, cells))) for cells in zip(*lines, strict=True)]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip() + "\n"


def counts(values: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in values.items())


def print_answer(out: Console, answer: Answer, *, explain: bool = False) -> None:
    if answer.abstained:
        out.print(Text(visible(answer.sentence or answer.answer), style="bold red"))
    else:
        out.print(Text(visible(answer.answer), style="bold green"))
        if answer.sentence and answer.sentence != answer.answer:
            out.print(escape(answer.sentence))
    if answer.has_contradictions:
        out.print("[yellow]The sources contradict each other; see the citations.[/yellow]")
    if answer.missing:
        out.print(f"[yellow]Missing:[/yellow] {escape(', '.join(answer.missing))}")
    for citation in answer.citations:
        out.print(_citation(citation))
    for doubt in answer.doubts:
        out.print(_doubt(doubt))
    for source in answer.sources:
        if source.text:
            out.print(f"\n[bold]{escape(source.doc_id)}[/bold]\n{escape(source.text)}")
    if explain:
        print_analysis(out, answer.question)
        print_path(out, answer.path)
        for key, value in answer.trace.items():
            out.print(f"[dim]{escape(str(key))}: {escape(str(value))}[/dim]")


def _doubt(doubt: Doubt) -> str:
    cited = "" if doubt.citation is None else f" \\[{doubt.citation}]"
    said = escape(" ".join(doubt.sentence.split()))
    return f"  [yellow]Doubtful:[/yellow] “{said}”{cited} [dim]({escape(doubt.reason)})[/dim]"


def _citation(citation: Citation) -> str:
    where = [citation.doc_id]
    if citation.page is not None:
        where.append(f"page {citation.page}")
    if citation.heading_path:
        where.append(" › ".join(citation.heading_path))
    place = escape(", ".join(where))
    quoted = escape(" ".join(citation.text.split()))
    return (
        f"  [cyan]\\[{citation.number}][/cyan] {place} "
        f"[dim]({citation.start}–{citation.end})[/dim]: “{quoted}”"
    )


def print_path(out: Console, path: Sequence[PathStep]) -> None:
    """Draw the thread: unit, the name that leads on, the next unit."""
    for depth, step in enumerate(path):
        indent = "  " * depth
        how = RELATIONS.get(step.relation, step.relation)
        if not step.entity and step.relation in _BY_NAME:
            how = "goes on"
        name = f" [magenta]{escape(step.entity)}[/magenta]" if step.entity else ""
        covers = f" [dim]· covers {escape(', '.join(step.covers))}[/dim]" if step.covers else ""
        out.print(f"  {indent}└─ [dim]{how}[/dim]{name} [dim]({escape(step.doc_id)})[/dim]{covers}")
        out.print(f"  {indent}   {escape(' '.join(step.text.split()))}")


def print_hits(out: Console, result: RetrievalResult, *, explain: bool) -> None:
    if not result.items:
        out.print("nothing found")
    for rank, item in enumerate(result.items, start=1):
        _print_hit(out, rank, item, explain=explain)


def _print_hit(out: Console, rank: int, item: RetrievalItem, *, explain: bool) -> None:
    place = escape(item.doc_id) + (f", page {item.page}" if item.page is not None else "")
    heading = f" [dim]{escape(' › '.join(item.heading_path))}[/dim]" if item.heading_path else ""
    out.print(f"[bold]{rank}.[/bold] [cyan]{item.score:.3f}[/cyan] {place}{heading}")
    text = " ".join(item.content.split())
    text = text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
    if explain:
        print_explanation(out, item, text)
    else:
        out.print(f"   {escape(text)}")
