"""Strategies that merge what they split: split-then-merge, paragraph, sentence."""

from __future__ import annotations

from itertools import pairwise

from clew.chunking import (
    Chunker,
    ParagraphChunker,
    SentenceChunker,
    SplitThenMergeChunker,
    chunk_by,
)
from clew.records import Chunk, Document


def _chunks(chunker: Chunker, text: str) -> tuple[Chunk, ...]:
    return chunk_by(chunker, Document(id="d", doc_id="d", text=text, media_type="text/markdown"))


def _texts(chunker: Chunker, text: str) -> list[str]:
    return [chunk.text for chunk in _chunks(chunker, text)]


def test_the_strongest_border_between_least_and_most_ends_a_chunk() -> None:
    text = "# A\n\nOne paragraph.\n\nTwo paragraphs.\n\n# B\n\nThree of them.\n\nFour of them."
    texts = _texts(SplitThenMergeChunker(min_size=25, max_size=58), text)
    assert texts == [
        "# A\n\nOne paragraph.\n\nTwo paragraphs.",
        "# B\n\nThree of them.\n\nFour of them.",
    ]


def test_higher_headings_are_stronger() -> None:
    text = "One text.\n\n## Low\n\nTwo text.\n\n# High\n\nThree text.\n\n## Low\n\nFour text."
    texts = _texts(SplitThenMergeChunker(min_size=5, max_size=60), text)
    assert texts[0] == "One text.\n\n## Low\n\nTwo text."
    assert texts[1].startswith("# High")


def test_list_is_kept_where_a_paragraph_ends_within_reach() -> None:
    text = "A paragraph of words.\n\nIt lists:\n\n- one item\n- two items\n- three items\n\nEnd."
    texts = _texts(SplitThenMergeChunker(min_size=10, max_size=50), text)
    assert texts[0] == "A paragraph of words."
    assert "- one item\n- two items" in texts[1]


def test_heading_goes_with_a_paragraph_larger_than_a_chunk() -> None:
    text = "# A\n\nOne.\n\n# B\n\n" + "A sentence of some words. " * 6
    texts = _texts(SplitThenMergeChunker(min_size=8, max_size=60), text)
    assert texts[0] == "# A\n\nOne."
    assert texts[1].startswith("# B\n\nA sentence")


def test_overlap_of_merged_chunks_is_whole_blocks() -> None:
    text = "\n\n".join(f"Paragraph {number} is this." for number in range(20))
    chunks = _chunks(SplitThenMergeChunker(min_size=60, max_size=120, overlap=30), text)
    assert len(chunks) > 4
    for before, chunk in pairwise(chunks):
        assert text[chunk.start : before.end].startswith("Paragraph")
        assert len(chunk.text) <= 120


def test_paragraphs_are_packed_whole_across_sections() -> None:
    text = "# A\n\nOne paragraph.\n\n# B\n\nTwo paragraphs.\n\nThree of them."
    texts = _texts(ParagraphChunker(min_size=0, max_size=50), text)
    assert texts == ["# A\n\nOne paragraph.\n\n# B\n\nTwo paragraphs.", "Three of them."]


def test_heading_does_not_end_a_chunk_of_paragraphs() -> None:
    text = "One paragraph here.\n\n# B\n\nTwo paragraphs."
    assert _texts(ParagraphChunker(min_size=0, max_size=26), text) == [
        "One paragraph here.",
        "# B\n\nTwo paragraphs.",
    ]


def test_only_what_is_larger_than_a_chunk_is_cut_between_sentences() -> None:
    text = "Small one.\n\n" + "A sentence of some words. " * 5
    texts = _texts(ParagraphChunker(min_size=0, max_size=60), text)
    assert all(part.endswith(".") for part in texts)
    assert max(map(len, texts)) <= 60


def test_last_chunk_holds_the_least_size() -> None:
    sentences = [f"Sentence {number:02} has words." for number in range(13)]
    text = " ".join(sentences)
    assert len(_texts(SentenceChunker(min_size=0, max_size=140), text)[-1]) < 60
    balanced = _texts(SentenceChunker(min_size=60, max_size=140), text)
    assert len(balanced[-1]) >= 60
    assert " ".join(balanced) == text
