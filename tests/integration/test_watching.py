"""A folder that is followed by another process while files come, change, move and go."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from clew import ClewConfig, DocumentError, KnowledgeBase, MissingExtraError
from clew.cli import main
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, FlakyEmbedder
from clew.upkeep.watching import WatchEvent

TEXTS = {
    "docs/tern.md": "# Tern\n\nTern was built by Munk Brothers in 1871.\n",
    "docs/deep/teal.txt": "Teal was built by Oda Krog.\n",
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class _Watching:
    """``clew watch docs --json`` as another process."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "clew", "watch", "docs", "--json", "--settle", "0.2"]
        settings = ["--set", "embedding_model=none", "--store", "docs/s.clew"]
        self.process = subprocess.Popen(
            [*command, *settings, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.seen: list[dict[str, Any]] = []

    def until(self, *wanted: tuple[str, str]) -> list[dict[str, Any]]:
        """Read events until all of these (event, document) have come."""
        assert self.process.stdout is not None
        missing, came = set(wanted), []
        while missing:
            line = self.process.stdout.readline()
            assert line, self.process.stderr.read() if self.process.stderr else ""
            event = json.loads(line)
            came.append(event)
            missing.discard((event["event"], event.get("doc_id", "")))
        self.seen += came
        return came

    def stop(self, number: int = signal.SIGINT) -> list[dict[str, Any]]:
        os.kill(self.process.pid, number)
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, err
        assert "Traceback" not in err
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def watching() -> Iterator[Callable[..., _Watching]]:
    started: list[_Watching] = []

    def start(*options: str) -> _Watching:
        started.append(_Watching(*options))
        return started[-1]

    yield start
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
        one.process.communicate()


def _names() -> list[str]:
    with SQLiteStore.open("docs/s.clew") as store:
        assert list(store.check()) == []
        return [document.doc_id for document in store.list_documents()]


def test_a_folder_is_followed_until_ctrl_c(watching: Callable[..., _Watching]) -> None:
    run = watching()
    first = run.until(("begun", ""))
    assert [event["event"] for event in first] == ["inserted", "inserted", "begun"]
    assert first[-1]["counts"] == {"inserted": 2}

    Path("docs/skua.md").write_text("# Skua\n\nSkua sailed to Varde.\n")
    run.until(("inserted", "docs/skua.md"))
    assert "docs/skua.md" in _names()

    fresh = Path("docs/skua.md.tmp~")  # as editors save: a new file in the place of the old one
    fresh.write_text("# Skua\n\nSkua sailed to Bern.\n")
    fresh.replace("docs/skua.md")
    run.until(("updated", "docs/skua.md"))

    Path("docs/tern.md").rename("docs/deep/tern.md")
    [renamed] = run.until(("renamed", "docs/deep/tern.md"))
    assert renamed["reason"] == "it was docs/tern.md before"

    Path("docs/deep").rename("docs/deeper")
    run.until(("renamed", "docs/deeper/teal.txt"), ("renamed", "docs/deeper/tern.md"))

    Path("docs/deeper/teal.txt").unlink()
    run.until(("removed", "docs/deeper/teal.txt"))
    assert _names() == ["docs/deeper/tern.md", "docs/skua.md"]

    [stopped] = run.stop()
    assert stopped["event"] == "stopped"
    assert stopped["counts"] == {"inserted": 3, "removed": 1, "renamed": 3, "updated": 1}
    assert _names() == ["docs/deeper/tern.md", "docs/skua.md"]


def test_broken_and_half_written_files_do_not_end_it(watching: Callable[..., _Watching]) -> None:
    run = watching()
    run.until(("begun", ""))
    Path("docs/noise.txt").write_bytes(bytes(range(256)) * 40)
    [failed] = run.until(("failed", "docs/noise.txt"))
    assert "docs/noise.txt" in failed["reason"]

    with Path("docs/log.json").open("w") as file:
        file.write('[{"id": "one", "text": "Skua sailed')
        file.flush()
        run.until(("failed", "docs/log.json"))
        file.write(' to Varde."}]')
    run.until(("inserted", "one"))
    assert _names() == ["docs/deep/teal.txt", "docs/tern.md", "one"]
    run.stop(signal.SIGTERM)


def test_what_is_left_out_stays_out(watching: Callable[..., _Watching]) -> None:
    run = watching("--exclude", "*.txt")
    run.until(("begun", ""))
    Path("docs/draft.txt").write_text("Nothing yet.")
    Path("docs/.hidden.md").write_text("Nothing here.")
    Path("docs/end.md").write_text("The end.")
    run.until(("inserted", "docs/end.md"))
    assert _names() == ["docs/end.md", "docs/tern.md"]
    run.stop()


def test_for_people(watching: Callable[..., _Watching]) -> None:
    command = [sys.executable, "-m", "clew", "watch", "docs", "--set", "embedding_model=none"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        lines = [run.stdout.readline() for _ in range(3)]
        assert lines[-1] == "following: 2 inserted; Ctrl-C ends\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert (out, run.returncode) == ("stopped: 2 inserted\n", 0)
    assert "stopping; Ctrl-C again stops at once" in err


def test_a_wrong_folder_makes_no_store(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["watch", "dosc", "--json"])
    assert stop.value.code == 1
    assert "'dosc' is no folder" in json.loads(capsys.readouterr().out)["error"]["message"]
    assert not Path("clew.db").exists()


# --- in this process ------------------------------------------------------------------------------


def _events(kb: KnowledgeBase, *acts: tuple[str, Callable[[], object]]) -> list[WatchEvent]:
    """Follow ``docs``; do each act at the first event of its name after the one before, and stop at
    the first event that comes after the last.
    """
    came: list[WatchEvent] = []
    waiting, stopping = list(acts), Event()
    for event in kb.watch("docs", settle_s=0.05, should_stop=stopping.is_set):
        came.append(event)
        if not waiting:
            stopping.set()
        elif event.event == waiting[0][0]:
            waiting.pop(0)[1]()
    return came


def test_a_model_that_fails_for_a_while_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.upkeep.watching._FIRST_RETRY_S", 0.1)
    embedder = FlakyEmbedder("error", at_call=-1)
    with KnowledgeBase.in_memory(embedding=embedder) as kb:

        def fail() -> None:
            embedder.at_call = embedder.call_count
            Path("docs/skua.md").write_text("Skua sailed to Varde.")

        came = _events(kb, ("begun", fail), ("error", lambda: None))
        told = [event.event for event in came]
        assert told[:3] == ["inserted", "inserted", "begun"]
        assert told[3] == "error"
        assert "the server closed the connection" in came[3].reason
        assert told[4:] == ["inserted", "stopped"]
        assert came[-1].counts == {"error": 1, "inserted": 3}


def test_a_folder_that_goes_and_comes_back_keeps_its_documents() -> None:
    embedder = FakeEmbedder()
    with KnowledgeBase.in_memory(embedding=embedder) as kb:

        def back() -> None:
            Path("away").rename("docs")
            Path("docs/skua.md").write_text("Skua sailed to Varde.")

        came = _events(kb, ("begun", lambda: Path("docs").rename("away")), ("error", back))
        assert [event.event for event in came[2:]] == ["begun", "error", "inserted", "stopped"]
        assert came[3].reason == "'docs' is gone"
        assert len(kb.documents()) == 3


def test_only_what_changed_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    read_bytes = Path.read_bytes

    def noted(self: Path) -> bytes:
        read.append(self.as_posix())
        return read_bytes(self)

    with KnowledgeBase.in_memory(config=ClewConfig(embedding_model="none")) as kb:

        def change() -> None:
            monkeypatch.setattr(Path, "read_bytes", noted)
            Path("docs/skua.md").write_text("Skua sailed to Varde.")

        came = _events(kb, ("begun", change))
        assert [event.event for event in came[-2:]] == ["inserted", "stopped"]
    assert set(read) == {"docs/skua.md"}


def test_what_is_no_folder_and_a_missing_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeBase.in_memory(config=ClewConfig(embedding_model="none")) as kb:
        with pytest.raises(DocumentError, match="follows folders"):
            next(kb.watch("docs/tern.md"))
        monkeypatch.setitem(sys.modules, "watchfiles", None)
        with pytest.raises(MissingExtraError, match=r"clew\[watch\]"):
            next(kb.watch("docs"))
