"""PowerPoint (.pptx): each slide is a page, its title a heading; notes and comments follow it.

Read from the XML itself (ECMA-376), so that a shape that breaks the schema costs only itself.
"""

from __future__ import annotations

from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.office_package import Package
from clew.documents.readers.slide_shapes import SlideShapes, shape_paragraphs
from clew.documents.xml_tree import Element, attribute, child, children, local_name
from clew.errors import BrokenDocumentError
from clew.records import BlockKind

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"


def read_pptx(file: SourceFile) -> Parsed:
    package = Package(file.data)
    main = package.main_part("ppt/presentation.xml")
    slides = _slide_parts(package, main)
    if not slides:
        raise BrokenDocumentError("it has no slides")
    builder = TextBuilder()
    shapes = SlideShapes(builder, package)
    for number, part in enumerate(slides, start=1):
        root = package.find_xml(part)
        if root is None:
            continue
        builder.begin_page(number)
        shapes.add(part, root)
        _add_comments(builder, package, main, part)
        _add_notes(builder, package, part)
    title, details = package.details()
    metadata = {**details, "pages": len(slides), "unreadable_parts": package.damaged}
    return built(builder, media_type=MEDIA_TYPE, title=title, metadata=metadata)


def _slide_parts(package: Package, main: str) -> list[str]:
    """Return the slides in the order of the show."""
    entries = child(package.xml(main), "sldIdLst")
    ids = children(entries, "sldId") if entries is not None else []
    relation_ids = [_relation_id(entry) for entry in ids]
    return [part for id_ in relation_ids if (part := package.target(main, id_))]


def _relation_id(entry: Element) -> str:
    return next((str(v) for k, v in entry.attrib.items() if str(k).endswith("}id")), "")


def _add_notes(builder: TextBuilder, package: Package, part: str) -> None:
    for _, root in package.related(part, "notesSlide"):
        for shape in root.iter("{*}sp"):
            if attribute_of_placeholder(shape) == "body":
                text = "\n".join(p.text for p in shape_paragraphs(shape) if p.text)
                builder.add(BlockKind.PARAGRAPH, f"Notes: {text}" if text else "")


def attribute_of_placeholder(shape: Element) -> str:
    place = child(shape, "nvSpPr", "nvPr", "ph")
    return "" if place is None else attribute(place, "type", "body")


def _add_comments(builder: TextBuilder, package: Package, main: str, part: str) -> None:
    authors = _authors(package, main)
    for kind in ("comments", "comment"):
        for _, root in package.related(part, kind):
            for element in root.iter():
                if local_name(element) not in {"cm", "reply"}:
                    continue
                text = " ".join(_comment_text(element).split())
                author = authors.get(attribute(element, "authorId"), "unknown")
                builder.add(BlockKind.PARAGRAPH, f"Comment by {author}: {text}" if text else "")


def _comment_text(comment: Element) -> str:
    body = child(comment, "txBody")
    if body is None:
        body = child(comment, "text")
    return "" if body is None else " ".join(map(str, body.itertext()))


def _authors(package: Package, main: str) -> dict[str, str]:
    return {
        attribute(author, "id"): attribute(author, "name")
        for kind in ("commentAuthors", "authors")
        for _, root in package.related(main, kind)
        for author in root
    }
