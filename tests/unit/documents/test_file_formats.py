"""Which reader a file gets, and the reason it is given where there is none."""

import io
import zipfile
from pathlib import Path

import pytest

from clew.documents import archive, load_file
from clew.errors import (
    BrokenDocumentError,
    DocumentError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from clew.records import Document


def zipped(**members: str | bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as container:
        for name, content in members.items():
            # Without a date of its own a member has that of now, and tests would change names.
            member = zipfile.ZipInfo(name.replace("__", "/"), date_time=(2000, 1, 1, 0, 0, 0))
            container.writestr(member, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def load(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize("name", ["README", "a.TXT", "b.log", "c.py", "d.yaml"])
def test_text_like_names_are_plain_text(tmp_path: Path, name: str) -> None:
    assert load(tmp_path / name, b"The Tern is a boat.").media_type == "text/plain"


def test_a_page_without_a_suffix_is_known_by_its_head(tmp_path: Path) -> None:
    document = load(
        tmp_path / "page", b"<!DOCTYPE html><html><body><p>A <b>boat</b></p></body></html>"
    )
    assert (document.media_type, document.text) == ("text/html", "A boat")


def test_a_page_under_the_name_of_another_format_is_read(tmp_path: Path) -> None:
    document = load(tmp_path / "report.pdf", b"<html><body><p>Not found</p></body></html>")
    assert document.text == "Not found"


@pytest.mark.parametrize(
    ("name", "data", "kind", "reason"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n", UnsupportedFormatError, r"\.png"),
        ("a.xyz", b"plain words", UnsupportedFormatError, r"\.xyz.*rename it to \.txt"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + bytes(50), UnsupportedFormatError, "PNG"),
        ("a.txt", bytes(range(256)) * 9, UnsupportedFormatError, "binary"),
        ("a.txt", b"{\\rtf1 x}", UnsupportedFormatError, "Rich Text.*docx"),
        ("a.zip", zipped(a="x"), UnsupportedFormatError, "unpack it first"),
        ("a.xlsx", zipped(xl__workbook="x"), BrokenDocumentError, "main part"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), UnsupportedFormatError, "2007"),
        (
            "a.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            EncryptedDocumentError,
            "password",
        ),
        ("a.docx", b"", BrokenDocumentError, "empty"),
        ("a.docx", b"not a zip", BrokenDocumentError, "DOCX"),
        ("a.docx", zipped(a="x"), BrokenDocumentError, "main part"),
        ("a.docx", zipped(word__document="x")[:60], BrokenDocumentError, "damaged zip"),
        ("a.pdf", b"", BrokenDocumentError, "empty"),
        ("a.pdf", b"%PDF-1.7 and nothing else", BrokenDocumentError, "damaged"),
        ("a.pptx", zipped(ppt__x="x"), BrokenDocumentError, "main part"),
        ("a.epub", zipped(mimetype="application/epub+zip"), BrokenDocumentError, "opf"),
        (
            "a.odt",
            zipped(mimetype="application/vnd.oasis.opendocument.text"),
            BrokenDocumentError,
            "content",
        ),
        ("a.ipynb", b"no json", BrokenDocumentError, "no JSON"),
        ("a.json", b"no json", BrokenDocumentError, "no JSON"),
        ("a.eml", b"\n\nno header", BrokenDocumentError, "no e-mail"),
    ],
)
def test_refusals_name_path_and_reason(
    tmp_path: Path, name: str, data: bytes, kind: type[DocumentError], reason: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(kind, match=reason) as caught:
        list(load_file(path))
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"gone\.md.*No such file"):
        list(load_file(tmp_path / "gone.md"))


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.rst", "a.html", "a.csv", "a.json"])
def test_an_empty_file_is_an_empty_document(tmp_path: Path, name: str) -> None:
    document = load(tmp_path / name, b"")
    assert (document.text, document.blocks, document.pages) == ("", (), ())


def test_an_empty_file_of_records_has_none(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n \n")
    assert list(load_file(path)) == []


def bomb(size: int) -> bytes:
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    head = f'<w:document xmlns:w="{namespace}"><w:body><w:p><w:r><w:t>'.encode()
    tail = b"</w:t></w:r></w:p></w:body></w:document>"
    members: dict[str, str | bytes] = {"word__document.xml": head + b"A" * size + tail}
    return zipped(**{"[Content_Types].xml": "<Types/>", **members})


def test_a_zip_bomb_is_refused_with_its_size(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    path.write_bytes(bomb(200 * 2**20))
    with pytest.raises(BrokenDocumentError, match="unpacks to 200 MiB, above the limit of 128 MiB"):
        list(load_file(path))


def test_the_limit_counts_all_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 1000)
    path = tmp_path / "small.docx"
    path.write_bytes(bomb(2000))
    with pytest.raises(BrokenDocumentError, match="unpacks to"):
        list(load_file(path))


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the password is heron")
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    namespace = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    document = (
        f'<!DOCTYPE d [<!ENTITY l0 "ha">{laughs}<!ENTITY f SYSTEM "{secret.as_uri()}">]>'
        f'<w:document xmlns:w="{namespace}"><w:body><w:p><w:r>'
        "<w:t>kept &f; &l9;</w:t></w:r></w:p></w:body></w:document>"
    )
    data = zipped(**{"[Content_Types].xml": "<Types/>", "word__document.xml": document})
    loaded = load(tmp_path / "entities.docx", data)
    assert "kept" in loaded.text
    assert "heron" not in loaded.text
    assert "ha" not in loaded.text


def test_what_is_nested_without_end_is_a_named_error(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 200_000 + "]" * 200_000)
    with pytest.raises(BrokenDocumentError, match=r"deep\.json.*nested too deeply"):
        list(load_file(path))
