"""The explanation that is shown in the documentation is what the command line says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from clew.cli import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "how-to" / "read-an-explanation.md"


def _run(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    return capfd.readouterr().out


def _parts(text: str) -> list[str]:
    """The links, the statements and their words; numbers that hang on a model are left out."""
    lines = [line.strip(" │├└─") for line in text.splitlines()]
    wanted = [line for line in lines if not line.startswith(("score ", "dense ", "of these "))]
    return [re.sub(r"\d\.\d+|^\d\.", "#", line) for line in wanted if line]


def test_the_tree_on_the_page_is_what_a_search_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    page = PAGE.read_text(encoding="utf-8")
    asked = re.search(r'clew search "([^"]+)"', page)
    shown = re.search(r"```text\n(\d\. .*?)```", page, re.DOTALL)
    assert asked is not None
    assert shown is not None
    store = str(tmp_path / "prose.clew")
    _run(capfd, "ingest", "examples/prose", "--store", store, "--quiet")
    printed = _parts(_run(capfd, "search", asked[1], "--store", store, "--explain"))
    at = next(place for place, line in enumerate(printed) if line.endswith("Bligh › Governor"))
    assert [line for line in printed[at : at + 10] if line[:11] != "## Governor"][
        : len(_parts(shown[1]))
    ] == _parts(shown[1])
