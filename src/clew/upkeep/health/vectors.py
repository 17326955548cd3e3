"""Vectors against texts: a sample is embedded again and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from heapq import heappush, heapreplace

import numpy as np

from clew.indexing.embedding import NOTHING_KNOWN, embed_documents
from clew.models.base import Embedder
from clew.records import IndexedDocument
from clew.upkeep.health.findings import Finding, suspect

LEAST_COSINE = 0.98
"""Equal texts have equal vectors but for rounding, which differs between processors."""


class VectorSample:
    """The chunks whose ids hash lowest, with their units: the same ones each time, whatever the
    order in which documents come.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._held: list[tuple[str, str, IndexedDocument]] = []

    def offer(self, indexed: IndexedDocument) -> None:
        chunks, units = indexed.chunk_vectors, indexed.unit_vectors
        if chunks is None or units is None:
            return
        if (len(chunks), len(units)) != (len(indexed.chunks), len(indexed.units)):
            return  # told by the integrity check
        for row, chunk in enumerate(indexed.chunks):
            rank = _descending(chunk.id)
            if len(self._held) < self._size:
                heappush(self._held, (rank, chunk.id, _only(indexed, row)))
            elif self._held and rank > self._held[0][0]:
                heapreplace(self._held, (rank, chunk.id, _only(indexed, row)))

    def __len__(self) -> int:
        return len(self._held)

    def compare(self, embedder: Embedder) -> Iterator[Finding]:
        """Yield a finding for each document with vectors that are not those of its texts. Raises
        :class:`clew.errors.ModelError`.
        """
        stored = [one for _, _, one in sorted(self._held, key=lambda held: held[1])]
        bare = [replace(one, chunk_vectors=None, unit_vectors=None) for one in stored]
        fresh = embed_documents(embedder, bare, [NOTHING_KNOWN] * len(bare))
        worst: dict[str, float] = {}
        for mine, theirs in zip(stored, fresh, strict=True):
            name = mine.document.doc_id
            worst[name] = min(worst.get(name, 1.0), _least(mine, theirs))
        for name in sorted(worst):
            if worst[name] < LEAST_COSINE:
                yield suspect(
                    "vectors",
                    name,
                    f"a vector and that of its text have a cosine of {worst[name]:.3f}",
                    "make all vectors anew: `clew reembed`",
                )


def _only(indexed: IndexedDocument, row: int) -> IndexedDocument:
    """The document with one of its chunks alone."""
    chunk = indexed.chunks[row]
    rows = [at for at, unit in enumerate(indexed.units) if unit.chunk_id == chunk.id]
    assert indexed.chunk_vectors is not None
    assert indexed.unit_vectors is not None
    return IndexedDocument(
        document=replace(indexed.document, text="", blocks=(), pages=()),
        chunks=(chunk,),
        units=tuple(indexed.units[at] for at in rows),
        chunk_vectors=indexed.chunk_vectors[row : row + 1],
        unit_vectors=indexed.unit_vectors[rows],
    )


def _least(one: IndexedDocument, other: IndexedDocument) -> float:
    pairs = ((one.chunk_vectors, other.chunk_vectors), (one.unit_vectors, other.unit_vectors))
    cosines: Sequence[float] = [
        float(np.sum(mine * theirs, axis=1).min())
        for mine, theirs in pairs
        if mine is not None and theirs is not None and len(mine)
    ]
    return min(cosines, default=1.0)


def _descending(id_: str) -> str:
    """Sorts the other way round."""
    return "".join(chr(0x7E - ord(sign) + 0x21) for sign in id_)
