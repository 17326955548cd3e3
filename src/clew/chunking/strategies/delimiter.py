"""Parts that a text itself sets apart, such as by a line of dashes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, parts_at
from clew.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class DelimiterChunker(PartedChunker):
    """Cuts wherever ``delimiter`` stands.

    No character is dropped: one that fills lines of its own closes the part before it, one that
    begins with a line break, such as one before ``##``, opens the part behind it, and any other
    closes the part before it.
    """

    delimiter: str = "\n---\n"
    max_size: int = 1800

    name: ClassVar[str] = "delimiter"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.delimiter:
            raise ConfigError("delimiter='' divides nothing: give a text that stands between parts")

    def parts(self, outline: Outline) -> list[Part]:
        return parts_at(outline, self._places(outline.text), closed=True)

    def _places(self, text: str) -> Iterator[int]:
        mark = self.delimiter
        lead = len(mark) - len(mark.lstrip())
        opens = 0 < lead < len(mark) and not mark.endswith(("\n", "\r"))
        behind = lead if opens else len(mark)
        shared = mark[-1].isspace() and len(mark) > 1 and mark[0] == mark[-1]
        at = text.find(mark)
        while at >= 0:
            yield at + behind
            at = text.find(mark, at + len(mark) - shared)
