"""Answers from evidence: extracted, cited, compared, or refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.answering.extractive import ExtractiveAnswerer

__all__ = ["ExtractiveAnswerer"]


def __getattr__(name: str) -> Any:
    """Load what answers when it is asked for: the settings beside it are read at every start."""
    if name != "ExtractiveAnswerer":
        raise AttributeError(f"module 'clew.answering' has no attribute {name!r}")
    from clew.answering.extractive import ExtractiveAnswerer  # noqa: PLC0415 - see above

    return ExtractiveAnswerer
