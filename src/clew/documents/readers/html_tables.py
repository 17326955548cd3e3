"""Tables of a page: those with data become rows, those that arrange the page are looked through."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from clew.documents.readers.html_text import cell_text, is_hidden
from clew.documents.tables import Cell, lay_out

_SECTIONS = frozenset({"thead", "tbody", "tfoot"})
_CELLS = frozenset({"td", "th"})
_HEADINGS = "h1, h2, h3, h4, h5, h6"
_MAX_CELL_CHARS = 2000
_MAX_SPAN = 1000


def is_layout(table: LexborNode) -> bool:
    """A table arranges the page where a cell holds headings, a table of its own or whole pages."""
    if table.attributes.get("role") in {"presentation", "none"}:
        return True
    rows = [_cells(row) for row, _ in _rows(table)]
    if sum(map(len, rows)) <= 1:
        return True
    return any(_is_page(cell) for row in rows for cell in row)


def read_table(table: LexborNode) -> tuple[str, list[list[str]], int]:
    """Return caption, rows and how many of these are header rows."""
    caption = next((node for node in _children(table) if node.tag == "caption"), None)
    rows: list[list[Cell]] = []
    headers = 0
    for row, section in _rows(table):
        nodes = _cells(row)
        cells = [_cell(node) for node in nodes]
        is_header = section == "thead" or all(node.tag == "th" for node in nodes)
        spans_down = all(cell.rows > 1 for cell in cells)
        if is_header and headers == len(rows) and not spans_down:
            headers += 1
        if cells:
            rows.append(cells)
    grid = lay_out(rows)
    return cell_text(caption) if caption is not None else "", grid, max(1, headers)


def _is_page(cell: LexborNode) -> bool:
    if cell.css_first(_HEADINGS) is not None:
        return True
    nested = cell.css("table")
    if any(len(list(_rows(table))) > 1 and len(cell_text(table)) > 200 for table in nested):
        return True
    return len(cell.text()) > _MAX_CELL_CHARS


def _rows(table: LexborNode) -> Iterator[tuple[LexborNode, str]]:
    for node in _children(table):
        if node.tag == "tr":
            yield node, ""
        elif node.tag in _SECTIONS and not is_hidden(node):
            for row in _children(node):
                if row.tag == "tr" and not is_hidden(row):
                    yield row, node.tag or ""


def _cells(row: LexborNode) -> list[LexborNode]:
    return [node for node in _children(row) if node.tag in _CELLS]


def _cell(node: LexborNode) -> Cell:
    attributes = node.attributes
    return Cell(
        text=cell_text(node),
        columns=_span(attributes.get("colspan")),
        rows=_span(attributes.get("rowspan")),
    )


def _span(value: str | None) -> int:
    cleaned = (value or "").strip()
    return min(max(1, int(cleaned)), _MAX_SPAN) if cleaned.isdecimal() else 1


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        yield child
        child = child.next
