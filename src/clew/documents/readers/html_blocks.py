"""One pass over the nodes of a page, without recursion: pages nest as deeply as they like."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from clew.documents.builder import TextBuilder
from clew.documents.readers.html_tables import is_layout, read_table
from clew.documents.readers.html_text import (
    BLOCKS,
    INVISIBLE,
    collapse,
    image_text,
    is_hidden,
    math_text,
)
from clew.documents.superscripts import raised
from clew.records import BlockKind

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LISTS = frozenset({"ul", "ol", "menu", "dir"})
_MAX_NAVIGATION_SHARE = 0.5
_MIN_LINK_SHARE = 0.7
_LINE_BREAKS = re.compile(r"\r\n?")


class HtmlBlocks:
    """Appends the content below a node to a builder, block by block."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._inline: list[str] = []
        self._lists: list[int | None] = []  # the next number, None in a list of bullets
        self._marker = ""
        self._term = ""
        self._heading = 0
        self._quotes = 0
        self._whole = 0

    def add(self, root: LexborNode) -> None:
        self._whole = len(root.text())
        top = root.mem_id
        node: LexborNode | None = root
        while node is not None:
            below = node.child if self._enter(node) else None
            if below is not None:
                node = below
                continue
            while node is not None:
                self._leave(node)
                if node.mem_id == top:
                    node = None
                elif node.next is not None:
                    node = node.next
                    break
                else:
                    node = node.parent
        self._flush()

    def _enter(self, node: LexborNode) -> bool:
        """Take what can be taken whole; return whether to go on below the node."""
        tag = node.tag or ""
        if tag == "-text":
            self._inline.append(collapse(node.text_content or ""))
            return False
        if tag in INVISIBLE or tag.startswith(("-", "!")) or is_hidden(node):
            return False
        if tag in _WHOLE:
            _WHOLE[tag](self, node)
            return False
        if tag == "table":
            return self._enter_table(node)
        if (tag == "nav" or node.attributes.get("role") == "navigation") and self._is_menu(node):
            return False
        if tag in BLOCKS:
            self._enter_block(tag, node)
        return True

    def _enter_block(self, tag: str, node: LexborNode) -> None:
        if tag != "dd":  # a definition takes the term before it
            self._flush()
        if tag in _HEADINGS:
            self._heading = _HEADINGS[tag]
        elif tag in _LISTS:
            self._lists.append(_first_number(node) if tag == "ol" else None)
        elif tag == "li":
            self._marker = self._next_marker(node)
        elif tag == "blockquote":
            self._quotes += 1

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag not in BLOCKS:
            return
        if tag == "dt":
            self._term = self._take()
            return
        if tag == "dd":
            self._flush_definition()
            return
        self._flush()
        if tag in _HEADINGS:
            self._heading = 0
        elif tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._marker = ""
        elif tag == "blockquote":
            self._quotes = max(0, self._quotes - 1)

    def _enter_table(self, node: LexborNode) -> bool:
        self._flush()
        if is_layout(node):
            return True
        caption, rows, headers = read_table(node)
        self._builder.add(BlockKind.PARAGRAPH, caption)
        self._builder.add_table(rows, headers=headers)
        return False

    def _flush(self) -> None:
        if self._term:
            self._builder.add_item(self._term, 1)
            self._term = ""
        text = self._take()
        if not text:
            return
        if self._heading:
            self._builder.add(BlockKind.HEADING, " ".join(text.split()), self._heading)
        elif self._marker:
            self._builder.add_item(text, max(1, len(self._lists)), self._marker)
            self._marker = ""
        elif self._quotes:
            self._builder.add(BlockKind.QUOTE, text, self._quotes)
        else:
            self._builder.add(BlockKind.PARAGRAPH, text)

    def _flush_definition(self) -> None:
        text = self._take()
        if self._term:
            text = f"{self._term}: {text}" if text else self._term
            self._term = ""
        self._builder.add_item(text, max(1, len(self._lists)))

    def _take(self) -> str:
        lines = "".join(self._inline).split("\n")
        self._inline.clear()
        return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)

    def _next_marker(self, node: LexborNode) -> str:
        number = self._lists[-1] if self._lists else None
        if number is None:
            return "-"
        given = node.attributes.get("value") or ""
        number = int(given) if given.isdecimal() else number
        self._lists[-1] = number + 1
        return f"{number}."

    def _is_menu(self, node: LexborNode) -> bool:
        """Navigation is left out where it is nothing but links and not most of the page."""
        size = len("".join(node.text().split()))
        links = sum(len("".join(link.text().split())) for link in node.css("a, button, label"))
        return links >= _MIN_LINK_SHARE * size and size < _MAX_NAVIGATION_SHARE * self._whole

    def _break_line(self, _: LexborNode) -> None:
        self._inline.append("\n")

    def _add_code(self, node: LexborNode) -> None:
        self._flush()
        self._builder.add(BlockKind.CODE, _LINE_BREAKS.sub("\n", node.text()))

    def _add_image(self, node: LexborNode) -> None:
        self._inline.append(image_text(node))

    def _add_math(self, node: LexborNode) -> None:
        self._inline.append(f" {math_text(node)} ")

    def _add_raised(self, node: LexborNode) -> None:
        self._inline.append(raised("".join(self._inline[-1:]), collapse(node.text())))

    def _add_rule(self, _: LexborNode) -> None:
        self._flush()


_WHOLE = {
    "br": HtmlBlocks._break_line,  # noqa: SLF001 - a table of this module's own methods
    "pre": HtmlBlocks._add_code,  # noqa: SLF001
    "img": HtmlBlocks._add_image,  # noqa: SLF001
    "math": HtmlBlocks._add_math,  # noqa: SLF001
    "sup": HtmlBlocks._add_raised,  # noqa: SLF001
    "hr": HtmlBlocks._add_rule,  # noqa: SLF001
}


def _first_number(node: LexborNode) -> int:
    start = node.attributes.get("start") or ""
    return int(start) if re.fullmatch(r"-?\d{1,9}", start) else 1
