"""``clew plan``, ``clew usage`` and ``clew ingest --plan`` in real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.testing import TellingLLM


def _clew(*arguments: str, cwd: Path) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "clew", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1"},
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two documents, and a store in which one of them was read by a model."""
    root = tmp_path_factory.mktemp("planning")
    (root / "docs").mkdir()
    for name, text in (("a", "Ada Orm built a mill in Norr."), ("b", "Bo Lind sold it in 1911.")):
        (root / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")
    (root / "prices.yaml").write_text(
        "currency: EUR\nmodels:\n  telling-llm: {input: 1000, output: 1000}", encoding="utf-8"
    )
    config = ClewConfig(embedding_model="none", llm_prices=str(root / "prices.yaml"))
    with KnowledgeBase.open(root / "s.clew", llm=TellingLLM(), config=config) as kb:
        kb.ingest(root / "docs" / "a.txt")
    return root


def test_a_plan_makes_no_store(folder: Path) -> None:
    done = _clew("plan", "docs", "--store", "new.clew", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    plan = json.loads(done.stdout)
    assert [method["method"] for method in plan["methods"]] == ["sentence", "vocabulary", "llm"]
    assert plan["chosen"] == "sentence"
    assert plan["methods"][2]["documents"] == 2
    assert plan["methods"][2]["calls"] == 1
    assert plan["methods"][2]["cost"] is None
    assert not (folder / "new.clew").exists()


def test_a_plan_for_people(folder: Path) -> None:
    done = _clew(
        "plan", "docs", "--method", "llm", "--set", "llm_model=openai:gpt-4o-mini",
        "--set", "llm_max_cost=0.0001", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "llm (chosen)" in done.stdout
    assert "USD" in done.stdout
    assert "llm_max_cost stops 'llm' after about 0 of 1 calls" in done.stdout
    assert "openai/gpt-4o-mini" in done.stderr
    assert "prices as of" in done.stderr


def test_a_wrong_method_or_key_is_named(folder: Path) -> None:
    done = _clew("plan", "docs", "--method", "lm", cwd=folder)
    assert done.returncode == 2
    assert "did you mean 'llm'?" in done.stderr
    done = _clew("usage", "--by", "documents", "--store", "s.clew", cwd=folder)
    assert done.returncode == 2
    assert "did you mean 'document'?" in done.stderr
    done = _clew("plan", "absent", cwd=folder)
    assert done.returncode == 1
    assert "absent" in done.stderr


def test_a_plan_stands_beside_what_was_used(folder: Path) -> None:
    arguments = ("ingest", "docs", "--plan", "--set", "embedding_model=none")
    done = _clew(*arguments, "--store", "p.clew", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0].split() == ["planned", "used"]
    assert done.stdout.split("\n")[1].split() == ["calls", "0", "0"]
    done = _clew(*arguments, "--store", "q.clew", "--json", cwd=folder)
    report = json.loads(done.stdout)
    assert report["planned"]["documents"] == 2
    assert report["usage"]["calls"] == report["planned"]["calls"] == 0


def test_usage_is_told(folder: Path) -> None:
    done = _clew("usage", "--by", "document", "--by", "stage", "--store", "s.clew", cwd=folder)
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[1][0].endswith("a.txt")
    assert rows[1][1:3] == ["extraction", "1"]
    assert rows[-1][0] == "total"
    assert rows[-1][-1] == "EUR"
    done = _clew("usage", "--json", "--store", "s.clew", cwd=folder)
    report = json.loads(done.stdout)
    assert report["total"]["usage"]["calls"] == 1
    assert report["groups"][0]["stage"] == "extraction"
    assert report["total"]["costs"]["EUR"] > 0
