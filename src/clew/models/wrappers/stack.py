"""All wrappers around a model, in the right order, as the settings want them.

What belongs to the model (its limits, its pauses) is shared by all that use it; what belongs to a
run (its budget, its books, its patience) is made for each.
"""

from __future__ import annotations

from typing import Protocol

from clew.errors import ConfigError
from clew.models.base import LLM
from clew.models.default import resolve_llm
from clew.models.llm_config import LLMConfig
from clew.models.token_counting import token_counter
from clew.models.wrappers.budget import BudgetLayer
from clew.models.wrappers.cache import CacheLayer, KeptReplies
from clew.models.wrappers.clock import Clock, SystemClock
from clew.models.wrappers.concurrency import ConcurrencyLayer
from clew.models.wrappers.estimates import Estimates
from clew.models.wrappers.giving_up import GivingUpLayer
from clew.models.wrappers.layers import Layer, LayeredLLM, layered
from clew.models.wrappers.ledger import Books, LedgerLayer, Spent
from clew.models.wrappers.pause import Pause, PauseLayer
from clew.models.wrappers.prices import Price, PriceTable
from clew.models.wrappers.rates import RateLayer
from clew.models.wrappers.reply_limit import ReplyLimitLayer
from clew.models.wrappers.retry import RetryLayer

_SYSTEM = SystemClock()


class Keeper(KeptReplies, Books, Protocol):
    """What keeps replies and books: a store."""


class Run:
    """A model for one run. ``llm`` is the model behind all its wrappers."""

    def __init__(self, llm: LLM, ledger: LedgerLayer, giving_up: GivingUpLayer) -> None:
        self.llm = llm
        self._ledger = ledger
        self._giving_up = giving_up

    @property
    def spent(self) -> Spent:
        return self._ledger.spent

    def stop(self) -> None:
        """Begin no more calls; those under way end, and their replies are kept."""
        self._giving_up.stop()


def given_llm(llm: object | None, config: LLMConfig) -> LLM | None:
    """The model to use, with its limits around it: the one given, else what ``llm_model`` names,
    else None.
    """
    found = resolve_llm(llm, config)
    return None if found is None else patient(found, config)


def patient(llm: LLM, config: LLMConfig, clock: Clock = _SYSTEM) -> LLM:
    """Put around ``llm`` what all its calls share; one that has it already is returned as it is."""
    if isinstance(llm, LayeredLLM) and llm.has(RetryLayer):
        return llm
    pause = Pause(clock)
    layers: list[Layer] = []
    if config.llm_concurrency is not None:
        layers.append(ConcurrencyLayer(config.llm_concurrency))
    layers.append(
        RetryLayer(
            config.llm_attempts,
            pause=pause,
            clock=clock,
            longest_wait_s=config.llm_longest_wait_s,
        )
    )
    if config.llm_requests_per_minute is not None or config.llm_tokens_per_minute is not None:
        layers.append(
            RateLayer(
                requests=config.llm_requests_per_minute,
                tokens=config.llm_tokens_per_minute,
                estimates=Estimates(token_counter(llm.fingerprint)),
                clock=clock,
            )
        )
    return layered(llm, *layers, PauseLayer(pause))


def wrapped(
    llm: LLM,
    config: LLMConfig,
    store: Keeper | None = None,
    *,
    scope: str = "",
    concurrency: int | None = None,
) -> Run:
    """Put everything around ``llm`` for one run that keeps its replies and books in ``store``.
    ``concurrency`` is how many calls this run may make at the same time.

    Raises :class:`ConfigError` where ``llm_max_cost`` is set and the price is not known.
    """
    name = llm.fingerprint
    prices = PriceTable(config.llm_prices)
    price = prices.price_of(name)
    estimates = Estimates(token_counter(name))
    giving_up = GivingUpLayer(name)
    ledger = LedgerLayer(name, store, scope=scope, price=price, estimates=estimates)
    layers: list[Layer] = [giving_up]
    if config.llm_max_tokens is not None:
        layers.append(ReplyLimitLayer(config.llm_max_tokens))
    layers.append(ledger)
    if config.llm_cache and store is not None:
        layers.append(CacheLayer(name, store))
    if concurrency is not None:
        layers.append(ConcurrencyLayer(concurrency))
    if config.llm_max_cost is not None:
        known = _known(price, config.llm_max_cost, prices.unknown(name))
        layers.append(BudgetLayer(config.llm_max_cost, price=known, name=name, estimates=estimates))
    return Run(layered(patient(llm, config), *layers), ledger, giving_up)


def _known(price: Price | None, most: float, remedy: str) -> Price:
    if price is None:
        raise ConfigError(f"llm_max_cost={most:g} cannot be kept, for {remedy}")
    return price
