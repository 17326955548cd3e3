"""``export``, ``import``: a store as JSON Lines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.render import console, escape, print_json
from clew.cli.session import Session


@app.command(epilog=EPILOG)
def export(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The file to write.")],
) -> None:
    """Write everything of the scope as JSON Lines: documents, units, entities, vectors.

    Example:

      clew export backup.jsonl
    """
    session: Session = context.obj
    with session.open_to_read() as kb:
        documents = kb.export(path)
    _say(session, f"{documents:,} documents written to {path}", documents, path)


@app.command("import", epilog=EPILOG)
def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A file that `clew export` wrote.")],
) -> None:
    """Read what `clew export` wrote into a store, which is created if absent.

    Example:

      clew import backup.jsonl --store restored.clew
    """
    from clew.stores.json_store import check_export  # noqa: PLC0415

    session: Session = context.obj
    check_export(path)  # before a store is made for it
    with session.open(create=True) as kb:
        documents = kb.import_(path)
    _say(session, f"{documents:,} documents read from {path}", documents, path)


def _say(session: Session, text: str, documents: int, path: Path) -> None:
    if session.json:
        print_json({"documents": documents, "path": str(path)})
    else:
        console().print(escape(text))
