"""Hyphens at line ends: the typesetter's go, the writer's stay."""

import pytest

from clew.documents.readers.hyphenation import LineJoiner
from clew.documents.readers.pdf_lines import Cell, Line


def line(text: str, *, ends_blank: bool = False) -> Line:
    return Line(
        cells=(Cell(text, 0, 100),),
        y=0,
        size=10,
        breaks_word=text.endswith(("-", "\u00ad")),
        ends_blank=ends_blank,
    )


def joined(first: str, second: str, *elsewhere: str, ends_blank: bool = False) -> str:
    lines = [line(first, ends_blank=ends_blank), line(second), *map(line, elsewhere)]
    return LineJoiner(lines).join(first, lines[0], second) + second


@pytest.mark.parametrize(
    ("first", "second", "elsewhere", "expected"),
    [
        ("an exam-", "ple of it", "", "an example of it"),
        ("a well-", "known ferry", "the well-known man", "a well-known ferry"),
        ("a well-", "known ferry", "long known", "a well-known ferry"),
        ("the light-", "house stands", "a lighthouse", "the lighthouse stands"),
        ("the light-", "house stands", "a light-house", "the light-house stands"),
        ("river-", "bank birds", "the river rose; each bank fell", "river-bank birds"),
        ("with-", "in the mole", "with what is in it", "within the mole"),
        ("the Anglo-", "Saxon ship", "", "the Anglo-Saxon ship"),
        ("pier-", "12 is shut", "", "pier-12 is shut"),
        ("the state-of-the-", "art crane", "state and art", "the state-of-the-art crane"),
        ("soft\u00ad", "ened wood", "", "softened wood"),
        ("no hyphen", "here", "", "no hyphen here"),
        ("it sank –", "slowly", "", "it sank – slowly"),
        ("灯台は高", "いです", "", "灯台は高いです"),
        ("costs 5-", "(six) crowns", "", "costs 5- (six) crowns"),
    ],
)
def test_joining(first: str, second: str, elsewhere: str, expected: str) -> None:
    assert joined(first, second, *filter(None, [elsewhere])) == expected


def test_korean_lines_tell_by_their_blanks_whether_a_word_goes_on() -> None:
    lines = [
        line("등대는 항", ends_blank=False),
        line("구의 북쪽에", ends_blank=True),
        line("있다"),
    ]
    joiner = LineJoiner(lines)
    assert joiner.join("등대는 항", lines[0], "구의 북쪽에") == "등대는 항"
    assert joiner.join("구의 북쪽에", lines[1], "있다") == "구의 북쪽에 "
