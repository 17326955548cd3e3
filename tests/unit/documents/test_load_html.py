"""Pages: what a reader sees, as blocks; what no reader sees is not there."""

from pathlib import Path

import pytest

from clew.documents import load_file
from clew.records import Document


def load(path: Path, page: str | bytes) -> Document:
    path.write_bytes(page if isinstance(page, bytes) else page.encode())
    (document,) = load_file(path)
    assert isinstance(document, Document)
    return document


def blocks(document: Document) -> list[tuple[str, int, str]]:
    return [
        (block.kind.value, block.level, document.text[block.start : block.end].rstrip())
        for block in document.blocks
    ]


def shown(tmp_path: Path, body: str) -> list[tuple[str, int, str]]:
    return blocks(load(tmp_path / "page.html", f"<body>{body}</body>"))


def test_headings_paragraphs_and_lists(tmp_path: Path) -> None:
    body = """
      <h1>The <em>Tern</em></h1> loose words
      <p>A boat of <a href="/x">Varde</a>,<br>built of oak.</p>
      <ul><li>sails<ul><li>jib</li></ul></li><li><p>oars</p></li></ul>
      <ol start="3"><li>three</li><li value="7">seven</li><li>eight</li></ol>
      <blockquote><p>Fair winds.</p></blockquote>
      <pre>  keep\n    this</pre>
      <dl><dt>Mole</dt><dd>a wall</dd><dt>Quay</dt></dl>"""
    assert shown(tmp_path, body) == [
        ("heading", 1, "The Tern"),
        ("paragraph", 0, "loose words"),
        ("paragraph", 0, "A boat of Varde,\nbuilt of oak."),
        ("list_item", 1, "- sails"),
        ("list_item", 2, "  - jib"),
        ("list_item", 1, "- oars"),
        ("list_item", 1, "3. three"),
        ("list_item", 1, "7. seven"),
        ("list_item", 1, "8. eight"),
        ("quote", 1, "Fair winds."),
        ("code", 0, "  keep\n    this"),
        ("list_item", 1, "- Mole: a wall"),
        ("list_item", 1, "- Quay"),
    ]


def test_what_no_reader_sees_is_left_out(tmp_path: Path) -> None:
    body = """<script>var a</script><style>p{}</style><template><p>t</p></template>
      <!-- comment --><p hidden>h</p><p style="color:red;display: none">d</p>
      <svg><text>s</text></svg>
      <input value="v"><p>seen</p><noscript>n</noscript>"""
    assert shown(tmp_path, body) == [("paragraph", 0, "seen")]


def test_menus_go_and_other_navigation_stays(tmp_path: Path) -> None:
    body = """<nav><ul><li><a>Home</a></li><li><a>Boats</a></li></ul></nav>
      <nav><p>Steer north of the mole, then <a>east</a>.</p></nav>
      <p>The harbour lies behind the mole, and the Tern behind the harbour.</p>"""
    assert [text for _, _, text in shown(tmp_path, body)] == [
        "Steer north of the mole, then east.",
        "The harbour lies behind the mole, and the Tern behind the harbour.",
    ]


def test_a_page_of_nothing_but_a_menu_keeps_it(tmp_path: Path) -> None:
    body = "<nav><ul><li><a>Home</a></li><li><a>Boats</a></li></ul></nav>"
    assert [text for _, _, text in shown(tmp_path, body)] == ["- Home", "- Boats"]


def test_tables(tmp_path: Path) -> None:
    body = """<table><caption>Catch</caption>
      <thead><tr><th>Boat</th><th colspan="2">Catch</th></tr></thead>
      <tr><td rowspan="2">Tern</td><td>cod</td><td>4 <br> t</td></tr>
      <tr><td>eel<ul><li>a</li><li>b</li></ul></td><td hidden>7</td></tr></table><p>after</p>"""
    assert shown(tmp_path, body) == [
        ("paragraph", 0, "Catch"),
        ("table_header", 0, "| Boat | Catch | Catch |"),
        ("table_row", 0, "| Tern | cod | 4 t |"),
        ("table_row", 0, "| Tern | eel a b |  |"),
        ("paragraph", 0, "after"),
    ]


def test_tables_that_arrange_the_page_are_looked_through(tmp_path: Path) -> None:
    body = """<table><tr><td><h2>Boats</h2><p>Two.</p></td><td><p>Side</p></td></tr></table>
      <table role="presentation"><tr><td>a</td><td>b</td></tr></table>
      <table><tr><td>alone</td></tr></table>"""
    assert [text for _, _, text in shown(tmp_path, body)] == [
        "Boats",
        "Two.",
        "Side",
        "a",
        "b",
        "alone",
    ]


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>10<sup>3</sup> and 1<sup>st</sup> and H<sub>2</sub>O</p>", "10^3 and 1st and H2O"),
        ("<p>said<sup>[4]</sup></p>", "said[4]"),
        ("<p>a&nbsp;b &amp; c\u200bd</p>", "a b & c d"),
        ("<p>wo<b>rd</b>s <i>here</i></p>", "words here"),
        ('<p><img alt="The Tern under sail"> <img alt="logo"></p>', "The Tern under sail"),
        ('<p>So <math alttext="x^2"><mi>x</mi></math>.</p>', "So x^2 ."),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<p>one<p>two", "one\n\ntwo"),
    ],
)
def test_inline_text(tmp_path: Path, body: str, text: str) -> None:
    assert load(tmp_path / "a.html", body).text == text


def test_the_title_is_the_first_heading_else_that_of_the_head(tmp_path: Path) -> None:
    head = "<head><title>Head | Site</title><meta name=author content=Ada></head>"
    assert load(tmp_path / "a.html", f"{head}<h1>Tern</h1>").title == "Tern"
    document = load(tmp_path / "b.html", f"<html lang=en>{head}<p>x</p><h1>Tern</h1>")
    assert document.title == "Head | Site"
    assert document.metadata == {"author": "Ada", "language": "en"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "shift_jis", "euc-jp"])
def test_the_page_names_its_encoding(tmp_path: Path, encoding: str) -> None:
    page = f'<meta charset="{encoding.removesuffix("-sig")}"><p>灯台 Tern</p>'
    assert load(tmp_path / "a.html", page.encode(encoding)).text == "灯台 Tern"


def test_xhtml_with_closed_tags(tmp_path: Path) -> None:
    page = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
        '<script src="a.js"/></head><body><a id="x"/><p>seen</p></body></html>'
    )
    assert load(tmp_path / "a.xhtml", page).text == "seen"


def test_pages_nest_as_deeply_as_they_like(tmp_path: Path) -> None:
    document = load(tmp_path / "a.html", "<div>" * 5000 + "deep" + "</div>" * 5000)
    assert document.text == "deep"
