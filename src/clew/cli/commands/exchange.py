"""``export``, ``import``: a store as files that others read, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.progress import progress
from clew.cli.render import console, escape, note, print_json
from clew.cli.session import Session
from clew.cli.where import Where, where_of
from clew.exchange.formats import STREAM, ExportFormat

Format = Annotated[
    ExportFormat | None, typer.Option("--format", help="The format, where no suffix says it.")
]


@app.command(epilog=EPILOG)
def export(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(help="What to write: .jsonl, .graphml, .parquet (a folder), or -.")
    ],
    format: Format = None,  # noqa: A002 - the word for it
    where: Where = None,
    vectors: Annotated[bool, typer.Option(help="Write the vectors too.")] = True,
) -> None:
    """Write the documents of the scope with everything that they contributed.

    JSON Lines and Parquet hold all of it and can be imported again. GraphML is for graph tools.

    Examples:

      clew export backup.jsonl

      clew export graph.graphml --where "year >= 2020"

      clew export tables.parquet --no-vectors

      clew export - --scope acme | gzip > acme.jsonl.gz
    """
    session: Session = context.obj
    wanted = where_of(where)
    with (
        progress(quiet=session.quiet) as tell,
        session.open_to_read(on_progress=tell, verbose=False) as kb,
    ):
        documents = kb.export(path, format=format, where=wanted, vectors=vectors)
    _say(session, f"{documents:,} documents written to {path}", documents, path)


@app.command("import", epilog=EPILOG)
def import_(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(help="What `clew export` wrote as JSON Lines or Parquet, or -.")
    ],
    format: Format = None,  # noqa: A002
) -> None:
    """Read what `clew export` wrote into a store, which is created if absent.

    Examples:

      clew import backup.jsonl --store restored.clew

      gunzip -c acme.jsonl.gz | clew import - --scope acme
    """
    from clew.exchange.exporting import opened_source  # noqa: PLC0415 - not for `clew --help`
    from clew.exchange.sources import check_source, import_source  # noqa: PLC0415

    session: Session = context.obj
    with progress(quiet=session.quiet) as tell, opened_source(path, format) as source:
        scope = session.config().scope
        check_source(source, scope=scope)  # before a store is made for it
        with session.open(create=True) as kb:
            documents = import_source(source, kb.store, scope=scope, tell=tell)
    _say(session, f"{documents:,} documents read from {path}", documents, path, reading=True)


def _say(session: Session, text: str, documents: int, path: Path, *, reading: bool = False) -> None:
    if path == STREAM and not reading:  # standard output is the export's
        if not session.quiet:
            note(text)
    elif session.json:
        print_json({"documents": documents, "path": str(path)})
    else:
        console().print(escape(text))
