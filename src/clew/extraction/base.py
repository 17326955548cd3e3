"""The contract of every extraction method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.models.base import Usage
from clew.records import (
    Chunk,
    Document,
    Entity,
    EntityMerge,
    Fact,
    KnowledgeUnit,
    Mention,
    Topic,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Extraction:
    """What one document says. ``problems`` names, for each chunk that fell back to the sentence
    method, the chunk and why; ``ungrounded`` counts statements of a model that the chunk does not
    support and that were dropped.
    """

    units: tuple[KnowledgeUnit, ...] = ()
    mentions: tuple[Mention, ...] = ()
    entities: tuple[Entity, ...] = ()
    topics: tuple[Topic, ...] = ()
    facts: tuple[Fact, ...] = ()
    merges: tuple[EntityMerge, ...] = ()
    reply_keys: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    ungrounded: int = 0
    usage: Usage = Usage()


class Extractor(Protocol):
    """Reads documents that were already cut into chunks."""

    @property
    def method(self) -> str: ...

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        """Return one extraction per document, in input order.

        Units come from the blocks of the document, so overlapping chunks never give a unit twice;
        ``unit.chunk_id`` is the first chunk that holds the whole unit, else the one in which it
        begins. A failing model call never raises: its chunks fall back and are named in
        ``problems``.
        """
        ...
