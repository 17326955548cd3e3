"""HTML source by its elements."""

from __future__ import annotations

from itertools import pairwise

import pytest

from clew.chunking import HtmlChunker, chunk_by
from clew.chunking.syntax.html_source import html_blocks, is_html
from clew.records import Block, BlockKind, Chunk, Document

PAGE = (
    "<html><head><title>T</title><script>if (a<b) { x='<p>' }</script></head><body>"
    "<h1>Bridges</h1><p>Old ones.</p><h2 class='x'>Norr <b>Bridge</b></h2><p>Built by Lind.</p>"
    "<ul><li>stone</li><li>iron</li></ul><table><thead><tr><th>year</th></tr></thead>"
    "<tr><td>1902</td></tr><tr><td>1920</td></tr></table></body></html>"
)


def _chunks(text: str, size: int = 90, least: int = 20) -> tuple[Chunk, ...]:
    document = Document(id="d", doc_id="d.html", text=text)
    return chunk_by(HtmlChunker(min_size=least, max_size=size), document)


def test_elements_begin_chunks() -> None:
    assert [chunk.text for chunk in _chunks(PAGE)][1:] == [
        "<h1>Bridges</h1><p>Old ones.</p>",
        "<h2 class='x'>Norr <b>Bridge</b></h2><p>Built by Lind.</p>",
        "<ul><li>stone</li><li>iron</li></ul>",
        "<table><thead><tr><th>year</th></tr></thead><tr><td>1902</td></tr>",
        "<tr><td>1920</td></tr></table></body></html>",
    ]


def test_headings_are_read_without_their_tags() -> None:
    chunks = _chunks(PAGE)
    assert chunks[2].heading_path == ("Bridges", "Norr Bridge")
    assert chunks[2].metadata["section_title"] == "Norr Bridge"
    assert chunks[2].metadata["source_format"] == "html"


def test_header_of_a_table_is_context() -> None:
    assert _chunks(PAGE)[-1].context == "<table><thead><tr><th>year</th></tr></thead>"
    rows = "".join(f"<tr><td>row {at}</td></tr>" for at in range(9))
    bare = _chunks(f"<table><tr><th>name</th></tr>{rows}</table>")
    assert bare[0].text.startswith("<table><tr><th>name</th></tr><tr><td>row 0")
    assert {chunk.context for chunk in bare[1:]} == {"<table><tr><th>name</th></tr>"}


def test_text_outside_of_elements_is_a_paragraph() -> None:
    kinds = [block.kind for block in html_blocks("<h1>A</h1>loose text<p>b</p>tail</div>")]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.PARAGRAPH]
    assert html_blocks("") == ()


@pytest.mark.parametrize(
    "text", [PAGE, "<p>a<p>b<ul><li>c<ul><li>d</ul></ul>e", "<!-- <h1>no</h1>"]
)
def test_blocks_follow_each_other(text: str) -> None:
    blocks = html_blocks(text)
    assert blocks[0].start == 0
    assert blocks[-1].end == len(text)
    assert all(a.end == b.start for a, b in pairwise(blocks))


def test_comments_and_scripts_hold_no_elements() -> None:
    kinds = [
        block.kind
        for block in html_blocks("<p>a</p><!-- <h1>x</h1> --><style>p > h1 {}</style><pre>b</pre>")
    ]
    assert kinds == [BlockKind.PARAGRAPH, BlockKind.CODE]


@pytest.mark.parametrize(
    ("text", "is_source"),
    [
        (PAGE, True),
        ("  <p>a</p>", True),
        ("<!-- note --><div>a</div>", True),
        ("a < b", False),
        ("<xyz> is a word", False),
        ("text with <b>bold</b>", False),
        ("", False),
    ],
)
def test_source_is_told_by_its_beginning(text: str, is_source: bool) -> None:
    assert is_html(text) is is_source


def test_document_read_from_html_keeps_its_blocks() -> None:
    text = "Bridges\nOld ones.\n"
    blocks = (
        Block(kind=BlockKind.HEADING, start=0, end=8, level=1),
        Block(kind=BlockKind.PARAGRAPH, start=8, end=18),
    )
    document = Document(id="d", doc_id="d.html", text=text, media_type="text/html", blocks=blocks)
    (chunk,) = chunk_by(HtmlChunker(), document)
    assert chunk.heading_path == ("Bridges",)


@pytest.mark.parametrize(
    "mark", ["<!--", "<p ", "<script>", "<p a='", '<p a="', "<h1>", "</p", "<"]
)
def test_endless_marks_cost_linear_time(mark: str) -> None:
    text = "<p>x</p>" + mark * (400_000 // len(mark))
    chunks = _chunks(text, 1_000)
    assert max(len(chunk.text) for chunk in chunks) <= 1_000
