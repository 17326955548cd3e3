"""Answers from evidence: extracted, cited, compared, or refused."""

from __future__ import annotations

from clew.answering.extractive import ExtractiveAnswerer

__all__ = ["ExtractiveAnswerer"]
