"""What share of a collection an amount of money lets a model read, by an estimate."""

from __future__ import annotations

from clew.config import ClewConfig
from clew.errors import ConfigError
from clew.extraction.budgeting import Candidates
from clew.extraction.expected_reply import expected_reply
from clew.extraction.llm_budget import LLMBudget
from clew.extraction.prompts import UNITS_PROMPT, units_prompt
from clew.extraction.replies import read_units
from clew.extraction.widening import leaves_open
from clew.models.base import LLM, Usage
from clew.models.token_counting import token_counter
from clew.models.wrappers.experience import Experience
from clew.models.wrappers.prices import PriceTable


def affordable_share(
    budget: LLMBudget, text: Candidates, llm: LLM, config: ClewConfig, experience: Experience
) -> float:
    """The share that ``budget`` allows of ``text``, by the ruler of a plan.

    Raises :class:`clew.errors.ConfigError` where the price of the model is not known, or is in
    another currency.
    """
    if budget.share is not None:
        return budget.share
    prices = PriceTable(config.llm_prices)
    price = prices.price_of(llm.fingerprint)
    if price is None:
        raise ConfigError(
            f"llm_budget={config.llm_budget!r} is an amount, and "
            f"{prices.unknown(llm.fingerprint)}; or give a share of the text (25%)"
        )
    if price.currency != budget.currency:
        raise ConfigError(
            f"llm_budget={config.llm_budget!r}: the price of {llm.fingerprint} is in "
            f"{price.currency}; give the amount in {price.currency}"
        )
    cost = price.of(_used(text, llm.fingerprint, config, experience))
    return 1.0 if cost <= budget.money else budget.money / cost


def _used(text: Candidates, fingerprint: str, config: ClewConfig, experience: Experience) -> Usage:
    """What all of ``text`` would use, as a plan reckons it, from a sample of its chunks."""
    count = token_counter(fingerprint)
    prompts = [units_prompt([passage], max_units=0) for passage in text.sample]
    replies = [expected_reply(prompt) for prompt in prompts]
    instructions = count(UNITS_PROMPT)
    characters = max(1, sum(len(passage.chunk.text) for passage in text.sample))
    again = sum(leaves_open(read_units(reply).units) for reply in replies) / max(1, len(replies))
    passages = sum(max(0, count(prompt) - instructions) for prompt in prompts)
    scale = text.characters / characters
    calls = text.chunks / config.ku_batch_size + again * text.chunks / config.ku_batch_size
    read = experience.read_tokens(round(calls * instructions + (1 + again) * scale * passages))
    written = round((1 + again) * scale * sum(map(count, replies)))
    return Usage(
        input_tokens=read,
        output_tokens=experience.written_tokens("extraction", read, written),
    )
