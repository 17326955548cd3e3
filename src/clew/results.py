"""What searches and questions give back: plain data that knows where it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.models.base import Usage
from clew.records import Fact, KnowledgeUnit


@dataclass(frozen=True, kw_only=True, slots=True)
class PathStep:
    """One step of the path that led to a hit.

    ``entity`` is the name by which the step was reached (empty for the first step when it was
    found by similarity); ``relation`` says how: ``anchor``, ``mentions``, ``about``, ``similar``.
    ``covers`` holds the words of the question that this step has, ``adds`` those of them that no
    step before had, and ``coverage`` how much of the question ``covers`` makes up (0–1, rare words
    make up more). ``title`` and ``context`` are what ``text`` was read with: their words count too,
    as do those of ``entity``.
    """

    unit_id: str
    doc_id: str
    text: str
    start: int
    end: int
    entity: str = ""
    relation: str = "anchor"
    score: float = 0.0
    covers: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    coverage: float = 0.0
    title: str = ""
    context: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalItem:
    """One result. ``content`` is ``document.text[start:end]``: a chunk, or a unit when results are
    not grouped. ``units`` are the knowledge units that earned the score, best first.

    ``scores`` say what the score is made of: ``alone``, what the passage is worth by itself;
    ``links``, what links changed in that; ``coverage``, how much of the question the path and the
    passage have together; with a reranker ``first``, the score before it, and ``rerank``, its own;
    and what a method adds. ``covers`` are the words of the question that the passage itself has,
    ``uncovered`` those that neither it nor any step of the path has.
    """

    content: str
    score: float
    source_chunk_id: str
    document_id: str
    doc_id: str
    start: int
    end: int
    title: str = ""
    heading_path: tuple[str, ...] = ()
    page: int | None = None
    knowledge_unit_ids: tuple[str, ...] = ()
    entity_names: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    path: tuple[PathStep, ...] = ()
    units: tuple[KnowledgeUnit, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    covers: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return _plain(self, leave_out={"units"})


@dataclass(frozen=True, kw_only=True, slots=True)
class NameLink:
    """A name in the question and what it was taken for: ``query[start:end]`` is ``text`` (both are
    0 for a name that a model added), ``entities`` are the names of all that it may mean.

    ``how`` says by what: ``exact``, ``alias``, ``acronym``, ``form`` (another ending or article),
    ``typo`` (``distance`` letters are wrong), ``partial``, ``embedding``. ``similarity`` is 1 where
    the name is written as the documents write it.
    """

    text: str
    start: int
    end: int
    entities: tuple[str, ...]
    how: str
    similarity: float = 1.0
    distance: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class RetrievalResult:
    """``entities_extracted`` are the names of the question as it writes them, and ``names`` what
    each was taken for, and how.
    """

    query: str
    items: tuple[RetrievalItem, ...] = ()
    entities_extracted: tuple[str, ...] = ()
    names: tuple[NameLink, ...] = ()
    graph_stats: Mapping[str, int] = field(default_factory=dict)
    method: str = ""
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    reranker: str = ""

    def to_dict(self) -> dict[str, Any]:
        return _plain(self, leave_out=set()) | {"items": [item.to_dict() for item in self.items]}

    def to_json(self, path: str | Path | None = None) -> str:
        return _to_json(self.to_dict(), path)


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """``text`` is exactly ``document.text[start:end]`` of the document named ``doc_id``."""

    number: int
    doc_id: str
    start: int
    end: int
    text: str
    title: str = ""
    page: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A document that the answer rests on; ``text`` only when source text was asked for."""

    doc_id: str
    title: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubt:
    """Something of a model's answer that its citations do not bear out: a ``sentence``, and the
    number that it cited, where that is what was wrong (as the model wrote it).
    """

    sentence: str
    reason: str
    citation: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """``answer`` is short; ``sentence`` says it in full with its citation numbers. ``missing``
    names what no document says when ``abstained``; ``notes`` what the search could not do.
    ``doubts`` are what a model said without support: false citations that were taken out, and
    sentences that were taken out or, with ``unsupported_sentences="flag"``, are in ``sentence``
    without a number.
    """

    question: str
    answer: str
    sentence: str = ""
    citations: tuple[Citation, ...] = ()
    sources: tuple[Source, ...] = ()
    facts: tuple[Fact, ...] = ()
    path: tuple[PathStep, ...] = ()
    confidence: float = 0.0
    abstained: bool = False
    missing: tuple[str, ...] = ()
    has_contradictions: bool = False
    usage: Usage = Usage()
    trace: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return _plain(self, leave_out=set())

    def to_json(self, path: str | Path | None = None) -> str:
        return _to_json(self.to_dict(), path)


def _plain(value: Any, leave_out: set[str]) -> dict[str, Any]:
    return {
        name: to_plain(getattr(value, name))
        for name in value.__dataclass_fields__
        if name not in leave_out
    }


def to_plain(value: Any) -> Any:
    """Turn records into dicts, tuples into lists, for JSON."""
    if hasattr(value, "__dataclass_fields__"):
        return _plain(value, leave_out=set())
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    return value


def _to_json(value: dict[str, Any], path: str | Path | None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    if path is not None:
        Path(path).write_text(text + "\n", encoding="utf-8")
    return text
