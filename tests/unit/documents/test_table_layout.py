"""Tables: one line a row, spans repeated where that helps, nothing empty kept."""

from clew.documents.tables import Cell, lay_out, render_row, without_empty


def test_a_row_is_one_line() -> None:
    assert render_row(["a\nb", " c\t d ", "x|y"]) == "| a b | c d | x\\|y |"


def test_short_cells_that_span_are_repeated() -> None:
    rows = [
        [Cell("Year"), Cell("Catch", columns=2)],
        [Cell("1911", rows=2), Cell("cod"), Cell("40")],
        [Cell("eel"), Cell("7")],
    ]
    assert lay_out(rows) == [
        ["Year", "Catch", "Catch"],
        ["1911", "cod", "40"],
        ["1911", "eel", "7"],
    ]


def test_long_cells_that_span_stand_once() -> None:
    long = "The harbour master keeps a book of every vessel that passes the outer mole."
    rows = [[Cell(long, columns=2)], [Cell("a"), Cell("b")]]
    assert lay_out(rows)[0] == [long, ""]


def test_a_cell_alone_over_all_columns_stands_once() -> None:
    rows = [[Cell("a"), Cell("b")], [Cell("Part two", columns=2)], [Cell("c"), Cell("d")]]
    assert lay_out(rows)[1] == ["Part two", ""]


def test_a_row_of_nothing_but_spans_is_dropped() -> None:
    rows = [[Cell("Month")], [Cell("2031", rows=2)], [Cell("May")]]
    assert lay_out(rows) == [["Month", ""], ["2031", "May"]]


def test_absurd_spans_end() -> None:
    assert len(lay_out([[Cell("a", columns=10**9)]])[0]) <= 1024


def test_empty_rows_and_columns_go() -> None:
    assert without_empty([["a", "", "b"], ["", " ", ""], ["c"]]) == [["a", "b"], ["c", ""]]
