"""An embedder whose vectors are kept on a stage as they come, and asked for once.

What a model reads is the key: a text by itself, or a passage with the spans that are wanted of it.
Whoever is killed and begins again pays for what was under way, and for nothing that had come.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from clew.ids import content_id
from clew.indexing.embedding import own_text, passages_of, reads_spans, spans_of
from clew.models.base import Embedder, Span, SpanEmbedder, TextKind, Vectors
from clew.records import IndexedDocument
from clew.stores.powers import VectorStage


def staged_embedder(embedder: Embedder, stage: VectorStage, *, together: int) -> Embedder:
    """``embedder``, asked for at most ``together`` texts at once that the stage does not hold."""
    if reads_spans(embedder):
        return _StagedSpanEmbedder(embedder, stage, together)
    return _StagedEmbedder(embedder, stage, together)


def stage_keys(indexed: IndexedDocument) -> list[str]:
    """Under which keys vectors of this document may be on a stage, whatever the embedder."""
    keys = []
    for passage in passages_of(indexed):
        keys += [_text_key(passage.text), _spans_key(passage.text, spans_of(passage))]
        keys += [_text_key(own_text(unit)) for unit in passage.units]
    return keys


def _text_key(text: str) -> str:
    return content_id("t", text)


def _spans_key(text: str, spans: Sequence[Span]) -> str:
    return content_id("s", text, json.dumps([list(span) for span in spans]))


class _StagedEmbedder:
    """:class:`clew.models.base.Embedder`"""

    def __init__(self, embedder: Embedder, stage: VectorStage, together: int) -> None:
        self.fingerprint: str = embedder.fingerprint
        self.dimensions: int = embedder.dimensions
        self._embedder = embedder
        self._stage = stage
        self._together = together

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        if not texts:
            return self._embedder.embed(texts, kind=kind)
        by_key = {_text_key(text): text for text in texts}
        found = self._stage.get(list(by_key))
        missing = [key for key in by_key if key not in found]
        for start in range(0, len(missing), self._together):
            keys = missing[start : start + self._together]
            fresh = self._embedder.embed([by_key[key] for key in keys], kind=kind)
            came = {key: row[None, :] for key, row in zip(keys, fresh, strict=True)}
            self._stage.put(came)
            found |= came
        return np.concatenate([found[_text_key(text)] for text in texts])


class _StagedSpanEmbedder(_StagedEmbedder):
    """:class:`clew.models.base.SpanEmbedder`"""

    def __init__(self, embedder: SpanEmbedder, stage: VectorStage, together: int) -> None:
        super().__init__(embedder, stage, together)
        self._reader = embedder

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        if not texts:
            return self._reader.embed_spans(texts, spans)
        keys = [_spans_key(text, own) for text, own in zip(texts, spans, strict=True)]
        places = {key: at for at, key in enumerate(keys)}
        found = self._stage.get(list(places))
        missing = [key for key in places if key not in found]
        for start in range(0, len(missing), self._together):
            part = missing[start : start + self._together]
            wanted = [places[key] for key in part]
            came = self._read([texts[at] for at in wanted], [spans[at] for at in wanted], part)
            self._stage.put(came)
            found |= came
        rows = [found[key] for key in keys]
        return np.stack([row[0] for row in rows]), np.concatenate([row[1:] for row in rows])

    def _read(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]], keys: Sequence[str]
    ) -> dict[str, Vectors]:
        """By key: the vector of the text, then those of its spans."""
        whole, parts = self._reader.embed_spans(texts, spans)
        came, at = {}, 0
        for key, row, own in zip(keys, whole, spans, strict=True):
            came[key] = np.concatenate([row[None, :], parts[at : at + len(own)]])
            at += len(own)
        return came
