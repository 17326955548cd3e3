"""Units: what is a statement, what it leans on, and in which chunk it lies."""

from __future__ import annotations

from itertools import pairwise

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.units import MAX_UNIT_CHARS, units_of
from clew.records import Chunk, Document, KnowledgeUnit

HANDBOOK = """---
title: Handbook
---
# Norr Bridge

Norr Bridge was opened in 1932. It spans the Tarn. Dr. Orm designed it.

The parts are:

- deck
  - steel plates
- [ ] cables, which came from Oslo

| Part | Maker |
|------|-------|
| Deck | Orm Works |
| Cable | Roe Ltd |

Run the check:

```python
def check():
    return 1
```

> Strong as rope.

## Alone
"""


def units(
    text: str, *, markdown: bool = True, size: int = 1000, overlap: int = 200, most: int = 50
) -> tuple[Document, tuple[Chunk, ...], tuple[KnowledgeUnit, ...]]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(text, doc_id="d", media_type=media_type)
    chunks = chunk_document(document, ChunkingConfig(chunk_size=size, chunk_overlap=overlap))
    return document, tuple(chunks), units_of(document, chunks, max_units_per_chunk=most)


def context_of(found: tuple[KnowledgeUnit, ...], text: str) -> str:
    return next(unit.context for unit in found if unit.text == text)


def test_each_statement_of_a_handbook_once_and_in_order() -> None:
    _, _, found = units(HANDBOOK)
    assert [unit.text for unit in found] == [
        "Norr Bridge was opened in 1932.",
        "It spans the Tarn.",
        "Dr. Orm designed it.",
        "The parts are:",
        "deck",
        "steel plates",
        "cables, which came from Oslo",
        "| Deck | Orm Works |",
        "| Cable | Roe Ltd |",
        "Run the check:",
        "def check():\n    return 1",
        "Strong as rope.",
        "Alone",
    ]


def test_spans_give_the_texts_back() -> None:
    document, _, found = units(HANDBOOK)
    assert all(document.text[unit.start : unit.end] == unit.text for unit in found)


def test_what_a_unit_leans_on_is_its_context() -> None:
    _, _, found = units(HANDBOOK)
    assert context_of(found, "deck") == "The parts are:"
    assert context_of(found, "steel plates") == "The parts are:\ndeck"
    assert context_of(found, "cables, which came from Oslo") == "The parts are:"
    assert context_of(found, "| Cable | Roe Ltd |") == "| Part | Maker |"
    assert context_of(found, "def check():\n    return 1") == "Run the check:"


def test_a_pronoun_brings_the_sentence_before_if_that_is_short() -> None:
    _, _, found = units(HANDBOOK)
    assert context_of(found, "It spans the Tarn.") == "Norr Bridge was opened in 1932."
    assert context_of(found, "Dr. Orm designed it.") == ""
    _, _, found = units(f"Norr {'is long and ' * 30} wide. It is old.", markdown=False)
    assert context_of(found, "It is old.") == ""


def test_a_table_of_a_header_alone_is_a_unit() -> None:
    _, _, found = units("| Part | Maker |\n|---|---|\n\nThe end came.")
    assert [unit.text for unit in found] == ["| Part | Maker |\n|---|---|", "The end came."]


def test_a_heading_above_a_lower_one_has_a_body() -> None:
    _, _, found = units("# Norr\n\n## Deck\n\nSteel.\n\n## Rope\n\n## Paint\n\nRed.")
    assert [unit.text for unit in found] == ["Steel.", "Rope", "Red."]


def test_a_document_that_is_one_heading_is_a_unit() -> None:
    _, _, found = units("# Norr Bridge ##\n")
    assert [unit.text for unit in found] == ["Norr Bridge"]


def test_markup_without_words_is_no_unit() -> None:
    _, _, found = units("<div>\n</div>\n\n---\n\n...\n\n<p>Norr stands.</p>\n")
    assert [unit.text for unit in found] == ["<p>Norr stands.</p>"]


def test_a_long_item_is_taken_sentence_by_sentence() -> None:
    sentences = [f"The bridge at post {number} was painted again in spring." for number in range(8)]
    _, _, found = units(f"We know:\n\n- {' '.join(sentences)}\n")
    assert [unit.text for unit in found[1:]] == sentences
    assert {unit.context for unit in found[1:]} == {"We know:"}


