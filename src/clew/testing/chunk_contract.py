"""What every chunking strategy owes (:class:`clew.chunking.Chunker`), looked for in its chunks.

::

    owed = ChunkContract(document.text)
    assert not list(owed.faults(chunk_by(chunker, document), size=1000, overlap=200))

The oracle for what a reader sees as one character is ``\\X`` of the regex package, over the whole
text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import regex

from clew.records import Chunk

Count = Callable[[str], int]

_CLUSTER = regex.compile(r"\X")
_BLANK_WITH_MARK = regex.compile(r"(?=\s\S)\X(?<=..)", regex.DOTALL)


class ChunkFault(NamedTuple):
    """A promise that a chunk breaks: ``rule`` in a word or two, ``offset`` where in the text."""

    rule: str
    offset: int
    what: str


class ChunkContract:
    """The contract over one text, for any number of ways to cut it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def faults(
        self, chunks: Sequence[Chunk], *, size: int | None, overlap: int = 0, count: Count = len
    ) -> Iterator[ChunkFault]:
        """Yield what is wrong with ``chunks``, in order of the text; ``size`` None for no limit."""
        yield from self._order(chunks)
        for chunk in chunks:
            yield from self._content(chunk)
            if size is not None:
                yield from _limit("size", chunk.start, chunk.text, size, count)
                yield from self._clusters_cut(chunk, size, count)
        if size is not None:
            for before, chunk in pairwise(chunks):
                shared = self.text[chunk.start : before.end]
                yield from _limit("overlap", chunk.start, shared, overlap, count)

    def _order(self, chunks: Sequence[Chunk]) -> Iterator[ChunkFault]:
        """Chunks move on, each is told from the others, and nothing is left out."""
        start, covered = -1, 0
        ids: set[str] = set()
        for number, chunk in enumerate(chunks):
            if chunk.start <= start or chunk.end <= covered:
                yield ChunkFault("progress", chunk.start, f"{chunk.start}:{chunk.end} moves not on")
            if chunk.index != number or chunk.id in ids:
                yield ChunkFault("names", chunk.start, f"number {chunk.index}, id {chunk.id}")
            yield from self._lost(covered, chunk.start)
            ids.add(chunk.id)
            start, covered = chunk.start, chunk.end
        yield from self._lost(covered, len(self.text))

    def _lost(self, start: int, end: int) -> Iterator[ChunkFault]:
        if left_out := self.text[start:end].strip():
            yield ChunkFault("left out", start, repr(left_out[:40]))

    def _content(self, chunk: Chunk) -> Iterator[ChunkFault]:
        """The text is that of the span, and begins and ends with content."""
        if not chunk.text or self.text[chunk.start : chunk.end] != chunk.text:
            yield ChunkFault("slice", chunk.start, f"{chunk.start}:{chunk.end} is another text")
        elif chunk.text[-1].isspace() or not self._begins_well(chunk):
            yield ChunkFault("white space", chunk.start, repr(chunk.text[:20] + chunk.text[-20:]))

    def _begins_well(self, chunk: Chunk) -> bool:
        """White space may come first where it bears a mark, and blanks where they indent code."""
        if _begins_with_content(chunk.text):
            return True
        begins_line = chunk.start == 0 or self.text[chunk.start - 1] in "\n\r"
        is_code = chunk.metadata.get("strategy") == "code"
        return is_code and begins_line and _begins_with_content(chunk.text.lstrip(" \t"))

    def _clusters_cut(self, chunk: Chunk, size: int, count: Count) -> Iterator[ChunkFault]:
        """Only what is larger than a chunk may be cut; white space is no content even so."""
        for edge in (chunk.start, chunk.end):
            start, end = self._inside.get(edge, (edge, edge))
            if start < end and not self.text[edge:end].isspace():
                cluster = self.text[start:end]
                if count(cluster) <= size:
                    yield ChunkFault("character", edge, f"{cluster!a} is cut")

    @cached_property
    def _inside(self) -> Mapping[int, tuple[int, int]]:
        """The offsets that lie inside of a cluster, each with that cluster."""
        if self.text.isascii() and "\r\n" not in self.text:
            return {}
        spans = (cluster.span() for cluster in _CLUSTER.finditer(self.text))
        return {offset: (start, end) for start, end in spans for offset in range(start + 1, end)}


def _begins_with_content(text: str) -> bool:
    return not text[0].isspace() or _BLANK_WITH_MARK.match(text) is not None


def _limit(rule: str, offset: int, text: str, most: int, count: Count) -> Iterator[ChunkFault]:
    if text and (found := count(text)) > most:
        yield ChunkFault(rule, offset, f"{found:,}, where {most:,} is the most")
