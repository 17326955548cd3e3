"""The text of small pieces of a page, and which pieces no reader sees."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from clew.documents.superscripts import raised

INVISIBLE = frozenset(
    "script style template noscript head title svg canvas iframe object embed audio video map "
    "link meta select datalist input rp param source track".split()
)
BLOCKS = frozenset(
    "address article aside blockquote body button caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main menu "
    "nav ol optgroup option p search section summary table tbody td textarea tfoot th thead tr "
    "ul".split()
)
_BLANKS = re.compile(r"[ \t\r\n\f\v\xa0\u200b]+")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_MIN_IMAGE_WORDS = 3


def collapse(text: str) -> str:
    return _BLANKS.sub(" ", text)


def is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if not attributes:
        return False
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _HIDDEN_STYLE.search(style))


def image_text(node: LexborNode) -> str:
    """Return what is written for those who cannot see the picture, where it says something."""
    words = collapse(node.attributes.get("alt") or "").strip()
    return f" {words} " if len(words.split()) >= _MIN_IMAGE_WORDS else ""


def math_text(node: LexborNode) -> str:
    """Return the formula as its author wrote it, else its symbols."""
    written = node.attributes.get("alttext") or ""
    if not written:
        source = node.css_first("annotation")
        written = source.text() if source is not None else node.text(separator=" ")
    return collapse(written).strip()


def cell_text(node: LexborNode) -> str:
    """Return the text below a node on one line, with a blank between its blocks."""
    pieces: list[str] = []
    top = node.mem_id
    current: LexborNode | None = node
    while current is not None:
        below = current.child if _take(current, pieces) else None
        if below is not None:
            current = below
            continue
        while current is not None:
            if current.tag in BLOCKS:
                pieces.append(" ")
            if current.mem_id == top:
                current = None
            elif current.next is not None:
                current = current.next
                break
            else:
                current = current.parent
    return " ".join("".join(pieces).split())


def _take(node: LexborNode, pieces: list[str]) -> bool:
    tag = node.tag or ""
    if tag == "-text":
        pieces.append(collapse(node.text_content or ""))
    elif tag == "img":
        pieces.append(image_text(node))
    elif tag == "math":
        pieces.append(f" {math_text(node)} ")
    elif tag == "sup":
        pieces.append(raised("".join(pieces[-1:]), collapse(node.text())))
    elif tag == "br":
        pieces.append(" ")
    elif tag not in INVISIBLE and not tag.startswith(("-", "!")) and not is_hidden(node):
        pieces.append(" " if tag in BLOCKS else "")
        return True
    return False
