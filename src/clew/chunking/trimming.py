"""Where the content of a span begins and ends, without parting a mark from its white space."""

from __future__ import annotations

import re

from clew.text.graphemes import floor_boundary

_CONTENT = re.compile(r"\S")


def content_start(text: str, start: int) -> int:
    """Return where the first character from ``start`` on stands that is no white space.

    A combining mark on a blank is one character to a reader: then its blank is where it begins.
    """
    if start >= len(text) or not text[start].isspace():
        return start
    at = start + 1
    if at >= len(text) or text[at].isspace():
        found = _CONTENT.search(text, at)
        if found is None:
            return len(text)
        at = found.start()
    return floor_boundary(text, at, lowest=start)


def content_end(text: str, start: int, end: int) -> int:
    """Return where the last character of ``text[start:end]`` ends that is no white space."""
    return start + len(text[start:end].rstrip())