def test_overlapping_chunks_give_no_unit_twice() -> None:
    text = " ".join(f"Post {number} stands firm." for number in range(60))
    document, chunks, found = units(text, size=120, overlap=60)
    assert len(chunks) > 10
    assert [unit.text for unit in found] == [f"Post {number} stands firm." for number in range(60)]
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert document.text[found[-1].start :] == "Post 59 stands firm."


def test_a_unit_lies_in_the_first_chunk_that_holds_it_whole() -> None:
    document = make_document("One is here. Two is here. Three is here.", doc_id="d")
    spans = [(0, 20), (8, 30), (13, 40)]
    chunks = [
        Chunk(id=f"c{at}", document_id=document.id, index=at, start=a, end=b,
              text=document.text[a:b])
        for at, (a, b) in enumerate(spans)
    ]  # fmt: skip
    found = units_of(document, chunks, max_units_per_chunk=50)
    assert [unit.chunk_id for unit in found] == ["c0", "c1", "c2"]


def test_a_unit_that_no_chunk_holds_lies_where_it_begins() -> None:
    document = make_document("Norr is a long bridge over the wide Tarn. So.", doc_id="d")
    chunks = [
        Chunk(id=f"c{a}", document_id=document.id, index=at, start=a, end=b,
              text=document.text[a:b])
        for at, (a, b) in enumerate([(0, 42), (42, 45)])
    ]  # fmt: skip
    assert [unit.chunk_id for unit in units_of(document, chunks, max_units_per_chunk=9)] == [
        "c0",
        "c42",
    ]


def test_equal_sentences_have_different_ids() -> None:
    _, _, found = units("Norr stands. Norr stands. Norr stands.", markdown=False)
    assert len({unit.id for unit in found}) == 3


def test_ids_stay_when_the_text_before_moves() -> None:
    _, _, before = units("Norr stands. It is old.", markdown=False)
    _, _, after = units("A new line.\n\nNorr stands. It is old.", markdown=False)
    assert [unit.id for unit in before] == [unit.id for unit in after[1:]]


def test_one_line_without_a_blank_is_cut_at_chunks() -> None:
    document, chunks, found = units("x" * 30_000, markdown=False)
    limit = max(len(chunk.text) for chunk in chunks)
    assert "".join(unit.text for unit in found) == document.text
    assert all(len(unit.text) <= limit for unit in found)
    places = {chunk.id: chunk for chunk in chunks}
    assert all(places[unit.chunk_id].start <= unit.start for unit in found)


def test_one_huge_chunk_is_cut_between_graphemes() -> None:
    text = "e\u0301" * 5000
    document = make_document(text, doc_id="d")
    chunk = Chunk(
        id="c", document_id=document.id, index=0, start=0, end=len(text), text=document.text
    )
    found = units_of(document, [chunk], max_units_per_chunk=50)
    assert all(len(unit.text) <= MAX_UNIT_CHARS for unit in found)
    assert not any(unit.text.startswith("\u0301") for unit in found)
    assert "".join(unit.text for unit in found) == text


def test_more_statements_than_wanted_are_joined_and_none_is_lost() -> None:
    rows = "\n".join(f"| Post {number} | red |" for number in range(20))
    text = f"| Post | Colour |\n|---|---|\n{rows}\n"
    _, chunks, found = units(text, size=2000, most=6)
    assert len(chunks) == 1
    assert len(found) <= 6
    assert all(any(f"| Post {n} |" in unit.text for unit in found) for n in range(20))
    assert found[0].context == "| Post | Colour |"


def test_nothing_gives_nothing() -> None:
    assert units("")[2] == ()
    assert units(" \n \t" * 1000)[2] == ()


def test_a_document_without_blocks_is_read_as_running_text() -> None:
    text = "Norr stands. It is old.\n\nThe Tarn flows."
    document = Document(id="d", doc_id="d", text=text)
    chunk = Chunk(id="c", document_id="d", index=0, start=0, end=len(text), text=text)
    found = units_of(document, [chunk], max_units_per_chunk=50)
    assert [unit.text for unit in found] == ["Norr stands.", "It is old.", "The Tarn flows."]
