"""How much of a collection a model reads: a share of its text, or what an amount of money buys."""

from __future__ import annotations

import re
from dataclasses import dataclass

from clew.errors import ConfigError

_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_MONEY = re.compile(r"(?:([A-Z]{3}|[$€£])\s*)?(\d+(?:\.\d+)?)(?:\s*([A-Z]{3}|[$€£]))?")
_SIGNS = {"$": "USD", "€": "EUR", "£": "GBP"}


@dataclass(frozen=True, kw_only=True, slots=True)
class LLMBudget:
    """Either ``share`` (0–1 of the characters) or ``money`` in ``currency``."""

    share: float | None = None
    money: float = 0.0
    currency: str = ""


def llm_budget(setting: str, text: str) -> LLMBudget:
    """Read the setting; raise :class:`ConfigError` for what is neither.

    >>> llm_budget("llm_budget", "25%").share, llm_budget("llm_budget", "0.25").share
    (0.25, 0.25)
    >>> llm_budget("llm_budget", "5 USD").money
    5.0
    """
    share, money = _SHARE.fullmatch(text.strip()), _MONEY.fullmatch(text.strip())
    if share and float(share[1]) <= 100:
        return LLMBudget(share=float(share[1]) / 100)
    if money and (money[1] or money[3]) and not (money[1] and money[3]):
        sign = money[1] or money[3]
        return LLMBudget(money=float(money[2]), currency=_SIGNS.get(sign, sign))
    if money and not money[1] and not money[3] and float(money[2]) <= 1:
        return LLMBudget(share=float(money[2]))
    raise ConfigError(
        f"{setting}={text!r}: write a share of the text (25% or 0.25) or an amount (5 USD)"
    )
