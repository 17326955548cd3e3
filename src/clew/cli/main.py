"""The entry point: arguments in order, errors as people can read them, the exit status.

Global options may stand before or after the subcommand: :func:`hoist` moves them to the front,
where the application's callback takes them. How answers are given may be said there too, and to
commands that have no such options: :func:`as_settings` makes settings of that. With ``--json``
whatever goes wrong is JSON on standard output too, ``{"error": {"type": …, "message": …}}``.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import typer

from clew.cli import commands
from clew.cli.app import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, app
from clew.cli.streams import prepare_streams
from clew.errors import ClewError, ConfigError, FilterError, QuestionError

_WITH_VALUE = ("--store", "--scope", "--config", "--set")
_FLAGS = ("--json", "--quiet", "-q")
_ANSWERING = ("--quality-mode", "--include-source-text", "--max-source-chars")
_HAVE_NONE = frozenset({"interactive", "stats", "why"})

# Typer brings Click along in some versions and depends on it in others.
_UsageProblem: type[Any] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)

assert commands.__all__  # importing them registered them


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status."""
    prepare_streams()
    given = hoist(as_settings(list(sys.argv[1:] if arguments is None else arguments)))
    sys.exit(_run(given, as_json="--json" in _globals(given)))


def _run(given: list[str], *, as_json: bool) -> int:
    try:
        status = app(given, prog_name="clew", standalone_mode=False)
        sys.stdout.flush()
    except ClewError as error:
        _tell(error, as_json=as_json)
        usage = isinstance(error, ConfigError | FilterError | QuestionError)
        return EXIT_USAGE if usage else EXIT_FAILED
    except _UsageProblem as error:
        if not as_json:
            error.show()
        else:
            _tell_json(type(error).__name__, error.format_message())
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return EXIT_INTERRUPTED
    except OSError as error:  # of the output, or of the machine: all others have names of their own
        return _give_up(error, as_json=as_json)
    except Exception as error:
        if not as_json:
            raise
        traceback.print_exc()
        _tell(error, as_json=True)
        return EXIT_FAILED
    return status if isinstance(status, int) else 0


def _give_up(error: OSError, *, as_json: bool) -> int:
    """Say what the system said, unless the reader of a pipe went away, as `head` does."""
    if not isinstance(error, BrokenPipeError):
        with suppress(OSError):
            _tell(error, as_json=False)
        with suppress(OSError):
            if as_json:
                _tell(error, as_json=True)
                sys.stdout.flush()
    with suppress(OSError, ValueError):  # what is still in the buffer has nowhere to go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return EXIT_FAILED


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


def as_settings(arguments: Sequence[str]) -> list[str]:
    """Make settings of the options for answers, where the command has none of them, or they stand
    before it.

    >>> as_settings(["--quality-mode", "cheap", "ask", "why?", "--include-source-text"])
    ['--set', 'quality_mode=cheap', 'ask', 'why?', '--include-source-text']
    """
    made: list[str] = []
    command = ""
    waiting = iter(arguments)
    for argument in waiting:
        name, sign, value = argument.partition("=")
        if argument == "--":
            return [*made, argument, *waiting]
        if name in _ANSWERING and (not command or command in _HAVE_NONE):
            if name == "--include-source-text":
                value = value or "true"
            elif not sign:
                value = next(waiting, "")
            made += ["--set", f"{name.removeprefix('--').replace('-', '_')}={value}"]
            continue
        made.append(argument)
        if argument in _WITH_VALUE:
            made += [value for value in [next(waiting, None)] if value is not None]
        elif not command and not argument.startswith("-"):
            command = argument
    return made


def _globals(hoisted: Sequence[str]) -> list[str]:
    """What stands before ``--``: behind it, nothing is an option."""
    return list(hoisted[: hoisted.index("--")]) if "--" in hoisted else list(hoisted)


def _tell(error: Exception, *, as_json: bool) -> None:
    if as_json:
        _tell_json(type(error).__name__, str(error))
    else:
        sys.stderr.write(f"clew: {error}\n")


def _tell_json(kind: str, message: str) -> None:
    told = {"error": {"type": kind, "message": message}}
    sys.stdout.write(json.dumps(told) + "\n")
