"""Vectors of chunks and units, each text read by the model once.

An embedder that can give the vectors of spans inside a text (late pooling: the sentence is read in
the company of its passage; Günther et al. 2024, arXiv 2409.04701) reads a chunk once for its own
vector and for those of its units. Other embedders get chunks and units as separate texts.

What was embedded before is not embedded again: a chunk that says the same in the same context,
with the same units, takes its vectors from the store. Where the model reads a text by itself, the
texts of an edited chunk that are still in it keep their vectors too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeGuard

import numpy as np

from clew.models.base import Embedder, Span, SpanEmbedder, Vectors
from clew.records import Chunk, Document, IndexedDocument, KnowledgeUnit


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """One chunk as the model reads it, with the units that belong to it."""

    text: str
    offset: int
    chunk: Chunk
    units: tuple[KnowledgeUnit, ...]

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys, equal vectors."""
        units = tuple((*_span(self, unit), unit.text, unit.context) for unit in self.units)
        return (self.text, units)


@dataclass(frozen=True, slots=True, eq=False)
class PassageVectors:
    chunk: Vectors
    units: Vectors


@dataclass(frozen=True, slots=True, eq=False)
class KnownVectors:
    """Vectors that are there already: of passages by :attr:`Passage.key`; of chunks, and of units,
    by what the model read of each. A unit that stands in the text word for word was read so only by
    a model that reads no spans: ``verbatim`` says which these are.
    """

    passages: Mapping[Hashable, PassageVectors] = field(default_factory=dict)
    chunks: Mapping[str, Vectors] = field(default_factory=dict)
    verbatim: Mapping[str, Vectors] = field(default_factory=dict)
    rewritten: Mapping[str, Vectors] = field(default_factory=dict)


NOTHING_KNOWN = KnownVectors()


def passage_text(document: Document, chunk: Chunk) -> tuple[str, int]:
    """What the model reads of a chunk, and where the chunk's own text begins in it."""
    about = "\n".join(
        part for part in (document.title, " › ".join(chunk.heading_path), chunk.context) if part
    )
    prefix = about + "\n" if about else ""
    return prefix + chunk.text, len(prefix)


def passages_of(document: IndexedDocument) -> list[Passage]:
    """The passages of a document in the order of its chunks."""
    by_chunk: dict[str, list[KnowledgeUnit]] = {}
    for unit in document.units:
        by_chunk.setdefault(unit.chunk_id, []).append(unit)
    passages = []
    for chunk in document.chunks:
        text, offset = passage_text(document.document, chunk)
        passages.append(Passage(text, offset, chunk, tuple(by_chunk.get(chunk.id, ()))))
    return passages


def known_vectors(document: IndexedDocument | None) -> KnownVectors:
    """The vectors of a document that was indexed before, by what they are vectors of."""
    if document is None or document.chunk_vectors is None or document.unit_vectors is None:
        return NOTHING_KNOWN
    row_of_unit = {unit.id: row for row, unit in enumerate(document.units)}
    passages: dict[Hashable, PassageVectors] = {}
    chunks: dict[str, Vectors] = {}
    own: dict[bool, dict[str, Vectors]] = {True: {}, False: {}}
    for row, passage in enumerate(passages_of(document)):
        rows = [row_of_unit[unit.id] for unit in passage.units]
        vectors = PassageVectors(document.chunk_vectors[row], document.unit_vectors[rows])
        passages[passage.key] = vectors
        chunks[passage.text] = vectors.chunk
        for unit, vector in zip(passage.units, vectors.units, strict=True):
            own[unit.verbatim][own_text(unit)] = vector
    return KnownVectors(passages, chunks, own[True], own[False])


