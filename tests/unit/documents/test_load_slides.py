"""PowerPoint files: a page a slide, whatever shape the words are in."""

from pathlib import Path
from typing import Any

import pptx
from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from clew.documents import load_file
from clew.records import Document


def load(path: Path, show: Any) -> Document:
    show.save(str(path))
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def blocks(document: Document) -> list[tuple[str, int, str]]:
    return [
        (block.kind.value, block.level, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def box(holder: Any, text: str) -> Any:
    shape = holder.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    shape.text_frame.text = text
    return shape


def test_titles_lists_and_notes(tmp_path: Path) -> None:
    show = pptx.Presentation()
    first = show.slides.add_slide(show.slide_layouts[0])
    first.shapes.title.text = "The Tern"
    first.placeholders[1].text = "A boat of Varde"
    second = show.slides.add_slide(show.slide_layouts[1])
    second.shapes.title.text = "Hull\vand mast"
    frame = second.placeholders[1].text_frame
    frame.text = "oak"
    frame.add_paragraph().text = "ash"
    frame.paragraphs[1].level = 1
    second.notes_slide.notes_text_frame.text = "Show the plank."
    document = load(tmp_path / "a.pptx", show)
    assert blocks(document) == [
        ("heading", 1, "The Tern"),
        ("paragraph", 0, "A boat of Varde"),
        ("heading", 1, "Hull and mast"),
        ("list_item", 1, "- oak"),
        ("list_item", 2, "  - ash"),
        ("paragraph", 0, "Notes: Show the plank."),
    ]
    assert [page.number for page in document.pages] == [1, 2]
    assert document.text[document.pages[1].start :].startswith("Hull and mast")
    assert document.title == "The Tern"


def test_groups_tables_and_charts(tmp_path: Path) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    box(group.shapes, "outer")
    box(group.shapes.add_group_shape().shapes, "inner")
    table = slide.shapes.add_table(3, 2, 0, 0, Inches(4), Inches(2)).table
    table.cell(0, 0).merge(table.cell(0, 1))
    for row, column, text in ((0, 0, "Catch"), (1, 0, "cod"), (1, 1, "4"), (2, 0, "eel\nx")):
        table.cell(row, column).text = text
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["1911", "1912"]
    data.add_series("Catch in t", (4.3, 7))
    chart = slide.shapes.add_chart(XL_CHART_TYPE.LINE, 0, 0, Inches(3), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "By year"
    assert [text for _, _, text in blocks(load(tmp_path / "a.pptx", show))] == [
        "outer",
        "inner",
        "| Catch |  |",
        "| cod | 4 |",
        "| eel x |  |",
        "By year",
        "|  | Catch in t |",
        "| 1911 | 4.3 |",
        "| 1912 | 7 |",
    ]


def test_the_order_of_the_show_counts(tmp_path: Path) -> None:
    show = pptx.Presentation()
    for text in ("one", "two"):
        box(show.slides.add_slide(show.slide_layouts[6]).shapes, text)
    order = show.slides._sldIdLst
    order.append(order[0])
    assert load(tmp_path / "a.pptx", show).text == "two\n\none"


def test_malformed_shapes_cost_only_themselves(tmp_path: Path) -> None:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    tree = slide.shapes._spTree
    p = "http://schemas.openxmlformats.org/presentationml/2006/main"
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    tree.append(etree.fromstring(f'<p:sp xmlns:p="{p}"/>'))
    tree.append(etree.fromstring(f'<p:graphicFrame xmlns:p="{p}"/>'))
    tree.append(
        etree.fromstring(
            f'<p:oddShape xmlns:p="{p}" xmlns:a="{a}"><p:txBody><a:p><a:pPr lvl="x"/>'
            "<a:r><a:t>odd words</a:t></a:r></a:p></p:txBody></p:oddShape>"
        )
    )
    box(slide.shapes, "plain words")
    assert load(tmp_path / "a.pptx", show).text == "odd words\n\nplain words"


def test_numbers_and_footers(tmp_path: Path) -> None:
    show = pptx.Presentation()
    a = "http://schemas.openxmlformats.org/drawingml/2006/main"
    for _ in range(2):
        slide = show.slides.add_slide(show.slide_layouts[6])
        shape = box(slide.shapes, "hoist")
        shape.text_frame.add_paragraph().text = "sail"
        for paragraph in shape.text_frame.paragraphs:
            mark = etree.fromstring(f'<a:buAutoNum xmlns:a="{a}" type="arabicPeriod"/>')
            paragraph._p.get_or_add_pPr().append(mark)
        for kind, text in (("ftr", "Varde harbour"), ("sldNum", "3")):
            footer = box(slide.shapes, text)
            holder = footer._element.nvSpPr.find(f"{{{footer._element.nsmap['p']}}}nvPr")
            holder.append(
                etree.fromstring(f'<p:ph xmlns:p="{footer._element.nsmap["p"]}" type="{kind}"/>')
            )
    document = load(tmp_path / "a.pptx", show)
    assert document.text == "1. hoist\n2. sail\n\nVarde harbour\n\n1. hoist\n2. sail"
