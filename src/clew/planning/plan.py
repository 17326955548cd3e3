"""The figures of a run of indexing before it is made, for each method of extraction."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from clew.config import ClewConfig
from clew.models.base import Embedder
from clew.models.wrappers.experience import Experience
from clew.models.wrappers.prices import Price, PriceTable
from clew.planning.rehearsal import CountingLLM, Rehearsal
from clew.reports import DocumentReport, IngestReport, Status, shown_cost
from clew.results import to_plain
from clew.stores.base import Store

METHODS = ("sentence", "vocabulary", "llm")
_MINUTE_S = 60.0
_LEFT_OUT = frozenset({Status.FAILED, Status.EMPTY, Status.DUPLICATE_OF})
NO_MODEL = "no model named"


@dataclass(frozen=True, kw_only=True, slots=True)
class MethodPlan:
    """What one method would take. ``cost`` is None where the price is not known; ``seconds`` is
    without embedding. ``affordable_calls`` is how far ``llm_max_cost`` reaches, None for all.
    """

    method: str
    documents: int
    chunks: int
    unchanged: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = 0.0
    currency: str = ""
    seconds: float = 0.0
    affordable_calls: int | None = None

    @property
    def shown_cost(self) -> str:
        return shown_cost(self.cost, self.currency) if self.calls else "0"

    def beside(self, report: IngestReport) -> list[tuple[str, float | None, float | None]]:
        """What was planned and what a run used: (name, planned, used)."""
        usage = report.usage
        money = f"cost {self.currency}".rstrip()
        return [
            ("calls", self.calls, usage.calls),
            ("tokens in", self.input_tokens, usage.input_tokens),
            ("tokens out", self.output_tokens, usage.output_tokens),
            (money, self.cost, report.cost),
            ("seconds", self.seconds, report.seconds),
        ]


@dataclass(frozen=True, kw_only=True, slots=True)
class IngestPlan:
    """``basis`` says what the figures rest on, ``chosen`` which method the settings come to.
    ``left_out`` are the documents that would not be read, and why, but for unchanged ones.
    """

    model: str
    chosen: str
    methods: tuple[MethodPlan, ...]
    basis: str
    left_out: tuple[DocumentReport, ...] = ()

    def method(self, name: str) -> MethodPlan:
        return next(method for method in self.methods if method.method == name)

    def to_dict(self) -> dict[str, Any]:
        plain: dict[str, Any] = to_plain(self)
        return plain

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)


def make_plan(
    rehearse: Callable[[Rehearsal], IngestReport],
    *,
    store: Store,
    config: ClewConfig,
    model: str,
    embedder: Embedder | None,
    chosen: str,
    methods: Sequence[str] = METHODS,
) -> IngestPlan:
    """Plan with ``rehearse``, which hands documents to a :class:`Rehearsal`; nothing is asked and
    nothing is written. ``model`` is a fingerprint.
    """
    entries = [entry for entry in store.usage() if entry.scope == config.scope]
    experience = Experience(entries, model)
    price = PriceTable(config.llm_prices).price_of(model)
    planned = []
    report = IngestReport()
    for method in methods:
        llm = None if method == "sentence" else CountingLLM(model, experience)
        rehearsal = Rehearsal(llm, embedder, _unlimited(config, method))
        report = rehearse(rehearsal)
        unchanged = report.counts.get(Status.UNCHANGED, 0)
        figures = _figures(method, rehearsal, llm, price, experience, config)
        planned.append(replace(figures, unchanged=unchanged))
    return IngestPlan(
        model=model,
        chosen=chosen,
        methods=tuple(planned),
        basis=_basis(experience, price),
        left_out=tuple(item for item in report.documents if item.status in _LEFT_OUT),
    )


def _unlimited(config: ClewConfig, method: str) -> ClewConfig:
    return config.replace(
        ku_extraction_method=method,
        ku_concurrency=1,
        llm_model="none",
        llm_max_cost=None,
        llm_concurrency=None,
        llm_requests_per_minute=None,
        llm_tokens_per_minute=None,
        verbose=False,
    )


def _figures(
    method: str,
    rehearsal: Rehearsal,
    llm: CountingLLM | None,
    price: Price | None,
    experience: Experience,
    config: ClewConfig,
) -> MethodPlan:
    plan = MethodPlan(
        method=method,
        documents=rehearsal.documents,
        chunks=rehearsal.chunks,
        seconds=rehearsal.seconds,
    )
    if llm is None or not llm.usage.calls:
        return plan
    usage = llm.usage
    cost = None if price is None else price.of(usage)
    asking = experience.seconds(usage.calls, usage.output_tokens) / config.ku_concurrency
    tokens = usage.input_tokens + usage.output_tokens
    slowest = max(
        asking,
        _minutes(usage.calls, config.llm_requests_per_minute) * _MINUTE_S,
        _minutes(tokens, config.llm_tokens_per_minute) * _MINUTE_S,
    )
    return replace(
        plan,
        calls=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost=cost,
        currency=price.currency if price else "",
        seconds=plan.seconds + slowest,
        affordable_calls=_affordable(usage.calls, cost, config.llm_max_cost),
    )


def _minutes(used: int, a_minute: int | None) -> float:
    return 0.0 if a_minute is None else max(0.0, used / a_minute - 1)


def _affordable(calls: int, cost: float | None, most: float | None) -> int | None:
    if most is None or not cost or cost <= most:
        return None
    return int(calls * most / cost)


def _basis(experience: Experience, price: Price | None) -> str:
    tokens = (
        f"tokens and times as in {experience.calls:,} calls in the books of this store"
        if experience.calls
        else "no call with its tokens in the books of this store yet: a reply is taken to say "
        "each sentence once, with its names and a fact; what a model writes may be half of that, "
        "or twice"
    )
    day = f"; prices as of {price.as_of}" if price is not None and price.as_of else ""
    return tokens + day
