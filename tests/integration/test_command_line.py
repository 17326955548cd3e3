"""The command line in real processes: output, JSON, exit status, errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

DOCS = {
    "founding.md": "# Norr Works\n\nNorr Works was founded by Greta Lind in 1911 in Sundby.\n",
    "deal.txt": "In 1954 the shipyard Tveit Yard was bought by Norr Works.\n",
    "people/greta.md": "# Greta Lind\n\nGreta Lind was born in Arlo. She died in 1960.\n",
}


def clew(*arguments: str, cwd: Path, stdin: str = "", **environment: str) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "clew", *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **environment},
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with documents and a store made by `clew ingest`."""
    root = tmp_path_factory.mktemp("cli")
    for name, text in DOCS.items():
        path = root / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    done = clew("ingest", "docs", "--store", "s.clew", "--json", cwd=root)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert {item["source"]: item["status"] for item in report["documents"]} == {
        "docs/deal.txt": "inserted",
        "docs/founding.md": "inserted",
        "docs/people/greta.md": "inserted",
    }
    return root


def test_ask_cites_both_documents(folder: Path) -> None:
    done = clew(
        "ask", "Who founded the company that bought Tveit Yard?", "--json", "--store", "s.clew",
        cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["answer"] == "Greta Lind"
    assert {citation["doc_id"] for citation in answer["citations"]} >= {
        "docs/deal.txt",
        "docs/founding.md",
    }
    for citation in answer["citations"]:
        text = (folder / citation["doc_id"]).read_text(encoding="utf-8")
        assert text[citation["start"] : citation["end"]] == citation["text"]


def test_global_options_stand_before_or_after(folder: Path) -> None:
    before = clew("--store", "s.clew", "--json", "stats", cwd=folder)
    after = clew("stats", "--json", "--store", "s.clew", cwd=folder)
    by_environment = clew("stats", "--json", cwd=folder, CLEW_STORE="s.clew")
    assert before.stdout == after.stdout == by_environment.stdout
    assert json.loads(before.stdout)["documents"] == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ("stats",),
        ("show",),
        ("show", "docs/deal.txt"),
        ("check",),
        ("search", "Norr Works", "--explain"),
        ("ask", "Who founded Norr Works?"),
        ("entities", "Norr"),
        ("entities", "--merges"),
        ("facts",),
        ("facts", "--contradictions"),
        ("config",),
        ("version",),
    ],
)
def test_every_reading_command_speaks_to_people_and_to_programs(
    folder: Path, arguments: tuple[str, ...]
) -> None:
    plain = clew(*arguments, "--store", "s.clew", cwd=folder)
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip()
    assert "Traceback" not in plain.stderr
    as_json = clew(*arguments, "--store", "s.clew", "--json", cwd=folder)
    assert as_json.returncode == 0, as_json.stderr
    json.loads(as_json.stdout)


