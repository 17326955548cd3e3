"""Strategies by sections: section-aware, markdown, regex-section, and the one chunk for all."""

from __future__ import annotations

import pytest

from clew.chunking import (
    Chunker,
    MarkdownChunker,
    RegexSectionChunker,
    SectionAwareChunker,
    SingleChunker,
    chunk_by,
)
from clew.errors import ConfigError
from clew.records import Chunk, Document

ROPES = (
    "# Ropes\n\nRopes are old.\n\n## Hemp\n\n" + "Hemp is grown in fields. " * 8 + "\n\n"
    "## Jute\n\nShort.\n\n## Sisal\n\nAlso short.\n\n# Knots\n\nA bowline holds.\n"
)


def _chunks(
    chunker: Chunker, text: str = ROPES, media_type: str = "text/markdown"
) -> tuple[Chunk, ...]:
    return chunk_by(chunker, Document(id="d", doc_id="d", text=text, media_type=media_type))


def test_sections_begin_chunks_and_small_ones_share_one() -> None:
    chunks = _chunks(SectionAwareChunker(min_size=30, max_size=120))
    assert [chunk.text.split("\n")[0] for chunk in chunks] == [
        "# Ropes",
        "## Hemp",
        "Hemp is grown in fields. " * 3 + "Hemp is grown in fields.",
        "## Jute",
        "# Knots",
    ]
    assert chunks[3].text.endswith("## Sisal\n\nAlso short.")


def test_no_section_joins_the_chapter_before() -> None:
    chunks = _chunks(SectionAwareChunker(min_size=500, max_size=1_000))
    assert [chunk.text[:7] for chunk in chunks] == ["# Ropes", "# Knots"]


def test_without_least_size_every_section_is_a_chunk() -> None:
    chunks = _chunks(SectionAwareChunker(min_size=0, max_size=1_000))
    assert [chunk.metadata["section_title"] for chunk in chunks] == [
        "Ropes",
        "Hemp",
        "Jute",
        "Sisal",
        "Knots",
    ]


def test_heading_without_text_goes_with_what_it_announces() -> None:
    chunks = _chunks(SectionAwareChunker(min_size=0), "# A\n\n## B\n\nText.\n\n## C\n")
    assert [chunk.text for chunk in chunks] == ["# A\n\n## B\n\nText.", "## C"]
    assert chunks[0].heading_path == ("A", "B")


def test_sections_of_one_title_are_told_apart() -> None:
    chunks = _chunks(SectionAwareChunker(min_size=0), "# A\n\nOne.\n\n# A\n\nTwo.\n")
    assert [chunk.metadata["section_title"] for chunk in chunks] == ["A", "A"]
    first, second = (chunk.metadata["section_instance_id"] for chunk in chunks)
    assert first != second


def test_last_chunk_of_a_section_is_no_scrap() -> None:
    text = "# Head\n\n" + "\n\n".join(f"Paragraph number {at} of nine." for at in range(9))
    chunks = _chunks(SectionAwareChunker(min_size=80, max_size=240), text)
    assert [len(chunk.text) >= 80 for chunk in chunks] == [True, True]


def test_least_size_above_the_largest_counts_as_the_largest() -> None:
    assert len(_chunks(SectionAwareChunker(max_size=100))) > 2
    with pytest.raises(ConfigError, match="min_size=-1 is too small"):
        SectionAwareChunker(min_size=-1)


def test_plain_text_is_read_as_markdown() -> None:
    chunks = _chunks(MarkdownChunker(min_size=0), media_type="text/plain")
    assert [chunk.heading_path for chunk in chunks][-1] == ("Knots",)
    assert len(chunks) == 5
    aware = _chunks(SectionAwareChunker(min_size=0), media_type="text/plain")
    assert [chunk.heading_path for chunk in aware] == [()]


def test_markdown_keeps_fences_and_cuts_tables_between_rows() -> None:
    fence = "```\n# no heading\n\nx = 1\n```"
    rows = "".join(f"| {at} | row |\n" for at in range(12))
    text = f"# H\n\nSome words to begin with.\n\n{fence}\n\n| n | what |\n|---|---|\n{rows}"
    chunks = _chunks(MarkdownChunker(min_size=0, max_size=80), text, "text/plain")
    assert any(fence in chunk.text for chunk in chunks)
    later = [chunk for chunk in chunks if chunk.context]
    assert later
    assert {chunk.context for chunk in later} == {"| n | what |\n|---|---|"}
    assert all(chunk.text.startswith("| ") and chunk.text.endswith("|") for chunk in later)


def test_usual_headings_of_plain_text() -> None:
    text = (
        "Preface\n\nChapter 1 Beginnings\nIt began.\n\n2.1 The bridge\nIt stood. 3 men came.\n\n"
        "§ 4 Ends\nDone.\n\n第三章 橋\n食べ物。"
    )
    chunks = _chunks(RegexSectionChunker(), text, "text/plain")
    assert [chunk.metadata["section_title"] for chunk in chunks] == [
        "",
        "Chapter 1 Beginnings",
        "2.1 The bridge",
        "§ 4 Ends",
        "第三章 橋",
    ]


def test_headings_of_ones_own() -> None:
    text = "Q: who?\nA: I.\nQ: when?\nA: now."
    chunks = _chunks(RegexSectionChunker(heading_pattern=r"^q:"), text)
    assert [chunk.text for chunk in chunks] == ["Q: who?\nA: I.", "Q: when?\nA: now."]
    inside = _chunks(RegexSectionChunker(heading_pattern="when|now"), text)
    assert [chunk.text for chunk in inside] == ["Q: who?\nA: I.", "Q: when?", "A: now."]
    with pytest.raises(ConfigError, match=r"heading_pattern='\(' is no regular expression"):
        RegexSectionChunker(heading_pattern="(")


def test_single_chunk_is_all_content() -> None:
    text = "\n\n " + "word " * 5_000
    (chunk,) = _chunks(SingleChunker(), text)
    assert chunk.text == text.strip()
    assert SingleChunker().max_size is None
    assert _chunks(SingleChunker(), " \n") == ()
