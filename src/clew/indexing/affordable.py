"""What share of a collection an amount of money lets a model read, by an estimate."""

from __future__ import annotations

from clew.config import ClewConfig
from clew.errors import ConfigError
from clew.extraction.llm_budget import LLMBudget
from clew.extraction.prompts import UNITS_PROMPT
from clew.models.base import LLM, Usage
from clew.models.token_counting import token_counter
from clew.models.wrappers.estimates import OUTPUT_RATIO
from clew.models.wrappers.prices import PriceTable

_CHARACTERS_A_TOKEN = 4.0


def affordable_share(budget: LLMBudget, characters: int, llm: LLM, config: ClewConfig) -> float:
    """The share that ``budget`` allows of a text of so many ``characters``.

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
    calls = max(1.0, characters / (config.chunk_size * config.ku_batch_size))
    instructions = token_counter(llm.fingerprint)(UNITS_PROMPT)
    read = calls * instructions + characters / _CHARACTERS_A_TOKEN
    written = read * OUTPUT_RATIO
    cost = price.of(Usage(input_tokens=round(read), output_tokens=round(written)))
    return 1.0 if cost <= budget.money else budget.money / cost
