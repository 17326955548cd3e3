"""What a unit of the index consists of, where that is more than one statement: the rows of a table,
the sentences of a list item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.text.sentences import sentence_spans

_ROW = re.compile(r"[^\n]*[^\s][^\n]*")
_RULE = re.compile(r"[\s|:+=-]+")
_LEAST_ROWS = 3
_LIST_MARK = re.compile(r"[ \t]*(?:[-*+•‣]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")


def parts_of(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, header) of each statement in ``text[start:end]``, which is a unit."""
    lines = [(m.start(), m.group()) for m in _ROW.finditer(text, start, end)]
    if len(lines) >= _LEAST_ROWS and all(line.count("|") >= 2 for _, line in lines):
        header = lines[0][1]
        for at, line in lines[1:]:
            if not _RULE.fullmatch(line):
                yield at, at + len(line), header
        return
    line_start = text.rfind("\n", 0, start) + 1
    is_item = _LIST_MARK.fullmatch(text, line_start, start) is not None
    for first, last in sentence_spans(text, start, end) if is_item else [(start, end)]:
        yield first, last, ""
