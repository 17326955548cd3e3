"""Make the binary documents of the demo from the prose in ``examples/prose``.

    python examples/build_documents.py            # writes src/clew/demo/documents/*
    python examples/build_documents.py --check    # exit status 1 if a committed file differs

The prose is a small subset of Markdown, so that what the files say can be read and reviewed as
text. The files come out the same on each run with the same library versions: time stamps are fixed,
and archives are packed in sorted order.
"""

from __future__ import annotations

import argparse
import io
import sys
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parent.parent
PROSE = ROOT / "examples" / "prose"
DOCUMENTS = ROOT / "src" / "clew" / "demo" / "documents"

WRITTEN = datetime(2024, 1, 1, tzinfo=UTC)
AUTHOR = "The clew authors"
RUNNING_TITLE = "Finding one's way: a small collection"


@dataclass(frozen=True, kw_only=True)
class Part:
    """A heading (``level`` 1 is the title), a paragraph, a list item, or the rows of a table."""

    kind: str
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    check = parser.parse_args().check
    stale = []
    for name, build in BUILDERS.items():
        target = DOCUMENTS / name
        content = build(read_prose(PROSE / f"{target.stem}.md"))
        if check and not (target.exists() and is_same(target.read_bytes(), content)):
            stale.append(name)
        elif not check:
            target.write_bytes(content)
            print(f"{target.relative_to(ROOT)}: {len(content):,} bytes")
    if stale:
        print("not what the prose gives:", ", ".join(stale), file=sys.stderr)
    return 1 if stale else 0


def is_same(one: bytes, other: bytes) -> bool:
    """Equal files, or archives with equal members: compression differs between versions of zlib."""
    if one == other or not one.startswith(b"PK"):
        return one == other
    with zipfile.ZipFile(io.BytesIO(one)) as left, zipfile.ZipFile(io.BytesIO(other)) as right:
        return left.namelist() == right.namelist() and all(
            left.read(name) == right.read(name) for name in left.namelist()
        )


def read_prose(path: Path) -> list[Part]:
    """Read headings, one-line paragraphs, ``-`` items and ``|`` tables."""
    parts: list[Part] = []
    table: list[tuple[str, ...]] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("|"):
            if not set(line) <= set("|- "):
                table.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
            continue
        if table:
            parts.append(Part(kind="table", rows=tuple(table)))
            table = []
        if line.startswith("#"):
            marks, text = line.split(" ", 1)
            parts.append(Part(kind="heading", text=text, level=len(marks)))
        elif line.startswith("- "):
            parts.append(Part(kind="item", text=line[2:]))
        elif line:
            parts.append(Part(kind="paragraph", text=line))
    return parts


def build_docx(parts: list[Part]) -> bytes:
    import docx  # noqa: PLC0415 - each format needs its own library

    document = docx.Document()
    properties = document.core_properties
    properties.title, properties.author = parts[0].text, AUTHOR
    properties.created = properties.modified = WRITTEN.replace(tzinfo=None)
    for part in parts:
        if part.kind == "heading":
            document.add_heading(part.text, level=part.level - 1)
        elif part.kind == "item":
            document.add_paragraph(part.text, style="List Bullet")
        elif part.kind == "table":
            table = document.add_table(rows=0, cols=len(part.rows[0]), style="Table Grid")
            for row in part.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        else:
            document.add_paragraph(part.text)
    buffer = io.BytesIO()
    document.save(buffer)
    return _repack(buffer.getvalue())


def build_pptx(parts: list[Part]) -> bytes:
    """A title slide, then one slide per second-level heading."""
    import pptx  # noqa: PLC0415
    from pptx.util import Inches  # noqa: PLC0415

    presentation = pptx.Presentation()
    properties = presentation.core_properties
    properties.title, properties.author = parts[0].text, AUTHOR
    properties.created = properties.modified = WRITTEN.replace(tzinfo=None)
    slide = presentation.slides.add_slide(presentation.slide_layouts[0])
    slide.shapes.title.text, slide.placeholders[1].text = parts[0].text, parts[1].text
    for heading, body in _sections(parts[2:]):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = heading.text
        slide.placeholders[1].text_frame.text = "\n".join(
            part.text for part in body if part.kind != "table"
        )
        for part in body:
            if part.kind == "table":
                size = (len(part.rows), len(part.rows[0]))
                shape = slide.shapes.add_table(
                    *size, Inches(1), Inches(5), Inches(8), Inches(0.4 * size[0])
                )
                for at, row in enumerate(part.rows):
                    for column, text in enumerate(row):
                        shape.table.cell(at, column).text = text
    buffer = io.BytesIO()
    presentation.save(buffer)
    return _repack(buffer.getvalue())


def build_pdf(parts: list[Part]) -> bytes:
    """A5 pages with a running title above and a page number below."""
    from reportlab.lib.pagesizes import A5  # noqa: PLC0415
    from reportlab.lib.styles import getSampleStyleSheet  # noqa: PLC0415
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer  # noqa: PLC0415

    def decorate(canvas: Any, _template: Any) -> None:
        canvas.setFont("Helvetica", 8)
        canvas.drawString(54, A5[1] - 36, RUNNING_TITLE)
        canvas.drawRightString(A5[0] - 54, 30, f"Page {canvas.getPageNumber()}")

    styles = getSampleStyleSheet()
    styles["BodyText"].fontSize, styles["BodyText"].leading = 12, 17
    names = {1: "Title", 2: "Heading2"}
    story = []
    for part in parts:
        style = names[part.level] if part.kind == "heading" else "BodyText"
        story += [Paragraph(escape(part.text), styles[style]), Spacer(1, 4)]
    buffer = io.BytesIO()
    template = SimpleDocTemplate(
        buffer, pagesize=A5, title=parts[0].text, author=AUTHOR, invariant=1, pageCompression=0,
        leftMargin=54, rightMargin=54, topMargin=60, bottomMargin=54,
    )  # fmt: skip
    template.build(story, onFirstPage=decorate, onLaterPages=decorate)
    return buffer.getvalue()


