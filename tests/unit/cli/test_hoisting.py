"""Global options may stand anywhere."""

from __future__ import annotations

import pytest

from clew.cli.main import as_settings, hoist


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


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], []),
        (["ask", "q", "--quality-mode", "cheap"], ["ask", "q", "--quality-mode", "cheap"]),
        (["--quality-mode=cheap", "ingest", "d"], ["--set", "quality_mode=cheap", "ingest", "d"]),
        (["--store", "ask", "--max-source-chars", "9", "ask", "q"],
         ["--store", "ask", "--set", "max_source_chars=9", "ask", "q"]),
        (["stats", "--include-source-text"], ["stats", "--set", "include_source_text=true"]),
        (["interactive", "--quality-mode", "quality"],
         ["interactive", "--set", "quality_mode=quality"]),
        (["stats", "--quality-mode"], ["stats", "--set", "quality_mode="]),
        (["stats", "--", "--quality-mode"], ["stats", "--", "--quality-mode"]),
    ],
)  # fmt: skip
def test_options_for_answers_are_settings_too(given: list[str], expected: list[str]) -> None:
    assert as_settings(given) == expected
