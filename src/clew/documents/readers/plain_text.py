"""Plain text, Markdown and reStructuredText: the document's text is the source text itself.

Nothing is rewritten, whatever marks the line ends; a form feed begins a new page.
"""

from __future__ import annotations

from clew.documents.decoding import decode
from clew.documents.front_matter import front_matter
from clew.documents.readers.base import Parsed, SourceFile
from clew.records import Page

_FORM_FEED = "\f"


def read_plain(file: SourceFile) -> Parsed:
    return _read(file, "text/plain")


def read_markdown(file: SourceFile) -> Parsed:
    return _read(file, "text/markdown")


def read_rst(file: SourceFile) -> Parsed:
    return _read(file, "text/x-rst")


def pages_of(text: str) -> tuple[Page, ...]:
    """Return the pages that form feeds divide ``text`` into; none where there is no form feed."""
    if _FORM_FEED not in text:
        return ()
    pages: list[Page] = []
    start = 0
    for piece in text.split(_FORM_FEED):
        end = min(start + len(piece) + 1, len(text))
        if end > start:
            pages.append(Page(number=len(pages) + 1, start=start, end=end))
        start = end
    return tuple(pages)


def _read(file: SourceFile, media_type: str) -> Parsed:
    text = decode(file.data).replace("\x00", "")
    metadata = front_matter(text) if media_type == "text/markdown" else {}
    return Parsed(text=text, media_type=media_type, metadata=metadata, pages=pages_of(text))
