"""Which model and which method a plan is for, also where the model cannot be had here."""

from __future__ import annotations

from collections.abc import Callable

from clew.config import ClewConfig
from clew.errors import ModelError
from clew.models.base import LLM
from clew.models.llm_references import llm_reference
from clew.planning.plan import NO_MODEL


def chosen_method(config: ClewConfig, *, has_model: bool) -> str:
    """The extraction method that the settings come to; ``has_model`` says whether one was given."""
    named = has_model or config.llm_model != "none"
    return config.ku_extraction_method or ("llm" if named else "sentence")


def planned_model(config: ClewConfig, llm: Callable[[], LLM | None]) -> str:
    """The fingerprint of the model that ``llm`` gives; what is known of its name where it cannot be
    had: a plan needs no key.
    """
    try:
        found = llm()
    except ModelError:
        named = llm_reference("llm_model", config.llm_model)
        return "/".join(part for part in (named.provider, named.model, named.url) if part)
    return NO_MODEL if found is None else found.fingerprint
