"""What models cost: a table that comes with clew, and one of the user's own that comes first.

A price that is not known is None, never 0: whoever adds up says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import Any

from clew.errors import ConfigError, nearest
from clew.models.base import Usage

_MILLION = 1_000_000
_KEYS = ("models", "currency", "as_of")
_SIDES = ("input", "output")
_VERSION = re.compile(r"-(?:latest|\d{4}-\d\d-\d\d|\d{8}|\d{3,4})$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Price:
    """Per million tokens. ``as_of`` is the day of the table."""

    input: float
    output: float
    currency: str
    as_of: str = ""

    def of(self, usage: Usage) -> float:
        """What the provider charges; cached calls are not among its tokens."""
        paid = usage.input_tokens * self.input + usage.output_tokens * self.output
        return paid / _MILLION


class PriceTable:
    """Prices by the names of models. ``path`` is the user's own file (the setting ``llm_prices``).

    Raises :class:`ConfigError` for a file that cannot be read or holds something else.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self._own = {} if path is None else _read(Path(path).expanduser())

    def price_of(self, fingerprint: str) -> Price | None:
        """The price of the model with this fingerprint (``openai/gpt-4o-mini/temperature=0.0``).

        The packaged prices are those of the makers: they say nothing of a model of the same name
        at another address. The user's may also name the model alone.
        """
        name = _named(fingerprint)
        own = _find(self._own, [fingerprint, name, name.partition("/")[2]])
        if own is not None:
            return own
        packaged = _find(_packaged(), [name])
        elsewhere = "://" in fingerprint and packaged is not None and packaged.input > 0
        return None if elsewhere else packaged

    def unknown(self, fingerprint: str) -> str:
        """How to give a price that is not known."""
        return (
            f"the price of {fingerprint} is not known: write it to a file, as\n"
            f"models:\n  {_named(fingerprint)}: {{input: 0.15, output: 0.60}}  # per million "
            "tokens\nand set llm_prices to its path"
        )


def _named(fingerprint: str) -> str:
    """The provider and the model, without address and parameters."""
    head = fingerprint.partition("://")[0]
    if "://" in fingerprint:
        head = head.rpartition("/")[0]
    return "/".join(part for part in head.split("/") if "=" not in part)


def _find(table: Mapping[str, Price], names: list[str]) -> Price | None:
    """The entry of the longest pattern that fits one of ``names``, or one without its version."""
    shorter = [_VERSION.sub("", name) for name in names]
    for pattern in sorted(table, key=lambda pattern: (-len(pattern), pattern)):
        if any(fnmatchcase(name, pattern) for name in [*names, *shorter] if name):
            return table[pattern]
    return None


@cache
def _packaged() -> Mapping[str, Price]:
    text = resources.files(__package__).joinpath("prices.yaml").read_text(encoding="utf-8")
    return _parsed(text, "prices.yaml")


def _read(path: Path) -> Mapping[str, Price]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"llm_prices={str(path)!r}: it cannot be read ({error})") from error
    return _parsed(text, str(path))


def _parsed(text: str, name: str) -> Mapping[str, Price]:
    import yaml  # noqa: PLC0415 - most runs read no prices

    from clew.strict_yaml import load_yaml  # noqa: PLC0415

    try:
        values = load_yaml(text)
    except yaml.YAMLError as error:
        raise ConfigError(f"{name}: not valid YAML: {error}") from error
    models = values.get("models") if isinstance(values, Mapping) else None
    if not isinstance(models, Mapping):
        raise ConfigError(
            f"{name}: expected prices under `models:`, such as\n"
            "models:\n  openai/gpt-4o-mini: {input: 0.15, output: 0.60}"
        )
    _only(values, _KEYS, name)
    for model, price in models.items():
        if isinstance(price, Mapping):
            _only(price, _SIDES, f"{name}: {model}")
    currency, as_of = str(values.get("currency", "USD")), str(values.get("as_of", ""))
    return {
        str(model): Price(
            input=_amount(price, "input", f"{name}: {model}"),
            output=_amount(price, "output", f"{name}: {model}"),
            currency=currency,
            as_of=as_of,
        )
        for model, price in models.items()
    }


def _only(values: Mapping[Any, Any], known: tuple[str, ...], place: str) -> None:
    for key in values:
        if key not in known:
            raise ConfigError(
                f"{place}: {key!r} is not one of {', '.join(known)}{nearest(str(key), known)}"
            )


def _amount(price: Any, side: str, place: str) -> float:
    value: Any = price.get(side) if isinstance(price, Mapping) else None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not isfinite(value) or value < 0:
        raise ConfigError(
            f"{place}: {side}={value!r} must be a price per million tokens, 0 or more, as in "
            "{input: 0.15, output: 0.60}"
        )
    return float(value)
