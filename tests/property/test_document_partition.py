"""Whatever the text: blocks are a partition, pages lie in order, nothing visible is lost."""

import json
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.documents import LoadFailure, TextBuilder, load_file, make_document
from clew.documents.tables import Cell, lay_out
from clew.errors import DocumentError
from clew.records import Block, BlockKind, Document, Page

TEXTS = st.text(
    st.one_of(
        st.sampled_from("ab \n\r\t\f#-*|>`=~1.\u00a0\u200b\ufeff\x00\ud800食é"),
        st.characters(),
    ),
    max_size=200,
)
ADDED = st.lists(
    st.tuples(st.sampled_from(BlockKind), TEXTS, st.integers(0, 6), st.booleans()), max_size=12
)


def check(document: Document) -> None:
    blocks, text = document.blocks, document.text
    assert "\x00" not in text
    text.encode()
    if text:
        assert (blocks[0].start, blocks[-1].end) == (0, len(text))
    else:
        assert blocks == ()
    assert all(block.start < block.end for block in blocks)
    assert all(a.end == b.start for a, b in pairwise(blocks))
    check_pages(document.pages, len(text))


def check_pages(pages: Sequence[Page], length: int) -> None:
    assert all(0 <= page.start <= page.end <= length for page in pages)
    assert all(a.end <= b.start and a.number < b.number for a, b in pairwise(pages))


@given(TEXTS, st.sampled_from(["text/plain", "text/markdown", "text/x-rst"]))
def test_made_documents(text: str, media_type: str) -> None:
    document = make_document(text, doc_id="a", media_type=media_type)
    check(document)
    again = make_document(document.text, doc_id="a", media_type=media_type)
    if not document.text.startswith("\ufeff"):
        assert again == document


@given(TEXTS, st.lists(st.integers(0, 200), max_size=6))
def test_given_blocks_follow_the_cleaned_text(text: str, cuts: list[int]) -> None:
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    blocks = [
        Block(kind=BlockKind.PARAGRAPH, start=start, end=end) for start, end in pairwise(places)
    ]
    document = make_document(text, doc_id="a", blocks=blocks)
    check(document)
    first = text.startswith("\ufeff")
    kept = [cleaned(text[max(b.start, first) : b.end]) for b in blocks]
    found = [document.text[b.start : b.end] for b in document.blocks]
    assert found == [piece for piece in kept if piece]


def cleaned(text: str) -> str:
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text if c != "\x00")


@given(ADDED)
def test_the_builder_makes_a_partition(added: list[tuple[BlockKind, str, int, bool]]) -> None:
    builder = TextBuilder()
    for number, (kind, text, level, new_page) in enumerate(added):
        if new_page:
            builder.begin_page(number + 1)
        builder.add(kind, text, level)
    blocks = builder.blocks()
    document = make_document(builder.text, doc_id="a", blocks=blocks, pages=builder.pages())
    assert document.text == builder.text.replace("\ud800", "\ufffd") or "\ud800" not in builder.text
    check(document)
    wanted = [text for _, text, _, _ in added]
    assert visible("".join(wanted)) == visible(document.text) or has_odd(wanted)


def visible(text: str) -> str:
    return "".join(text.replace("\x00", "").split())


def has_odd(texts: list[str]) -> bool:
    """Half surrogates are replaced and byte order marks at an edge go: not a loss of words."""
    return any(c == "\ufeff" or "\ud800" <= c <= "\udfff" for text in texts for c in text)


@given(
    st.lists(
        st.lists(
            st.builds(Cell, st.text("ab", max_size=3), st.integers(0, 4), st.integers(0, 4)),
            max_size=5,
        ),
        max_size=6,
    )
)
def test_tables_are_rectangles_that_hold_every_cell(rows: list[list[Cell]]) -> None:
    grid = lay_out(rows)
    assert len({len(row) for row in grid}) <= 1
    shown = {text for row in grid for text in row}
    reaching = {cell.text for cell in rows[-1] if cell.rows > 1} if rows else set()
    assert {cell.text for row in rows for cell in row if cell.rows <= 1} - reaching <= shown


@settings(max_examples=50)
@given(
    st.binary(max_size=300),
    st.sampled_from(["txt", "md", "rst", "csv", "json", "jsonl", "html", "eml", "ipynb"]),
)
def test_any_bytes_load_or_are_refused(data: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(data)
        items, reason = loaded_or_refused(path)
    assert reason is None or str(path) in reason
    for item in items:
        if isinstance(item, LoadFailure):
            assert str(path) in item.reason
        else:
            check(item)


def loaded_or_refused(path: Path) -> tuple[list[Document | LoadFailure], str | None]:
    try:
        return list(load_file(path)), None
    except DocumentError as error:
        return [], str(error)


@settings(max_examples=50)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_records_come_back_in_order(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_text("\n".join(json.dumps({"text": text}) for text in texts))
        documents = [item for item in load_file(path) if isinstance(item, Document)]
    assert [document.doc_id for document in documents] == [
        f"{path}#{number}" for number in range(1, len(texts) + 1)
    ]
    for text, document in zip(texts, documents, strict=True):
        assert document.text == make_document(text, doc_id="a").text
