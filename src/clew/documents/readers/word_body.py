"""The body of a Word file in reading order: paragraphs, tables, content controls, text boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.documents.builder import TextBuilder
from clew.documents.readers.office_charts import add_chart, add_diagram
from clew.documents.readers.office_package import Package, chosen, value_of
from clew.documents.readers.word_numbering import Numbering
from clew.documents.readers.word_runs import Runs, read_runs
from clew.documents.readers.word_styles import Style, Styles, outline_level
from clew.documents.tables import MAX_REPEATED_CHARS, Cell, lay_out
from clew.documents.xml_tree import Element, attribute, child, children, local_name
from clew.records import BlockKind

_HOLDERS = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag", "body"})
_UNREAD = frozenset({"del", "moveFrom", "sdtPr", "sectPr", "tblPr", "tcPr", "trPr", "tblGrid"})
_LIST_STYLE = re.compile(r"list (bullet|number)(?: (\d))?")
_MAX_HEADING_CHARS = 400
_MAX_DEPTH = 9


class WordBody:
    """Appends Word content to a builder; one for all parts of a file, as lists run on."""

    def __init__(
        self, builder: TextBuilder, package: Package, styles: Styles, numbering: Numbering
    ) -> None:
        self._builder = builder
        self._package = package
        self._styles = styles
        self._numbering = numbering
        self._page = 1
        self.part = ""

    def add(self, holder: Element) -> None:
        for element in flattened(holder):
            name = local_name(element)
            if name == "p":
                self._add_paragraph(element)
            elif name == "tbl":
                self._add_table(element)

    def text_of(self, holder: Element) -> str:
        """Return what is below an element on one line, without structure."""
        texts: list[str] = []
        for element in flattened(holder):
            name = local_name(element)
            if name == "p":
                runs = read_runs(element)
                texts += [self._numbered(element, runs), *map(self.text_of, runs.boxes)]
            elif name == "tbl":
                texts += [" ".join(filter(None, row)) for row in self._rows(element)]
        return " ".join(filter(None, texts))

    def _add_paragraph(self, element: Element) -> None:
        runs = read_runs(element)
        text = runs.text.strip() if "\n" not in runs.text else runs.text.strip("\n")
        style, marker, depth = self._placed(element)
        marks = self._turn_pages(runs, len(runs.text) - len(runs.text.lstrip()))
        heading = outline_level(value_of(element, "pPr", "outlineLvl")) or style.heading
        if not text.strip():
            pass
        elif heading and len(text) <= _MAX_HEADING_CHARS:
            number = "" if marker in {None, "-"} else marker
            self._builder.add(BlockKind.HEADING, f"{number} {_line(text)}".strip(), heading)
        elif marker is not None:
            self._builder.add_item(text, depth + 1, _closed(marker) or "-")
        elif style.kind is BlockKind.CODE:
            tight = self._builder.last_kind is BlockKind.CODE
            self._builder.add(BlockKind.CODE, runs.text, tight=tight)
        else:
            level = 1 if style.kind is BlockKind.QUOTE else 0
            self._builder.add(style.kind, text.lstrip(), level, page_marks=marks)
        for box in runs.boxes:
            self.add(box)
        for drawing in runs.drawings:
            self._add_drawing(drawing)

    def _placed(self, element: Element) -> tuple[Style, str | None, int]:
        """Return style, list marker (None outside lists) and depth, counting the paragraph."""
        style = self._styles.get(value_of(element, "pPr", "pStyle"))
        numbers = child(element, "pPr", "numPr")
        number_id = value_of(numbers, "numId", default=style.number_id)
        level = value_of(numbers, "ilvl")
        depth = int(level) if level.isdecimal() else style.number_level or 0
        if number_id in {"", "0"}:
            match = _LIST_STYLE.match(style.name) if number_id == "" else None
            return (style, "-", int(match[2] or 1) - 1) if match else (style, None, 0)
        depth = min(depth, _MAX_DEPTH)
        # "List Bullet 3" is drawn as deep as its name says, though it is the top of its own list.
        named = _LIST_STYLE.match(style.name)
        drawn = max(depth, int(named[2] or 1) - 1) if named else depth
        if not any(str(text).strip() for text in element.itertext()):
            return style, "-", drawn
        return style, self._numbering.marker(number_id, depth), drawn

    def _numbered(self, element: Element, runs: Runs) -> str:
        text = _line(runs.text)
        _, marker, _ = self._placed(element)
        return f"{_closed(marker)} {text}" if marker and text else text

    def _turn_pages(self, runs: Runs, lead: int) -> list[tuple[int, int]]:
        """Count page ends; return those inside the text, at offsets behind its first blanks."""
        marks: list[tuple[int, int]] = []
        for at in runs.page_ends:
            self._page += 1
            if at <= lead or not runs.text.strip():
                self._builder.begin_page(self._page)
            else:
                marks.append((at - lead, self._page))
        return marks

    def _add_table(self, table: Element) -> None:
        cells = [cell for row in _table_rows(table) for cell in _row_cells(row)]
        if len(cells) == 1:
            self.add(cells[0])
            return
        for cell in cells:
            for mark in cell.iter():
                if local_name(mark) == "lastRenderedPageBreak":
                    self._page += 1
        self._builder.add_table(self._rows(table), headers=_headers(table))

    def _rows(self, table: Element) -> list[list[str]]:
        """Cells that go on from above (``vMerge``) take its text, where that is short."""
        rows: list[list[Cell]] = []
        above: dict[int, str] = {}
        for row in _table_rows(table):
            line: list[Cell] = []
            column = 0
            for cell in _row_cells(row):
                width = value_of(cell, "tcPr", "gridSpan", default="1")
                merge = child(cell, "tcPr", "vMerge")
                text = self.text_of(cell)
                if merge is not None and value_of(cell, "tcPr", "vMerge") != "restart":
                    text = text or above.get(column, "")
                above[column] = text if len(text) <= MAX_REPEATED_CHARS else ""
                columns = int(width) if width.isdecimal() else 1
                line.append(Cell(text, columns=columns))
                column += columns
            rows.append(line)
        return lay_out(rows)

    def _add_drawing(self, element: Element) -> None:
        is_chart = local_name(element) == "chart"
        relation = attribute(element, "id" if is_chart else "dm")
        root = self._package.find_xml(self._package.target(self.part, relation))
        if root is not None:
            (add_chart if is_chart else add_diagram)(self._builder, root)


def flattened(holder: Element) -> Iterator[Element]:
    """Yield paragraphs and tables, looking through content controls and tracked insertions."""
    for element in holder:
        name = local_name(element)
        if name == "AlternateContent":
            branch = chosen(element)
            if branch is not None:
                yield from flattened(branch)
        elif name in _HOLDERS:
            yield from flattened(element)
        elif name and name not in _UNREAD:
            yield element


def _table_rows(table: Element) -> Iterator[Element]:
    for row in flattened(table):
        if local_name(row) == "tr" and child(row, "trPr", "del") is None:
            yield row


def _row_cells(row: Element) -> Iterator[Element]:
    for cell in flattened(row):
        if local_name(cell) == "tc":
            yield cell


def _headers(table: Element) -> int:
    count = 0
    for row in _table_rows(table):
        if child(row, "trPr", "tblHeader") is None:
            break
        count += 1
    return max(1, count) if count < len(children(table, "tr")) else 1


def _closed(marker: str) -> str:
    """A bare number gets a full stop, so that it reads as the number of an item."""
    return f"{marker}." if marker[-1:].isalnum() else marker


def _line(text: str) -> str:
    return " ".join(text.split())
