"""``clew eval``: the table, JSON, the page, the comparison, and the exit status."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase

QUESTIONS = [
    {"question": "Who built Varde Light?", "answers": ["Munk Brothers"], "doc_ids": ["light.txt"]},
    {"question": "Who painted the bishop's yacht?", "answerable": False},
]


def clew(*arguments: str, cwd: Path) -> Any:
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


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "clew.db", config=config) as kb:
        kb.ingest_text("Varde Light was built by Munk Brothers in 1871.", name="light.txt")
    lines = "\n".join(json.dumps(question) for question in QUESTIONS)
    (tmp_path / "q.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


def test_a_table_and_a_page(folder: Path) -> None:
    done = clew("eval", "q.jsonl", "--html", "r.html", cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = dict(line.split("  ", 1) for line in done.stdout.splitlines())
    assert lines["exact match"].strip() == "100.0 %"
    assert lines["unanswerable that were refused"].strip() == "100.0 %"
    assert "Munk Brothers" in (folder / "r.html").read_text(encoding="utf-8")


def test_json_of_two_settings(folder: Path) -> None:
    (folder / "other.yaml").write_text("abstention_threshold: 1.0\n", encoding="utf-8")
    for second in (["--set-b", "abstention_threshold=1.0"], ["--against", "other.yaml"]):
        done = clew("eval", "q.jsonl", "--json", *second, cwd=folder)
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        assert [run["figures"]["em"] for run in told["runs"]] == [1.0, 0.0]
        assert told["runs"][1]["settings"] == {"abstention_threshold": 1.0}
        assert told["differences"]["em"]["mean"] == -1.0
        assert told["differences"]["em"]["high"] < 0
    table = clew("eval", "q.jsonl", "--against", "other.yaml", cwd=folder).stdout
    assert "-100.0 (-100.0 to -100.0) *" in table


def test_what_only_indexing_reads_is_told(folder: Path) -> None:
    done = clew("eval", "q.jsonl", "--set-b", "chunk_size=500", cwd=folder)
    assert "chunk_size: only indexing reads this" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["q.jsonl", "--require", "em=0.9"], 0, ""),
        (["q.jsonl", "--require", "recall@1=1.01"], 1, "recall@1 is 1.000, below 1.01"),
        (["q.jsonl", "--require", "em"], 2, "FIGURE=SHARE"),
        (["q.jsonl", "--require", "me=1"], 2, "no such figure"),
        (["q.jsonl", "--set-b", "chunk_sise=1"], 2, "chunk_size"),
        (["none.jsonl"], 1, "no file 'none.jsonl'"),
        (["bad.csv"], 1, "bad.csv: line 2"),
    ],
)
def test_the_exit_status(folder: Path, arguments: list[str], status: int, said: str) -> None:
    (folder / "bad.csv").write_text("question,answers\nWho?,\n", encoding="utf-8")
    done = clew("eval", *arguments, cwd=folder)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_question_that_fails_is_partly_failed(folder: Path) -> None:
    arguments = ["--set", "answer_method=llm"]
    done = clew("eval", "q.jsonl", *arguments, cwd=folder)
    assert done.returncode == 3
    assert "q.jsonl: line 1: MissingModelError" in done.stderr
