"""E-mail: the plain body before the HTML one; header fields and attachments are metadata."""

from email.message import EmailMessage
from pathlib import Path

from clew.documents import load_file
from clew.records import BlockKind, Document


def load(path: Path, data: bytes) -> Document:
    path.write_bytes(data)
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def message() -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = "Überholung der Tern"
    mail["From"] = "Ada <ada@harbour.example>"
    mail["To"] = "Bo <bo@harbour.example>"
    mail["Date"] = "Mon, 02 Jun 2031 08:00:00 +0000"
    return mail


def test_body_and_fields(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("The mast — at last — is up.\n\nAda\n")
    mail.add_alternative("<p>The <b>mast</b></p>", subtype="html")
    mail.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="mast.pdf")
    document = load(tmp_path / "a.eml", mail.as_bytes())
    assert document.text == "The mast — at last — is up.\n\nAda\n"
    assert document.title == "Überholung der Tern"
    assert document.metadata["from"] == "Ada <ada@harbour.example>"
    assert document.metadata["date"] == "Mon, 02 Jun 2031 08:00:00 +0000"
    assert document.metadata["attachments"] == ["mast.pdf"]


def test_html_alone(tmp_path: Path) -> None:
    mail = message()
    mail.set_content("<h1>Mast</h1><p>It is up.</p>", subtype="html")
    document = load(tmp_path / "a.eml", mail.as_bytes())
    assert document.text == "Mast\n\nIt is up."
    assert document.blocks[0].kind is BlockKind.HEADING


def test_a_wrong_charset_does_not_lose_the_text(tmp_path: Path) -> None:
    data = (
        b"Subject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=no-such\n"
        b"Content-Transfer-Encoding: 8bit\n\nM\xc3\xa5st\n"
    )
    assert load(tmp_path / "a.eml", data).text == "Måst\n"


def test_a_broken_header_does_not_lose_the_text(tmp_path: Path) -> None:
    data = b'Subject: =?utf-8?q?M=C3=A5st?=\nFrom: "a" <<>@[;,\nTo: @\nDate: never\n\nUp.\n'
    document = load(tmp_path / "a.eml", data)
    assert (document.title, document.text) == ("Måst", "Up.\n")


def test_no_body(tmp_path: Path) -> None:
    mail = message()
    mail.add_attachment(b"x", maintype="image", subtype="png", filename="a.png")
    document = load(tmp_path / "a.eml", mail.as_bytes())
    assert document.text == ""
    assert document.metadata["attachments"] == ["a.png"]
