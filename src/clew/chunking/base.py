"""The contract of every chunking strategy."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from clew.chunking.outline import Outline


class Span(NamedTuple):
    """A cut: offsets into the text of the document, end exclusive."""

    start: int
    end: int


class Chunker(Protocol):
    """A strategy: decides where to cut, and nothing else."""

    @property
    def name(self) -> str: ...

    def cuts(self, outline: Outline) -> list[Span]:
        """Return the spans of the chunks, in order.

        Spans are trimmed of white space, their starts and their ends strictly increase, none is
        empty, none exceeds the size of the chunker, and together they hold every character of the
        text that is no white space. A text of white space has none. The same outline gives the
        same spans.
        """
        ...
