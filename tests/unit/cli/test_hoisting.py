"""Global options may stand anywhere."""

from __future__ import annotations

import pytest

from clew.cli.main import hoist


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        (["ask", "q"], ["ask", "q"]),
        (["ask", "q", "--store", "s"], ["--store", "s", "ask", "q"]),
        (["ask", "--json", "q", "--store=s"], ["--json", "--store=s", "ask", "q"]),
        (["--quiet", "stats"], ["--quiet", "stats"]),
        (["ask", "q", "--set", "a=1", "--set", "b=2"],
         ["--set", "a=1", "--set", "b=2", "ask", "q"]),
        (["ask", "--", "--json"], ["ask", "--", "--json"]),
        (["ask", "q", "--store"], ["--store", "ask", "q"]),
    ],
)  # fmt: skip
def test_hoist(given: list[str], expected: list[str]) -> None:
    assert hoist(given) == expected
