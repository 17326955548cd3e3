"""The command line where things are wrong: streams, rights, names, files, usage."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from clew.cli import main

DOCS = {
    "light.md": "# Varde Light\n\nVarde Light was built by Munk Brothers in 1871.\n",
    "firm.txt": "Munk Brothers was founded by Oda Krog.\n",
    "ælin.txt": "Ælin Þór sailed the Tern to Skagen.\n",
}
WORDS = ("--set", "embedding_model=none")


def clew(*arguments: str, cwd: Path, stdin: str | None = "", **environment: str) -> Any:
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


def shell(line: str, cwd: Path) -> Any:
    command = f'set -o pipefail; clew() {{ {sys.executable} -m clew "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("faults")
    (root / "docs").mkdir()
    for name, text in DOCS.items():
        (root / "docs" / name).write_text(text, encoding="utf-8")
    assert clew("ingest", "docs", *WORDS, cwd=root).returncode == 0
    return root


# --- usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("frob",), "No such command"),
        (("ask",), "question"),
        (("ask", "x", "--frob"), "No such option"),
        (("search", "x", "--top", "0"), "--top"),
        (("search", "x", "--top", "many"), "--top"),
        (("config", "--set", "chunk_size=abc"), "chunk_size='abc' must be a whole number"),
        (("config", "--config", "docs"), "docs: it cannot be read"),
        (("config", "--config", "nowhere.yaml"), "nowhere.yaml"),
        (("ask", "?", "--where", "[1]"), "expected a key"),
        (("ask", "?", "--where", '{"year": {"$after": 1}}'), "valid: $eq"),
        ((), "command"),
    ],
)
def test_wrong_usage_is_json_too(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    done = clew(*arguments, "--json", cwd=folder)
    assert done.returncode == 2
    assert message in json.loads(done.stdout)["error"]["message"]
    assert done.stderr == ""


def test_what_stands_behind_two_dashes_is_no_option(folder: Path) -> None:
    done = clew("show", "--", "--json", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith("clew: no document '--json'")


def test_an_error_that_nobody_foresaw_is_json_and_keeps_its_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.chdir(folder)
    monkeypatch.setattr("clew.knowledge_base.KnowledgeBase.stats", fail)
    with pytest.raises(SystemExit) as stop:
        main(["stats", "--json"])
    assert stop.value.code == 1
    captured = capfd.readouterr()
    assert json.loads(captured.out)["error"] == {
        "type": "ZeroDivisionError",
        "message": "by nothing",
    }
    assert "Traceback" in captured.err


def test_the_version_is_an_option_too(folder: Path) -> None:
    done = clew("--version", cwd=folder)
    assert (done.returncode, done.stdout.split()[0]) == (0, "clew")


def test_why_says_how(folder: Path) -> None:
    question = "Who founded the firm that built Varde Light?"
    done = clew("why", question, cwd=folder)
    assert "the path:" in done.stdout
    as_json = json.loads(clew("why", question, "--json", cwd=folder).stdout)
    assert as_json["why"] == done.stdout.rstrip("\n")
    assert as_json["answer"] == "Oda Krog"


# --- streams --------------------------------------------------------------------------------------


def test_closed_streams(folder: Path) -> None:
    assert shell("clew interactive <&-", folder).returncode == 0
    assert shell("clew stats <&-", folder).stdout.startswith("documents")
    for command in ("stats", "stats --json", "show", "--help"):
        done = shell(f"clew {command} >&-", folder)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["show", "show --json", "--help", "config"])
def test_a_reader_that_goes_away_is_no_traceback(folder: Path, command: str) -> None:
    done = shell(f"clew {command} | true", folder)
    assert done.returncode in {0, 1}
    assert done.stderr == ""


@pytest.mark.parametrize("command", ["stats", "stats --json", "show docs/light.md", "--help"])
def test_an_output_that_is_full_is_told_in_a_line(folder: Path, command: str) -> None:
    done = shell(f"clew {command} > /dev/full", folder)
    assert done.returncode == 1
    assert done.stderr.startswith("clew: ")
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("environment", [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "latin-1:strict"},
])  # fmt: skip
def test_names_that_the_encoding_lacks(folder: Path, environment: dict[str, str]) -> None:
    def run(*arguments: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-m", "clew", *arguments],
            cwd=folder,
            capture_output=True,
            env={**os.environ, **environment},
            check=True,
        ).stdout

    assert b"firm.txt" in run("show")
    documents = json.loads(run("show", "--json").decode("ascii"))["documents"]
    assert "docs/ælin.txt" in [document["doc_id"] for document in documents]


def test_bytes_that_are_no_text_in_a_pipe(folder: Path) -> None:
    done = shell("printf 'caf\\xe9?\\nWho founded Munk Brothers?\\n' | clew interactive", folder)
    assert done.returncode == 0, done.stderr
    assert "Oda Krog" in done.stdout


def test_no_home_and_a_narrow_terminal(folder: Path) -> None:
    home = {name: value for name, value in os.environ.items() if name not in {"HOME", "USER"}}
    done = subprocess.run(
        [sys.executable, "-m", "clew", "ask", "Who founded Munk Brothers?"],
        cwd=folder,
        env={**home, "COLUMNS": "20", "TERM": "dumb"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[0] == "Oda Krog"


# --- names ----------------------------------------------------------------------------------------

NAMES = [
    "[/bold]",
    "[red]x[/red]",
    "\\[x]",
    "-dash",
    "--json",
    "%s {0}",
    "a\x1b[31mb",
    "\ud83d",
    "\u202ea",
]


def test_hostile_names_are_listed_shown_and_deleted(tmp_path: Path) -> None:
    lines = [json.dumps({"id": name, "title": name, "text": f"Buoy {number} is red."})
             for number, name in enumerate(NAMES)]  # fmt: skip
    (tmp_path / "buoys.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert clew("ingest", "buoys.jsonl", *WORDS, cwd=tmp_path).returncode == 0
    listed = clew("show", cwd=tmp_path)
    assert listed.returncode == 0, listed.stderr
    assert "\x1b" not in listed.stdout
    documents = json.loads(clew("show", "--json", cwd=tmp_path).stdout)["documents"]
    assert len(documents) == len(NAMES)
    for document in documents:
        shown = clew("show", "--", document["doc_id"], cwd=tmp_path)
        assert shown.returncode == 0, shown.stderr
        assert "\x1b" not in shown.stdout
    names = [document["doc_id"] for document in documents]
    receipts = json.loads(clew("delete", "--json", "--", *names, cwd=tmp_path).stdout)["deleted"]
    assert [receipt["doc_ids"] for receipt in receipts] == [[name] for name in names]


def test_a_long_receipt_is_shortened(tmp_path: Path) -> None:
    lines = [json.dumps({"id": f"b{number}", "text": f"Buoy {number}."}) for number in range(50)]
    (tmp_path / "buoys.jsonl").write_text("\n".join(lines), encoding="utf-8")
    clew("ingest", "buoys.jsonl", *WORDS, cwd=tmp_path)
    done = clew("delete", "buoys.jsonl", cwd=tmp_path)
    assert "and 30 more: 50 documents" in done.stdout


# --- stores and files -----------------------------------------------------------------------------


def test_nothing_is_made_by_a_command_that_fails(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text('{"text": "no export"}\n', encoding="utf-8")
    for arguments in (
        ("ingest", "nowhere"),
        ("ingest", ""),
        ("import", "nowhere.jsonl"),
        ("import", "notes.jsonl"),
        ("ask", "?"),
        ("reembed",),
        ("export", "x.jsonl"),
    ):
        done = clew(*arguments, "--store", "new.clew", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr.startswith("clew: ")
        assert not (tmp_path / "new.clew").exists(), arguments
    assert not (tmp_path / "x.jsonl").exists()


def test_an_export_goes_through_a_pipe_and_never_replaces_a_device(
    folder: Path, tmp_path: Path
) -> None:
    done = shell("clew export /dev/stdout | head -1", folder)
    assert json.loads(done.stdout)["documents"] == 3
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert clew("export", str(pipe), cwd=folder).returncode == 0
    assert len(reader.communicate()[0].splitlines()) == 4
    assert pipe.is_fifo()


def test_a_store_in_the_home_folder(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "clew.db", tmp_path / "notes.clew")
    for arguments, environment in (
        (("stats", "--store=~/notes.clew"), {}),
        (("stats",), {"CLEW_STORE": "~/notes.clew"}),
    ):
        done = clew(*arguments, cwd=folder, HOME=str(tmp_path), **environment)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "name", ["a store.clew", "Ærø 海.clew", "q'uo\"te?.clew", "-s", "%41#.clew"]
)
def test_stores_of_any_name(folder: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "a.txt").write_text("Munk Brothers was founded by Oda Krog.", encoding="utf-8")
    for arguments in (
        ("ingest", "a.txt", *WORDS),
        ("check",),
        ("ask", "Who founded Munk Brothers?"),
    ):
        done = clew(*arguments, f"--store={name}", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    assert "Oda Krog" in done.stdout
    assert {item.name for item in tmp_path.iterdir()} == {"a.txt", name}


@contextmanager
def _without_rights(folder: Path) -> Iterator[None]:
    """Nothing below ``folder`` can be written, not even by root."""
    items = [folder, *folder.rglob("*")]
    for item in items:
        item.chmod(0o555 if item.is_dir() else 0o444)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        if user == 0:
            os.seteuid(0)
        for item in items:
            item.chmod(0o755 if item.is_dir() else 0o644)


READING: tuple[tuple[str, ...], ...] = (
    ("stats",),
    ("show",),
    ("show", "docs/light.md"),
    ("search", "Varde"),
    ("ask", "Who founded Munk Brothers?"),
    ("why", "Who founded Munk Brothers?"),
    ("entities",),
    ("entities", "--merges"),
    ("facts",),
    ("check",),
    ("export", "/dev/null"),
)
WRITING: tuple[tuple[str, ...], ...] = (
    ("ingest", "docs", *WORDS),
    ("sync", "docs", *WORDS),
    ("delete", "docs/light.md"),
    ("reembed", *WORDS),
    ("entities", "--undo", "m"),
    ("entities", "--join", "Varde", "--into", "Munk Brothers"),
)


def _run(*arguments: str) -> int:
    """In this process, which has loaded what it needs before it gave its rights away."""
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_a_store_that_cannot_be_written_can_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    public = Path(tempfile.mkdtemp(prefix="clew-test-"))
    try:
        shutil.copytree(folder, public, dirs_exist_ok=True)
        monkeypatch.chdir(public)
        for arguments in (*READING, WRITING[0]):
            assert _run(*arguments) == 0
        before = sorted(path.name for path in (public / "clew.db").rglob("*"))
        capfd.readouterr()
        with _without_rights(public):
            for arguments in READING:
                assert _run(*arguments) == 0, (arguments, capfd.readouterr())
            capfd.readouterr()
            for arguments in WRITING:
                assert _run(*arguments) == 1, arguments
                assert "cannot be written" in capfd.readouterr().err
        assert sorted(path.name for path in (public / "clew.db").rglob("*")) == before
    finally:
        monkeypatch.undo()
        shutil.rmtree(public)


def test_a_full_disk_in_the_middle_of_a_folder(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(300):
        text = (
            f"Buoy {number} lies off Cape {number % 40} and was laid by Keeper {number % 9}. " * 9
        )
        (docs / f"{number:03}.txt").write_text(text, encoding="utf-8")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_200_000, resource.RLIM_INFINITY))

    command = [sys.executable, "-m", "clew", "ingest", "docs", "--json", *WORDS]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, preexec_fn=limit, check=False
    )
    assert done.returncode == 1
    assert json.loads(done.stdout)["error"]["type"] == "StoreFullError"
    checked = json.loads(clew("check", "--json", cwd=tmp_path).stdout)
    assert checked["ok"]
    inside = checked["checked"]["documents"]
    assert inside < 300
    again = json.loads(clew("ingest", "docs", "--json", *WORDS, cwd=tmp_path).stdout)
    counts = {"inserted": 300 - inside} | ({"unchanged": inside} if inside else {})
    assert again["counts"] == counts
