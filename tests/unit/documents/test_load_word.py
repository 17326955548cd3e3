"""Word files: all that a reader sees, once, in order."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.shared import Pt

from clew.documents import load_file
from clew.records import BlockKind, Document

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def load(path: Path, document: Any = None, body: str = "") -> Document:
    """Load a python-docx document, with raw XML put at the end of its body."""
    document = document or docx.Document()
    for part in re.findall(r"<w:(?:p|tbl|sdt)>.*?</w:(?:p|tbl|sdt)>(?=<w:(?:p|tbl|sdt)>|$)", body):
        element = parse_xml(part.replace(">", f" {W} {M} {MC}>", 1))
        document.element.body.insert(len(document.element.body) - 1, element)
    document.save(str(path))
    (loaded,) = load_file(path)
    assert isinstance(loaded, Document)
    return loaded


def blocks(document: Document) -> list[tuple[str, int, str]]:
    return [
        (block.kind.value, block.level, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def run(text: str, properties: str = "") -> str:
    return f"<w:r>{properties}<w:t xml:space='preserve'>{text}</w:t></w:r>"


def test_structure(tmp_path: Path) -> None:
    source = docx.Document()
    source.core_properties.author = "Ada"
    source.add_heading("The Tern", 0)
    source.add_heading("Hull", 1)
    source.add_paragraph("Built of oak.")
    source.add_paragraph("sails", style="List Bullet")
    source.add_paragraph("jib", style="List Bullet 2")
    source.add_paragraph("first", style="List Number")
    source.add_paragraph("second", style="List Number")
    source.add_paragraph("Fair winds.", style="Quote")
    table = source.add_table(2, 2)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells], ["Boat", "Year", "Tern", "1911"], strict=True
    ):
        cell.text = text
    document = load(tmp_path / "a.docx", source)
    assert blocks(document) == [
        ("heading", 1, "The Tern"),
        ("heading", 1, "Hull"),
        ("paragraph", 0, "Built of oak."),
        ("list_item", 1, "- sails"),
        ("list_item", 2, "  - jib"),
        ("list_item", 1, "1. first"),
        ("list_item", 1, "2. second"),
        ("quote", 1, "Fair winds."),
        ("table_header", 0, "| Boat | Year |"),
        ("table_row", 0, "| Tern | 1911 |"),
    ]
    assert document.title == "The Tern"
    assert document.metadata["author"] == "Ada"


def test_tracked_changes_fields_and_hidden_text(tmp_path: Path) -> None:
    body = (
        "<w:p>"
        + run("The ")
        + f"<w:ins>{run('new ')}</w:ins><w:del><w:r><w:delText>old </w:delText></w:r></w:del>"
        + "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>REF x</w:instrText></w:r>"
        + run("mast")
        + run(" secret", "<w:rPr><w:vanish/></w:rPr>")
        + f"<w:hyperlink>{run(' is up')}</w:hyperlink>"
        + "<w:r><w:noBreakHyphen/><w:t>o</w:t><w:tab/><w:t>k</w:t><w:br/><w:t>end</w:t></w:r>"
        + "</w:p>"
    )
    assert load(tmp_path / "a.docx", body=body).text == "The new mast is up-o\tk\nend"


def test_raised_digits_are_exponents(tmp_path: Path) -> None:
    up = "<w:rPr><w:vertAlign w:val='superscript'/></w:rPr>"
    body = f"<w:p>{run('10')}{run('3', up)}{run(' on the 1')}{run('st', up)}</w:p>"
    assert load(tmp_path / "a.docx", body=body).text == "10^3 on the 1st"


def test_content_controls_and_text_boxes(tmp_path: Path) -> None:
    box = f"<w:txbxContent><w:p>{run('in the box')}</w:p></w:txbxContent>"
    body = (
        f"<w:sdt><w:sdtPr/><w:sdtContent><w:p>{run('in the control')}</w:p></w:sdtContent></w:sdt>"
        f"<w:p>{run('anchor')}<w:r><mc:AlternateContent><mc:Choice Requires='wps'>{box}</mc:Choice>"
        f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    document = load(tmp_path / "a.docx", body=body)
    assert document.text == "in the control\n\nanchor\n\nin the box"


def test_math_is_latex(tmp_path: Path) -> None:
    body = (
        f"<w:p>{run('Area ')}<m:oMath><m:r><m:t>A=</m:t></m:r><m:f><m:num><m:r><m:t>a</m:t></m:r>"
        "</m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>r</m:t></m:r>"
        "</m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup><m:rad><m:deg/><m:e><m:r><m:t>x"
        "</m:t></m:r></m:e></m:rad></m:oMath></w:p>"
    )
    assert load(tmp_path / "a.docx", body=body).text == r"Area $A=\frac{a}{2}r^{2}\sqrt{x}$"


def test_merged_and_nested_tables(tmp_path: Path) -> None:
    source = docx.Document()
    table = source.add_table(3, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Catch"
    table.cell(0, 2).text = "Year"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "Tern"
    table.cell(1, 1).text = "cod\ntwo lines"
    inner = table.cell(2, 1).add_table(1, 2)
    inner.cell(0, 0).text = "eel"
    inner.cell(0, 1).text = "7"
    table.cell(2, 2).text = "1920"
    assert [text for _, _, text in blocks(load(tmp_path / "a.docx", source))] == [
        "| Catch | Catch | Year |",
        "| Tern | cod two lines |  |",
        "| Tern | eel 7 | 1920 |",
    ]


def test_a_table_of_one_cell_is_a_box(tmp_path: Path) -> None:
    source = docx.Document()
    cell = source.add_table(1, 1).cell(0, 0)
    cell.text = "One."
    cell.add_paragraph("Two.")
    assert load(tmp_path / "a.docx", source).text == "One.\n\nTwo."


def test_code_paragraphs_are_one_run_of_lines(tmp_path: Path) -> None:
    source = docx.Document()
    style = source.styles.add_style("Source Code", 1)
    style.font.size = Pt(9)
    for line in ("def sail():", "    return 7"):
        source.add_paragraph(line, style="Source Code")
    document = load(tmp_path / "a.docx", source)
    assert document.text == "def sail():\n    return 7"
    assert {block.kind for block in document.blocks} == {BlockKind.CODE}


def test_running_heads_stand_once_and_comments_at_the_end(tmp_path: Path) -> None:
    source = docx.Document()
    paragraph = source.add_paragraph("The mast is up.")
    source.add_comment(paragraph.runs, text="Is it?", author="Bo")
    for _ in range(2):
        section = source.add_section()
        section.header.is_linked_to_previous = False
        section.header.paragraphs[0].text = "Harbour log"
        section.footer.is_linked_to_previous = False
        section.footer.paragraphs[0].text = "7"
    document = load(tmp_path / "a.docx", source)
    assert document.text == "The mast is up.\n\nComment by Bo: Is it?\n\nHarbour log"


def packed(path: Path, **parts: str) -> Document:
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as container:
        container.writestr("[Content_Types].xml", "<Types/>")
        rows = []
        for name, content in parts.items():
            tag = content[: content.index(">") + 1]
            container.writestr(f"word/{name}.xml", content.replace(tag, f"{tag[:-1]} {W}>", 1))
            rows.append(
                f'<Relationship Id="{name}" Type="{relations}/{name}" Target="{name}.xml"/>'
            )
        container.writestr(
            "word/_rels/document.xml.rels", f"<Relationships>{''.join(rows)}</Relationships>"
        )
    path.write_bytes(buffer.getvalue())
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def test_a_damaged_side_part_is_named_and_costs_no_text(tmp_path: Path) -> None:
    document = packed(
        tmp_path / "a.docx",
        document=f"<w:document><w:body><w:p>{run('It sailed.')}</w:p></w:body></w:document>",
        styles="<w:styles>",
    )
    assert document.text == "It sailed."
    assert document.metadata["unreadable_parts"] == ["word/styles.xml"]


def test_notes(tmp_path: Path) -> None:
    document = packed(
        tmp_path / "a.docx",
        document="<w:document><w:body><w:p><w:r><w:t>It sailed</w:t><w:footnoteReference w:id='2'/>"
        "<w:t>.</w:t><w:endnoteReference w:id='1'/></w:r></w:p></w:body></w:document>",
        footnotes="<w:footnotes><w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>"
        f"<w:footnote w:id='2'><w:p>{run('In May.')}</w:p></w:footnote></w:footnotes>",
        endnotes="<w:endnotes><w:endnote w:id='1'>"
        f"<w:p>{run('Log.')}</w:p></w:endnote></w:endnotes>",
    )
    assert document.text == "It sailed[^2].[^e1]\n\n[^2]: In May.\n\n[^e1]: Log."


def test_numbers_are_computed(tmp_path: Path) -> None:
    def level(depth: int, form: str, text: str) -> str:
        return (
            f"<w:lvl w:ilvl='{depth}'><w:start w:val='1'/><w:numFmt w:val='{form}'/>"
            f"<w:lvlText w:val='{text}'/></w:lvl>"
        )

    def item(text: str, depth: int, number: int = 1) -> str:
        return (
            f"<w:p><w:pPr><w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{number}'/></w:numPr>"
            f"</w:pPr>{run(text)}</w:p>"
        )

    numbering = (
        "<w:numbering><w:abstractNum w:abstractNumId='5'>"
        + level(0, "decimal", "%1.")
        + level(1, "lowerLetter", "%1.%2)")
        + level(2, "upperRoman", "%3")
        + "</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='5'/></w:num>"
        + "<w:num w:numId='2'><w:abstractNumId w:val='5'/><w:lvlOverride w:ilvl='0'>"
        + "<w:startOverride w:val='1'/></w:lvlOverride></w:num></w:numbering>"
    )
    body = "".join(
        [
            item("a", 0),
            item("b", 1),
            item("c", 1),
            item("d", 2),
            item("e", 0),
            item("f", 1),
            item("g", 0, 2),
            item("h", 0, 2),
        ]
    )
    document = packed(
        tmp_path / "a.docx",
        document=f"<w:document><w:body>{body}</w:body></w:document>",
        numbering=numbering,
    )
    assert document.text.split("\n") == [
        "1. a",
        "  1.a) b",
        "  1.b) c",
        "    I. d",
        "2. e",
        "  2.a) f",
        "1. g",
        "2. h",
    ]


def test_pages_as_word_last_drew_them(tmp_path: Path) -> None:
    mark = "<w:r><w:lastRenderedPageBreak/></w:r>"
    document = packed(
        tmp_path / "a.docx",
        document="<w:document><w:body>"
        f"<w:p>{run('One.')}</w:p><w:p>{mark}{run('Two')}</w:p>"
        f"<w:p>{run('goes on ')}{mark}{run('here')}</w:p></w:body></w:document>",
    )
    found = [(page.number, document.text[page.start : page.end]) for page in document.pages]
    assert found == [(1, "One.\n\n"), (2, "Two\n\ngoes on "), (3, "here")]
