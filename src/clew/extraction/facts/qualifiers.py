"""What limits a fact in a model's reply: its polarity and its time, beside it or inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clew.extraction.facts.wording import is_negated, plain

_TIME_STARTS = ("time_start", "start", "valid_from", "start_time", "start_date", "since")
_TIME_ENDS = ("time_end", "end", "valid_to", "valid_until", "end_time", "end_date", "until")
_TIMES: tuple[str, ...] = (
    "time_as_said",
    "time",
    "time_text",
    "as_said",
    "date",
    "when",
    "said",
    "text",
)
_QUALIFIERS = ("qualifiers", "details", "modifiers")
_NAMES_OF_QUALIFIER = ("name", "kind", "type", "qualifier", "key")
_TEXTS_OF_QUALIFIER = ("text", "value", "content", "as_said")
_NEGATIONS = ("negated", "is_negated", "negative", "negation")
_POLARITY = "polarity"


def qualifiers(said: Mapping[str, Any]) -> dict[str, Any]:
    """``[{"name": "time", "text": "in 1931"}]`` and ``{"time": "in 1931"}`` as members."""
    value = first(said, _QUALIFIERS)
    if isinstance(value, dict):
        return {key.lower().replace(" ", "_"): inner for key, inner in value.items()}
    found: dict[str, Any] = {}
    for item in value if isinstance(value, list) else ():
        name = first(item, _NAMES_OF_QUALIFIER) if isinstance(item, dict) else None
        if isinstance(name, str):
            key = name.strip().lower().replace(" ", "_")
            found.setdefault(key, first(item, _TEXTS_OF_QUALIFIER))
    return found


def times(said: Mapping[str, Any]) -> tuple[str, str, str]:
    """From when, until when, and how that was put, as far as it is told."""
    inner = first(said, ("time", "validity", "period"))
    names = _TIMES
    if isinstance(inner, dict):
        said = {**said, "time": None, **{key.lower(): value for key, value in inner.items()}}
    else:
        names = tuple(name for name in _TIMES if name != "text")
    if isinstance(inner, list):
        start, end, *_ = (*inner, "", "")
        return plain(start), plain(end), ""
    start, end = plain(first(said, _TIME_STARTS)), plain(first(said, _TIME_ENDS))
    return start, end, plain(first(said, names))


def negated(said: Mapping[str, Any]) -> bool:
    polarity = said.get(_POLARITY)
    if isinstance(polarity, bool):
        polarity = "positive" if polarity else "negative"
    if isinstance(polarity, int | float):
        polarity = "negative" if polarity <= 0 else "positive"
    return any(is_negated(said.get(name)) for name in _NEGATIONS) or is_negated(polarity)


def first(value: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """The first member under one of ``names``."""
    return next((value[name] for name in names if value.get(name) is not None), None)
