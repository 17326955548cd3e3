"""Plain text, Markdown and reStructuredText keep every character; form feeds give pages."""

import os
from pathlib import Path

import pytest

from clew.documents import load_file, source_hash, source_name
from clew.ids import document_id
from clew.records import BlockKind, Document


def load(path: Path, root: Path | None = None) -> Document:
    (document,) = load_file(path, root=root)
    assert isinstance(document, Document)
    return document


def test_the_name_is_the_path_as_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "tern.txt").write_text("Sailed.")
    monkeypatch.chdir(tmp_path)
    document = load(Path("log/tern.txt"))
    assert (document.doc_id, document.source) == ("log/tern.txt", "log/tern.txt")
    assert document.id == document_id("default", "log/tern.txt")
    assert document.source_hash == source_hash(b"Sailed.")


def test_below_a_root_the_name_is_relative(tmp_path: Path) -> None:
    path = tmp_path / "tern.txt"
    path.write_text("Sailed.")
    assert load(path, root=tmp_path).doc_id == "tern.txt"
    assert load(path, root=tmp_path).source == path.as_posix()
    assert load(path, root=tmp_path / "else").doc_id == path.as_posix()


def test_names_that_are_no_text_can_be_stored(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/b\xe5t.txt")
    Path(path).write_text("A boat.")
    document = load(Path(path))
    assert document.source == source_name(path)
    assert document.source.endswith("/b\\xe5t.txt")
    document.doc_id.encode()


def test_line_ends_and_form_feeds_stay(tmp_path: Path) -> None:
    text = "One.\r\n\r\nTwo.\rThree.\n\x0cFour.\n\nFive.\x0cSix."
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode())
    document = load(path)
    assert document.text == text
    assert [text[page.start : page.end] for page in document.pages] == [
        "One.\r\n\r\nTwo.\rThree.\n\x0c",
        "Four.\n\nFive.\x0c",
        "Six.",
    ]
    assert [page.number for page in document.pages] == [1, 2, 3]


def test_without_form_feeds_there_are_no_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("One.")
    assert load(path).pages == ()


def test_a_form_feed_at_the_end_begins_no_page(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("One.\x0c")
    assert [(page.start, page.end) for page in load(path).pages] == [(0, 5)]


def test_nuls_go(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"One\x00 two.\x0cThree")
    document = load(path)
    assert document.text == "One two.\x0cThree"
    assert document.pages[-1].end == len(document.text)


def test_markdown_and_restructured_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Tern\n\nA boat.\n")
    (tmp_path / "a.rst").write_text("Tern\n====\n\nA boat.\n")
    for name in ("a.md", "a.rst"):
        document = load(tmp_path / name)
        assert document.title == "Tern"
        assert [block.kind for block in document.blocks] == [
            BlockKind.HEADING,
            BlockKind.PARAGRAPH,
        ]


def test_the_file_name_is_no_title(tmp_path: Path) -> None:
    path = tmp_path / "tern.md"
    path.write_text("A boat.\n")
    assert load(path).title == ""
