"""Excel (.xlsx): the visible sheets as tables, with the values that were last computed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.documents.builder import TextBuilder
from clew.documents.readers.base import Parsed, SourceFile, built
from clew.documents.readers.office_package import Package
from clew.documents.readers.sheets import add_sheet
from clew.documents.readers.workbook_values import Values
from clew.documents.xml_tree import Element, attribute, child, children
from clew.errors import BrokenDocumentError

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_PLACE = re.compile(r"([A-Z]{1,3})\d+")
_MAX_COLUMNS = 1024


def read_xlsx(file: SourceFile) -> Parsed:
    package = Package(file.data)
    main = package.main_part("xl/workbook.xml")
    workbook = package.xml(main)
    sheets = child(workbook, "sheets")
    if sheets is None:
        raise BrokenDocumentError("it has no sheets")
    values = Values.read(package, main, workbook)
    builder = TextBuilder()
    for sheet in children(sheets, "sheet"):
        root = package.find_xml(package.target(main, _relation_id(sheet)))
        if root is not None and not attribute(sheet, "state"):
            add_sheet(builder, attribute(sheet, "name"), list(_rows(root, values)))
    title, details = package.details()
    metadata: dict[str, object] = {**details, "unreadable_parts": package.damaged}
    return built(builder, media_type=MEDIA_TYPE, title=title, metadata=metadata)


def _relation_id(sheet: Element) -> str:
    return next((str(v) for k, v in sheet.attrib.items() if str(k).endswith("}id")), "")


def _rows(root: Element, values: Values) -> Iterator[list[str]]:
    """Yield the rows of a sheet; rows that are not stored are empty ones between."""
    data = child(root, "sheetData")
    last = 0
    for row in children(data, "row") if data is not None else ():
        number = row.get("r", "")
        place = int(number) if number.isdecimal() else last + 1
        if last and place > last + 1:
            yield []
        last = place
        line: list[str] = []
        for cell in children(row, "c"):
            column = _column(cell.get("r", ""), len(line))
            if column < _MAX_COLUMNS:
                line += [""] * (column + 1 - len(line))
                line[column] = values.text_of(cell)
        yield line


def _column(place: str, following: int) -> int:
    """Return the column of a place such as ``AB12``, from 0.

    >>> _column("AB12", 0), _column("", 3)
    (27, 3)
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        return following
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1
