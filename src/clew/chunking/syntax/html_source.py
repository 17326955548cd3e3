"""HTML source as blocks: where the elements begin that a reader sees as blocks.

Only tags are looked at, in one scan. Spans go on pointing into the source; text taken out of a page
is what the reader of HTML documents is for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.records import Block, BlockKind
from clew.text.graphemes import is_boundary
from clew.text.headings import heading_text

_TAG = re.compile(
    r"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[a-z][a-z0-9]*+)"
    r"(?=[\s/>])(?:[^<>\"']|\"[^\"<>]{0,2000}+\"|'[^'<>]{0,2000}+'){0,2000}+>)",
    re.IGNORECASE,
)
_RAW_ENDS = {
    name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("script", "style", "textarea")
}
_COMMENT_END = re.compile("-->")
_ANY_TAG = re.compile(r"<[^<>]*+>")
_KINDS = {
    **dict.fromkeys(
        "address caption dd dt figcaption figure hr p summary".split(), BlockKind.PARAGRAPH
    ),
    "blockquote": BlockKind.QUOTE,
    "li": BlockKind.LIST_ITEM,
    "tr": BlockKind.TABLE_ROW,
    "pre": BlockKind.CODE,
    **{f"h{level}": BlockKind.HEADING for level in range(1, 7)},
}
_HOLDERS = frozenset(
    "article aside body details dialog div dl fieldset footer form header main nav ol section "
    "table tbody tfoot thead ul".split()
)
"""What holds blocks: it begins with the first of them, or is a paragraph of its own text."""

_HEADER_ROW = re.compile(r"<tr\b[^<>]*+>\s*+<th\b", re.IGNORECASE)
_CLOSING = frozenset({"pre", "table", "ul", "ol", *(f"h{level}" for level in range(1, 7))})
_KNOWN = frozenset(
    {*_KINDS, *_HOLDERS, "html", "head", "title", "meta", "body", "link", "span", "a", "b"}
)


def is_html(text: str) -> bool:
    """Whether a text begins as HTML source does."""
    head = text[:4096].lstrip()
    if not head.startswith("<"):
        return False
    return any((tag["name"] or "").lower() in _KNOWN for tag in _TAG.finditer(head))


def html_blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks of HTML source: contiguous, in order, from 0 to ``len(text)``."""
    starts: list[tuple[int, BlockKind, int]] = []
    depth = 0
    opened: int | None = 0  # where a block may begin before its own tag
    for tag in _tags(text):
        name = tag["name"].lower()
        if name in {"ul", "ol"}:
            depth = max(0, depth - 1) if tag["end"] else depth + 1
        if tag["end"]:
            opened = tag.end() if name in _CLOSING and opened is None else opened
        elif name in _HOLDERS:
            opened = tag.start() if opened is None else opened
        elif name in _KINDS:
            start = tag.start()
            if opened is not None and _says(text, opened, start):
                starts.append((opened, BlockKind.PARAGRAPH, 0))
            elif opened is not None and not _closes(text, opened, start):
                start = opened
            starts.append((start, _kind(text, name, tag.start()), _level(name, depth)))
            opened = None
    if opened is not None and _says(text, opened, len(text)):
        starts.append((opened, BlockKind.PARAGRAPH, 0))
    return _blocks(text, starts)


def html_title(block_text: str) -> str:
    """Return what a heading says without its tags."""
    return heading_text(_ANY_TAG.sub("", block_text))


def _tags(text: str) -> Iterator[re.Match[str]]:
    """Yield the tags outside comments, scripts and styles; what is never closed is passed over."""
    endless = set()
    at = 0
    while tag := _TAG.search(text, at):
        at = tag.end()
        closing = _COMMENT_END if tag["comment"] else None
        if tag["name"]:
            yield tag
            closing = None if tag["end"] else _RAW_ENDS.get(tag["name"].lower())
        if closing is not None and closing not in endless:
            end = closing.search(text, at)
            if end:
                at = end.end()
            else:
                endless.add(closing)


def _kind(text: str, name: str, start: int) -> BlockKind:
    if name == "tr" and _HEADER_ROW.match(text, start):
        return BlockKind.TABLE_HEADER
    return _KINDS[name]


def _level(name: str, depth: int) -> int:
    if _KINDS[name] is BlockKind.HEADING:
        return int(name[1])
    return max(1, depth) if name == "li" else 0


def _closes(text: str, start: int, end: int) -> bool:
    """Whether an element ends here: what ends belongs to the block before."""
    return "</" in text[start:end]


def _says(text: str, start: int, end: int) -> bool:
    return bool(_ANY_TAG.sub("", text[start:end]).strip())


def _blocks(text: str, starts: list[tuple[int, BlockKind, int]]) -> tuple[Block, ...]:
    if not text:
        return ()
    starts = [start for start in starts if is_boundary(text, start[0])]
    if not starts or starts[0][0] > 0:
        starts = [(0, BlockKind.PARAGRAPH, 0), *starts]
    ends = [*(start for start, _, _ in starts[1:]), len(text)]
    return tuple(
        Block(kind=kind, start=start, end=end, level=level)
        for (start, kind, level), end in zip(starts, ends, strict=True)
    )
