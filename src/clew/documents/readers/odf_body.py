"""The body of an OpenDocument file in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clew.documents.builder import TextBuilder
from clew.documents.readers.odf_styles import OdfStyles
from clew.documents.readers.odf_text import OdfRuns, read_odf_runs
from clew.documents.readers.sheets import add_sheet
from clew.documents.tables import Cell, lay_out
from clew.documents.xml_tree import Element, attribute, child, children, local_name
from clew.records import BlockKind

_UNREAD = frozenset(
    "tracked-changes forms variable-decls sequence-decls user-field-decls calculation-settings "
    "content-validations named-expressions database-ranges settings soft-page-break title desc "
    "index-title-template table-of-content-source header-decl footer-decl date-time-decl "
    "glue-point enhanced-geometry image animations par".split()
)
_RUNNING = frozenset({"page-number", "date-time", "footer", "header"})
_MAX_REPEATED_CELLS = 64
_MAX_REPEATED_ROWS = 1024
_MAX_LEVEL = 6
_CHART = "{urn:oasis:names:tc:opendocument:xmlns:chart:1.0}chart"


class OdfBody:
    """Appends OpenDocument content to a builder; notes and comments follow at the end."""

    def __init__(
        self,
        builder: TextBuilder,
        styles: OdfStyles,
        embedded: Callable[[str], Element | None],
    ) -> None:
        self._builder = builder
        self._styles = styles
        self._embedded = embedded
        self._notes: list[tuple[str, Element]] = []
        self._comments: list[Element] = []
        self._pages = 0
        self._counts: dict[tuple[str, int], int] = {}

    def add(self, body: Element) -> None:
        self._add_all(body)
        for mark, note in self._notes:
            self._builder.add(BlockKind.PARAGRAPH, f"{mark}: {self.text_of(note)}")
        for comment in self._comments:
            creator = child(comment, "creator")
            author = (creator.text if creator is not None else "") or "unknown"
            text = " ".join(self.text_of(p) for p in children(comment, "p"))
            self._builder.add(BlockKind.PARAGRAPH, f"Comment by {author}: {text}" if text else "")

    def text_of(self, holder: Element) -> str:
        """Return what is below an element on one line."""
        if local_name(holder) in {"p", "h"}:
            runs = read_odf_runs(holder, self._styles)
            self._keep(runs)
            return " ".join(" ".join([runs.text, *map(self.text_of, runs.frames)]).split())
        parts = [self.text_of(part) for part in holder if local_name(part) not in _UNREAD]
        return " ".join(filter(None, parts))

    def _add_all(self, holder: Element) -> None:
        for element in holder:
            self._add(element, local_name(element))

    def _add(self, element: Element, name: str) -> None:
        if name == "h":
            self._add_paragraph(element, heading=_level(element))
        elif name == "p":
            self._add_paragraph(element)
        elif name == "list":
            self._add_list(element, 1, attribute(element, "style-name"))
        elif name == "table":
            self._add_table(element)
        elif name == "page":
            self._add_page(element)
        elif name == "annotation":
            self._comments.append(element)
        elif name == "object":
            self._add_object(element)
        elif name == "notes":
            text = self.text_of(element)
            self._builder.add(BlockKind.PARAGRAPH, f"Notes: {text}" if text else "")
        elif name == "frame" and attribute(element, "class") in _RUNNING:
            return
        elif name == "frame" and attribute(element, "class") == "title":
            self._builder.add(BlockKind.HEADING, self.text_of(element), 1)
        elif name and name not in _UNREAD:
            self._add_all(element)

    def _add_paragraph(self, element: Element, heading: int = 0) -> None:
        runs = read_odf_runs(element, self._styles)
        self._keep(runs)
        style = attribute(element, "style-name")
        heading = heading or self._styles.heading(style)
        if heading:
            self._builder.add(BlockKind.HEADING, " ".join(runs.text.split()), heading)
        else:
            kind = self._styles.kind(style)
            tight = kind is BlockKind.CODE and self._builder.last_kind is kind
            level = 1 if kind is BlockKind.QUOTE else 0
            self._builder.add(kind, runs.text, level, tight=tight)
        for frame in runs.frames:
            self._add(frame, local_name(frame))

    def _keep(self, runs: OdfRuns) -> None:
        self._notes += runs.notes
        self._comments += runs.comments

    def _add_list(self, element: Element, depth: int, style: str) -> None:
        style = attribute(element, "style-name", style)
        goes_on = attribute(element, "continue-numbering") == "true" or attribute(
            element, "continue-list"
        )
        if not goes_on:
            self._counts[style, depth] = 0
        for item in element:
            if local_name(item) in {"list-item", "list-header"}:
                self._add_item(item, depth, style)

    def _add_item(self, item: Element, depth: int, style: str) -> None:
        has_marker = False
        for part in item:
            name = local_name(part)
            if name == "list":
                self._add_list(part, depth + 1, style)
            elif name == "h":
                self._add(part, name)
            elif name == "p" and not has_marker:
                runs = read_odf_runs(part, self._styles)
                self._keep(runs)
                if runs.text:
                    # LibreOffice lets a paragraph leave the style of the list that it lies in.
                    own = self._styles.list_style_of(attribute(part, "style-name")) or style
                    self._builder.add_item(runs.text, depth, self._marker(own, depth))
                    has_marker = True
                for frame in runs.frames:
                    self._add(frame, local_name(frame))
            else:
                self._add(part, name)

    def _marker(self, style: str, depth: int) -> str:
        if not self._styles.is_numbered(style, depth):
            return "-"
        self._counts[style, depth] = self._counts.get((style, depth), 0) + 1
        return f"{self._counts[style, depth]}."

    def _add_page(self, page: Element) -> None:
        self._pages += 1
        self._builder.begin_page(self._pages)
        self._add_all(page)

    def _add_table(self, table: Element) -> None:
        if attribute(table, "display") == "false":
            return
        parent = table.getparent()
        rows = [[self._cell(cell, count) for cell, count in _cells(row)] for row in _rows(table)]
        if parent is not None and local_name(parent) == "spreadsheet":
            add_sheet(self._builder, attribute(table, "name"), lay_out(rows))
        else:
            self._builder.add_table(lay_out(rows))

    def _cell(self, cell: Element, count: int) -> Cell:
        text = self.text_of(cell)
        columns = max(_number(cell, "number-columns-spanned"), count if text else 1)
        return Cell(text, columns=columns, rows=_number(cell, "number-rows-spanned"))

    def _add_object(self, element: Element) -> None:
        root = self._embedded(attribute(element, "href"))
        if root is None:
            return
        for chart in root.iter(_CHART):
            title = child(chart, "title")
            self._builder.add(BlockKind.PARAGRAPH, "" if title is None else self.text_of(title))
            for table in chart.iter("{*}table"):
                self._add_table(table)
        for formula in root.iter("{*}annotation"):
            self._builder.add(BlockKind.PARAGRAPH, formula.text or "")


def _rows(holder: Element) -> Iterator[Element]:
    for element in holder:
        name = local_name(element)
        if name == "table-row":
            is_filled = any(str(text).strip() for text in element.itertext())
            count = _number(element, "number-rows-repeated") if is_filled else 1
            for _ in range(min(count, _MAX_REPEATED_ROWS)):
                yield element
        elif name in {"table-header-rows", "table-rows", "table-row-group"}:
            yield from _rows(element)


def _cells(row: Element) -> Iterator[tuple[Element, int]]:
    """Yield cells and how often each is repeated; spreadsheets repeat empty ones a thousandfold."""
    for cell in row:
        if local_name(cell) == "table-cell":
            count = min(_number(cell, "number-columns-repeated"), _MAX_REPEATED_CELLS)
            yield cell, count
            if not len(cell):
                for _ in range(count - 1):
                    yield cell, 1


def _number(element: Element, name: str) -> int:
    value = attribute(element, name, "1")
    return max(1, int(value)) if value.isdecimal() else 1


def _level(element: Element) -> int:
    return min(_number(element, "outline-level"), _MAX_LEVEL)
