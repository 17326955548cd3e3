"""Write the pages of ``docs/reference`` from the code, so that they cannot fall behind it.

python docs/generate_reference.py            # writes the pages
python docs/generate_reference.py --check    # exit status 1 if a page is not current
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import typer

from clew import errors
from clew.answering.config import AnsweringConfig
from clew.chunking.config import ChunkingConfig
from clew.cli import commands  # noqa: F401 - importing them registers them
from clew.cli.app import app
from clew.config import ClewConfig
from clew.extraction.config import ExtractionConfig
from clew.models.config import EmbeddingConfig
from clew.models.llm_config import LLMConfig
from clew.retrieval.config import RetrievalConfig
from clew.settings import Rule, is_callback, rule_of

FOLDER = Path(__file__).resolve().parent / "reference"
STAGES = {
    "Chunking": ChunkingConfig,
    "Extraction": ExtractionConfig,
    "Embedding": EmbeddingConfig,
    "Language model": LLMConfig,
    "Retrieval": RetrievalConfig,
    "Answers": AnsweringConfig,
}
_GENERATED = "<!-- Made by docs/generate_reference.py; change the code instead. -->\n\n"
_KINDS = {"bool": "true or false", "int": "whole number", "float": "number", "str": "text"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    stale = []
    for name, text in pages().items():
        path = FOLDER / name
        if not check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        sys.stderr.write(f"not current: {', '.join(stale)}; run {Path(__file__).name}\n")
    return 1 if stale else 0


def pages() -> dict[str, str]:
    """Every page by file name."""
    makers: dict[str, Callable[[], Iterator[str]]] = {
        "configuration.md": _configuration,
        "cli.md": _command_line,
        "errors.md": _errors,
    }
    return {name: _GENERATED + "\n".join(make()).rstrip() + "\n" for name, make in makers.items()}


# --- configuration ------------------------------------------------------------------------------


def _configuration() -> Iterator[str]:
    yield "# Configuration\n"
    yield (
        "One flat set of keys. Give them in code (`ClewConfig(chunk_size=800)`), from a file\n"
        "(`ClewConfig.from_yaml`, `from_json`, `clew --config FILE`), from the environment\n"
        "(`CLEW_CHUNK_SIZE=800`, `ClewConfig.from_env`), or on the command line\n"
        "(`--set chunk_size=800`). There, the later of file, environment and `--set` wins. An\n"
        "unknown key or a value out of range is an error that names the nearest valid one.\n"
    )
    shown: set[str] = set()
    for stage, config in STAGES.items():
        names = [item.name for item in fields(config)]
        yield from _settings_table(stage, names)
        shown.update(names)
    yield from _settings_table(
        "The whole run", [item.name for item in fields(ClewConfig) if item.name not in shown]
    )


def _settings_table(title: str, names: list[str]) -> Iterator[str]:
    hints = get_type_hints(ClewConfig)
    rules = {item.name: (item.default, rule_of(item)) for item in fields(ClewConfig)}
    yield f"## {title}\n"
    yield "| key | default | values | meaning |"
    yield "| --- | --- | --- | --- |"
    for name in names:
        default, rule = rules[name]
        values = (
            "callable; in code only" if is_callback(hints[name]) else _values(hints[name], rule)
        )
        yield f"| `{name}` | `{_shown(default)}` | {values} | {_cell(rule.help)} |"
    yield ""


def _values(hint: Any, rule: Rule) -> str:
    if rule.choices:
        return ", ".join(f"`{choice}`" for choice in rule.choices)
    text = str(hint)
    kind = (
        "list of texts" if "tuple" in text else _KINDS[re.findall(r"bool|int|float|str", text)[0]]
    )
    if rule.minimum is not None and rule.maximum is not None:
        kind += f", {rule.minimum:g} to {rule.maximum:g}"
    elif rule.minimum is not None:
        kind += f", {rule.minimum:g} or more"
    if rule.placeholder:
        kind += f" with `{rule.placeholder}`"
    return kind


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


# --- command line -------------------------------------------------------------------------------


def _command_line() -> Iterator[str]:
    group: Any = typer.main.get_command(app)
    yield "# The command line\n"
    yield (
        "`clew [global options] COMMAND …`. Global options may also stand after the command.\n"
        "Exit status: 0 fine, 1 failed, 2 wrong usage, 3 partly failed, 130 interrupted.\n"
    )
    yield "## Global options\n"
    yield from _parameters(group)
    for name, command in _commands(group):
        about, examples = _help(command.help or "")
        words = [f"clew {name}", "[OPTIONS]", *_arguments(command)]
        yield f"## clew {name}\n"
        yield about + "\n"
        yield f"```text\n{' '.join(words)}\n```\n"
        yield from _parameters(command)
        if examples:
            yield "```console"
            yield from (f"$ {example}" for example in examples)
            yield "```\n"


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by what is typed, those inside of groups too."""
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _help(text: str) -> tuple[str, list[str]]:
    """The description of a command, and the command lines among its examples."""
    about, _, rest = re.sub(r"[\b\f]", "", text).partition("Example")
    lines = [line.strip() for line in rest.splitlines()]
    return inspect.cleandoc(about).strip(), [line for line in lines if line.startswith("clew ")]


def _arguments(command: Any) -> list[str]:
    found = []
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            name = (parameter.name or "").rstrip("_").upper() + ("…" if parameter.nargs < 0 else "")
            found.append(name if parameter.required else f"[{name}]")
    return found


def _parameters(command: Any) -> Iterator[str]:
    rows = [
        (_parameter_name(parameter), parameter.help or "")
        for parameter in command.params
        if "--help" not in parameter.opts and not getattr(parameter, "hidden", False)
        and "-completion" not in "".join(parameter.opts)
    ]  # fmt: skip
    if rows:
        yield "| | |"
        yield "| --- | --- |"
        yield from (f"| {name} | {_cell(text)} |" for name, text in rows)
        yield ""


def _parameter_name(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{(parameter.name or '').rstrip('_').upper()}`"
    return ", ".join(f"`{name}`" for name in parameter.opts)


# --- errors -------------------------------------------------------------------------------------


def _errors() -> Iterator[str]:
    first, rest = inspect.cleandoc(errors.__doc__ or "").split("::", 1)
    lines = rest.split("\n")
    tree = [line[4:] for line in lines if line.startswith("    ")]
    yield "# Errors\n"
    yield f"{first.strip()} All of them can be imported from `clew.errors`.\n"
    yield "```text\n" + "\n".join(tree) + "\n```\n"
    yield "\n".join(line for line in lines if not line.startswith("    ")).strip() + "\n"
    yield "| error | when |"
    yield "| --- | --- |"
    for name, kind in vars(errors).items():
        if inspect.isclass(kind) and issubclass(kind, errors.ClewError):
            yield f"| `{name}` | {_cell(kind.__doc__ or '').replace('``', '`')} |"


if __name__ == "__main__":
    sys.exit(main())
