"""``ingest``, ``sync``: what brings documents into a store."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from clew.cli.app import EPILOG, EXIT_INTERRUPTED, app
from clew.cli.progress import progress, stoppable
from clew.cli.render import console, escape, note, print_json, print_table
from clew.cli.session import Session
from clew.errors import ConfigError
from clew.results import to_plain

if TYPE_CHECKING:
    from rich.console import Console

    from clew.documents import RecordFields
    from clew.planning.plan import MethodPlan
    from clew.reports import DocumentReport, IngestReport

Paths = Annotated[list[str], typer.Argument(help="Files, folders or globs.")]
Include = Annotated[
    list[str] | None,
    typer.Option("--include", help="Take only files that match, such as '*.md'; repeatable."),
]
Exclude = Annotated[
    list[str] | None, typer.Option("--exclude", help="Leave out files that match; repeatable.")
]
TextField = Annotated[
    str, typer.Option("--text-field", help="The field with the text, in JSON and CSV records.")
]
TitleField = Annotated[
    str, typer.Option("--title-field", help="The field with the title, in JSON and CSV records.")
]
IdField = Annotated[
    list[str] | None,
    typer.Option("--id-field", help="The field that names a record; repeatable."),
]
MetadataField = Annotated[
    list[str] | None,
    typer.Option("--metadata-field", help="Fields kept as metadata; all others by default."),
]
QualityMode = Annotated[
    str | None,
    typer.Option(
        "--quality-mode", help="What a language model may cost: cheap, balanced, quality."
    ),
]
Executor = Annotated[
    str | None,
    typer.Option(
        "--executor", help="Where documents are read: auto, inline, threads, processes or ray."
    ),
]
Workers = Annotated[
    int | None, typer.Option("--workers", min=1, help="Threads or processes of the executor.")
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        "--ray-address",
        help="HOST:PORT of a Ray cluster's head, or auto; without it Ray runs on this machine.",
    ),
]

_SHOWN = 20


@app.command(epilog=EPILOG)
def ingest(
    context: typer.Context,
    paths: Paths,
    include: Include = None,
    exclude: Exclude = None,
    text_field: TextField = "text",
    title_field: TitleField = "title",
    id_field: IdField = None,
    metadata_field: MetadataField = None,
    quality_mode: QualityMode = None,
    executor: Executor = None,
    workers: Workers = None,
    ray_address: RayAddress = None,
    with_plan: Annotated[
        bool, typer.Option("--plan", help="Plan first, and set the plan beside what was used.")
    ] = False,
    queue: Annotated[
        bool, typer.Option("--queue", help="Read the files and leave the rest to `clew worker`.")
    ] = False,
) -> None:
    """Index files, folders or globs.

    Examples:

      clew ingest docs/ --exclude 'drafts/*'

      clew ingest docs/ --plan --set llm_model=openai:gpt-4o-mini

      clew ingest corpus.jsonl --text-field body --store corpus.clew

      clew ingest corpus.jsonl --executor ray --ray-address 10.0.0.1:6379

      clew ingest docs/ --queue --store postgresql://me@host/notes
    """
    fields = record_fields(text_field, title_field, id_field, metadata_field)
    place = {"executor": executor, "workers": workers, "ray_address": ray_address}
    if queue:
        if with_plan or quality_mode:
            raise ConfigError("--queue only reads: --plan and --quality-mode belong to the workers")
        _enqueue(context.obj, paths, include, exclude, fields)
    _index(
        context.obj, "ingest", paths, include, exclude, fields, quality_mode, place, plans=with_plan
    )


@app.command(epilog=EPILOG)
def sync(
    context: typer.Context,
    paths: Paths,
    include: Include = None,
    exclude: Exclude = None,
    text_field: TextField = "text",
    title_field: TitleField = "title",
    id_field: IdField = None,
    metadata_field: MetadataField = None,
    quality_mode: QualityMode = None,
    executor: Executor = None,
    workers: Workers = None,
    ray_address: RayAddress = None,
) -> None:
    """Make the store mirror files and folders: add, update, and remove what is gone.

    Example:

      clew sync docs/
    """
    fields = record_fields(text_field, title_field, id_field, metadata_field)
    place = {"executor": executor, "workers": workers, "ray_address": ray_address}
    _index(context.obj, "sync", paths, include, exclude, fields, quality_mode, place)


def record_fields(
    text: str, title: str, ids: list[str] | None, metadata: list[str] | None
) -> RecordFields:
    """The fields of records, as the options name them."""
    from clew.documents import RecordFields  # noqa: PLC0415

    return RecordFields(
        text=text,
        title=title,
        id=tuple(ids) if ids else RecordFields().id,
        metadata=tuple(metadata) if metadata else None,
    )


def _index(
    session: Session,
    verb: str,
    paths: list[str],
    include: list[str] | None,
    exclude: list[str] | None,
    fields: RecordFields,
    quality_mode: str | None,
    place: Mapping[str, object],
    *,
    plans: bool = False,
) -> None:
    from clew.documents import walk  # noqa: PLC0415
    from clew.indexing.paths import normal_paths  # noqa: PLC0415
    from clew.knowledge_base import KnowledgeBase  # noqa: PLC0415

    planned = None
    if verb == "ingest" and not session.holds_store():
        walk(normal_paths(paths), on_unreadable=lambda _: None)  # a wrong path makes no store
    with progress(quiet=session.quiet or session.json) as tell, stoppable() as stopped:
        where = {name: value for name, value in place.items() if value is not None}
        config = session.config(on_progress=tell, verbose=False, **where)
        with KnowledgeBase.open(session.store, config=config) as kb:
            if plans:
                made = kb.plan(
                    list[str | Path](paths),
                    include=include or (),
                    exclude=exclude or (),
                    fields=fields,
                    methods=(),
                )
                planned = made.method(made.chosen)
            work = kb.sync if verb == "sync" else kb.ingest
            report = work(
                list[str | Path](paths),
                include=include or (),
                exclude=exclude or (),
                fields=fields,
                quality_mode=quality_mode,
                should_stop=stopped,
            )
    _print_report(session, report, planned)
    raise typer.Exit(EXIT_INTERRUPTED if report.interrupted else report.exit_status)


def _enqueue(
    session: Session,
    paths: list[str],
    include: list[str] | None,
    exclude: list[str] | None,
    fields: RecordFields,
) -> NoReturn:
    with stoppable() as stopped, session.open(create=True) as kb:
        report = kb.enqueue(
            list[str | Path](paths),
            include=include or (),
            exclude=exclude or (),
            fields=fields,
            should_stop=stopped,
        )
    _print_report(session, report, None)
    raise typer.Exit(EXIT_INTERRUPTED if report.interrupted else report.exit_status)


def _print_report(session: Session, report: IngestReport, planned: MethodPlan | None) -> None:
    if session.json:
        more = {} if planned is None else {"planned": to_plain(planned)}
        print_json(report.to_dict() | more)
        return
    out = console()
    if planned is not None:
        rows = [(name, _number(plan), _number(used)) for name, plan, used in planned.beside(report)]
        print_table(out, ("", "planned", "used"), rows)
    print_reasons(out, report.documents)
    print_violations(out, report.documents)
    out.print(escape(f"{report.summary} → {session.shown_store}"))
    if report.interrupted:
        out.print("stopped: what is in the store is whole; run the same command to go on")
    if not session.quiet:
        for text in report.notes:
            note(text)


def print_reasons(out: Console, documents: Iterable[DocumentReport]) -> None:
    """The documents about which there is something to say, as a table."""
    told = [item for item in documents if item.reason]
    if told:
        rows = [(item.status, item.source, item.reason) for item in told[:_SHOWN]]
        print_table(out, ("status", "document", "why"), rows)
        if len(told) > _SHOWN:
            out.print(f"… and {len(told) - _SHOWN} more; --json lists them all")


def print_violations(out: Console, documents: Iterable[DocumentReport]) -> None:
    """The facts that break the ontology, as a table."""
    rows = [(item.source, text) for item in documents for text in item.violations]
    if rows:
        print_table(out, ("document", "breaks the ontology, and is kept"), rows[:_SHOWN])
        if len(rows) > _SHOWN:
            out.print(f"… and {len(rows) - _SHOWN} more; --json lists them all")


def _number(value: float | None) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"
