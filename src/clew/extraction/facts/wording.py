"""Truth, sureness and tense as models put them: booleans or words, per cent or "high"."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, Literal

Tense = Literal["past", "present", "future", ""]

_TRUE = frozenset({"true", "yes", "y", "1", "negated", "negative", "neg", "-", "denied"})
_NEGATIONS = frozenset(
    {"not", "never", "n't", "cannot", "without", "neither", "nor", "nicht", "kein", "nie", "pas"}
)
_DENIAL = re.compile(r"\b(?:not|never|cannot|can't)\b|n['’]t\b", re.IGNORECASE)
_DENIED_DO = re.compile(r"\b(?:do|does|did)(?: not|n['’]t)\s+", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never)\b|(?<=\w)n['’]t\b", re.IGNORECASE)
_SURE = {
    "certain": 1.0, "very high": 0.95, "high": 0.9, "likely": 0.75, "medium": 0.6,
    "moderate": 0.6, "possible": 0.5, "low": 0.3, "unlikely": 0.25, "very low": 0.1,
}  # fmt: skip
_TENSES: dict[str, Tense] = {"past": "past", "present": "present", "future": "future"}
_LEAST_PER_CENT = 10
_SAID = ("text", "value", "name", "type", "as_said")
_PLAIN = frozenset(
    {
        "", "-", "…", "...", "none", "null", "n/a", "na", "nil", "unknown", "unspecified", "false",
        "not specified", "not stated", "no", "always", "assertion", "statement", "assertive",
        "declarative", "declaration", "fact", "factual", "indicative", "actual", "certain",
        "asserted", "plain", "realis", "timeless", "undefined", "real", "true", "definite",
        "confirmed", "stated", "affirmative", "affirmation", "positive", "neutral", "assert",
        "assertions", "representative", "informative", "informing", "inform", "description",
        "descriptive", "describing", "narrative", "narration", "statement of fact",
    }
)  # fmt: skip


def is_negated(value: Any) -> bool:
    """Whether ``value`` says so: a truth, or the word that denies.

    >>> is_negated(True), is_negated("yes"), is_negated("never"), is_negated("no")
    (True, True, True, False)
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value == 1
    if isinstance(value, list):
        return any(map(is_negated, value))
    word = value.strip().lower() if isinstance(value, str) else ""
    return word in _TRUE or word in _NEGATIONS


def without_denial(predicate: str) -> tuple[str, bool]:
    """The predicate as if it were affirmed, and whether it was denied.

    >>> without_denial("did not build"), without_denial("isn't part of"), without_denial("built")
    (('build', True), ('is part of', True), ('built', False))
    """
    if not _DENIAL.search(predicate):
        return predicate, False
    affirmed = _DENIED_DO.sub("", predicate).replace("cannot", "can").replace("can't", "can")
    affirmed = " ".join(_DENIED.sub("", affirmed).split())
    return (affirmed, True) if affirmed else (predicate, True)


def confidence_of(value: Any) -> float:
    """From 0 to 1; numbers from 10 on are per cent; 1 where nothing is said.

    >>> confidence_of(0.7), confidence_of("95%"), confidence_of(80), confidence_of("high")
    (0.7, 0.95, 0.8, 0.9)
    """
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _SURE:
            return _SURE[word]
        value = _number(word.rstrip("% "), per_cent=word.endswith("%"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        return 1.0
    if value >= _LEAST_PER_CENT:
        value = value / 100
    return min(1.0, max(0.0, float(value)))


def tense_of(value: Any) -> Tense:
    word = value.strip().lower().partition(" ")[0] if isinstance(value, str) else ""
    return _TENSES.get(word, "")


def plain(value: Any) -> str:
    """A qualifier as said; ``""`` for the many words by which models say that there is none."""
    if isinstance(value, dict):
        value = next((value[name] for name in _SAID if value.get(name) is not None), None)
    if isinstance(value, list):
        value = ", ".join(str(part) for part in value if part)
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return ""
    text = " ".join(str(value).split())
    return "" if text.lower().rstrip(".") in _PLAIN else text


def _number(text: str, *, per_cent: bool) -> float | None:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return None
    return number / 100 if per_cent else number
