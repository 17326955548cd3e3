"""Candidates in order: who can be chosen, who is passed over and why, how sure the choice is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import hypot

from clew.chunking.result import Candidate, Selection
from clew.errors import ClewError

_MOST_CHUNKS = 1.6
"""Times as many as the strategy with the fewest: more are too small for the size asked for."""

_DIGITS = 9
"""Scores that differ in later ones are ties: processors round differently."""


def ranked(tried: Sequence[Candidate], *, gated: bool) -> Selection:
    """Order candidates: those of a fitting size by score, one that cuts as another does behind it;
    then those that are passed over for their size; then the failed.
    """
    failed = [candidate for candidate in tried if candidate.error]
    good = sorted((candidate for candidate in tried if not candidate.error), key=_place)
    if not good:
        reasons = "; ".join(f"{candidate.strategy_name}: {candidate.error}" for candidate in failed)
        raise ClewError(f"no strategy could cut the text: {reasons}")
    fitting, others = _gate(good) if gated else (good, [])
    candidates = (*fitting, *others, *failed)
    return Selection(candidates=candidates, note=_note(candidates))


def _place(candidate: Candidate) -> float:
    return -round(candidate.score, _DIGITS)


def _gate(good: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Part those of a fitting size from those of many more chunks than would do."""
    least = min(len(candidate.spans) for candidate in good)
    fitting = [item for item in good if len(item.spans) <= _MOST_CHUNKS * least]
    others = [
        replace(item, passed_over=f"{len(item.spans):,} chunks, where {least:,} would do")
        for item in good
        if len(item.spans) > _MOST_CHUNKS * least
    ]
    return fitting, others


def _note(candidates: tuple[Candidate, ...]) -> str:
    first = candidates[0]
    others = [item for item in candidates[1:] if not item.error and not item.passed_over]
    if len(first.spans) <= 1 and not others:
        return "the text fits into one chunk"
    if not others:
        return "no other strategy could be chosen"
    second = others[0]
    if first.score - second.score <= hypot(first.noise, second.noise):
        return (
            f"{first.strategy_name} ({first.score:.3f}) and {second.strategy_name} "
            f"({second.score:.3f}) are within noise: the text does not tell them apart"
        )
    return f"{first.strategy_name} leads {second.strategy_name} by more than noise"
