"""What a selection gives: the chunks, and why they were cut that way."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.chunking.base import Span
from clew.chunking.metrics import MetricScore
from clew.records import Chunk
from clew.results import to_plain


@dataclass(frozen=True, kw_only=True, slots=True)
class Candidate:
    """One strategy that was tried. ``error`` says why one failed, ``passed_over`` why one that did
    not was not to be chosen: it needs too many chunks, or cuts as a better-placed one does.

    ``chunks`` are what it would have given, ``noise`` is the standard error of ``score``.
    """

    strategy_name: str
    score: float = 0.0
    metrics: tuple[MetricScore, ...] = ()
    spans: tuple[Span, ...] = ()
    noise: float = 0.0
    passed_over: str = ""
    error: str = ""
    chunks: Sequence[Chunk] = field(default=(), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "strategy_name": self.strategy_name,
            "score": self.score,
            "noise": self.noise,
            "metrics": [metric.to_dict() for metric in self.metrics],
            "spans": [list(span) for span in self.spans],
            "chunks": to_plain(tuple(self.chunks)),
            "passed_over": self.passed_over,
            "error": self.error,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Selection:
    """The candidates, the chosen one first, and in ``note`` how sure the choice is."""

    candidates: tuple[Candidate, ...]
    note: str = ""

    @property
    def chosen(self) -> Candidate:
        return self.candidates[0]


@dataclass(frozen=True, kw_only=True, slots=True)
class ChunkingResult:
    """The chunks of one document by the strategy that was chosen for it."""

    document_id: str
    strategy_name: str
    chunks: tuple[Chunk, ...]
    score: float
    metrics: tuple[MetricScore, ...]
    candidates: tuple[Candidate, ...]
    note: str = ""

    def to_dict(self, *, include_candidates: bool = False) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "document_id": self.document_id,
            "strategy_name": self.strategy_name,
            "score": self.score,
            "note": self.note,
            "chunks": to_plain(self.chunks),
            "metrics": [metric.to_dict() for metric in self.metrics],
        }
        if include_candidates:
            plain["candidates"] = [candidate.to_dict() for candidate in self.candidates]
        return plain

    def to_json(self, path: str | Path | None = None, *, include_candidates: bool = False) -> str:
        """Return the result as JSON, and write it to ``path`` if one is given."""
        plain = self.to_dict(include_candidates=include_candidates)
        text = json.dumps(plain, ensure_ascii=False, indent=2, default=str)
        if path is not None:
            Path(path).write_text(text + "\n", encoding="utf-8")
        return text

    def table(self) -> list[tuple[str, ...]]:
        """Return why this strategy, as rows: a head, then each candidate with what counted."""
        names = [metric.name for metric in self.metrics]
        rows = [("strategy", "chunks", "score", *names, "")]
        for candidate in self.candidates:
            values = {metric.name: metric.value for metric in candidate.metrics}
            rows.append(
                (
                    candidate.strategy_name,
                    f"{len(candidate.spans):,}",
                    f"{candidate.score:.3f}" if candidate.metrics else "",
                    *(_shown(values.get(name)) for name in names),
                    candidate.error or candidate.passed_over,
                )
            )
        return rows


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
