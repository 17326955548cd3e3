"""Code by its syntax: whole functions and classes, with their decorators and comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from clew.chunking.base import Span
from clew.chunking.levels import Level, LineLevel
from clew.chunking.outline import Outline
from clew.chunking.parts import Part, PartedChunker, whole
from clew.chunking.syntax.code import CodeOutline, language_of
from clew.chunking.syntax.code_lines import read_lines
from clew.chunking.syntax.nesting import NestedLevel
from clew.errors import ConfigError

PARSERS = ("auto", "tree-sitter", "lines")


@dataclass(frozen=True, kw_only=True)
class CodeChunker(PartedChunker):
    """Packs whole definitions; only one that is larger than a chunk is cut, between statements.

    The ``language`` is told by the suffix of the file where it is not given. ``parser`` is
    ``tree-sitter`` (the extra ``code``), ``lines`` (any language, by indentation, nothing to
    install) or ``auto``: trees where the grammar is installed, else lines. Each chunk says which
    one it was, and the definition it begins in. A chunk keeps the blanks that indent its first
    line where they fit.
    """

    max_size: int = 1800
    language: str = ""
    parser: str = "auto"

    name: ClassVar[str] = "code"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.parser not in PARSERS:
            raise ConfigError(f"parser={self.parser!r} is not one of {', '.join(PARSERS)}")

    def parts(self, outline: Outline) -> list[Part]:
        return [whole(outline)]

    def levels(self, outline: Outline) -> Sequence[Level]:
        starts = self._code(outline).starts
        nested = [NestedLevel(outline.text, places) for places in starts]
        return [*nested, LineLevel(outline.text)]

    def cuts(self, outline: Outline) -> list[Span]:
        measure = self.measure(outline.text)
        spans: list[Span] = []
        for span in super().cuts(outline):
            start = _indented(outline.text, span.start)
            least = max(spans[-1].start + 1, measure.back(spans[-1].end)) if spans else 0
            fits = start >= least and measure.fits(start, span.end)
            spans.append(Span(start, span.end) if fits else span)
        return spans

    def describe(self, outline: Outline, span: Span) -> Mapping[str, Any]:
        code = self._code(outline)
        first = (
            span.start
            + len(outline.text[span.start : span.end])
            - len(outline.text[span.start : span.end].lstrip())
        )
        return {
            "code_language": code.language,
            "code_parser": code.parser,
            "code_symbol": code.symbol(first),
        }

    def _code(self, outline: Outline) -> CodeOutline:
        return outline.derive(("code", self.language, self.parser, self.max_size), self._read)

    def _read(self, outline: Outline) -> CodeOutline:
        from clew.chunking.syntax.code_trees import has_grammar, read_tree  # noqa: PLC0415

        language = self.language or language_of(outline.name)
        if self.parser == "tree-sitter" or (self.parser == "auto" and has_grammar(language)):
            return read_tree(outline.text, language, self.max_size)
        return read_lines(outline.text, language)


def _indented(text: str, start: int) -> int:
    """Return where the line begins of which nothing but blanks stands before ``start``."""
    at = start
    while at > 0 and text[at - 1] in " \t":
        at -= 1
    return at if at == 0 or text[at - 1] in "\n\r" else start
