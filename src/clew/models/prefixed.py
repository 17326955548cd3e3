"""Embedders that were trained with words before each text: "query: …", "passage: …".

Left out, such models still give vectors, only worse ones, so nothing would be noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from clew.models.base import Embedder, Span, TextKind, Vectors


class PrefixedEmbedder:
    """Puts ``query`` before questions and ``document`` before passages."""

    def __init__(self, embedder: Embedder, *, query: str = "", document: str = "") -> None:
        self.embedder: Any = embedder
        self.prefixes: dict[TextKind, str] = {"query": query, "document": document}

    @property
    def fingerprint(self) -> str:
        return f"{self.embedder.fingerprint}{prefix_mark(self.prefixes)}"

    @property
    def dimensions(self) -> int:
        dimensions: int = self.embedder.dimensions
        return dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        vectors: Vectors = self.embedder.embed(
            [self.prefixes[kind] + text for text in texts], kind=kind
        )
        return vectors


class PrefixedSpanEmbedder(PrefixedEmbedder):
    """The same for an embedder that gives the vectors of spans."""

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        prefix = self.prefixes["document"]
        shift = len(prefix)
        moved = [[(start + shift, end + shift) for start, end in own] for own in spans]
        found: tuple[Vectors, Vectors] = self.embedder.embed_spans(
            [prefix + text for text in texts], moved
        )
        return found


def with_prefixes(embedder: Embedder, query: str | None, document: str | None) -> Embedder:
    """Return ``embedder`` itself when there is nothing to put before texts."""
    if not query and not document:
        return embedder
    spans = callable(getattr(embedder, "embed_spans", None))
    kind = PrefixedSpanEmbedder if spans else PrefixedEmbedder
    return kind(embedder, query=query or "", document=document or "")


def prefix_mark(prefixes: dict[TextKind, str]) -> str:
    """What prefixes add to a fingerprint: nothing where there are none."""
    if not any(prefixes.values()):
        return ""
    joined = "\x1f".join((prefixes["query"], prefixes["document"]))
    return f"/prefixes-{sha256(joined.encode()).hexdigest()[:8]}"
