"""``clew show`` says which strategy cut a document, and whether it was chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clew.cli import main as _main  # noqa: F401 - registers the commands
from clew.cli.app import app


def _run(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["--store", "ropes.clew", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize(
    ("strategy", "shown"), [("sentence", "cut by sentence"), ("adaptive", "chosen by adaptive")]
)
def test_show_says_how_a_document_was_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str, shown: str
) -> None:
    monkeypatch.setenv("CLEW_CHUNK_STRATEGY", strategy)
    monkeypatch.setenv("CLEW_CHUNK_SIZE", "300")
    monkeypatch.chdir(tmp_path)
    text = "# Rope\n\n" + "Hemp rope is old. It holds well.\n\n" * 30
    (tmp_path / "rope.md").write_text(text, encoding="utf-8")
    _run("ingest", "rope.md")
    printed = _run("show", "rope.md")
    assert shown in printed
    document = json.loads(_run("--json", "show", "rope.md"))
    metadata = document["chunks"][0]["metadata"]
    assert metadata["strategy"] in printed
    assert metadata.get("chosen_by") == ("adaptive" if strategy == "adaptive" else None)
