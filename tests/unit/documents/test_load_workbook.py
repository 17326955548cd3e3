"""Excel files: visible sheets, with dates as dates."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import xlsxwriter  # type: ignore[import-untyped]

from clew.documents import load_file
from clew.records import Document


def load(path: Path, fill: Callable[[Any], None], **options: Any) -> Document:
    with xlsxwriter.Workbook(path, options) as workbook:
        fill(workbook)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def blocks(document: Document) -> list[tuple[str, str]]:
    return [
        (block.kind.value, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def test_sheets_captions_and_tables(tmp_path: Path) -> None:
    def fill(workbook: Any) -> None:
        workbook.set_properties({"title": "Log", "author": "Ada"})
        sheet = workbook.add_worksheet("Catch")
        sheet.write_row(0, 1, ["Catch of Varde"])
        sheet.write_row(1, 1, ["Boat", "t", "open"])
        sheet.write_row(2, 1, ["Tern", 4.3, True])
        sheet.write_row(5, 1, ["Port", "Depth"])
        sheet.write_row(6, 1, ["Varde", 7])
        hidden = workbook.add_worksheet("Secret")
        hidden.write(0, 0, "x")
        hidden.hide()
        plain = workbook.add_worksheet()
        plain.write_row(0, 0, ["a", "b"])
        plain.write_formula(1, 0, "=1+1", None, 2)
        plain.write_rich_string(1, 1, "rich ", workbook.add_format({"bold": True}), "text")

    document = load(tmp_path / "a.xlsx", fill)
    assert blocks(document) == [
        ("heading", "Catch"),
        ("paragraph", "Catch of Varde"),
        ("table_header", "| Boat | t | open |"),
        ("table_row", "| Tern | 4.3 | TRUE |"),
        ("table_header", "| Port | Depth |"),
        ("table_row", "| Varde | 7 |"),
        ("table_header", "| a | b |"),
        ("table_row", "| 2 | rich text |"),
    ]
    assert document.title == "Log"
    assert document.metadata["author"] == "Ada"


def dates(workbook: Any) -> None:
    sheet = workbook.add_worksheet()
    sheet.write_row(0, 0, ["day", "moment", "time", "number"])
    for column, (value, form) in enumerate(
        [
            (dt.date(1911, 5, 2), "dd/mm/yyyy"),
            (dt.datetime(2031, 6, 1, 8, 30), "d mmm yyyy hh:mm"),  # noqa: DTZ001
            (dt.time(8, 30), "hh:mm"),
        ]
    ):
        sheet.write_datetime(1, column, value, workbook.add_format({"num_format": form}))
    sheet.write_number(1, 3, 12.5, workbook.add_format({"num_format": '0.0" days"'}))


def test_dates(tmp_path: Path) -> None:
    expected = (
        "| day | moment | time | number |\n| 1911-05-02 | 2031-06-01 08:30:00 | 08:30:00 | 12.5 |"
    )
    assert load(tmp_path / "a.xlsx", dates).text == expected
    assert load(tmp_path / "b.xlsx", dates, date_1904=True).text == expected


def test_in_memory_strings(tmp_path: Path) -> None:
    def fill(workbook: Any) -> None:
        workbook.add_worksheet().write_row(0, 0, ["Tern", "Teal"])

    assert load(tmp_path / "a.xlsx", fill, constant_memory=True).text == "| Tern | Teal |"
