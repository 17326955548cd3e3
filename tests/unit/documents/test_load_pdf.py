"""PDF files: paragraphs rejoined, running lines out, pages by offset."""

import io
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject
from reportlab.lib.pagesizes import A5
from reportlab.pdfgen.canvas import Canvas

from clew.documents import load_file
from clew.errors import EncryptedDocumentError
from clew.records import Document

HEIGHT = A5[1]
LEFT, TOP = 50, HEIGHT - 90

TERN = [
    "The Tern is a fishing boat that was built in Varde in the year",
    "1911 by three brothers. Her hull is of oak and her mast is of pi-",
    "tch pine; the well-known sails were sewn in the loft behind the",
    "church.",
]
TEAL = [
    "The Teal came nine years later and is a little longer. She has",
    "no mast at all, since a motor drives her, and the wellknown",
    "captain never missed it.",
]


def draw(*pages: Callable[[Any], object], title: str = "") -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A5, invariant=True)
    if title:
        canvas.setTitle(title)
    for page in pages:
        page(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def write(canvas: Any, lines: list[str], top: float = TOP, size: float = 10) -> float:
    """Draw lines one below the other; return where the next one would stand."""
    canvas.setFont("Helvetica", size)
    for number, line in enumerate(lines):
        canvas.drawString(LEFT, top - number * size * 1.2, line)
    return top - len(lines) * size * 1.2


def load(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def blocks(document: Document) -> list[tuple[str, int, str]]:
    return [
        (block.kind.value, block.level, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def test_paragraphs_are_rejoined_and_headings_found(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        write(canvas, ["Two Boats"], HEIGHT - 60, 18)
        below = write(canvas, TERN)
        write(canvas, TEAL, below - 8)

    document = load(tmp_path / "a.pdf", draw(page, title="Microsoft Word - a.doc"))
    assert blocks(document) == [
        ("heading", 1, "Two Boats"),
        (
            "paragraph",
            0,
            " ".join(TERN).replace("pi- tch", "pitch"),
        ),
        ("paragraph", 0, " ".join(TEAL)),
    ]
    assert document.title == "Two Boats"


def test_the_format_s_own_title_serves_where_no_heading_begins(tmp_path: Path) -> None:
    document = load(tmp_path / "a.pdf", draw(lambda c: write(c, TERN), title="Boats"))
    assert document.title == "Boats"


def test_running_lines_go_and_pages_stay(tmp_path: Path) -> None:
    def page(number: int, lines: list[str]) -> Callable[[Any], None]:
        def drawn(canvas: Any) -> None:
            write(canvas, ["Harbour log of Varde"], HEIGHT - 40, 8)
            write(canvas, lines)
            write(canvas, [f"Page {number} of 3"], 30, 8)

        return drawn

    third = ["The third page ends the log."]
    document = load(tmp_path / "a.pdf", draw(page(1, TERN), page(2, TEAL), page(3, third)))
    assert "Harbour log" not in document.text
    assert "Page" not in document.text
    assert document.metadata["running_lines"] == ["Harbour log of Varde", "Page 1 of 3"]
    assert document.metadata["pages"] == 3
    texts = [document.text[page.start : page.end].split()[:2] for page in document.pages]
    assert texts == [["The", "Tern"], ["The", "Teal"], ["The", "third"]]


def test_a_page_bound_in_twice_is_no_running_line(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        write(canvas, ["To all masters: the mole is shut.", "It opens on Monday."], HEIGHT - 40)

    document = load(tmp_path / "a.pdf", draw(page, page))
    assert document.text.count("the mole is shut") == 2
    assert "running_lines" not in document.metadata


def test_a_sentence_goes_on_over_the_page(tmp_path: Path) -> None:
    first, second = TERN[:2], ["tch pine, and so is the boom that she carries."]
    document = load(
        tmp_path / "a.pdf",
        draw(lambda c: write(c, first), lambda c: write(c, second)),
    )
    assert "her mast is of pitch pine, and so" in document.text
    assert len(document.blocks) == 1
    assert [page.number for page in document.pages] == [1, 2]
    assert document.text[document.pages[1].start :].startswith("tch pine")


def test_lists(tmp_path: Path) -> None:
    lines = [
        "• sails of flax, which were sewn in the loft behind the old",
        "church of Varde",
        "• oars",
    ]
    document = load(tmp_path / "a.pdf", draw(lambda c: write(c, lines)))
    assert blocks(document) == [
        (
            "list_item",
            1,
            "- sails of flax, which were sewn in the loft behind the old church of Varde",
        ),
        ("list_item", 1, "- oars"),
    ]


def test_bullets_set_off_by_a_gap_make_no_columns(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        canvas.setFont("Helvetica", 10)
        for number, (mark, text) in enumerate([("•", "sails"), ("•", "oars"), ("2.", "mast")]):
            canvas.drawString(LEFT, TOP - 14 * number, mark)
            canvas.drawString(LEFT + 40, TOP - 14 * number, text)

    assert load(tmp_path / "a.pdf", draw(page)).text == "- sails\n- oars\n2. mast"


def test_typed_lines_in_a_set_text_are_code(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        below = write(canvas, TERN)
        canvas.setFont("Courier", 10)
        for number, text in enumerate(["while wind:", "    sail()", "-----", "moor()"]):
            lead = len(text) - len(text.lstrip())
            canvas.drawString(LEFT + 6 * lead, below - 12 * (number + 1), text.lstrip())

    kind, _, text = blocks(load(tmp_path / "a.pdf", draw(page)))[-1]
    assert (kind, text) == ("code", "while wind:\n    sail()\n-----\nmoor()")


def test_bold_lines_alone_are_headings_below_the_large_ones(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        write(canvas, ["Two Boats"], HEIGHT - 60, 18)
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawString(LEFT, TOP + 14, "1. The Tern")
        write(canvas, TERN)

    found = blocks(load(tmp_path / "a.pdf", draw(page)))
    assert found[:2] == [("heading", 1, "Two Boats"), ("heading", 2, "1. The Tern")]
    assert found[2][0] == "paragraph"


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    def page(canvas: Any) -> None:
        canvas.setFont("Helvetica", 8)
        for column, lines in enumerate(
            (
                ["The Tern sails from Varde to the", "outer mole, and"],
                ["then on to the skerries, where", "she turns."],
            )
        ):
            for number, line in enumerate(lines):
                canvas.drawString(LEFT + 170 * column, TOP - 10 * number, line)

    assert load(tmp_path / "a.pdf", draw(page)).text == (
        "The Tern sails from Varde to the outer mole, and then on to the skerries, where she turns."
    )


def test_tables_without_lines(tmp_path: Path) -> None:
    rows = [("Boat", "Year", "Catch"), ("Tern", "1911", "4 t"), ("Teal", "", "7 t")]

    def page(canvas: Any) -> None:
        canvas.setFont("Helvetica", 10)
        for number, row in enumerate(rows):
            for column, text in enumerate(row):
                canvas.drawString(LEFT + 90 * column, TOP - 14 * number, text)

    assert load(tmp_path / "a.pdf", draw(page)).text == (
        "| Boat | Year | Catch |\n| Tern | 1911 | 4 t |\n| Teal |  | 7 t |"
    )


def test_a_scan_without_text_is_empty(tmp_path: Path) -> None:
    document = load(tmp_path / "a.pdf", draw(lambda c: c.rect(50, 50, 100, 100)))
    assert (document.text, document.blocks, document.pages) == ("", (), ())
    assert document.metadata["pages"] == 1


def test_a_broken_page_is_named_and_costs_no_other(tmp_path: Path) -> None:
    data = draw(partial(write, lines=TERN), partial(write, lines=TEAL))
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.pages[0][NameObject("/Type")] = NameObject("/Nonsense")
    path = tmp_path / "a.pdf"
    writer.write(path)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    assert document.text.startswith("The Teal")
    assert document.pages[0].number == 2
    assert document.metadata["unreadable_pages"] == [1]


def test_encrypted_files(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(draw(lambda c: write(c, TERN)))))
    writer.encrypt("secret", algorithm="RC4-128")
    path = tmp_path / "locked.pdf"
    writer.write(path)
    with pytest.raises(EncryptedDocumentError, match=r"locked\.pdf.*password"):
        list(load_file(path))


def test_files_that_only_forbid_printing_are_read(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(draw(lambda c: write(c, TERN)))))
    writer.encrypt("", "owner", algorithm="RC4-128")
    path = tmp_path / "a.pdf"
    writer.write(path)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    assert document.text.startswith("The Tern")


def test_threads_do_not_disturb_each_other(tmp_path: Path) -> None:
    paths = []
    for number in range(6):
        path = tmp_path / f"{number}.pdf"
        path.write_bytes(draw(*[partial(write, lines=[f"Boat {number} sails."])] * 5))
        paths.append(path)
    found: dict[int, str] = {}

    def read(number: int) -> None:
        (document,) = load_file(paths[number])
        assert isinstance(document, Document)
        found[number] = document.text

    threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {n: "\n\n".join([f"Boat {n} sails."] * 5) for n in range(6)}
