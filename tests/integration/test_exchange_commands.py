"""Filters, scopes and formats on the command line, in one process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clew.cli.main import main

Clew = Callable[..., tuple[int, str, str]]
_WHERE = ("--where", "year >= 1902 and not year = 1903")
_ACME = ("--store", "t.clew", "--scope", "acme", "--json")


@pytest.fixture
def clew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Clew:
    """Run a command; return its exit status and what it wrote. Two tenants have two documents."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLEW_EMBEDDING_MODEL", "none")

    def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        told = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, told.out, told.err

    founders = (("Abel Rudd", 1901), ("Bea Vann", 1902))
    Path("mine.jsonl").write_text(
        "".join(
            json.dumps({"text": f"Norr Works was founded by {who} in {year}.", "year": year}) + "\n"
            for who, year in founders
        )
    )
    for scope in ("acme", "beta"):
        status, _, errors = run("ingest", "mine.jsonl", "--store", "t.clew", "--scope", scope)
        assert status == 0, errors
    return run


def _read(told: tuple[int, str, str]) -> Any:
    status, out, errors = told
    assert status == 0, errors
    return json.loads(out)


def test_filters_and_scopes(clew: Clew) -> None:
    assert _read(clew("stats", *_ACME))["documents"] == 2
    assert _read(clew("stats", *_WHERE, *_ACME))["documents"] == 1
    assert _read(clew("ask", "Who founded Norr Works?", *_WHERE, *_ACME))["answer"] == "Bea Vann"
    listed = _read(clew("entities", *_WHERE, *_ACME))["entities"]
    assert [entity["name"] for entity in listed] == ["Bea Vann", "Norr Works"]
    assert [entity["chunks"] for entity in listed] == [1, 1]
    assert _read(clew("facts", *_WHERE, *_ACME)) == {"facts": []}
    shown = _read(clew("show", *_WHERE, *_ACME))["documents"]
    assert [document["metadata"]["year"] for document in shown] == [1902]
    status, out, _ = clew("entities", "--merges", *_WHERE, *_ACME)
    assert status != 0
    assert "--in DOCUMENT" in out


def test_exports_and_imports(clew: Clew) -> None:
    status, piped, errors = clew("export", "-", *_WHERE, *_ACME)
    assert status == 0
    assert json.loads(piped.splitlines()[0])["documents"] == 1
    assert "1 documents written to -" in errors
    for name in ("x.graphml", "x.parquet"):
        told = _read(clew("export", name, *_WHERE, *_ACME))
        assert told == {"documents": 1, "path": name}
    other = ("--store", "other.clew", "--json", "--scope")
    status, out, _ = clew("import", "-", *other, "beta", stdin=piped)
    assert status == 1
    assert "of the scope 'acme'" in json.loads(out)["error"]["message"]
    assert not Path("other.clew").exists()
    for source, stdin in (("-", piped), ("x.parquet", "")):
        told = _read(clew("import", source, *other, "acme", stdin=stdin))
        assert told == {"documents": 1, "path": source}
    status, out, _ = clew("export", "x.grapml", *_ACME)
    assert status == 1
    assert "did you mean '.graphml'" in out
