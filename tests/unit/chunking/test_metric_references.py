"""What refers to what, as far as a text shows it."""

from __future__ import annotations

import pytest

from clew.chunking.metrics.analysis import Analysis
from clew.chunking.metrics.plan import Plan
from clew.chunking.metrics.references import references_completeness
from clew.chunking.outline import Outline
from clew.text.blocks import partition


def _pairs(text: str, near: int = 3000) -> list[tuple[str, str]]:
    """The first words of what is referred to, the last of what refers to it."""
    analysis = Analysis(Outline(text, partition(text, "markdown")), near=near)
    starts, ends = analysis.references
    return [
        (text[start:].split(maxsplit=1)[0], text[:end].rsplit(maxsplit=1)[-1])
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Hemp is old. It is strong.", ("Hemp", "It")),
        ("Hemp is old. “These ropes” hold.", ("Hemp", "“These")),
        ("Hanf ist alt. Er ist stark.", ("Hanf", "Er")),
        ("Пенька стара. Она крепка.", ("Пенька", "Она")),
        ("麻绳很旧。它很结实。", ("麻绳很旧。它很结实。", "麻绳很旧。它")),
        ("Table 3: Ropes\n\nMore is in Table 3 below.", ("Table", "3")),
        ("As Section 4.1 says.\n\n## 4.1 Ropes\n\nHemp.", ("Section", "#")),
        ("如表2所示。\n\n表2 麻绳", ("表2所示。", "表")),
        ("The Rope Makers Union (RMU) met. Later the RMU split.", ("Rope", "RMU")),
    ],
)
def test_pairs(text: str, pair: tuple[str, str]) -> None:
    assert _pairs(text) == [pair]


@pytest.mark.parametrize(
    "text",
    [
        "Hemp is old. Ropes hold.",
        "Hemp is old.\n\nIt is strong.",
        "Table 3 is missing. See Table 4.",
        "In 1920 there were 3 ropes.",
        "The union (RMU) met. The RMU split.",
        "Hemp.\n\n    it = 1\n    this = 2\n",
        "",
    ],
)
def test_where_nothing_is_shown_there_is_no_pair(text: str) -> None:
    assert _pairs(text) == []


def test_what_is_far_is_no_pair() -> None:
    text = "Table 3: Ropes\n\n" + "Hemp is old. " * 20 + "See Table 3 below."
    assert len(_pairs(text)) == 1
    assert _pairs(text, near=100) == []


def test_a_border_between_the_two_breaks_a_pair() -> None:
    text = "Hemp is old. It is strong. Jute is new. It rots."
    analysis = Analysis(Outline(text, partition(text)))
    cut = text.index("It is")
    outcome = references_completeness(
        Plan.of([(0, cut), (cut, len(text))], len(text)), analysis.references
    )
    assert outcome.value == 0.5
    assert outcome.explanation.startswith("1 of 2 ")


def test_no_pair_no_value() -> None:
    analysis = Analysis(Outline("Hemp.", partition("Hemp.")))
    outcome = references_completeness(Plan.of([(0, 5)], 5), analysis.references)
    assert outcome.value is None
    assert "no reference" in outcome.explanation
