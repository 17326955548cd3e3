"""From the command line: which names were read as one, and one of them taken back for good."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli import main


def _run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--json", "--set", "embedding_model=none"])
    assert stop.value.code == status
    return json.loads(capsys.readouterr().out)


def _names(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [entity["name"] for entity in _run(capsys, "entities", "NTA")["entities"]]


def test_a_merge_is_listed_undone_and_stays_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "nta.txt"
    path.write_text("Norsk Tidal Authority (NTA) was founded in 1951. NTA owns Tveit Barrage.\n")
    _run(capsys, "ingest", "nta.txt")
    [merge] = _run(capsys, "entities", "--merges")["merges"]
    assert (merge["name"], merge["read_as"], merge["document"]) == (
        "NTA",
        "Norsk Tidal Authority",
        "nta.txt",
    )
    assert "NTA" not in _names(capsys)

    _run(capsys, "entities", "--undo", merge["id"])
    assert _run(capsys, "entities", "--merges")["merges"] == []
    assert "NTA" in _names(capsys)
    assert _run(capsys, "check")["ok"]

    path.write_text(path.read_text() + "It makes power.\n")
    _run(capsys, "ingest", "nta.txt")
    assert _run(capsys, "entities", "--merges")["merges"] == []
    error = _run(capsys, "entities", "--undo", merge["id"], status=1)["error"]
    assert error["type"] == "NotFoundError"
