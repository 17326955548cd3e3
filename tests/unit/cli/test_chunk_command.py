"""``clew chunk`` and ``clew strategies``: results for programs, tables for people, a page."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typer.testing import CliRunner

from clew.chunking.registry import STRATEGIES
from clew.cli.app import app
from clew.cli.chunk_page import chunk_page
from clew.cli.commands import chunking as _chunking  # noqa: F401 - registers the commands
from clew.errors import ConfigError, MissingModelError

TEXT = (
    "# Orm Mill\n\n"
    + "The mill grinds <b>corn</b> & rye. It stands at the brook.\n\n" * 20
    + "# End\n\nDone.\n"
)


@pytest.fixture
def mill(tmp_path: Path) -> Path:
    path = tmp_path / "mill.md"
    path.write_text(TEXT, encoding="utf-8")
    return path


def _run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == status, result.output
    return result.stdout


def test_json_holds_slices_and_candidates(mill: Path) -> None:
    printed = json.loads(
        _run("--json", "chunk", str(mill), "--size", "300", "--overlap", "0",
             "--include-candidates")
    )  # fmt: skip
    (result,) = printed["documents"]
    assert printed["failed"] == []
    for chunk in result["chunks"]:
        assert TEXT[chunk["start"] : chunk["end"]] == chunk["text"]
        assert len(chunk["text"]) <= 300
    assert len(result["candidates"]) > 2


def test_one_strategy_by_name(mill: Path) -> None:
    printed = json.loads(
        _run("--json", "chunk", str(mill), "--strategy", "sentence", "--size", "250")
    )
    assert printed["documents"][0]["strategy_name"] == "sentence"


@pytest.mark.parametrize(("model", "told"), [("local", "MiniLM"), ("none", "words")])
def test_topics_are_compared_by_the_embedder_of_the_settings(
    mill: Path, model: str, told: str
) -> None:
    printed = json.loads(
        _run("--json", "--set", f"embedding_model={model}", "chunk", str(mill), "--strategy",
             "semantic")
    )  # fmt: skip
    (result,) = printed["documents"]
    assert all(told in chunk["metadata"]["similarity"] for chunk in result["chunks"])


def test_the_embedder_is_asked_for_only_where_it_is_of_use(mill: Path) -> None:
    nowhere = ("--json", "--set", f"embedding_model={mill.parent}/none/")
    for arguments in ((), ("--strategy", "sentence"), ("--strategy", "page", "--strategy", "code")):
        _run(*nowhere, "chunk", str(mill), *arguments)
    for arguments in (("--strategy", "semantic"), ("--strategy", "hybrid", "--strategy", "page")):
        result = CliRunner().invoke(app, [*nowhere, "chunk", str(mill), *arguments])
        assert isinstance(result.exception, MissingModelError)
    vectors = ("--set", "chunk_similarity=vectors")
    result = CliRunner().invoke(app, [*nowhere, *vectors, "chunk", str(mill)])
    assert isinstance(result.exception, MissingModelError)


def test_vectors_without_an_embedder_are_refused(mill: Path) -> None:
    settings = ("--set", "embedding_model=none", "--set", "chunk_similarity=vectors")
    result = CliRunner().invoke(app, [*settings, "chunk", str(mill)])
    assert isinstance(result.exception, ConfigError)
    assert "needs an embedder" in str(result.exception)
    _run(*settings, "chunk", str(mill), "--strategy", "sentence")


def test_people_see_why(mill: Path) -> None:
    printed = _run("chunk", str(mill), "--size", "300")
    assert "chunks by" in printed
    assert "block integrity" in printed
    assert "Orm Mill" in printed


def test_a_broken_file_does_not_cost_the_others(mill: Path) -> None:
    broken = mill.with_name("broken.pdf")
    broken.write_bytes(b"%PDF-1.4 nothing")
    printed = json.loads(_run("--json", "chunk", str(mill), str(broken), status=3))
    assert len(printed["documents"]) == 1
    assert printed["failed"][0]["source"].endswith("broken.pdf")
    assert "PDF" in printed["failed"][0]["reason"]
    assert "broken.pdf" in _run("chunk", str(broken), status=1)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.text = ""
        self.marks = 0
        self.shared = 0
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.inside = self.inside or tag == "pre"
        self.marks += tag == "mark"
        self.shared += "shared" in (values.get("class") or "")
        self.links += [value for key, value in attrs if key in {"src", "href"} and value]

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        self.text += data if self.inside else ""


def test_the_page_holds_the_text_and_nothing_from_elsewhere(mill: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    _run("chunk", str(mill), "--size", "300", "--overlap", "60", "--html", str(page))
    read = _Text()
    read.feed(page.read_text(encoding="utf-8"))
    assert read.text == TEXT
    assert read.marks > 4
    assert read.shared > 1
    assert read.links == []
    assert "<script" not in page.read_text(encoding="utf-8")


def test_an_empty_page() -> None:
    assert chunk_page([]).startswith("<!doctype html>")


def test_strategies_are_listed() -> None:
    printed = json.loads(_run("--json", "strategies"))
    assert [item["name"] for item in printed["strategies"]][: len(STRATEGIES)] == list(STRATEGIES)
    listed = _run("strategies")
    assert "section-aware" in listed
    assert "`" not in listed
