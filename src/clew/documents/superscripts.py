"""Raised text in plain text: ``10`` with a raised ``3`` is not 103."""

from __future__ import annotations

import re

_EXPONENT = re.compile(r"[-−+–]?\w{1,3}")


def raised(before: str, text: str) -> str:
    """Return how a superscript is written behind ``before``.

    >>> raised("10", "2"), raised("1", "st"), raised("fact", "[3]")
    ('^2', 'st', '[3]')
    """
    stripped = text.strip()
    has_digit = any(map(str.isdigit, stripped))
    if before[-1:].isalnum() and has_digit and _EXPONENT.fullmatch(stripped):
        return f"^{stripped}"
    return text
