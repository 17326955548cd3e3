"""``backup``, ``reembed``: a store made anew, elsewhere or by another embedder, while it serves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.progress import progress
from clew.cli.render import console, escape, print_json
from clew.cli.session import Session
from clew.results import to_plain


@app.command(epilog=EPILOG)
def backup(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="Where the copy is to stand; a folder.")],
    force: Annotated[
        bool, typer.Option("--force", help="Replace a store that stands there already.")
    ] = False,
) -> None:
    """Copy the store while others read and write it; the copy is checked, and is a store.

    Examples:

      clew backup notes-monday.clew

      clew ask "Who built it?" --store notes-monday.clew
    """
    session: Session = context.obj
    with (
        progress(quiet=session.quiet or session.json, unit="bytes") as tell,
        session.open_to_read(on_progress=tell) as kb,
    ):
        receipt = kb.backup(path, force=force)
    if session.json:
        print_json(to_plain(receipt))
        return
    console().print(
        escape(
            f"{receipt.documents:,} documents, {receipt.bytes:,} bytes copied to {receipt.path} "
            f"and checked; use it with --store {receipt.path}"
        )
    )


@app.command(epilog=EPILOG)
def reembed(
    context: typer.Context,
    discard: Annotated[
        bool,
        typer.Option("--discard", help="Throw away what a run that was stopped has done."),
    ] = False,
) -> None:
    """Replace all vectors by those of the current embedder; the old ones serve until all are there.

    A run that was stopped goes on where it was.

    Example:

      clew reembed --set embedding_model=BAAI/bge-small-en-v1.5
    """
    from clew.knowledge_base import KnowledgeBase  # noqa: PLC0415

    session: Session = context.obj
    session.require_store()
    with progress(quiet=session.quiet or session.json) as tell:
        config = session.config(on_progress=tell, verbose=False)
        with KnowledgeBase.open(session.store, config=config, create=False) as kb:
            before = kb.half_embedded()
            if discard:
                kb.discard_half_embedded()
            else:
                kb.reembed()
            name = kb.embedder.fingerprint if kb.embedder and not discard else "none"
            documents = len(kb.store.select_documents())
    resumed = before.vectors if before and before.space.fingerprint == name else 0
    if session.json:
        told = {"embedder": name, "documents": documents, "resumed_vectors": resumed}
        print_json({"discarded": before.vectors if before else 0} if discard else told)
    elif discard:
        console().print(f"{before.vectors if before else 0:,} vectors thrown away")
    else:
        went_on = f"; {resumed:,} vectors were there from before" if resumed else ""
        shown = "nothing (words alone)" if name == "none" else name
        console().print(escape(f"{documents:,} documents embedded with {shown}{went_on}"))
