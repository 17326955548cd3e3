"""Headings of plain text: told by layout, and what is none."""

from __future__ import annotations

import pytest

from clew.documents.making import make_document
from clew.text.blocks import partition

BODY = "The bridge was built of steel by Orm Works and opened in the spring of 1932 with a song."
WRAPPED = (
    "The bridge was built of steel by Orm Works and opened in the spring\n"
    "of 1932 with a song that nobody in the town remembers any more.\n"
)


def headings(text: str) -> list[tuple[int, str]]:
    return [
        (block.level, text[block.start : block.end].strip())
        for block in partition(text)
        if block.kind == "heading"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Norr Bridge",
        "History of the Norr Bridge",
        "Bridge design",
        "Who's Minding the Bridge?",
        "NORR BRIDGE",
        "Hawise, Countess of Norr",
        "Norr: A Life",
        "Karl Orm Jr.",
        "W. H. Orm",
        "1932 Norr fire",
        "Norr (bridge)",
        "Мост через Норр",
    ],
)
def test_a_short_line_before_text_is_a_heading(line: str) -> None:
    around = f"It rained.\n\n{line}\n{BODY}\n\n{line}\n\n{BODY}\n"
    assert headings(around) == [(2, line), (2, line)]
    assert headings(f"It rained.\n\n{line}\n\n{WRAPPED}") == [(2, line)]


@pytest.mark.parametrize(
    "line",
    [
        "It is closed",
        "We met at noon.",
        "Dear Jane,",
        "You need:",
        "Date: 3 May",
        "Subject: Norr Bridge",
        "they sang in Norr",
        "Norr | Tarn | Orm",
        "Norr    Tarn",
        "1932",
        "MAYOR: No",
        "Mayor: No!",
        "(Laughter)",
        "* * *",
        "def bridge():",
        "see https://norr.example",
        "jane@norr.example",
        "- Norr Bridge",
        "A line of so many words that it can hardly be the heading of what follows",
    ],
)
def test_other_short_lines_are_none(line: str) -> None:
    assert headings(f"It rained.\n\n{line}\n\n{BODY}\n") == []


def test_wrapped_text_has_no_headings() -> None:
    assert headings(f"{WRAPPED}\n{WRAPPED}") == []


def test_verse_lists_and_addresses_have_no_headings() -> None:
    assert headings("Rain on the Bridge\nRain on the Tarn\n\nAnd Orm was there\nAll night\n") == []
    assert headings("Norr\n\nTarn\n\nOrm\n\nHolm\n") == []
    assert headings("Jane Roe\nBridge Street 4\nNorr\n\nKarl Orm\nTarn Road 9\nNorr\n") == []


def test_a_long_row_of_short_lines_holds_no_headings() -> None:
    assert headings(f"It rained.\n\nNorr\n\nTarn\n\nOrm\n\nHolm\n\n{BODY}\n") == [
        (2, "Orm"),
        (2, "Holm"),
    ]


def test_a_line_at_the_end_is_no_heading() -> None:
    assert headings(f"{BODY}\n\nJane Roe\n") == []


def test_the_one_heading_at_the_top_is_the_title() -> None:
    text = f"Norr Bridge\n\n{BODY}\n\n{BODY}\n"
    assert headings(text) == [(1, "Norr Bridge")]
    assert make_document(text, doc_id="d").title == "Norr Bridge"


def test_a_heading_before_another_at_the_top_is_the_title() -> None:
    text = f"Norr Report\n\nHistory\n\n{BODY}\n\nDesign\n\n{BODY}\n"
    assert headings(text) == [(1, "Norr Report"), (2, "History"), (2, "Design")]
    assert make_document(text, doc_id="d").title == "Norr Report"


def test_the_first_of_several_parts_gives_the_whole_no_title() -> None:
    text = f"Norr Bridge\n{BODY}\n\nTarn Tower\n{BODY}\n"
    assert headings(text) == [(2, "Norr Bridge"), (2, "Tarn Tower")]
    assert make_document(text, doc_id="d").title == ""


def test_a_short_definition_is_text_enough() -> None:
    assert headings("It rained.\n\nNorr Bridge\nNorr Bridge may refer to:\n\n- a bridge\n") == [
        (2, "Norr Bridge")
    ]
