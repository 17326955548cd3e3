"""Word (.docx): the body in order, then notes, comments, and the running heads once.

Read from the XML itself (ECMA-376), because what readers see in text boxes, content controls,
tracked changes and notes is out of reach of the usual object models.
"""

from __future__ import annotations

from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.office_package import Package
from clew.documents.readers.word_body import WordBody
from clew.documents.readers.word_numbering import Numbering
from clew.documents.readers.word_runs import note_mark
from clew.documents.readers.word_styles import Styles
from clew.documents.xml_tree import attribute, child, children
from clew.errors import BrokenDocumentError
from clew.records import BlockKind

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_NOTES = (("footnotes", "footnote", ""), ("endnotes", "endnote", "e"))
_MIN_HEAD_WORDS = 2


def read_docx(file: SourceFile) -> Parsed:
    package = Package(file.data)
    main = package.main_part("word/document.xml")
    body = child(package.xml(main), "body")
    if body is None:
        raise BrokenDocumentError(f"its part {main!r} has no body")
    builder = TextBuilder()
    writer = WordBody(builder, package, _styles(package, main), _numbering(package, main))
    writer.part = main
    if any(True for _ in body.iter("{*}lastRenderedPageBreak")):
        builder.begin_page(1)
    writer.add(body)
    _add_notes(builder, writer, package, main)
    _add_comments(builder, writer, package, main)
    _add_running_heads(builder, writer, package, main)
    title, details = package.details()
    metadata: dict[str, object] = {**details, "unreadable_parts": package.damaged}
    return built(builder, media_type=MEDIA_TYPE, title=title, metadata=metadata)


def _styles(package: Package, main: str) -> Styles:
    return Styles(next((root for _, root in package.related(main, "styles")), None))


def _numbering(package: Package, main: str) -> Numbering:
    return Numbering.read(next((root for _, root in package.related(main, "numbering")), None))


def _add_notes(builder: TextBuilder, writer: WordBody, package: Package, main: str) -> None:
    for relation, name, kind in _NOTES:
        for _, root in package.related(main, relation):
            for note in children(root, name):
                text = writer.text_of(note)
                if text and attribute(note, "type") in {"", "normal"}:
                    mark = note_mark(kind, attribute(note, "id"))
                    builder.add(BlockKind.PARAGRAPH, f"{mark}: {text}")


def _add_comments(builder: TextBuilder, writer: WordBody, package: Package, main: str) -> None:
    for _, root in package.related(main, "comments"):
        for comment in children(root, "comment"):
            text = writer.text_of(comment)
            author = attribute(comment, "author") or "unknown"
            if text:
                builder.add(BlockKind.PARAGRAPH, f"Comment by {author}: {text}")


def _add_running_heads(builder: TextBuilder, writer: WordBody, package: Package, main: str) -> None:
    """Sections repeat their headers and footers; each text stands once, page numbers not at all."""
    seen: set[str] = set()
    for relation in ("header", "footer"):
        for _, root in package.related(main, relation):
            text = writer.text_of(root)
            words = [word for word in text.split() if any(map(str.isalpha, word))]
            if text not in seen and len(words) >= _MIN_HEAD_WORDS:
                seen.add(text)
                builder.add(BlockKind.PARAGRAPH, text)
