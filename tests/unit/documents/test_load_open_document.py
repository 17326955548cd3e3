"""OpenDocument files: texts, spreadsheets, presentations, packed or flat."""

import zipfile
from pathlib import Path

import pytest

from clew.documents import load_file
from clew.errors import EncryptedDocumentError
from clew.records import Document

NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "style": "style",
        "draw": "drawing",
        "presentation": "presentation",
        "chart": "chart",
        "meta": "meta",
    }.items()
)
NAMESPACES += (
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def content(kind: str, body: str, styles: str = "") -> str:
    return (
        f"<office:document-content {NAMESPACES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document-content>"
    )


def load(path: Path, document: str, **parts: str) -> Document:
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        package.writestr("content.xml", document)
        for name, part in parts.items():
            package.writestr(name.replace("__", "/").replace("_xml", ".xml"), part)
    (loaded,) = load_file(path)
    assert isinstance(loaded, Document)
    return loaded


def blocks(document: Document) -> list[tuple[str, int, str]]:
    return [
        (block.kind.value, block.level, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def test_text(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="P1" style:parent-style-name="Title"/>'
        '<style:style style:name="P2" style:parent-style-name="Preformatted_20_Text"/>'
        '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" '
        'style:num-format="1"/><text:list-level-style-bullet text:level="2"/></text:list-style>'
    )
    body = (
        "<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>"
        '<text:p text:style-name="P1">The Tern</text:p>'
        '<text:h text:outline-level="2">Hull</text:h>'
        "<text:p>Built<text:s text:c='2'/>of <text:span>oak</text:span>.<text:line-break/>Yes"
        "<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>"
        "<text:note-body><text:p>In May.</text:p></text:note-body></text:note></text:p>"
        '<text:list text:style-name="L1"><text:list-item><text:p>sails</text:p><text:list>'
        "<text:list-item><text:p>jib</text:p></text:list-item></text:list></text:list-item>"
        "<text:list-item><text:p>oars</text:p></text:list-item></text:list>"
        '<text:p text:style-name="P2">a = 1</text:p><text:p text:style-name="P2">b = 2</text:p>'
        "<text:p><draw:frame><draw:text-box><text:p>in the box</text:p></draw:text-box>"
        "</draw:frame></text:p>"
    )
    meta = (
        f"<office:document-meta {NAMESPACES}><office:meta><dc:title>Log</dc:title>"
        "<dc:creator>Ada</dc:creator></office:meta></office:document-meta>"
    )
    document = load(tmp_path / "a.odt", content("text", body, styles), meta_xml=meta)
    assert blocks(document) == [
        ("heading", 1, "The Tern"),
        ("heading", 2, "Hull"),
        ("paragraph", 0, "Built  of oak.\nYes[^1]"),
        ("list_item", 1, "1. sails"),
        ("list_item", 2, "  - jib"),
        ("list_item", 1, "2. oars"),
        ("code", 0, "a = 1"),
        ("code", 0, "b = 2"),
        ("paragraph", 0, "in the box"),
        ("paragraph", 0, "[^1]: In May."),
    ]
    assert document.title == "The Tern"
    assert document.metadata["author"] == "Ada"


def test_raised_digits_are_exponents(tmp_path: Path) -> None:
    styles = (
        '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/>'
        "</style:style>"
    )
    body = '<text:p>10<text:span text:style-name="T1">3</text:span> m</text:p>'
    assert load(tmp_path / "a.odt", content("text", body, styles)).text == "10^3 m"


def test_spreadsheet(tmp_path: Path) -> None:
    body = (
        '<table:table table:name="Catch"><table:table-row>'
        "<table:table-cell><text:p>Boat</text:p></table:table-cell>"
        "<table:table-cell table:number-columns-spanned='2'><text:p>Catch</text:p>"
        "</table:table-cell><table:covered-table-cell/></table:table-row>"
        "<table:table-row table:number-rows-repeated='2'>"
        "<table:table-cell><text:p>Tern</text:p></table:table-cell>"
        "<table:table-cell table:number-columns-repeated='2'><text:p>4</text:p></table:table-cell>"
        "<table:table-cell table:number-columns-repeated='16000'/></table:table-row>"
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell/>"
        "</table:table-row></table:table>"
    )
    document = load(tmp_path / "a.ods", content("spreadsheet", body))
    assert blocks(document) == [
        ("heading", 2, "Catch"),
        ("table_header", 0, "| Boat | Catch | Catch |"),
        ("table_row", 0, "| Tern | 4 | 4 |"),
        ("table_row", 0, "| Tern | 4 | 4 |"),
    ]


def test_presentation_with_a_chart(tmp_path: Path) -> None:
    chart = (
        f"<office:document-content {NAMESPACES}><office:body><office:chart><chart:chart>"
        "<chart:title><text:p>By year</text:p></chart:title><table:table><table:table-row>"
        "<table:table-cell/><table:table-cell><text:p>t</text:p></table:table-cell>"
        "</table:table-row><table:table-row><table:table-cell><text:p>1911</text:p>"
        "</table:table-cell><table:table-cell><text:p>4</text:p></table:table-cell>"
        "</table:table-row></table:table></chart:chart></office:chart></office:body>"
        "</office:document-content>"
    )
    body = (
        '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Hull</text:p>'
        "</draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>oak</text:p>"
        "</draw:text-box></draw:frame><draw:g><draw:custom-shape><text:p>keel</text:p>"
        "</draw:custom-shape></draw:g><presentation:notes><draw:frame><draw:text-box>"
        "<text:p>Show it.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"
        '<draw:page><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></draw:page>'
    )
    document = load(
        tmp_path / "a.odp",
        content("presentation", body),
        **{"Object 1__content_xml": chart},
    )
    assert blocks(document) == [
        ("heading", 1, "Hull"),
        ("paragraph", 0, "oak"),
        ("paragraph", 0, "keel"),
        ("paragraph", 0, "Notes: Show it."),
        ("paragraph", 0, "By year"),
        ("table_header", 0, "|  | t |"),
        ("table_row", 0, "| 1911 | 4 |"),
    ]
    assert [page.number for page in document.pages] == [1, 2]


def test_flat_files(tmp_path: Path) -> None:
    path = tmp_path / "a.fodt"
    path.write_text(content("text", "<text:p>It sailed.</text:p>"))
    (document,) = load_file(path)
    assert isinstance(document, Document)
    assert document.text == "It sailed."


def test_a_damaged_side_part_is_named_and_costs_no_text(tmp_path: Path) -> None:
    document = load(
        tmp_path / "a.odt", content("text", "<text:p>It sailed.</text:p>"), styles_xml="no xml"
    )
    assert document.text == "It sailed."
    assert document.metadata["unreadable_parts"] == ["styles.xml"]


def test_encrypted_files(tmp_path: Path) -> None:
    manifest = (
        "<manifest:manifest xmlns:manifest='m'><manifest:encryption-data/></manifest:manifest>"
    )
    with pytest.raises(EncryptedDocumentError, match=r"a\.odt.*password"):
        load(tmp_path / "a.odt", "scrambled", **{"META-INF__manifest_xml": manifest})
