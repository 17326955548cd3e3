"""Fitted weights as a JSON file, with what they were fitted for and on."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

from clew.errors import ConfigError
from clew.retrieval.pool.weights import LinkedWeights


def write_weights(path: str | Path, weights: LinkedWeights, **about: Any) -> None:
    """Write ``weights``; ``about`` goes before them, for people to read."""
    text = json.dumps({**about, "weights": asdict(weights)}, indent=1)
    Path(path).write_text(text + "\n", encoding="utf-8")


def read_weights(path: str | Path) -> LinkedWeights:
    """Read what :func:`write_weights` wrote, for ``LinkedEvidence(weights=…)``.

    Raises :class:`ConfigError` for a file that is not there or holds something else.
    """
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))["weights"]
    except FileNotFoundError as error:
        raise ConfigError(f"no weights at {path}: `clew bench fit` writes them") from error
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} is not what `clew bench fit` writes: {error}") from error
    weights = _read(LinkedWeights, values, path)
    assert isinstance(weights, LinkedWeights)
    return weights


def _read(kind: Any, value: Any, path: str | Path) -> Any:
    """``value`` as a number, a record of numbers, or a tuple of records, as ``kind`` says."""
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        names = {item.name for item in fields(kind)}
        if not isinstance(value, dict) or names != set(value):
            raise _foreign(path)
        return kind(**{name: _read(hints[name], value[name], path) for name in names})  # type: ignore[operator]
    if inner := get_args(kind):
        if not isinstance(value, list):
            raise _foreign(path)
        return tuple(_read(inner[0], item, path) for item in value)
    if not isinstance(value, int | float):
        raise _foreign(path)
    return float(value)


def _foreign(path: str | Path) -> ConfigError:
    return ConfigError(
        f"{path} does not hold the weights that this version of clew has; fit them anew: "
        "`clew bench fit`"
    )
