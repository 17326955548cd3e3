"""The title that a text gives itself: in its front matter, or as the heading that begins it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.records import Block, BlockKind
from clew.text.headings import heading_text

MAX_TITLE_CHARS = 300

_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+)$", re.IGNORECASE | re.MULTILINE)


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


def _front_matter_title(text: str) -> str:
    match = _FRONT_TITLE.search(text)
    if match is None:
        return ""
    value = match[1].strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1].strip()
    return "" if value in {"|", ">", "|-", ">-"} else value[:MAX_TITLE_CHARS]
