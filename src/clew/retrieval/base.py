"""What the retrieval methods share: the search they are given and the evidence they give back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from clew.models.base import Reranker
from clew.retrieval.config import RetrievalConfig
from clew.retrieval.query.reading import QueryLinks
from clew.stores.base import GraphReader, Numbers, Scores

__all__ = ["Evidence", "Method", "Relation", "Reranker", "Search", "Step"]

Relation = Literal["anchor", "mentions", "about", "similar"]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Search:
    """One question against one consistent state of a store.

    ``reader`` knows of nothing but the documents that the asker may see, so a method can neither
    show nor count another; ``counts`` are their sizes.
    """

    reader: GraphReader
    query: QueryLinks
    config: RetrievalConfig
    counts: Mapping[str, int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One step of a path in numbers: how ``unit`` (of ``chunk``) was reached.

    ``entity`` is -1 where no entity led here; ``unit`` is -1 where the method looked at the chunk
    as a whole.
    """

    chunk: int
    unit: int
    relation: Relation
    entity: int = -1
    score: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Evidence:
    """Scored chunks, and scored units inside them, before anything is ranked.

    ``chunks`` ascend; ``unit_rows`` gives the position in ``chunks`` of each unit's chunk. Where a
    chunk has scored units, its score is the greatest of theirs. All scores lie in 0–1.
    ``trail(chunk, unit)`` is the path to one of them (``unit`` -1: to the chunk). ``details`` holds
    what the scores were made of, one value per chunk.
    """

    chunks: Numbers
    chunk_scores: Scores
    units: Numbers
    unit_scores: Scores
    unit_rows: Numbers
    trail: Callable[[int, int], tuple[Step, ...]]
    details: Mapping[str, Scores] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)


class Method(Protocol):
    """A way to find evidence."""

    @property
    def name(self) -> str: ...

    @property
    def uses_vectors(self) -> bool:
        """False when a question need not be embedded."""
        ...

    def find(self, search: Search) -> Evidence:
        """Return all candidates that are worth ranking; an empty store gives no evidence."""
        ...
