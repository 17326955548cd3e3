"""Extraction by a language model on another machine: prompts are made and replies read there, and
the calls themselves go home.

So there is one place for the limits of the model, its budget and its books, whatever the number of
workers; and a reply that was paid for is in the store before a worker has seen it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.config import ClewConfig
from clew.executors.calling_home import call_home
from clew.extraction.base import Extraction
from clew.indexing.by_chunks import extract_by_chunks
from clew.models.base import Completion, Message, PaidReply
from clew.models.purpose import Purpose, current_purpose
from clew.records import Chunk, Document


@dataclass(frozen=True, kw_only=True, slots=True)
class RemoteExtraction:
    """An :class:`Extractor` that can be sent. ``fingerprint`` is that of the model at home;
    ``only`` are the ids of the chunks to ask about, None for all.
    """

    method: str
    fingerprint: str
    config: ClewConfig
    only: frozenset[str] | None

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        only = None if self.only is None else ChunkIds(self.only)
        return extract_by_chunks(
            _ModelAtHome(self.fingerprint), _StoreAtHome(), self.config, documents, only
        )


@dataclass(frozen=True, slots=True)
class ChunkIds:
    """Chunks, by their ids."""

    ids: frozenset[str]

    def __contains__(self, chunk: object) -> bool:
        return isinstance(chunk, Chunk) and chunk.id in self.ids


@dataclass(frozen=True, slots=True)
class _ModelAtHome:
    fingerprint: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        purpose: Purpose = current_purpose()
        completion: Completion = call_home("complete", purpose, messages, max_tokens, schema)
        return completion


class _StoreAtHome:
    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = call_home("remembered", list(keys))
        return found

    def keep_replies(self, replies: Sequence[PaidReply]) -> None:
        call_home("keep_replies", list(replies))
