"""Settings of language models: which one, how patiently it is asked, and what may be spent."""

from __future__ import annotations

from dataclasses import dataclass

from clew.models.llm_references import llm_reference
from clew.settings import check_settings, setting


@dataclass(frozen=True, kw_only=True)
class LLMConfig:
    """``llm_temperature``, ``llm_seed`` and ``llm_timeout_s`` go to the model that ``llm_model``
    names; a model that is given as an object has its own. All others hold for both.
    """

    llm_model: str = setting(
        "none",
        "The language model when none is given: 'none', or PROVIDER:MODEL, with @URL behind it "
        "for a server of one's own (openai:gpt-4o-mini, ollama:llama3@http://HOST:11434).",
        check=llm_reference,
    )
    llm_timeout_s: float = setting(
        120.0, "Seconds that a named model may take for one reply.", minimum=0.001
    )
    llm_temperature: float = setting(
        0.0, "Temperature of a named model: 0 for the likeliest reply.", minimum=0, maximum=2
    )
    llm_seed: int | None = setting(
        None, "Seed of a named model, where its provider takes one.", minimum=0
    )
    llm_max_tokens: int | None = setting(
        None, "Most tokens of one reply; None leaves it to each step.", minimum=1
    )
    llm_attempts: int = setting(
        5, "How often a call is made before a busy or broken provider is given up.", minimum=1
    )
    llm_longest_wait_s: float = setting(
        300.0,
        "The longest wait that a provider may ask for; one that asks for more is given up.",
        minimum=0,
    )
    llm_concurrency: int | None = setting(
        None,
        "Most calls under way at the same time, whoever makes them; None sets no limit.",
        minimum=1,
    )
    llm_requests_per_minute: int | None = setting(
        None, "Most calls in a minute; None sets no limit.", minimum=1
    )
    llm_tokens_per_minute: int | None = setting(
        None, "Most tokens in a minute, prompts and replies; None sets no limit.", minimum=1
    )
    llm_cache: bool = setting(
        True,
        "Keep replies in the store, so that none is paid for twice; False asks anew each time.",
    )
    llm_prices: str | None = setting(
        None, "A YAML file of prices per million tokens; None takes the packaged ones."
    )
    llm_max_cost: float | None = setting(
        None,
        "What one run may spend on the model, in the currency of its price; the call that would "
        "exceed it is not made.",
        minimum=0,
    )

    def __post_init__(self) -> None:
        check_settings(self)