def embed_documents(
    embedder: Embedder,
    documents: Sequence[IndexedDocument],
    known: Sequence[KnownVectors],
    *,
    slice_passages: int = 1000,
    watch: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[IndexedDocument]:
    """Return the documents with their vectors. ``known[i]`` are those of ``documents[i]`` before.

    The embedder gets at most ``slice_passages`` passages in one call; ``watch`` is called between
    the calls with (passages done, passages in all), and may raise to give up.
    Raises :class:`clew.errors.ModelError` when the embedder fails.
    """
    passages = [passages_of(document) for document in documents]
    missing = [
        passage
        for of_document, before in zip(passages, known, strict=True)
        for passage in of_document
        if passage.key not in before.passages
    ]
    texts = _joined(known)
    fresh: dict[int, PassageVectors] = {}
    for start in range(0, len(missing), slice_passages):
        if start:
            watch(start, len(missing))
        part = missing[start : start + slice_passages]
        fresh |= zip(map(id, part), _embed(embedder, part, texts), strict=True)
    return [
        _with_vectors(
            document,
            of_document,
            [
                fresh[id(passage)] if id(passage) in fresh else before.passages[passage.key]
                for passage in of_document
            ],
            embedder.dimensions,
        )
        for document, of_document, before in zip(documents, passages, known, strict=True)
    ]


def _joined(known: Sequence[KnownVectors]) -> KnownVectors:
    """All of them as one: equal texts, equal vectors, whichever document they are in."""
    chunks: dict[str, Vectors] = {}
    verbatim: dict[str, Vectors] = {}
    rewritten: dict[str, Vectors] = {}
    for one in known:
        chunks.update(one.chunks)
        verbatim.update(one.verbatim)
        rewritten.update(one.rewritten)
    return KnownVectors({}, chunks, verbatim, rewritten)


def _embed(
    embedder: Embedder, passages: Sequence[Passage], known: KnownVectors
) -> Iterable[PassageVectors]:
    if not passages:
        return []
    texts = [passage.text for passage in passages]
    if reads_spans(embedder):
        chunks, verbatim = embedder.embed_spans(texts, [spans_of(one) for one in passages])
    else:
        chunks = _embed_texts(embedder, texts, known.chunks)
        verbatim = _embed_texts(embedder, _own_texts(passages, verbatim=True), known.verbatim)
    rewritten = _embed_texts(embedder, _own_texts(passages, verbatim=False), known.rewritten)
    return _deal(passages, chunks, verbatim, rewritten)


def _embed_texts(embedder: Embedder, texts: Sequence[str], known: Mapping[str, Vectors]) -> Vectors:
    """The vectors of the texts, of which each that is not known is read once."""
    missing = list(dict.fromkeys(text for text in texts if text not in known))
    if len(missing) == len(texts):
        return embedder.embed(texts)
    fresh = dict(zip(missing, embedder.embed(missing) if missing else (), strict=True))
    return np.stack([fresh[text] if text in fresh else known[text] for text in texts])


def reads_spans(embedder: Embedder) -> TypeGuard[SpanEmbedder]:
    """Asked of the method alone: ``isinstance`` would read ``dimensions``, maybe a paid call."""
    return callable(getattr(embedder, "embed_spans", None))


def spans_of(passage: Passage) -> list[Span]:
    """What a model that reads spans is asked for of a passage."""
    return [_span(passage, unit) for unit in passage.units if unit.verbatim]


def own_text(unit: KnowledgeUnit) -> str:
    """What the model reads of a unit that it reads by itself."""
    return f"{unit.context}\n{unit.text}" if unit.context else unit.text


def _own_texts(passages: Sequence[Passage], *, verbatim: bool) -> list[str]:
    return [
        own_text(unit)
        for passage in passages
        for unit in passage.units
        if unit.verbatim is verbatim
    ]


def _deal(
    passages: Sequence[Passage], chunks: Vectors, verbatim: Vectors, rewritten: Vectors
) -> list[PassageVectors]:
    """Hand each passage its rows; units keep their order whichever way they were embedded."""
    rows = {True: iter(verbatim), False: iter(rewritten)}
    dimensions = chunks.shape[1]
    dealt = []
    for passage, chunk in zip(passages, chunks, strict=True):
        units = [next(rows[unit.verbatim]) for unit in passage.units]
        stacked = np.stack(units) if units else np.empty((0, dimensions), np.float32)
        dealt.append(PassageVectors(chunk, stacked))
    return dealt


def _span(passage: Passage, unit: KnowledgeUnit) -> Span:
    """The unit's place in the passage; a unit that runs on into the next chunk is cut there."""
    start = max(0, unit.start - passage.chunk.start) + passage.offset
    end = min(unit.end, passage.chunk.end) - passage.chunk.start + passage.offset
    return start, max(start, end)


def _with_vectors(
    document: IndexedDocument,
    passages: Sequence[Passage],
    vectors: Sequence[PassageVectors],
    dimensions: int,
) -> IndexedDocument:
    row_of_unit = {unit.id: row for row, unit in enumerate(document.units)}
    chunk_vectors = np.empty((len(document.chunks), dimensions), np.float32)
    unit_vectors = np.zeros((len(document.units), dimensions), np.float32)
    for row, (passage, own) in enumerate(zip(passages, vectors, strict=True)):
        chunk_vectors[row] = own.chunk
        unit_vectors[[row_of_unit[unit.id] for unit in passage.units]] = own.units
    return replace(document, chunk_vectors=chunk_vectors, unit_vectors=unit_vectors)
