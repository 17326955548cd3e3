"""Where the content of a span begins and ends, without parting a mark from its white space."""

from __future__ import annotations

import re

from clew.text.graphemes import floor_boundary

_CONTENT = re.compile(r"\S")
_FIRST_MARK = "\u0300"
"""Before this character there are no combining marks."""


def content_start(text: str, start: int) -> int:
    """Return where the first character from ``start`` on stands that is no white space.

    A combining mark on a blank is one character to a reader: then its blank is where it begins.
    """
    if start >= len(text) or not text[start].isspace():
        return start
    found = _CONTENT.search(text, start + 1)
    if found is None:
        return len(text)
    at = found.start()
    return at if found[0] < _FIRST_MARK else floor_boundary(text, at, lowest=start)


def content_end(text: str, start: int, end: int) -> int:
    """Return where the last character of ``text[start:end]`` ends that is no white space."""
    return start + len(text[start:end].rstrip())
