"""A second stage from the command line: a cross-encoder in a folder, read by ONNX Runtime."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.cli import main
from clew.testing.small_cross_encoder import save_small_cross_encoder

WORDS = "which pilot brought the brig sula into varde harbour was by munk a".split()
QUESTION = "Which pilot brought the Sula into Varde?"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("CLEW_STORE", "CLEW_RERANKER_MODEL"):
        monkeypatch.delenv(name, raising=False)
    save_small_cross_encoder(tmp_path / "reranker", WORDS)
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "s.clew", config=config) as kb:
        kb.ingest_text("The brig Sula was brought into Varde by Munk, a pilot.", name="sula.txt")
        kb.ingest_text("Varde harbour has a pilot. Varde has a light.", name="varde.txt")
        kb.ingest_text("A cooper makes barrels. A lark is a bird.", name="other.txt")
    return tmp_path


def _clew(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--store", "s.clew"])
    said = capfd.readouterr()
    return int(str(ended.value.code)), said.out, said.err


def _search(capfd: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status, out, err = _clew(capfd, "search", QUESTION, "--json", *arguments)
    assert status == 0, err
    return json.loads(out)


@pytest.mark.usefixtures("folder")
def test_the_option_the_setting_and_the_variable_name_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = _search(capfd)
    assert plain["reranker"] == ""
    by_option = _search(capfd, "--reranker", "./reranker")
    assert by_option["reranker"].startswith("small/cross-encoder/")
    assert by_option["items"][0]["doc_id"] == "sula.txt"
    assert all({"first", "rerank"} <= set(item["scores"]) for item in by_option["items"])
    assert _search(capfd, "--set", "reranker_model=./reranker") == by_option
    monkeypatch.setenv("CLEW_RERANKER_MODEL", "./reranker")
    assert _search(capfd) == by_option
    assert _search(capfd, "--reranker", "none") == plain


@pytest.mark.usefixtures("folder")
def test_people_see_what_it_gave(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _clew(capfd, "search", QUESTION, "--explain", "--reranker", "./reranker")
    assert status == 0
    assert ", reranker 0." in out
    status, out, _ = _clew(capfd, "ask", QUESTION, "--reranker", "./reranker")
    assert status == 0
    assert "Munk" in out


@pytest.mark.usefixtures("folder")
def test_a_reranker_that_fails_is_noted_and_costs_nothing_else(
    capfd: pytest.CaptureFixture[str],
) -> None:
    plain = _search(capfd)
    Path("reranker", "small.onnx").write_bytes(b"torn")
    torn = _search(capfd, "--reranker", "./reranker")
    assert torn["items"] == plain["items"]
    assert any("ONNX Runtime cannot load it" in note for note in torn["notes"])
    status, out, err = _clew(capfd, "search", QUESTION, "--reranker", "./reranker")
    assert (status, "sula.txt" in out) == (0, True)
    assert "the reranker failed" in err
    status, out, err = _clew(capfd, "ask", QUESTION, "--reranker", "./reranker")
    assert (status, "Munk" in out, "the reranker failed" in err) == (0, True, True)
    status, out, _ = _clew(capfd, "ask", QUESTION, "--reranker", "./reranker", "--json")
    assert "the reranker failed" in json.loads(out)["notes"][-1]


@pytest.mark.usefixtures("folder")
def test_a_reranker_that_cannot_be_had_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    status, _, err = _clew(capfd, "search", QUESTION, "--reranker", "./gone")
    assert (status, "no such folder" in err) == (1, True)
    status, _, err = _clew(capfd, "search", QUESTION, "--reranker", "gone")
    assert (status, "is not one of none, a folder" in err) == (2, True)
