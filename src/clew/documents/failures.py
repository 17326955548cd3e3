"""A document of a batch that could not be had: part of the result, not raised."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadFailure:
    """``reason`` is a whole message: it names the source and says what to do."""

    source: str
    doc_id: str
    reason: str
