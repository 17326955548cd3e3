"""Lines of a text with their offsets, whatever marks their ends."""

from __future__ import annotations

import re
from itertools import accumulate

from clew.records import BlockKind

Start = tuple[int, BlockKind, int]
"""Where a block begins: line number, kind, level."""

PAGE_BREAK = "\f"
_PIECE = re.compile(r"\f|[^\n\f]*+\n|[^\n\f]++")


def split_lines(text: str) -> tuple[list[str], list[int]]:
    """Return the lines without their ends, and where each begins.

    ``\\n``, ``\\r\\n`` and a lone ``\\r`` end a line. A form feed is a line of its own, wherever it
    stands. The line before ``\\r\\n`` shows one blank too many at its end: that keeps offsets.
    """
    flat = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    if PAGE_BREAK in flat:
        pieces = _PIECE.findall(flat)
        offsets = list(accumulate(map(len, pieces), initial=0))
        return [piece.removesuffix("\n") for piece in pieces], offsets[:-1]
    lines = flat.split("\n")
    if not lines[-1]:
        lines.pop()
    offsets = list(accumulate((len(line) + 1 for line in lines), initial=0))
    return lines, offsets[:-1]


def is_blank(line: str) -> bool:
    return not line or (line.isspace() and line != PAGE_BREAK)


def indent_of(line: str) -> int:
    """Return the column of the first character that is no blank; tabs stop at multiples of 4."""
    if line and line[0] not in " \t":
        return 0
    lead = line[: len(line) - len(line.lstrip(" \t"))]
    return len(lead.expandtabs(4)) if "\t" in lead else len(lead)
