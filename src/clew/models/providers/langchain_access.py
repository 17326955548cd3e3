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
from clew.models.providers.statuses import failure_of

_NAMES = ("model_name", "model", "model_id", "deployment_name", "repo_id")
_PARAMETERS = (
    "temperature top_p top_k seed max_tokens max_output_tokens num_predict num_ctx stop "
    "reasoning_effort thinking_budget dimensions query_instruction embed_instruction "
    "normalize encode_kwargs task_type base_url openai_api_base"
).split()
"""What changes replies or vectors and is no secret."""


@contextmanager
def langchain_errors(who: str) -> Iterator[None]:
    """Raise what a model of LangChain raises inside as errors of clew."""
    with translated(who):
        try:
            yield
        except Exception as error:
            code = getattr(error, "code", None)  # as the SDKs of Google have it
            if isinstance(code, int) and 400 <= code < 600:
                raise failure_of(int(code), f"{who}: HTTP {int(code)}: {error}") from error
            raise


def name_of(model: Any) -> str:
    """The name of the model inside, or else of its class."""
    inner = getattr(model, "bound", None)  # what ``.bind(…)`` wraps
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


def _parameters(model: Any) -> dict[str, Any]:
    found = {name: _plain(getattr(model, name, None)) for name in _PARAMETERS}
    inner = getattr(model, "bound", None)
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
