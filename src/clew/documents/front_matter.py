"""Front matter of Markdown files as metadata: YAML between ``---``, TOML between ``+++``."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from typing import Any

MAX_CHARS = 65_536
_FRONT_MATTER = re.compile(
    r"\ufeff?(?P<fence>---|\+\+\+)[ \t]*\r?\n(?P<body>.*?)^(?:(?P=fence)|\.\.\.)[ \t]*\r?$",
    re.DOTALL | re.MULTILINE,
)
_MAX_DEPTH = 4


def front_matter(text: str) -> dict[str, Any]:
    """Return the entries of the front matter that ``text`` begins with, without its title.

    Dates become ISO texts. What cannot be read costs the text nothing: the reason stands under
    ``front_matter_error``.
    """
    match = _FRONT_MATTER.match(text, 0, MAX_CHARS) if text[:4].strip("\ufeff") else None
    if match is None:
        return {}
    try:
        parsed = tomllib.loads(match["body"]) if match["fence"] == "+++" else _yaml(match["body"])
    except ValueError as error:
        return {"front_matter_error": " ".join(str(error).split())}
    if not isinstance(parsed, Mapping):
        return {}
    entries = {str(key): _plain(value, _MAX_DEPTH) for key, value in parsed.items()}
    return {key: value for key, value in entries.items() if key != "title" and value is not None}


def _yaml(body: str) -> Any:
    import yaml  # noqa: PLC0415 - loaded where there is front matter

    class Loader(yaml.SafeLoader):
        """Safe YAML without aliases: a few lines of those can stand for gigabytes."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.events.AliasEvent):
                raise yaml.YAMLError("aliases are not read")
            return super().compose_node(parent, index)

    try:
        return yaml.load(body, Loader)  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(str(error) or type(error).__name__) from error


def _plain(value: Any, depth: int) -> Any:
    """Return a value that JSON has a form for; None for what lies too deep."""
    if isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if depth and isinstance(value, Mapping):
        return {str(key): _plain(entry, depth - 1) for key, entry in value.items()}
    if depth and isinstance(value, list):
        return [_plain(entry, depth - 1) for entry in value]
    return None
