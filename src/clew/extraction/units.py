"""Knowledge units without a model: the statements of a document, each once, each in its chunk.

Units come from the blocks of the document and not from its chunks, so overlapping chunks never give
a unit twice. One pass with two pointers finds the chunk of each; the time is linear.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from clew.extraction.pieces import Piece, pieces_of, trimmed
from clew.ids import occurrences, unit_id
from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.graphemes import Graphemes

MAX_UNIT_CHARS = 2000
"""A "sentence" longer than this is a table without structure, base64 or the like: it is cut."""


def units_of(
    document: Document, chunks: Sequence[Chunk], *, max_units_per_chunk: int
) -> tuple[KnowledgeUnit, ...]:
    """Return the units of ``document`` in the order of its text.

    ``chunks`` are the chunks of the document in order. No unit is longer than the longest chunk:
    what exceeds it is cut, at the edges of chunks where there are any. A chunk with more than
    ``max_units_per_chunk`` statements gets units of several neighbouring ones, so that nothing is
    lost.
    """
    if not chunks:
        return ()
    limit = min(MAX_UNIT_CHARS, max(chunk.end - chunk.start for chunk in chunks))
    pieces = _bounded(pieces_of(document), document.text, chunks, limit)
    placed = list(_capped(_placed(pieces, chunks), max_units_per_chunk))
    texts = [document.text[piece.start : piece.end] for piece, _ in placed]
    return tuple(
        KnowledgeUnit(
            id=unit_id(document.id, text, occurrence),
            document_id=document.id,
            chunk_id=chunks[at].id,
            start=piece.start,
            end=piece.end,
            text=text,
            context=piece.context,
        )
        for (piece, at), (text, occurrence) in zip(placed, occurrences(texts), strict=True)
    )


def _bounded(
    pieces: Iterable[Piece], text: str, chunks: Sequence[Chunk], limit: int
) -> Iterator[Piece]:
    """Cut what is longer than ``limit``."""
    starts: list[int] = []
    graphemes = Graphemes(text)
    for piece in pieces:
        if piece.end - piece.start <= limit:
            yield piece
            continue
        starts = starts or [chunk.start for chunk in chunks]
        at = piece.start
        while at < piece.end:
            cut = piece.end
            if cut - at > limit:
                chunk = chunks[max(0, bisect_right(starts, at) - 1)]
                cut = _cut(text, graphemes, at, piece.end, chunk.end, limit)
            start, end = trimmed(text, at, cut)
            if start < end:
                yield Piece(start, end, piece.context)
            at = cut


def _cut(text: str, graphemes: Graphemes, start: int, end: int, chunk_end: int, limit: int) -> int:
    """Where to cut ``text[start:end]``: the edge of the chunk, a line end, a blank, a grapheme."""
    if start < chunk_end < end and chunk_end - start <= limit:
        return chunk_end
    latest = start + limit
    for mark in "\n", " ":
        at = text.rfind(mark, start + limit // 2, latest)
        if at >= 0:
            return at + 1
    return max(graphemes.floor(latest, lowest=start), start + 1)


def _placed(pieces: Iterable[Piece], chunks: Sequence[Chunk]) -> Iterator[tuple[Piece, int]]:
    """Pair each piece with the index of the first chunk that holds it whole, else of the first in
    which it begins.
    """
    last = len(chunks) - 1
    holds = begins = 0
    for piece in pieces:
        while holds < last and chunks[holds].end < piece.end:
            holds += 1
        if chunks[holds].start <= piece.start and piece.end <= chunks[holds].end:
            yield piece, holds
            continue
        while begins < last and chunks[begins].end <= piece.start:
            begins += 1
        yield piece, begins


def _capped(placed: Iterable[tuple[Piece, int]], most: int) -> Iterator[tuple[Piece, int]]:
    for chunk, group in groupby(placed, key=itemgetter(1)):
        in_chunk = list(group)
        if len(in_chunk) <= most:
            yield from in_chunk
            continue
        size = -(-len(in_chunk) // most)
        for at in range(0, len(in_chunk), size):
            first, last = in_chunk[at][0], in_chunk[min(at + size, len(in_chunk)) - 1][0]
            yield first._replace(end=last.end), chunk
