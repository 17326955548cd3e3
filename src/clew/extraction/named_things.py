"""Names in a model's reply: a list of them, however it is written down."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

NAME_LISTS = (
    "entities", "terms", "names", "keywords", "named_entities", "entity_list", "mentions",
    "concepts",
)  # fmt: skip
_SEPARATORS = re.compile(r"\s*[,;\n|]\s*")
_NAMES = ("name", "entity", "term", "text", "surface", "value")
_TYPES = ("type", "label", "category", "kind")
_NO_NAME = frozenset({"", "none", "null", "n/a", "unknown"})


class NamedThing(NamedTuple):
    """A name, and the type that the model gave it (``""`` for none)."""

    name: str
    type: str = ""


def named_things(value: Any) -> Iterator[NamedThing]:
    """The names of a list, a text, or an object by name or by type."""
    if isinstance(value, str):
        value = _SEPARATORS.split(value.strip())
    if isinstance(value, dict):
        value = [value] if member(value, _NAMES) is not None else _by_name_or_type(value)
    for item in value if isinstance(value, list) else ():
        thing = _named_thing(item)
        if thing.name.lower() not in _NO_NAME:
            yield thing


def _by_name_or_type(value: dict[str, Any]) -> list[Any]:
    """``{"Norr": "PLACE"}`` and ``{"PLACE": ["Norr", "Tarn"]}``."""
    pairs: list[Any] = []
    for key, inner in value.items():
        if isinstance(inner, list):
            pairs += [[name, key] for name in inner if isinstance(name, str)]
        else:
            pairs.append([key, inner])
    return pairs


def _named_thing(item: Any) -> NamedThing:
    if isinstance(item, str):
        return NamedThing(item.strip())
    if isinstance(item, dict) and len(item) == 1 and member(item, _NAMES) is None:
        ((name, kind),) = item.items()  # {"Norr": "PLACE"}
        return NamedThing(name.strip(), _text(kind))
    if isinstance(item, dict):
        return NamedThing(_text(member(item, _NAMES)), _text(member(item, _TYPES)))
    if isinstance(item, list) and item:
        return NamedThing(_text(item[0]), _text(item[1]) if len(item) > 1 else "")
    return NamedThing("")


def member(value: dict[str, Any], names: Iterable[str]) -> Any:
    """The first member under one of ``names``, whatever their case."""
    lower = {key.lower(): inner for key, inner in value.items()}
    return next((lower[name] for name in names if lower.get(name) is not None), None)


def _text(value: Any) -> str:
    if isinstance(value, list) and value:
        value = value[0]
    return value.strip() if isinstance(value, str) else ""