@pytest.mark.parametrize(
    "command",
    ["ingest", "sync", "delete", "search", "ask", "interactive", "stats", "show", "check",
     "export", "import", "config", "demo", "version", "reembed", "entities", "facts"],
)  # fmt: skip
def test_help_has_an_example(tmp_path: Path, command: str) -> None:
    done = clew(command, "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "Example" in done.stdout
    assert f"clew {command}" in done.stdout
    assert "--store" in done.stdout


def test_a_missing_store_says_what_to_do(tmp_path: Path) -> None:
    done = clew("ask", "Who?", cwd=tmp_path)
    assert done.returncode == 1
    assert "clew ingest PATH" in done.stderr
    assert not (tmp_path / "clew.db").exists()
    as_json = clew("ask", "Who?", "--json", cwd=tmp_path)
    assert json.loads(as_json.stdout)["error"]["type"] == "StoreNotFoundError"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("frobnicate",), "No such command"),
        (("config", "--set", "chunk_sise=3"), "did you mean 'chunk_size'"),
        (("config", "--set", "chunk_size"), "KEY=VALUE"),
        (("search", "x", "--where", "{"), "is not JSON"),
        (("ask", "  "), "question"),
    ],
)
def test_wrong_usage_is_status_2_and_says_why(
    folder: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = clew(*arguments, "--store", "s.clew", cwd=folder)
    assert done.returncode == 2, done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_partly_failed_is_status_3_and_all_failed_is_1(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("Norr Works stands in Sundby.", encoding="utf-8")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 broken")
    done = clew("ingest", ".", "--store", "s.clew", "--json", cwd=tmp_path)
    assert done.returncode == 3
    status = {item["source"]: item for item in json.loads(done.stdout)["documents"]}
    assert status["good.txt"]["status"] == "inserted"
    assert status["bad.pdf"]["status"] == "failed"
    assert "bad.pdf" in status["bad.pdf"]["reason"]
    only_bad = clew("ingest", "bad.pdf", "--store", "t.clew", cwd=tmp_path)
    assert only_bad.returncode == 1


def test_missing_path_is_named(tmp_path: Path) -> None:
    done = clew("ingest", "nowhere", "--store", "s.clew", cwd=tmp_path)
    assert done.returncode == 1
    assert "nowhere" in done.stderr


def test_export_and_import_give_the_same_answers(folder: Path, tmp_path: Path) -> None:
    path = str(tmp_path / "all.jsonl")
    assert clew("export", path, "--store", "s.clew", cwd=folder).returncode == 0
    other = str(tmp_path / "t.clew")
    assert clew("import", path, "--store", other, cwd=folder).returncode == 0
    question = ("ask", "Who founded Norr Works?", "--json", "--store")
    first = json.loads(clew(*question, "s.clew", cwd=folder).stdout)
    second = json.loads(clew(*question, other, cwd=folder).stdout)
    assert first == second


def test_delete_prints_a_receipt(folder: Path, tmp_path: Path) -> None:
    store = str(tmp_path / "s.clew")
    clew("ingest", "docs", "--store", store, cwd=folder)
    done = clew("delete", "docs/deal.txt", "nothing.txt", "--store", store, "--json", cwd=folder)
    receipts = json.loads(done.stdout)["deleted"]
    assert receipts[0]["doc_ids"] == ["docs/deal.txt"]
    assert receipts[0]["removed"]["documents"] == 1
    assert "nothing to delete" in receipts[1]["note"]


def test_interactive_reads_lines_from_a_pipe(folder: Path) -> None:
    lines = "Who founded Norr Works?\n/why\n/sources\n/what\n/quit\nWho bought Tveit Yard?\n"
    done = clew("interactive", "--store", "s.clew", cwd=folder, stdin=lines)
    assert done.returncode == 0, done.stderr
    assert "Greta Lind" in done.stdout
    assert "docs/founding.md" in done.stdout
    assert "/sources" in done.stdout
    assert done.stdout.count("Tveit") == 0


def test_progress_is_plain_lines_in_a_pipe_and_silent_when_quiet(folder: Path) -> None:
    quiet = clew("ingest", "docs", "--store", "q.clew", "--quiet", cwd=folder)
    assert quiet.stderr == ""
    loud = clew("ingest", "docs", "--store", "q.clew", cwd=folder)
    assert "\x1b" not in loud.stderr + loud.stdout
    assert "unchanged" in loud.stdout


def test_works_in_the_c_locale(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "zürich.txt").write_text("Zoë Müller opened the Café Zürich.", encoding="utf-8")
    done = clew("ingest", ".", "--store", "s.clew", cwd=tmp_path, LC_ALL="C", LANG="C")
    assert done.returncode == 0, done.stderr
    asked = clew(
        "ask", "Who opened the Café Zürich?", "--store", "s.clew", "--json",
        cwd=tmp_path, LC_ALL="C", LANG="C",
    )  # fmt: skip
    assert json.loads(asked.stdout)["answer"] == "Zoë Müller"


def test_ctrl_c_leaves_a_good_store_and_the_next_run_goes_on(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    lines = [
        json.dumps({"id": f"d{number}", "text": f"Harbour {number} has a lighthouse. " * 12})
        for number in range(1000)
    ]
    corpus.write_text("\n".join(lines), encoding="utf-8")
    command = [sys.executable, "-m", "clew", "ingest", "corpus.jsonl", "--store", "s.clew"]
    child = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while not (tmp_path / "s.clew").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=90)
    assert child.returncode == 130, err
    assert b"run the same command to go on" in out
    assert b"Traceback" not in err
    checked = clew("check", "--json", "--store", "s.clew", cwd=tmp_path)
    assert checked.returncode == 0
    inside = json.loads(checked.stdout)["checked"]["documents"]
    assert 0 < inside < 1000
    again = clew("ingest", "corpus.jsonl", "--store", "s.clew", "--json", cwd=tmp_path)
    counts = json.loads(again.stdout)["counts"]
    assert counts == {"inserted": 1000 - inside, "unchanged": inside}
