"""``check``: whether a store is whole, and whether something is gone from it."""

from __future__ import annotations

from typing import Annotated

import typer

from clew.cli.app import EPILOG, EXIT_FAILED, app
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session
from clew.results import to_plain

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
