"""``worker``, ``queue``: indexing what ``ingest --queue`` has left, by as many as one starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.app import EPILOG, EXIT_INTERRUPTED, app
from clew.cli.progress import progress, stoppable
from clew.cli.render import console, escape, print_json, print_table
from clew.cli.session import Session
from clew.results import to_plain

if TYPE_CHECKING:
    from clew.reports import IngestReport

_SHOWN = 20
_PARTLY_FAILED = 3


@app.command(epilog=EPILOG)
def worker(
    context: typer.Context,
    wait: Annotated[
        bool, typer.Option("--wait", help="Go on waiting when the queue is empty, until Ctrl-C.")
    ] = False,
    lease: Annotated[
        float,
        typer.Option(
            "--lease", help="Seconds after which others take what a dead worker had.", min=1.0
        ),
    ] = 60.0,
) -> None:
    """Index what waits in the queue of a store in PostgreSQL. Start as many as you like.

    Examples:

      clew worker --store postgresql://me@host/notes

      clew worker --wait --lease 300 --set llm_model=openai:gpt-4o-mini
    """
    session: Session = context.obj
    done = 0
    with progress(quiet=session.quiet or session.json) as tell, stoppable() as stopped:

        def heard(report: IngestReport) -> None:
            nonlocal done
            done += len(report.documents)
            tell(done, done, "index")

        with session.open() as kb:
            kb.config = kb.config.replace(verbose=False)
            report = kb.work(lease_s=lease, waits=wait, should_stop=stopped, heard=heard)
    if session.json:
        print_json(to_plain(report))
    else:
        by_status = ", ".join(f"{count:,} {status}" for status, count in report.counts.items())
        console().print(
            escape(
                f"{report.documents:,} documents ({by_status or 'nothing waited'}), "
                f"{report.knowledge_units:,} knowledge units in {report.seconds:.1f} s "
                f"→ {session.shown_store}"
            )
        )
    if report.interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(_PARTLY_FAILED if report.counts.get("failed") else 0)


@app.command(epilog=EPILOG)
def queue(
    context: typer.Context,
    retry: Annotated[bool, typer.Option("--retry", help="Let what failed be taken again.")] = False,
) -> None:
    """Show what waits for workers, what they have, and what failed.

    Examples:

      clew queue --store postgresql://me@host/notes

      clew queue --retry
    """
    from clew.stores.queues import queue_of  # noqa: PLC0415 - not for `clew --help`

    session: Session = context.obj
    with session.open() as kb:
        waiting, scope = queue_of(kb.store), kb.config.scope
        retried = waiting.retry(scope=scope) if retry else 0
        counts, failures = waiting.counts(scope=scope), waiting.failures(scope=scope)
    if session.json:
        told = [{"doc_id": name, "reason": reason} for name, reason in failures]
        print_json({**to_plain(counts), "failures": told, "retried": retried})
        return
    out = console()
    if failures:
        print_table(out, ("document", "why"), failures[:_SHOWN])
        if len(failures) > _SHOWN:
            out.print(f"… and {len(failures) - _SHOWN} more; --json lists them all")
    out.print(
        f"{counts.waiting:,} waiting, {counts.taken:,} with workers, {counts.failed:,} failed"
        + (f"; {retried:,} may be taken again" if retried else "")
    )
