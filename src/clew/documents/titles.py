"""The title that a text gives itself: in its front matter, or as the heading that begins it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.records import Block, BlockKind

MAX_TITLE_CHARS = 300

_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}[ \t]+|(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r"^[ \t]*([^\w\s])\1+[ \t]*$")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")


def find_title(text: str, blocks: Sequence[Block]) -> str:
    """Return the title of the front matter, else the level 1 heading that begins the text."""
    for block in blocks:
        if block.kind is BlockKind.BLANK or block.kind is BlockKind.PAGE_BREAK:
            continue
        if block.kind is BlockKind.FRONT_MATTER:
            title = _front_matter_title(text[block.start : block.end])
            if title:
                return title
        elif block.kind is BlockKind.HEADING and block.level == 1:
            return heading_text(text[block.start : block.end])
        else:
            return ""
    return ""


def heading_text(block_text: str) -> str:
    """Return the words of a heading without the marks of Markdown or reStructuredText.

    >>> heading_text("## The *Norr* Bridge ##"), heading_text("=====\\nNorr\\n=====")
    ('The Norr Bridge', 'Norr')
    """
    lines = [line for line in block_text.splitlines() if line.strip()]
    words = [_ATX.sub("", line) for line in lines if not _UNDERLINE.match(line)]
    joined = " ".join(" ".join(words).split())
    plain = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", joined))
    return plain if len(plain) <= MAX_TITLE_CHARS else ""


def _front_matter_title(text: str) -> str:
    match = _FRONT_TITLE.search(text)
    if match is None:
        return ""
    value = match[1].strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1].strip()
    return "" if value in {"|", ">", "|-", ">-"} else value[:MAX_TITLE_CHARS]
