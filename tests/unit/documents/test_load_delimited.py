"""CSV and TSV: a table, or a document a row."""

from pathlib import Path

import pytest

from clew.documents import LoadFailure, RecordFields, load_file
from clew.records import BlockKind, Document


def load(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_table_is_one_document(tmp_path: Path, separator: str) -> None:
    lines = ["boat,year,note", 'Tern,1911,"under\nsail"', "Teal,1920,x"]
    data = "\r\n".join(line.replace(",", separator) for line in lines)
    document = load(tmp_path / "a.csv", data.encode())
    assert document.text == (
        "| boat | year | note |\n| Tern | 1911 | under sail |\n| Teal | 1920 | x |"
    )
    assert [block.kind for block in document.blocks] == [
        BlockKind.TABLE_HEADER,
        BlockKind.TABLE_ROW,
        BlockKind.TABLE_ROW,
    ]
    assert document.doc_id == str(tmp_path / "a.csv")


def test_tabs_by_name(tmp_path: Path) -> None:
    assert load(tmp_path / "a.tsv", b"a\tb, c\n1\t2").text == "| a | b, c |\n| 1 | 2 |"


def test_line_ends_in_cells_become_blanks(tmp_path: Path) -> None:
    assert load(tmp_path / "a.csv", b'a,b\n"x\ny",2\n').text == "| a | b |\n| x y | 2 |"


def test_lone_carriage_returns_end_rows(tmp_path: Path) -> None:
    assert load(tmp_path / "a.csv", b"a,b\r1,2\r3,4").text == "| a | b |\n| 1 | 2 |\n| 3 | 4 |"


def test_shift_jis(tmp_path: Path) -> None:
    document = load(tmp_path / "a.csv", "名前,年齢\nさとう,30\nすずき,25".encode("cp932"))
    assert document.text == "| 名前 | 年齢 |\n| さとう | 30 |\n| すずき | 25 |"


def test_one_column(tmp_path: Path) -> None:
    assert load(tmp_path / "a.csv", b"boat\nTern\nTeal\n").text == "| boat |\n| Tern |\n| Teal |"


def test_rows_with_a_text_column_are_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("ID,Title,Text,Year\nt1,Tern,A boat.,1911\n,Teal,A ship.,\nt1,x,y,1\n")
    first, second, third = load_file(path)
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert isinstance(third, LoadFailure)
    assert (first.doc_id, first.title, first.text) == ("t1", "Tern", "A boat.")
    assert first.metadata == {"Year": 1911}
    assert (second.doc_id, second.metadata) == (f"{path}#2", {})


def test_the_text_column_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("boat,log\nTern,Sailed.\n")
    (document,) = load_file(path, fields=RecordFields(text="log", title="boat"))
    assert isinstance(document, Document)
    assert (document.title, document.text) == ("Tern", "Sailed.")


def test_the_columns_to_keep_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("Text,Year,Port\nSailed.,1911,Varde\n")
    (document,) = load_file(path, fields=RecordFields(metadata=("year",)))
    assert isinstance(document, Document)
    assert document.metadata == {"Year": 1911}


def test_long_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text\n" + "tern " * 60_000 + "\n")
    (document,) = load_file(path)
    assert isinstance(document, Document)
    assert len(document.text) >= 299_999


def _column(tmp_path: Path, *values: str) -> list[object]:
    path = tmp_path / "a.csv"
    rows = [f'"boat {number}","{value}"' for number, value in enumerate(values)]
    path.write_text("text,x\n" + "\n".join(rows) + "\n")
    return [
        document.metadata.get("x") for document in load_file(path) if isinstance(document, Document)
    ]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("1990", " 2001 ", "", "-7"), [1990, 2001, None, -7]),
        (("0.5", "12", "3.25"), [0.5, 12, 3.25]),
        (("10.50", "3.00"), [10.5, 3.0]),
        (("3.9", "3.10"), ["3.9", "3.10"]),
        (("007", "008"), ["007", "008"]),
        (("1990", "about 1990"), ["1990", "about 1990"]),
        (("1e5", "2"), ["1e5", "2"]),
        (("4929123412341234", "1"), ["4929123412341234", "1"]),
        (("nan", "1"), ["nan", "1"]),
        (("", ""), [None, None]),
    ],
)
def test_a_column_of_numbers_gives_numbers(
    tmp_path: Path, values: tuple[str, ...], expected: list[object]
) -> None:
    found = _column(tmp_path, *values)
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]
