"""``config``, ``demo``, ``version``: about clew itself."""

from __future__ import annotations

import platform
from dataclasses import fields
from importlib.metadata import version as installed
from typing import Annotated

import typer

from clew.cli.app import EPILOG, app
from clew.cli.render import console, print_json, print_table
from clew.cli.session import Session


@app.command(epilog=EPILOG)
def config(
    context: typer.Context,
    changed: Annotated[
        bool, typer.Option("--changed", help="Show only what differs from the default.")
    ] = False,
) -> None:
    """Show every setting, its value and what it means; passwords and keys in addresses as ***.

    Examples:

      clew config

      clew config --json > clew.json
    """
    from clew.config import ClewConfig  # noqa: PLC0415
    from clew.settings import rule_of  # noqa: PLC0415

    session: Session = context.obj
    values = session.config().shown(changed=changed)
    if session.json:
        print_json(values)
        return
    helps = {item.name: rule_of(item).help for item in fields(ClewConfig)}
    rows = [(key, values[key], helps[key]) for key in values]
    print_table(console(), ("setting", "value", "meaning"), rows)


@app.command(epilog=EPILOG)
def demo(context: typer.Context) -> None:
    """Index the example documents, ask questions that need several of them, check the answers.

    Example:

      clew demo
    """
    from clew.demo import run_demo  # noqa: PLC0415

    session: Session = context.obj
    raise typer.Exit(run_demo(console=console(), as_json=session.json))


@app.command(epilog=EPILOG)
def version(context: typer.Context) -> None:
    """Show the versions of clew and of what it stands on.

    Example:

      clew version
    """
    import sqlite3  # noqa: PLC0415

    session: Session = context.obj
    values = {
        "clew": installed("clew"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "numpy": installed("numpy"),
        "onnxruntime": installed("onnxruntime"),
    }
    if session.json:
        print_json(values)
    else:
        print_table(console(), ("", ""), values.items())
