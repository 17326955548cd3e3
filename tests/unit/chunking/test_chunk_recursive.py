"""Packing by structure, and by separators."""

from __future__ import annotations

import pytest

from clew.chunking import Outline, RecursiveChunker
from clew.text.blocks import partition


def _chunks(
    text: str, size: int, overlap: int = 0, separators: tuple[str, ...] | None = None
) -> list[str]:
    outline = Outline(text, partition(text, "markdown"))
    chunker = RecursiveChunker(chunk_size=size, chunk_overlap=overlap, separators=separators)
    return [text[span.start : span.end] for span in chunker.cuts(outline)]


def test_blocks_are_packed_whole() -> None:
    text = "One paragraph.\n\nTwo paragraph.\n\nThree paragraph."
    assert _chunks(text, 35) == ["One paragraph.\n\nTwo paragraph.", "Three paragraph."]


def test_section_begins_a_chunk() -> None:
    text = "# A\n\nText of a section.\n\n# B\n\nText of b section."
    assert _chunks(text, 60) == ["# A\n\nText of a section.", "# B\n\nText of b section."]


def test_title_without_text_leads_its_first_section() -> None:
    assert _chunks("# Title\n\n## One\n\nText.\n\n## Two\n\nMore.", 30) == [
        "# Title\n\n## One\n\nText.",
        "## Two\n\nMore.",
    ]


def test_heading_goes_with_the_first_sentences_of_a_long_paragraph() -> None:
    text = "# Head\n\nFirst sentence here. Second sentence here. Third sentence here."
    assert _chunks(text, 50) == [
        "# Head\n\nFirst sentence here. Second sentence here.",
        "Third sentence here.",
    ]


def test_heading_that_fills_a_chunk_stands_alone() -> None:
    head = "# " + "h" * 26
    assert _chunks(f"{head}\n\nText that follows it here.", 28) == [
        head,
        "Text that follows it here.",
    ]


def test_paragraph_is_broken_only_when_it_must_be() -> None:
    text = "A short paragraph here.\n\n" + "A long one. " * 6
    assert _chunks(text, 75) == ["A short paragraph here.", ("A long one. " * 6).strip()]


def test_lead_in_is_not_left_alone_before_what_must_be_broken() -> None:
    text = "See:\n\n" + "A sentence of it. " * 10
    assert _chunks(text, 60)[0] == "See:\n\nA sentence of it. A sentence of it. A sentence of it."


def test_what_is_left_of_a_broken_paragraph_does_not_mix_with_the_next() -> None:
    long, short = ("A sentence of it. " * 5).strip(), "Another paragraph here."
    assert _chunks(f"{long}\n\n{short}", 60) == [
        "A sentence of it. A sentence of it. A sentence of it.",
        "A sentence of it. A sentence of it.",
        short,
    ]


def test_a_tiny_rest_of_a_broken_paragraph_goes_on_with_the_next() -> None:
    text = "A sentence of it. " * 3 + "So.\n\nAnother paragraph, a longer one, stands here."
    assert _chunks(text, 54)[1:] == ["So.\n\nAnother paragraph, a longer one, stands here."]


def test_a_short_paragraph_stands_alone_before_what_must_be_broken() -> None:
    text = "Seven words.\n\n" + "A sentence of it. " * 10
    assert _chunks(text, 60)[:2] == [
        "Seven words.",
        "A sentence of it. A sentence of it. A sentence of it.",
    ]


def test_list_that_fits_stays_whole() -> None:
    items = "\n".join(f"- item number {number}" for number in range(5))
    text = f"{'Some words before it. ' * 3}\n\n{items}"
    assert _chunks(text, 100) == [("Some words before it. " * 3).strip(), items]


def test_fence_that_fits_stays_whole_and_is_cut_at_lines_otherwise() -> None:
    fence = "```\n" + "\n".join(f"line = {number}" for number in range(6)) + "\n```"
    assert _chunks(f"{'Word. ' * 10}\n\n{fence}", 80)[-1] == fence
    for chunk in _chunks(fence, 30):
        assert set(chunk.split("\n")) <= set(fence.split("\n"))


def test_overlap_begins_at_a_sentence() -> None:
    text = "One is here. Two is here. Three is here. Four is here. Five is here."
    assert _chunks(text, 42, 15) == [
        "One is here. Two is here. Three is here.",
        "Three is here. Four is here. Five is here.",
    ]


def test_overlap_begins_at_a_word_where_no_sentence_begins() -> None:
    text = " ".join(f"w{number}" for number in range(12))
    chunks = _chunks(text, 16, 6)
    assert chunks[0] == "w0 w1 w2 w3 w4"
    assert chunks[1].startswith("w3 w4 w5")


def test_overlap_does_not_cross_into_another_section() -> None:
    text = "# A\n\nText one. Text two.\n\n# B\n\nText three. Text four."
    assert _chunks(text, 40, 20) == _chunks(text, 40)


def test_overlap_does_not_begin_in_the_middle_of_code() -> None:
    text = "```\nfirst line\nlast\n```\n\nA sentence of prose behind it."
    assert _chunks(text, 40, 10) == ["```\nfirst line\nlast\n```", "A sentence of prose behind it."]


def test_overlap_is_given_up_rather_than_break_a_sentence() -> None:
    text = "A first sentence here. A second one that is exactly longer."
    assert _chunks(text, 40, 30) == [
        "A first sentence here.",
        "A second one that is exactly longer.",
    ]


def test_word_is_cut_only_when_longer_than_a_chunk() -> None:
    assert _chunks("tiny sixteen-letters1 x", 16) == ["tiny", "sixteen-letters1", "x"]
    assert _chunks("a" * 10, 4) == ["aaaa", "aaaa", "aa"]


def test_hard_cut_prefers_punctuation() -> None:
    assert _chunks("食べ物が大変に、好きです", 9) == ["食べ物が大変に、", "好きです"]


def test_separators_strongest_first() -> None:
    text = "a1;a2;a3|b1;b2|c1"
    assert _chunks(text, 9, separators=("|", ";")) == ["a1;a2;a3|", "b1;b2|c1"]
    assert _chunks(text, 6, separators=("|", ";")) == ["a1;a2;", "a3|", "b1;b2|", "c1"]


def test_separator_that_begins_with_a_line_break_begins_the_next_piece() -> None:
    text = "intro text\n## One\ntext\n## Two\ntext"
    assert _chunks(text, 13, separators=("\n## ",)) == [
        "intro text",
        "## One\ntext",
        "## Two\ntext",
    ]


def test_beyond_the_separators_words_are_kept() -> None:
    assert _chunks("some words|and more", 8, separators=("|",)) == ["some", "words|", "and more"]


@pytest.mark.parametrize("separators", [(), ("",), ("\n\n", "")])
def test_separators_that_divide_nothing(separators: tuple[str, ...]) -> None:
    assert _chunks("one two three", 8, separators=separators) == ["one two", "three"]
