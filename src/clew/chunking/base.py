"""The contract of every chunking strategy, and what a strategy may do beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

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

        Spans are trimmed of white space (code keeps the blanks that indent its first line), their
        starts and their ends strictly increase, none is empty, none exceeds the size of the
        chunker, and together they hold every character of the text that is no white space. A text
        of white space has none. The same outline gives the same spans.
        """
        ...


@runtime_checkable
class Describer(Protocol):
    """A strategy that knows more of a chunk than where it lies: its page, its section, its path."""

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        """Return metadata of a chunk that :meth:`Chunker.cuts` made of ``outline``.

        Looked up in what the outline holds already, never scanned for.
        """
        ...


@runtime_checkable
class Reader(Protocol):
    """A strategy that may read a text otherwise than its media type says, such as HTML source."""

    def reading(self, outline: Outline) -> Outline:
        """Return the outline to cut by; heading paths and table headers are taken from it too."""
        ...
