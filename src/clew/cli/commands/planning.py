"""``plan`` and ``usage``: what indexing would cost, and what language models were used for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.commands.indexing import (
    Exclude,
    IdField,
    Include,
    MetadataField,
    Paths,
    TextField,
    TitleField,
    print_reasons,
    record_fields,
)
from clew.cli.progress import progress
from clew.cli.render import console, escape, note, print_json, print_table
from clew.cli.session import Session
from clew.errors import ConfigError, nearest
from clew.results import to_plain

if TYPE_CHECKING:
    from clew.config import ClewConfig
    from clew.knowledge_base import KnowledgeBase
    from clew.planning.plan import IngestPlan, MethodPlan
    from clew.usage_report import UsageSum


@app.command(epilog=EPILOG)
def plan(
    context: typer.Context,
    paths: Paths,
    include: Include = None,
    exclude: Exclude = None,
    text_field: TextField = "text",
    title_field: TitleField = "title",
    id_field: IdField = None,
    metadata_field: MetadataField = None,
    method: Annotated[
        list[str] | None,
        typer.Option("--method", help="sentence, vocabulary or llm; repeatable. All by default."),
    ] = None,
) -> None:
    """Say what indexing would take before anything is spent: calls, tokens, money, time.

    Examples:

      clew plan docs/ --set llm_model=openai:gpt-4o-mini

      clew plan docs/ --method llm --set llm_max_cost=2 --json
    """
    session: Session = context.obj
    fields = record_fields(text_field, title_field, id_field, metadata_field)
    with progress(quiet=session.quiet or session.json) as tell:
        config = session.config(on_progress=tell, verbose=False)
        with _planned_for(session, config) as kb:
            made = kb.plan(
                list[str | Path](paths),
                include=include or (),
                exclude=exclude or (),
                fields=fields,
                methods=_methods(method),
            )
    if session.json:
        print_json(made.to_dict())
    else:
        _print_plan(session, made)


@contextmanager
def _planned_for(session: Session, config: ClewConfig) -> Iterator[KnowledgeBase]:
    """The store as it is, or, where there is none yet, an empty one that is never written."""
    from clew.knowledge_base import KnowledgeBase  # noqa: PLC0415

    if session.holds_store():
        with session.open_to_read(on_progress=config.on_progress, verbose=False) as kb:
            yield kb
    else:
        with KnowledgeBase.in_memory(config=config) as kb:
            yield kb


def _methods(given: list[str] | None) -> list[str] | None:
    from clew.planning.plan import METHODS  # noqa: PLC0415

    for name in given or ():
        if name not in METHODS:
            raise ConfigError(
                f"--method {name!r} is not one of {', '.join(METHODS)}{nearest(name, METHODS)}"
            )
    return given or None


def _print_plan(session: Session, made: IngestPlan) -> None:
    columns = ("method", "documents", "chunks", "calls", "tokens in", "tokens out", "cost", "time")
    out = console()
    print_table(out, columns, [_row(method, made.chosen) for method in made.methods])
    print_reasons(out, made.left_out)
    for method in made.methods:
        if method.affordable_calls is not None:
            text = f"llm_max_cost stops '{method.method}' after about {method.affordable_calls:,}"
            out.print(escape(f"{text} of {method.calls:,} calls; the next run goes on from there"))
    if not session.quiet:
        if any(method.unchanged for method in made.methods):
            note("documents that did not change are left out; so is what was paid for already")
        note(f"model: {made.model}; {made.basis}; times are without embedding")


def _row(method: MethodPlan, chosen: str) -> tuple[str, ...]:
    return (
        f"{method.method}{' (chosen)' if method.method == chosen else ''}",
        f"{method.documents:,}",
        f"{method.chunks:,}",
        f"{method.calls:,}",
        f"{method.input_tokens:,}",
        f"{method.output_tokens:,}",
        method.shown_cost,
        f"{method.seconds:.0f} s" if method.seconds < 600 else f"{method.seconds / 60:.0f} min",
    )


@app.command(epilog=EPILOG)
def usage(
    context: typer.Context,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", help="stage, document, question, model or day; repeatable. stage by default."
        ),
    ] = None,
) -> None:
    """Say what language models were used for: calls, tokens and money.

    Examples:

      clew usage

      clew usage --by document --by model --json
    """
    from clew.usage_report import KEYS  # noqa: PLC0415

    session: Session = context.obj
    names = by or ["stage"]
    for name in names:
        if name not in KEYS:
            raise ConfigError(f"--by {name!r} is not one of {', '.join(KEYS)}{nearest(name, KEYS)}")
    with session.open_to_read() as kb:
        report = kb.usage()
    groups = report.by(*names)
    if session.json:
        rows = [
            dict(zip(names, key, strict=True)) | to_plain(total) for key, total in groups.items()
        ]
        print_json({"total": to_plain(report.total), "by": names, "groups": rows})
        return
    columns = (*names, "calls", "from cache", "tokens in", "tokens out", "cost")
    lines = [(*key, *_sums(total)) for key, total in groups.items()]
    total = ("total", *("" for _ in names[1:]), *_sums(report.total))
    print_table(console(), columns, [*lines, total])


def _sums(total: UsageSum) -> tuple[str, ...]:
    used = total.usage
    calls = (f"{used.calls:,}", f"{used.cached_calls:,}")
    tokens = (used.input_tokens, used.output_tokens)
    return (*calls, *map(total.shown_tokens, tokens), total.shown_cost)
