"""Whole sentences."""

from __future__ import annotations

from clew.chunking import Outline, SentenceChunker
from clew.text.blocks import partition


def _chunks(text: str, size: int, overlap: int = 0) -> list[str]:
    outline = Outline(text, partition(text, "markdown"))
    spans = SentenceChunker(min_size=0, max_size=size, overlap=overlap).cuts(outline)
    return [text[span.start : span.end] for span in spans]


def test_sentences_are_packed_across_paragraphs() -> None:
    assert _chunks("Dr. Orm came. He left.\n\nIt rained. All day.", 34) == [
        "Dr. Orm came. He left.\n\nIt rained.",
        "All day.",
    ]


def test_overlap_is_whole_sentences() -> None:
    text = "First one here. Second one here. Third one here. Fourth one here."
    assert _chunks(text, 34, 17) == [
        "First one here. Second one here.",
        "Second one here. Third one here.",
        "Third one here. Fourth one here.",
    ]
    assert _chunks(text, 34, 10) == _chunks(text, 34)


def test_only_a_sentence_larger_than_a_chunk_is_cut() -> None:
    assert _chunks("Short. This sentence is longer than the chunk. Short.", 20) == [
        "Short.",
        "This sentence is",
        "longer than the",
        "chunk. Short.",
    ]


def test_heading_is_not_left_at_the_end() -> None:
    assert _chunks("Some text here.\n\n# Head\n\nBody text here.", 30) == [
        "Some text here.",
        "# Head\n\nBody text here.",
    ]


def test_fence_is_one_sentence() -> None:
    assert _chunks("Run it. Now.\n\n```\na. B.\nc. D.\n```\n\nDone.", 24) == [
        "Run it. Now.",
        "```\na. B.\nc. D.\n```",
        "Done.",
    ]
