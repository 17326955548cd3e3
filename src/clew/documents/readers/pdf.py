"""PDF: lines with their places on the page → paragraphs, headings, lists and tables, with pages.

PDFium gives the characters in the order they were drawn; what a paragraph is has to be found from
where its lines stand. What repeats at the same place from page to page is no part of the text.
"""

from __future__ import annotations

from typing import Any

from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.pdf_lines import PageLines
from clew.documents.readers.pdf_pages import read_pages
from clew.documents.readers.pdf_paragraphs import find_paragraphs
from clew.documents.readers.pdf_running import without_running_lines
from clew.errors import BrokenDocumentError

MEDIA_TYPE = "application/pdf"
_MACHINE_TITLES = ("microsoft word", "(anonymous)", "untitled", "powerpoint", "slide 1")
_FILE_ENDINGS = (".doc", ".docx", ".indd", ".pdf", ".dvi", ".tex", ".ppt", ".pptx", ".qxd")
_DETAILS = {"Author": "author", "Subject": "subject", "Keywords": "keywords"}
_DETAILS |= {"CreationDate": "created"}


def read_pdf(file: SourceFile) -> Parsed:
    """Return the text of the pages; a scan without a text layer gives the empty text."""
    pages, details = read_pages(file.data)
    if pages and all(page.is_broken for page in pages):
        raise BrokenDocumentError("none of its pages can be read")
    kept, running = without_running_lines(pages)
    builder = TextBuilder()
    _write(builder, kept)
    metadata: dict[str, Any] = {
        new: value
        for old, new in _DETAILS.items()
        if (value := details.get(old, "").strip()) and not value.startswith("(")
    }
    metadata |= {"pages": len(pages), "running_lines": running}
    metadata["unreadable_pages"] = [page.number for page in pages if page.is_broken]
    return built(
        builder, media_type=MEDIA_TYPE, title=_title(details.get("Title", "")), metadata=metadata
    )


def _write(builder: TextBuilder, pages: list[PageLines]) -> None:
    current = 0
    for paragraph in find_paragraphs(pages):
        if paragraph.page != current:
            builder.begin_page(paragraph.page)
            current = paragraph.page
        if paragraph.rows:
            builder.add_table(paragraph.rows)
            continue
        marks = paragraph.page_marks
        builder.add(paragraph.kind, paragraph.text, paragraph.level, page_marks=marks)
        current = marks[-1][1] if marks else current


def _title(title: str) -> str:
    cleaned = " ".join(title.split())
    lowered = cleaned.lower()
    if lowered.startswith(_MACHINE_TITLES) or lowered.endswith(_FILE_ENDINGS):
        return ""
    return cleaned
