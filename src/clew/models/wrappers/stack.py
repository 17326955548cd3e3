"""All wrappers around a model, in the right order, as the settings want them.

What belongs to the model (its limits, its pauses) is shared by all that use it; what belongs to a
run (its budget, its books, its patience) is made for each.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.errors import ConfigError
from clew.models.base import LLM
from clew.models.default import resolve_llm
from clew.models.llm_config import LLMConfig
from clew.models.token_counting import token_counter
from clew.models.wrappers.budget import BudgetLayer
from clew.models.wrappers.cache import CacheLayer
from clew.models.wrappers.clock import Clock, SystemClock
from clew.models.wrappers.concurrency import ConcurrencyLayer
from clew.models.wrappers.estimates import Estimates
from clew.models.wrappers.giving_up import GivingUpLayer
from clew.models.wrappers.keeping import Keeper, Keeping
from clew.models.wrappers.layers import Layer, LayeredLLM, layered
from clew.models.wrappers.ledger import LedgerLayer, Spent
from clew.models.wrappers.pause import Pause, PauseLayer
from clew.models.wrappers.prices import Price, PriceTable
from clew.models.wrappers.rates import RateLayer
from clew.models.wrappers.reply_limit import ReplyLimitLayer
from clew.models.wrappers.retry import RetryLayer

_SYSTEM = SystemClock()


class Run:
    """A model for one run. ``llm`` is the model behind all its wrappers."""

    def __init__(
        self,
        llm: LLM,
        ledger: LedgerLayer,
        giving_up: GivingUpLayer,
        keeping: Keeping | None,
        budgets: Sequence[BudgetLayer] = (),
    ) -> None:
        self.llm = llm
        self._ledger = ledger
        self._giving_up = giving_up
        self._keeping = keeping
        self._budgets = budgets

    @property
    def is_out_of_money(self) -> bool:
        """Whether a call was not made because it would have cost too much."""
        return any(budget.refused for budget in self._budgets)

    @property
    def spent(self) -> Spent:
        return self._ledger.spent

    def stop(self) -> None:
        """Begin no more calls; those under way end, and their replies are kept."""
        self._giving_up.stop()

    def finish(self) -> None:
        """Write what of the books is not written yet."""
        if self._keeping is not None:
            self._keeping.finish()


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
    finishes: bool = False,
    money: float | None = None,
) -> Run:
    """Put everything around ``llm`` for one run that keeps its replies and books in ``store``.
    ``concurrency`` is how many calls this run may make at the same time; a run that ``finishes``
    (:meth:`Run.finish`) need not write its books after each call. ``money`` is the amount of
    ``llm_budget``, beyond which it spends nothing either.

    Raises :class:`ConfigError` where ``llm_max_cost`` is set and the price is not known.
    """
    name = llm.fingerprint
    prices = PriceTable(config.llm_prices)
    price = prices.price_of(name)
    estimates = Estimates(token_counter(name))
    keeping = None if store is None else Keeping(store)
    giving_up = GivingUpLayer(name)
    ledger = LedgerLayer(name, keeping, scope=scope, price=price, estimates=estimates)
    layers: list[Layer] = [giving_up]
    if config.llm_max_tokens is not None:
        layers.append(ReplyLimitLayer(config.llm_max_tokens))
    if keeping is not None and not finishes:
        layers.append(keeping)
    if keeping is not None and config.llm_cache:
        layers.append(CacheLayer(name, keeping, ledger.hit))
    layers.append(ledger)
    if concurrency is not None:
        layers.append(ConcurrencyLayer(concurrency))
    budgets = []
    for setting, most in (("llm_max_cost", config.llm_max_cost), ("llm_budget", money)):
        if most is not None:
            known = _known(price, most, prices.unknown(name), setting)
            budgets.append(
                BudgetLayer(most, price=known, name=name, estimates=estimates, setting=setting)
            )
    whole = layered(patient(llm, config), *layers, *budgets)
    return Run(whole, ledger, giving_up, keeping, budgets)


def _known(price: Price | None, most: float, remedy: str, setting: str) -> Price:
    if price is None:
        raise ConfigError(f"{setting}={most:g} cannot be kept, for {remedy}")
    return price
