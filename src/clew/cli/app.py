"""The Typer application: global options, and errors as people can read them.

Global options may stand before or after the subcommand: :func:`hoist` moves them to the front,
where the application's callback takes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from clew.cli.session import Session, store_from_environment
from clew.errors import ClewError, ConfigError, FilterError, QuestionError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

EPILOG = (
    "Global options, before or after any command: --store PATH, --json, --quiet, "
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

_WITH_VALUE = ("--store", "--config", "--set")
_FLAGS = ("--json", "--quiet", "-q")


@app.callback()
def options(
    context: typer.Context,
    store: Annotated[
        Path | None,
        typer.Option("--store", help="The store's folder [CLEW_STORE, else ./clew.db]."),
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
) -> None:
    context.obj = Session(
        store=store or store_from_environment(),
        json=as_json,
        quiet=quiet,
        config_file=config,
        settings=tuple(settings or ()),
    )


def hoist(arguments: Sequence[str]) -> list[str]:
    """Move global options to the front, wherever they stand (up to ``--``).

    >>> hoist(["ask", "why?", "--store", "s", "--json"])
    ['--store', 's', '--json', 'ask', 'why?']
    """
    front: list[str] = []
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        if argument == "--":
            return [*front, *rest, argument, *waiting]
        if argument in _FLAGS or argument.startswith(tuple(f"{name}=" for name in _WITH_VALUE)):
            front.append(argument)
        elif argument in _WITH_VALUE:
            front += [argument, *[value for value in [next(waiting, None)] if value is not None]]
        else:
            rest.append(argument)
    return front + rest


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    from clew.cli import commands  # noqa: F401, PLC0415 - registers the commands

    given = hoist(list(sys.argv[1:] if arguments is None else arguments))
    try:
        app(given, prog_name="clew")
    except ClewError as error:
        _tell(error, as_json="--json" in given)
        usage = isinstance(error, ConfigError | FilterError | QuestionError)
        sys.exit(EXIT_USAGE if usage else EXIT_FAILED)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader of a pipe went away, as `head` does
        sys.stderr.close()
        sys.exit(0)


def _tell(error: ClewError, *, as_json: bool) -> None:
    if as_json:
        told = {"error": {"type": type(error).__name__, "message": str(error)}}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"clew: {error}\n")
