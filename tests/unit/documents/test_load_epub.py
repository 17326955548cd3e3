"""Books: the spine gives the order, each chapter is a page of HTML."""

import zipfile
from pathlib import Path

import pytest

from clew.documents import load_file
from clew.errors import EncryptedDocumentError
from clew.records import Document

CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
BOOK = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>The Tern</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bo</dc:creator>
<dc:language>en</dc:language></metadata><manifest>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>
<item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>
<item id="css" href="a.css" media-type="text/css"/></manifest>
<spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="gone"/><itemref idref="b"/>
<itemref idref="css"/></spine></package>"""


def chapter(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
        f"<head><title/></head><body>{body}</body></html>"
    )


def write(path: Path, **more: str) -> Path:
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("OEBPS/book.opf", BOOK)
        book.writestr("OEBPS/nav.xhtml", chapter("<nav><a>Contents</a></nav>"))
        book.writestr("OEBPS/text/one a.xhtml", chapter("<h2>One</h2><p>It sailed.</p>"))
        book.writestr("OEBPS/text/two.xhtml", chapter("<h2>Two</h2><p>It came back – late.</p>"))
        for name, content in more.items():
            book.writestr(name.replace("__", "/"), content)
    return path


def test_chapters_in_the_order_of_the_spine(tmp_path: Path) -> None:
    (document,) = load_file(write(tmp_path / "a.epub"))
    assert isinstance(document, Document)
    assert document.text == "One\n\nIt sailed.\n\nTwo\n\nIt came back – late."
    assert document.title == "The Tern"
    assert document.metadata == {
        "author": "Ada; Bo",
        "language": "en",
        "missing_chapters": ["OEBPS/gone.xhtml"],
    }


@pytest.mark.parametrize(
    ("algorithm", "part", "readable"),
    [
        ("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/text/two.xhtml", False),
        ("http://www.idpf.org/2008/embedding", "OEBPS/font.otf", True),
    ],
)
def test_protected_books(tmp_path: Path, algorithm: str, part: str, readable: bool) -> None:
    encryption = (
        f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData>'
        f'<CipherReference URI="{part}"/></CipherData></EncryptedData></encryption>'
    )
    path = write(tmp_path / "a.epub", **{"META-INF__encryption.xml": encryption})
    if readable:
        assert len(list(load_file(path))) == 1
    else:
        with pytest.raises(EncryptedDocumentError, match=r"a\.epub.*protected"):
            list(load_file(path))
