"""A model that gives nothing for many chunks is not up to its task: the report says so."""

from __future__ import annotations

from collections.abc import Iterable

from clew.reports import DocumentReport

LEAST_SHARE = 0.2
"""Of the chunks, without anything from the model, from which on a run is one of low yield."""

OUT_OF_MONEY = (
    "the budget is used up: what it did not reach fell back to sentences, and the next run with "
    "money left asks for just that"
)


def low_yield_note(
    reports: Iterable[DocumentReport],
    chunk_size: int,
    *,
    chunk_overlap: int = 0,
    answered: bool = True,
) -> str:
    """What to tell of a run in which the model gave nothing for :data:`LEAST_SHARE` of the chunks
    or more: how many they are, and what to change; ``""`` for others. ``answered`` says whether it
    gave any reply at all.
    """
    counted = [(report.chunks, report.degraded_chunks) for report in reports]
    chunks, degraded = (sum(column) for column in zip(*counted, strict=True)) if counted else (0, 0)
    if not degraded or degraded < LEAST_SHARE * chunks:
        return ""
    why = (
        "the model gave nothing, or not all,"
        if answered
        else "the model never replied, and the reason stands beside each document,"
    )
    smaller = max(200, chunk_size // 2)
    overlap = f", chunk_overlap={smaller // 5}" if chunk_overlap >= smaller else ""
    return (
        f"low yield: {why} for {degraded:,} of {chunks:,} chunks, "
        "which fell back to their sentences. If its context is small, try "
        f"chunk_size={smaller}{overlap} and ku_batch_size=1; or take a larger model, or "
        "ku_extraction_method='sentence'"
    )
