"""A model for some chunks, sentences for the rest.

All documents of a run are looked at before the first is extracted, and the chunks that are worth
most get the model (:mod:`clew.extraction.worth`). What was chosen is kept in the store before
anything is spent: a run that goes on after an interruption asks for the same chunks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.worth import ChunkWorth
from clew.ids import content_id
from clew.records import Chunk, Document

Keep = Callable[[str, str], None]
Remembered = Callable[[Sequence[str]], Mapping[str, str]]


class ChosenChunks:
    """Chooses among the documents that it was shown. ``share`` tells, from the number of their
    characters, how much of them to choose; ``name`` tells this budget from others. Safe to use
    from many threads.
    """

    def __init__(
        self,
        name: str,
        share: Callable[[int], float],
        config: ExtractionConfig,
        keep: Keep,
        remembered: Remembered,
    ) -> None:
        self._lock = Lock()
        self._share = share
        self._sentences = SentenceExtractor(config)
        self._worth = ChunkWorth()
        self._keep = keep
        self._key = content_id("w", name)
        known = json.loads(remembered([self._key]).get(self._key, "{}"))
        self._decided: dict[str, str] = known.get("documents", {})
        self._chosen: set[str] = set(known.get("chunks", ()))
        self._open: dict[str, str] = {}

    def look_ahead(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        new = [
            (document, chunks)
            for document, chunks in documents
            if self._decided.get(document.id) != document.content_hash
        ]
        for (document, chunks), extraction in zip(new, self._sentences.extract(new), strict=True):
            self._worth.add(document, chunks, extraction)
            self._open[document.id] = document.content_hash

    def decide(self) -> None:
        """Choose among what was looked at; what was chosen before stays so."""
        with self._lock:
            if not self._open:
                return
            self._chosen |= self._worth.chosen(self._share(self._worth.characters))
            self._decided |= self._open
            self._open = {}
            self._worth = ChunkWorth()
            told = {"documents": self._decided, "chunks": sorted(self._chosen)}
            self._keep(self._key, json.dumps(told))

    @property
    def ids(self) -> frozenset[str]:
        """Of the chosen chunks."""
        return frozenset(self._chosen)

    def __contains__(self, chunk: object) -> bool:
        return isinstance(chunk, Chunk) and chunk.id in self._chosen
