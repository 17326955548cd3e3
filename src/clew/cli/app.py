"""The Typer application and its global options; the commands register themselves with it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from clew.cli.session import Session, store_at, store_from_environment

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

EPILOG = (
    "Global options, before or after any command: --store PATH or URL, --json, --quiet, "
    "--config FILE, --set KEY=VALUE. Exit status: 0 fine, 1 failed, 2 wrong usage, 3 partly failed."
)

app = typer.Typer(
    name="clew",
    help="Ask your own documents, and see the thread that leads to the answer.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415

        typer.echo(f"clew {version('clew')}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="PATH|URL",
            help="The store: a folder, or postgresql://user@host/database "
            "[CLEW_STORE, else ./clew.db].",
        ),
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", help="The tenant whose documents are read and written.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print no progress and no notes.")
    ] = False,
    config: Annotated[
        Path | None, typer.Option("--config", help="A JSON or YAML file of settings.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", help="One setting, such as chunk_size=800; may be repeated."),
    ] = None,
    version: Annotated[  # noqa: ARG001 - its callback has seen to it
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    if quiet:  # libraries of models draw bars of their own
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    context.obj = Session(
        store=store_at(store) if store else store_from_environment(),
        json=as_json,
        quiet=quiet,
        config_file=config,
        settings=(*(settings or ()), *([] if scope is None else [f"scope={scope}"])),
    )
