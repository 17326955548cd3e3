"""HTML and XHTML: what a reader of the page sees, as headings, paragraphs, lists and tables."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

from clew.documents.builder import TextBuilder
from clew.documents.decoding import decode
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.html_blocks import HtmlBlocks

_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEAD_BYTES = 2048
# The HTML parser takes <title/> for an opened title and swallows the page behind it.
_SELF_CLOSED = re.compile(
    r"<(title|script|style|textarea|iframe|noscript|a|b|i|em|strong|span|div|p|td|th|li|h[1-6])"
    r"(\s[^<>]*)?/>"
)
_XHTML = re.compile(r"^\s*(?:<\?xml|<!doctype[^>]*xhtml|<html[^>]*\bxmlns=)", re.IGNORECASE)
_DETAILS = {
    "author": ("author", "article:author", "dc.creator"),
    "description": ("description", "og:description"),
    "date": ("date", "article:published_time", "dc.date"),
    "site": ("og:site_name",),
}


def read_html(file: SourceFile) -> Parsed:
    return parse_html(decode_html(file.data))


def decode_html(data: bytes) -> str:
    """UTF-8 where the bytes are that; else as the page says, else by the bytes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        named = _CHARSET.search(data[:_HEAD_BYTES])
    if named is not None and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode(named[1].decode("ascii"))
        except (LookupError, UnicodeDecodeError):
            return decode(data)
    return decode(data)


def parse_html(text: str) -> Parsed:
    """Return what the page ``text`` says; its ``<title>`` serves where no heading begins it."""
    builder = TextBuilder()
    page = add_html(builder, text)
    return built(builder, media_type="text/html", title=html_title(page), metadata=_details(page))


def add_html(builder: TextBuilder, text: str) -> LexborHTMLParser:
    """Append the visible content of the page ``text``; return the page."""
    if _XHTML.match(text):
        text = _SELF_CLOSED.sub(r"<\1\2></\1>", text)
    page = LexborHTMLParser(text.replace("\x00", ""))
    if page.body is not None:
        HtmlBlocks(builder).add(page.body)
    return page


def html_title(page: LexborHTMLParser) -> str:
    title = page.css_first("head title")
    return "" if title is None else " ".join(title.text().split())


def _details(page: LexborHTMLParser) -> dict[str, str]:
    named: dict[str, str] = {}
    for tag in page.css("meta"):
        attributes = tag.attributes
        name = (attributes.get("name") or attributes.get("property") or "").lower()
        content = " ".join((attributes.get("content") or "").split())
        if name and content:
            named.setdefault(name, content)
    details = {
        key: next((named[name] for name in names if name in named), "")
        for key, names in _DETAILS.items()
    }
    root = page.css_first("html")
    details["language"] = "" if root is None else root.attributes.get("lang") or ""
    return details
