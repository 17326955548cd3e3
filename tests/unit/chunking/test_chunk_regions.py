"""Which sections share a chunk, and how far an edit goes."""

from __future__ import annotations

import pytest

from clew.chunking import ChunkingConfig, chunk_document
from clew.records import Document

CONFIG = ChunkingConfig(chunk_size=400, chunk_overlap=60)
SENTENCE = "The rope of this section is made of hemp and has a length. "


def _chunks(text: str) -> list[str]:
    document = Document(id="d1", doc_id="one", text=text, media_type="text/markdown")
    return [chunk.text for chunk in chunk_document(document, CONFIG)]


def _section(name: str, sentences: int, level: int = 2) -> str:
    return f"{'#' * level} {name}\n\n{(SENTENCE * sentences).strip()}\n\n"


def test_small_section_joins_the_next() -> None:
    assert len(_chunks("## Small\n\nWords.\n\n" + _section("Larger", 4))) == 1
    assert len(_chunks(_section("Large", 3) + _section("Larger", 4))) == 2


def test_small_section_stays_out_of_the_next_chapter() -> None:
    assert _chunks("### Small\n\nWords.\n\n# Chapter\n\nText.\n") == [
        "### Small\n\nWords.",
        "# Chapter\n\nText.",
    ]


def test_small_section_joins_none_that_it_does_not_fit_with() -> None:
    assert _chunks("## Small\n\nWords.\n\n" + _section("Larger", 9))[0] == "## Small\n\nWords."


@pytest.mark.parametrize("sentences", [0, 1, 2, 5, 12])
def test_an_edit_in_one_section_changes_the_chunks_of_no_other(sentences: int) -> None:
    names = [f"Part {number} of it" for number in range(50)]
    before = [_section(name, 2 + index % 11) for index, name in enumerate(names)]
    after = [*before]
    after[20] = _section(names[20], sentences) + "Edited.\n\n"
    changed = set(_chunks("# Title\n\n" + "".join(after))) ^ set(
        _chunks("# Title\n\n" + "".join(before))
    )
    near = {"Edited.", *(part.strip() for part in (before[20], after[20]))}
    for chunk in changed:
        assert any(chunk in part or part in chunk or "Part 20 of" in chunk for part in near)


def test_tiny_sections_are_grouped_and_an_edit_stays_in_its_group() -> None:
    entries = [f"## Term {number}\n\nIt means thing {number}.\n\n" for number in range(200)]
    before = _chunks("".join(entries))
    assert len(before) < 70
    inserted = [*entries[:90], "## New term\n\nIt is new.\n\n", *entries[90:]]
    after = _chunks("".join(inserted))
    assert len(set(before) ^ set(after)) <= 6


def test_no_chunk_ends_with_a_heading_that_has_a_body() -> None:
    text = "".join(_section(f"S{number}", number % 9, 1 + number % 4) for number in range(60))
    for chunk in _chunks(text):
        last = chunk.rsplit("\n", 1)[-1]
        # a section without a sentence of its own has no body when none ranks lower behind it
        assert not last.startswith("#") or int(last.split("S")[1]) % 9 == 0
