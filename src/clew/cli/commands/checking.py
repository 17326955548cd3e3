"""``check``, ``doctor``: whether a store is whole, what is suspect, whether something is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.app import EPILOG, EXIT_FAILED, app
from clew.cli.progress import progress
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session
from clew.results import to_plain

if TYPE_CHECKING:
    from clew.upkeep.health.findings import HealthReport

_SHOWN = 50


@app.command(epilog=EPILOG)
def check(
    context: typer.Context,
    absent: Annotated[
        str | None,
        typer.Option(
            "--absent",
            help="A document or a text: look whether anything of it stands anywhere in the store.",
        ),
    ] = None,
) -> None:
    """Verify spans, references, full text and vectors; exit status 1 when something is wrong.

    With --absent NAME look instead for what is left of a document that was deleted, or of a text:
    in every table, in full text, in cached replies, in the freed room of the files.

    Examples:

      clew check --store notes.clew

      clew check --absent docs/old.md
    """
    session: Session = context.obj
    if absent is not None:
        _check_absent(session, absent)
        return
    with session.open_to_read() as kb:
        problems = kb.check()
        counted = kb.stats()
    if session.json:
        print_json({"ok": not problems, "checked": counted, "problems": to_plain(problems)})
    else:
        out = console()
        if problems:
            rows = [(item.kind, item.where, item.message) for item in problems[:_SHOWN]]
            print_table(out, ("problem", "where", "what"), rows)
        verdict = f"{len(problems)} problems" if problems else "all is well"
        out.print(
            f"{verdict}: {counted['documents']:,} documents, {counted['chunks']:,} chunks and "
            f"{counted['knowledge_units']:,} units checked against their texts"
        )
    if problems:
        raise typer.Exit(EXIT_FAILED)


@app.command(epilog=EPILOG)
def doctor(
    context: typer.Context,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Make anew what is derived, and take away what is left over."),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit status 1 for what is only suspect, too.")
    ] = False,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="How many chunks to embed again and compare.")
    ] = 64,
) -> None:
    """Check the store, and look for what is suspect: each finding says what to do about it.

    Exit status 0 when nothing is broken, else 1. Records are never changed by --fix.

    Examples:

      clew doctor

      clew doctor --fix

      clew doctor --strict --json
    """
    session: Session = context.obj
    with progress(quiet=session.quiet or session.json) as tell:
        opened = session.open() if fix else session.open_to_read(on_progress=tell)
        with opened as kb:
            report = kb.doctor(fix=fix, sample=sample)
    if session.json:
        print_json(report.to_dict())
    else:
        _print_health(report)
    if status := report.exit_status(strict=strict):
        raise typer.Exit(status)


def _print_health(report: HealthReport) -> None:
    out = console()
    for text in report.fixed:
        out.print(escape(f"done: {text}"))
    for one in report.findings[:_SHOWN]:
        style = "red" if one.severity == "broken" else "yellow"
        out.print(
            f"[{style}]{one.severity}[/{style}] {escape(f'{one.kind}: {one.where}: {one.message}')}"
        )
        out.print(f"  [dim]→ {escape(one.remedy)}[/dim]")
    if len(report.findings) > _SHOWN:
        out.print(f"… and {len(report.findings) - _SHOWN} more; --json lists them all")
    for text in report.notes:
        out.print(escape(f"note: {text}"))
    broken, suspects = len(report.broken), len(report.suspects)
    looked_at = ", ".join(
        f"{report.checked.get(key, 0):,} {key.replace('_', ' ')}"
        for key in ("documents", "chunks", "knowledge_units", "entities", "facts")
    )
    verdict = f"{broken} broken, {suspects} suspect" if report.findings else "all is well"
    out.print(f"{verdict}: {looked_at} looked at")


def _check_absent(session: Session, name: str) -> None:
    with session.open_to_read() as kb:
        traces = kb.traces(name)
    if session.json:
        print_json({"absent": not traces, "name": name, "places": to_plain(traces)})
    elif traces:
        out = console()
        rows = [(trace.where, trace.message) for trace in traces[:_SHOWN]]
        print_table(out, ("found in", "what"), rows)
        out.print(escape(f"something of {name!r} is left in {len(traces)} places"))
    else:
        console().print(escape(f"nothing of {name!r} is left in the store"))
    if traces:
        raise typer.Exit(EXIT_FAILED)
