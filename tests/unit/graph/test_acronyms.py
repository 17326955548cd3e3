from __future__ import annotations

import pytest

from clew.graph.acronyms import short_forms


def pairs(text: str) -> list[tuple[str, str]]:
    return [(text[a:b], text[c:d]) for a, b, c, d in short_forms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the World Tide Union (WTU) met", [("World Tide Union", "WTU")]),
        ("the WTU (World Tide Union) met", [("World Tide Union", "WTU")]),
        ("University of Orm and Norr (UON)", [("University of Orm and Norr", "UON")]),
        ("large tide models (LTMs) are", [("large tide models", "LTMs")]),
        ("the Bank of Norr (BoN; once X)", [("Bank of Norr", "BoN")]),
        ("the Bank of Norr (BN)", [("Bank of Norr", "BN")]),
        ("it ended. Union (WTU)", []),
        ("a thing (see below) and (2) or (A)", []),
        ("World Tide Union (ABC)", []),
        ("(WTU)", []),
        ("Wide → Tide Union (WTU)", []),
        ("the 'tide model' union (TMU)", []),
        ("", []),
    ],
)
def test_pairs(text: str, expected: list[tuple[str, str]]) -> None:
    assert pairs(text) == expected


def test_only_the_part_that_is_asked_for() -> None:
    text = "World Tide Union (WTU). World Tide Union (WTU)."
    found = list(short_forms(text, 24))
    assert [start for start, *_ in found] == [24]
