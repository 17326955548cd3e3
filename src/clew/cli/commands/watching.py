"""``watch``: folders that are followed while they change."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.commands.indexing import (
    Exclude,
    IdField,
    Include,
    MetadataField,
    QualityMode,
    TextField,
    TitleField,
    record_fields,
)
from clew.cli.progress import stoppable
from clew.cli.render import console, counts, escape
from clew.cli.session import Session

if TYPE_CHECKING:
    from clew.upkeep.watching import WatchEvent


@app.command(epilog=EPILOG)
def watch(
    context: typer.Context,
    folders: Annotated[list[str], typer.Argument(help="Folders to follow.")],
    include: Include = None,
    exclude: Exclude = None,
    text_field: TextField = "text",
    title_field: TitleField = "title",
    id_field: IdField = None,
    metadata_field: MetadataField = None,
    quality_mode: QualityMode = None,
    settle: Annotated[
        float,
        typer.Option("--settle", min=0.0, help="Seconds without a change before it is taken in."),
    ] = 0.5,
    poll: Annotated[
        bool,
        typer.Option("--poll", help="Look through the folders all the time (network drives)."),
    ] = False,
) -> None:
    """Keep the store in sync with folders while they change, until Ctrl-C.

    With --json there is one line of JSON for each event. Needs clew[watch].

    Examples:

      clew watch docs/

      clew watch docs/ notes/ --exclude 'drafts/*' --json
    """
    from clew.upkeep.watching import require_folders  # noqa: PLC0415

    session: Session = context.obj
    require_folders(list[str | Path](folders))  # a wrong path makes no store
    with stoppable("stopping") as stopped, session.open(create=True) as kb:
        for event in kb.watch(
            list[str | Path](folders),
            include=include or (),
            exclude=exclude or (),
            fields=record_fields(text_field, title_field, id_field, metadata_field),
            quality_mode=quality_mode,
            settle_s=settle,
            poll=poll,
            should_stop=stopped,
        ):
            _print_event(session, event)


def _print_event(session: Session, event: WatchEvent) -> None:
    if session.json:
        sys.stdout.write(json.dumps(event.to_dict()) + "\n")
        sys.stdout.flush()
        return
    if event.event == "begun":
        text = f"following: {counts(event.counts) or 'nothing there yet'}; Ctrl-C ends"
    elif event.event == "stopped":
        text = f"stopped: {counts(event.counts) or 'nothing has changed'}"
    else:
        why = f" ({event.reason})" if event.doc_id and event.reason else event.reason
        text = f"{event.event.replace('_', ' ')} {event.doc_id}{why}"
    console().print(escape(text))
    sys.stdout.flush()
