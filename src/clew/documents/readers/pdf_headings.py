"""Headings of a PDF: short paragraphs set larger than the body, or bold where little else is.

The sizes found give the levels, the largest first; bold headings in the size of the body come
below them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from clew.documents.readers.pdf_lines import Line
from clew.documents.readers.pdf_paragraph import Paragraph
from clew.records import BlockKind

HEADING_SIZE = 1.12
_MAX_HEADING_CHARS = 200
_MAX_BOLD_CHARS = 120
_MAX_BOLD_SHARE = 0.3
_MAX_LEVEL = 6


def mark_headings(paragraphs: list[Paragraph], lines: Sequence[Line]) -> None:
    body = body_size(lines)
    bold_tells = share_of(lines, lambda line: line.is_bold) < _MAX_BOLD_SHARE
    large = [paragraph for paragraph in paragraphs if _is_large(paragraph, body)]
    sizes = sorted({round(paragraph.lines[0].size) for paragraph in large}, reverse=True)
    levels = {size: level for level, size in enumerate(sizes, start=1)}
    last = paragraphs[-1] if paragraphs else None
    for paragraph in paragraphs:
        if _is_large(paragraph, body):
            level = levels[round(paragraph.lines[0].size)]
        elif bold_tells and paragraph is not last and _is_bold_heading(paragraph):
            level = len(sizes) + 1
        else:
            continue
        paragraph.kind, paragraph.level = BlockKind.HEADING, min(level, _MAX_LEVEL)


def body_size(lines: Sequence[Line]) -> float:
    """Return the size in which most letters are set."""
    weights: Counter[float] = Counter()
    for line in lines:
        weights[line.size] += len(line.text)
    return weights.most_common(1)[0][0]


def share_of(lines: Sequence[Line], is_meant: Callable[[Line], bool]) -> float:
    """Return the share of letters that stand in such lines."""
    meant = sum(len(line.text) for line in lines if is_meant(line))
    return meant / max(1, sum(len(line.text) for line in lines))


def _is_large(paragraph: Paragraph, body: float) -> bool:
    return (
        _may_be_heading(paragraph, _MAX_HEADING_CHARS)
        and not paragraph.lines[0].is_turned
        and paragraph.lines[0].size >= HEADING_SIZE * body
    )


def _is_bold_heading(paragraph: Paragraph) -> bool:
    return (
        _may_be_heading(paragraph, _MAX_BOLD_CHARS)
        and all(line.is_bold for line in paragraph.lines)
        and not paragraph.text.endswith((".", ",", ";"))
    )


def _may_be_heading(paragraph: Paragraph, max_chars: int) -> bool:
    return (
        bool(paragraph.lines)
        and paragraph.kind in {BlockKind.PARAGRAPH, BlockKind.LIST_ITEM}
        and not paragraph.text.startswith("- ")
        and len(paragraph.text) <= max_chars
        and any(map(str.isalpha, paragraph.text))
    )
