"""One place makes documents: cleaned, partitioned, titled, hashed."""

import pytest

from clew.documents import make_document
from clew.ids import document_id
from clew.records import Block, BlockKind, Page


def test_the_id_is_that_of_scope_and_name() -> None:
    document = make_document("Text.", doc_id="harbour/tern.md", scope="north")
    assert document.id == document_id("north", "harbour/tern.md")
    assert document.doc_id == "harbour/tern.md"
    assert document.scope == "north"


@pytest.mark.parametrize(
    "name",
    [
        'O\'Brien "Bo" {x}',
        "C:\\new\\table",
        "%s",
        "`; DROP TABLE units; --",
        "[[a|b]]",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "n" * 5000,
    ],
)
def test_hostile_names_come_back_unchanged(name: str) -> None:
    document = make_document(name, doc_id=name, title=name)
    assert document.doc_id == name
    assert document.text == name
    assert document.title == name


def test_mark_and_nuls_go_and_offsets_follow() -> None:
    text = "\ufeffA\x00b\n\nC\x00\x00d"
    blocks = [
        Block(kind=BlockKind.HEADING, start=0, end=6, level=2),
        Block(kind=BlockKind.PARAGRAPH, start=6, end=10),
    ]
    document = make_document(
        text, doc_id="x\x00y", blocks=blocks, pages=[Page(number=1, start=0, end=10)]
    )
    assert document.text == "Ab\n\nCd"
    assert document.doc_id == "xy"
    assert [document.text[b.start : b.end] for b in document.blocks] == ["Ab\n\n", "Cd"]
    assert document.pages == (Page(number=1, start=0, end=6),)


def test_half_a_surrogate_pair_can_be_stored() -> None:
    document = make_document("a\ud800b", doc_id="a\udfff")
    document.text.encode()
    document.doc_id.encode()
    assert document.text == "a\ufffdb"


def test_line_ends_stay_as_they_are() -> None:
    text = "one\r\ntwo\r\rthree\x0cfour\n"
    assert make_document(text, doc_id="a").text == text


def test_the_media_type_chooses_the_syntax() -> None:
    plain = make_document("# Tern\n\nA boat.", doc_id="a")
    markdown = make_document("# Tern\n\nA boat.", doc_id="a", media_type="text/markdown")
    rst = make_document("Tern\n====\n\nA boat.", doc_id="a", media_type="text/x-rst")
    assert markdown.blocks[0].kind is BlockKind.HEADING
    assert rst.blocks[0].kind is BlockKind.HEADING
    assert (markdown.title, rst.title) == ("Tern", "Tern")
    assert plain.title == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: The Outer Mole\n---\n\n# Other\n", "The Outer Mole"),
        ("---\nauthor: B\ntitle: 'Quoted: mole'\n---\ntext", "Quoted: mole"),
        ("\n\n# The *Outer* Mole #\n\ntext", "The Outer Mole"),
        ("# [Mole](http://m.example)\n", "Mole"),
        ("The Mole\n========\n\ntext", "The Mole"),
        ("Words first.\n\n# Mole\n", ""),
        ("## Only level two\n", ""),
        ("", ""),
    ],
)
def test_titles_of_markdown(text: str, title: str) -> None:
    assert make_document(text, doc_id="file-name.md", media_type="text/markdown").title == title


def test_a_given_title_wins() -> None:
    document = make_document("# A\n", doc_id="a", title="  B\n c ", media_type="text/markdown")
    assert document.title == "B c"


def test_the_hash_covers_text_title_metadata_and_structure() -> None:
    one = Block(kind=BlockKind.PARAGRAPH, start=0, end=4)
    other = Block(kind=BlockKind.CODE, start=0, end=4)
    base = make_document("Tern", doc_id="a", title="T", metadata={"b": 1, "a": 2}, blocks=[one])
    same = make_document("Tern", doc_id="b", title="T", metadata={"a": 2, "b": 1}, blocks=[one])
    assert base.content_hash == same.content_hash
    others = [
        make_document("Teal", doc_id="a", title="T", metadata={"b": 1, "a": 2}, blocks=[one]),
        make_document("Tern", doc_id="a", title="U", metadata={"b": 1, "a": 2}, blocks=[one]),
        make_document("Tern", doc_id="a", title="T", metadata={"b": 1}, blocks=[one]),
        make_document("Tern", doc_id="a", title="T", metadata={"b": 1, "a": 2}, blocks=[other]),
        make_document(
            "Tern",
            doc_id="a",
            title="T",
            metadata={"b": 1, "a": 2},
            blocks=[one],
            pages=[Page(number=1, start=0, end=4)],
        ),
    ]
    assert len({document.content_hash for document in [base, *others]}) == 6
