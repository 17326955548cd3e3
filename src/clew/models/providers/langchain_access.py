"""What a model of LangChain is called, and how it fails.

LangChain lets the errors of each provider's SDK through, so they are told apart by what they carry.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from clew.models.providers.sdk_errors import translated
from clew.models.providers.secrets import hidden
from clew.models.providers.statuses import failure_of

_NAMES = ("model_name", "model", "model_id", "deployment_name", "repo_id")
_PARAMETERS = (
    "temperature top_p top_k seed max_tokens max_output_tokens num_predict num_ctx stop "
    "reasoning_effort thinking_budget dimensions query_instruction embed_instruction "
    "normalize encode_kwargs task_type base_url openai_api_base"
).split()
"""What changes replies or vectors and is no secret."""


@contextmanager
def langchain_errors(who: str, model: Any) -> Iterator[None]:
    """Raise what a model of LangChain raises inside as errors of clew, without its keys."""
    secrets = _keys_of(model)
    with translated(who, secrets=secrets):
        try:
            yield
        except Exception as error:
            code = getattr(error, "code", None)  # as the SDKs of Google have it
            if isinstance(code, int) and 400 <= code < 600:
                said = f"{who}: HTTP {int(code)}: {error}"
                told = failure_of(int(code), said, secrets=secrets)
                raise told from (error if hidden(said, secrets) == said else None)
            raise


def name_of(model: Any) -> str:
    """The name of the model inside, or else of its class."""
    inner = _held_by(model)
    if inner is not None:
        return name_of(inner)
    stated = getattr(model, "_identifying_params", None)
    told = stated if isinstance(stated, Mapping) else {}
    found = (getattr(model, name, None) or told.get(name) for name in _NAMES)
    return next((name for name in found if isinstance(name, str) and name), type(model).__name__)


def print_of(model: Any) -> str:
    """Class, name and a digest of the parameters: equal for equal models, also tomorrow."""
    parameters = _parameters(model)
    text = json.dumps(parameters, sort_keys=True, ensure_ascii=False)
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=4).hexdigest()
    named = [type(model).__name__, name_of(model), *([digest] if parameters else [])]
    return "/".join(("langchain", *dict.fromkeys(named)))


def _keys_of(model: Any) -> list[str]:
    """What the model, and one inside it, holds as secrets of pydantic."""
    held = [*getattr(model, "__dict__", {}).values()]
    held += getattr(_held_by(model), "__dict__", {}).values()
    return [str(one.get_secret_value()) for one in held if hasattr(one, "get_secret_value")]


def _held_by(model: Any) -> Any:
    """What ``.bind(…)`` wraps; None where nothing is."""
    return getattr(model, "bound", None)


def _parameters(model: Any) -> dict[str, Any]:
    found = {name: _plain(getattr(model, name, None)) for name in _PARAMETERS}
    inner = _held_by(model)
    if inner is not None:
        found |= {"bound": _parameters(inner), "kwargs": _plain(getattr(model, "kwargs", None))}
    return {name: value for name, value in found.items() if value is not None}


def _plain(value: Any) -> Any:
    """``value`` as far as it is plain data."""
    if isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None