def build_epub(parts: list[Part]) -> bytes:
    """EPUB 3 with one chapter file per second-level heading."""
    title = escape(parts[0].text)
    chapters = {}
    for number, (heading, body) in enumerate(_sections(parts[1:]), start=1):
        inner = "\n".join(_as_html(part) for part in [heading, *body])
        chapters[f"chapter-{number}.xhtml"] = _xhtml(heading.text, inner)
    links = "\n".join(
        f'<li><a href="{name}">{escape(heading.text)}</a></li>'
        for name, (heading, _) in zip(chapters, _sections(parts[1:]), strict=True)
    )
    nav = _xhtml(parts[0].text, f'<nav epub:type="toc"><ol>\n{links}\n</ol></nav>')
    items = "\n".join(
        f'<item id="c{number}" href="{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters, start=1)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(1, len(chapters) + 1))
    package = f"""<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:clew:demo:james-cook</dc:identifier>
<dc:title>{title}</dc:title><dc:language>en</dc:language><dc:creator>{AUTHOR}</dc:creator>
<meta property="dcterms:modified">{WRITTEN:%Y-%m-%dT%H:%M:%SZ}</meta>
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
{items}
</manifest>
<spine>{spine}</spine>
</package>
"""
    container = """<?xml version="1.0" encoding="utf-8"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles>
<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/>
</rootfiles>
</container>
"""
    return _pack(
        [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", container),
            ("EPUB/package.opf", package),
            ("EPUB/nav.xhtml", nav),
            *((f"EPUB/{name}", text) for name, text in chapters.items()),
        ]
    )


def build_odt(parts: list[Part]) -> bytes:
    tags = {"heading": "h", "paragraph": "p", "item": "p"}
    body = "\n".join(
        f"<text:{tags[part.kind]}"
        + (f' text:outline-level="{part.level}"' if part.kind == "heading" else "")
        + f">{escape(part.text)}</text:{tags[part.kind]}>"
        for part in parts
    )
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    content = f"""<?xml version="1.0" encoding="utf-8"?>
<office:document-content xmlns:office="{office}office:1.0" xmlns:text="{office}text:1.0"
 office:version="1.3"><office:body><office:text>
{body}
</office:text></office:body></office:document-content>
"""
    meta = f"""<?xml version="1.0" encoding="utf-8"?>
<office:document-meta xmlns:office="{office}office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
 office:version="1.3"><office:meta><dc:title>{escape(parts[0].text)}</dc:title>
<dc:creator>{AUTHOR}</dc:creator><dc:date>{WRITTEN:%Y-%m-%dT%H:%M:%S}</dc:date></office:meta>
</office:document-meta>
"""
    manifest = f"""<?xml version="1.0" encoding="utf-8"?>
<manifest:manifest xmlns:manifest="{office}manifest:1.0" manifest:version="1.3">
<manifest:file-entry manifest:full-path="/"
 manifest:media-type="application/vnd.oasis.opendocument.text"/>
<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>
<manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>
</manifest:manifest>
"""
    return _pack(
        [
            ("mimetype", "application/vnd.oasis.opendocument.text"),
            ("META-INF/manifest.xml", manifest),
            ("content.xml", content),
            ("meta.xml", meta),
        ]
    )


def _sections(parts: Iterable[Part]) -> list[tuple[Part, list[Part]]]:
    sections: list[tuple[Part, list[Part]]] = []
    for part in parts:
        if part.kind == "heading":
            sections.append((part, []))
        else:
            sections[-1][1].append(part)
    return sections


def _as_html(part: Part) -> str:
    tag = {"heading": f"h{part.level}", "item": "li"}.get(part.kind, "p")
    return f"<{tag}>{escape(part.text)}</{tag}>"


def _xhtml(title: str, body: str) -> str:
    return f"""<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en">
<head><title>{escape(title)}</title></head>
<body>
{body}
</body>
</html>
"""


def _repack(archive: bytes) -> bytes:
    """The same archive with fixed time stamps, parts in sorted order."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return _pack([(name, source.read(name)) for name in sorted(source.namelist())])


def _pack(members: Iterable[tuple[str, str | bytes]]) -> bytes:
    """Members in the order given; a ``mimetype`` is stored, as its formats want."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name, content in members:
            entry = zipfile.ZipInfo(name, date_time=WRITTEN.timetuple()[:6])
            entry.create_system = 3
            stored = name == "mimetype"
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            target.writestr(entry, content)
    return buffer.getvalue()


BUILDERS: dict[str, Callable[[list[Part]], bytes]] = {
    "linear-b.docx": build_docx,
    "difference-engine.pptx": build_pptx,
    "timekeepers-of-kendall.pdf": build_pdf,
    "james-cook.epub": build_epub,
    "william-bligh.odt": build_odt,
}


if __name__ == "__main__":
    sys.exit(main())
