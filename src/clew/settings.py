"""Settings that check themselves: a dataclass field that knows its range, its choices and its help.

Each stage owns a frozen dataclass of such fields; :class:`clew.config.ClewConfig` is all of them
in one flat set of keys.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, field, fields
from math import isnan
from typing import Any, Union, get_args, get_origin, get_type_hints

from clew.errors import ConfigError, nearest


@dataclass(frozen=True, kw_only=True, slots=True)
class Rule:
    """What a setting may be."""

    help: str
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    placeholder: str = ""
    check: Callable[[str, Any], object] | None = None


def setting(
    default: Any,
    help: str,  # noqa: A002 - the word that every command line uses
    *,
    choices: Sequence[str] = (),
    minimum: float | None = None,
    maximum: float | None = None,
    placeholder: str = "",
    check: Callable[[str, Any], object] | None = None,
) -> Any:
    """Declare a setting. ``placeholder`` must occur in a prompt template; ``check(name, value)``
    raises :class:`ConfigError` for a value of a form of its own.
    """
    rule = Rule(
        help=help,
        choices=tuple(choices),
        minimum=minimum,
        maximum=maximum,
        placeholder=placeholder,
        check=check,
    )
    return field(default=default, metadata={"rule": rule})


def rule_of(item: Field[Any]) -> Rule:
    rule = item.metadata["rule"]
    assert isinstance(rule, Rule)
    return rule


def check_settings(config: Any) -> None:
    """Raise :class:`ConfigError` for the first field that breaks its type or its rule."""
    hints = get_type_hints(type(config))
    for item in fields(config):
        _check(item.name, getattr(config, item.name), hints[item.name], rule_of(item))


def _check(name: str, value: Any, hint: Any, rule: Rule) -> None:
    optional, kind = _unwrap(hint)
    if value is None:
        if not optional:
            raise ConfigError(f"{name} must not be None: {rule.help}")
        return
    _check_type(name, value, kind)
    if rule.choices and value not in rule.choices:
        raise ConfigError(
            f"{name}={value!r} is not one of {', '.join(rule.choices)}"
            f"{nearest(str(value), rule.choices)}"
        )
    if rule.minimum is not None and value < rule.minimum:
        raise ConfigError(f"{name}={value!r} is too small: the least is {rule.minimum:g}")
    if rule.maximum is not None and value > rule.maximum:
        raise ConfigError(f"{name}={value!r} is too large: the most is {rule.maximum:g}")
    if rule.placeholder and rule.placeholder not in value:
        raise ConfigError(f"{name} must contain {rule.placeholder}, where the text goes")
    if rule.check is not None:
        rule.check(name, value)


def _check_type(name: str, value: Any, kind: Any) -> None:
    origin = get_origin(kind)
    if kind is bool:
        good = isinstance(value, bool)
    elif kind is int:
        good = isinstance(value, int) and not isinstance(value, bool)
    elif kind is float:
        good = isinstance(value, (int, float)) and not isinstance(value, bool) and not isnan(value)
    elif kind is str:
        good = isinstance(value, str)
    elif origin is tuple:
        good = isinstance(value, tuple) and all(isinstance(part, str) for part in value)
    else:
        good = callable(value)
    if not good:
        raise ConfigError(f"{name}={value!r} must be {describe_type(kind)}")


def parse_text(name: str, text: str, hint: Any) -> Any:
    """Read a setting from the text of an environment variable or a command-line option."""
    optional, kind = _unwrap(hint)
    cleaned = text.strip()
    if optional and cleaned.lower() in {"", "none", "null"}:
        return None
    try:
        return _PARSERS[kind](cleaned) if kind in _PARSERS else _parse_list(text)
    except ValueError as error:
        raise ConfigError(f"{name}={text!r} must be {describe_type(kind)}") from error


def _parse_bool(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True}
    words |= {"0": False, "false": False, "no": False, "off": False}
    try:
        return words[text.lower()]
    except KeyError:
        raise ValueError(text) from None


def _parse_list(text: str) -> tuple[str, ...]:
    parts = text.split(",") if "," in text else [text]
    return tuple(part.encode().decode("unicode_escape") for part in parts if part)


_PARSERS: dict[Any, Callable[[str], Any]] = {
    bool: _parse_bool,
    int: int,
    float: float,
    str: str,
}


def from_plain(value: Any, hint: Any) -> Any:
    """Turn JSON or YAML values into what the field holds: lists become tuples."""
    _, kind = _unwrap(hint)
    if get_origin(kind) is tuple and isinstance(value, list):
        return tuple(value)
    return value


def is_callback(hint: Any) -> bool:
    """Callbacks are given in code only: no file and no variable can hold one."""
    _, kind = _unwrap(hint)
    return kind not in _PARSERS and get_origin(kind) is not tuple


def describe_type(kind: Any) -> str:
    names = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    if kind in names:
        return names[kind]
    return "a list of texts" if get_origin(kind) is tuple else "a callable"


def _unwrap(hint: Any) -> tuple[bool, Any]:
    """``int | None`` → (True, int); ``int`` → (False, int)."""
    if get_origin(hint) in {Union, types.UnionType}:
        parts = [part for part in get_args(hint) if part is not type(None)]
        return len(parts) < len(get_args(hint)), parts[0]
    return False, hint
