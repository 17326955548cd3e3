"""The entry point: arguments in order, errors as people can read them, the exit status.

Global options may stand before or after the subcommand: :func:`hoist` moves them to the front,
where the application's callback takes them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from clew.cli import commands
from clew.cli.app import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, app
from clew.errors import ClewError, ConfigError, FilterError, QuestionError

_WITH_VALUE = ("--store", "--config", "--set")
_FLAGS = ("--json", "--quiet", "-q")

assert commands.__all__  # importing them registered them


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
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


def _tell(error: ClewError, *, as_json: bool) -> None:
    if as_json:
        told = {"error": {"type": type(error).__name__, "message": str(error)}}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
    else:
        sys.stderr.write(f"clew: {error}\n")
