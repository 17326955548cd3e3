"""A real terminal: the progress bar, Ctrl-C once and twice, the prompt with history and Tab."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.testing.scripted_server import ScriptedServer
from clew.testing.wires.openai import OpenAIWire

WIRE = OpenAIWire()
QUIET = {"PROMPT_TOOLKIT_NO_CPR": "1"}


class Terminal:
    """A child process that believes to sit at a terminal."""

    def __init__(self, *arguments: str, cwd: Path, **environment: str) -> None:
        self.said = ""
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            command = [sys.executable, "-m", "clew", *arguments]
            own = {"TERM": "xterm", "CLEW_CACHE_DIR": str(cwd / "cache"), **QUIET, **environment}
            os.execve(command[0], command, {**os.environ, **own})

    def wait_for(self, text: str, timeout_s: float = 60.0) -> str:
        """Read until ``text`` was said; return what was said since the last call."""
        until = time.monotonic() + timeout_s
        while text not in self.said:
            assert time.monotonic() < until, f"never said {text!r}: {self.said[-2000:]!r}"
            if not self._read():
                break
        assert text in self.said, self.said[-2000:]
        before, _, self.said = self.said.partition(text)
        return before + text

    def send(self, text: str) -> None:
        os.write(self._master, text.encode())

    def end(self) -> tuple[int, str]:
        """Wait for its end; return the exit status and what was said since the last call."""
        while self._read(timeout_s=60.0):
            pass
        os.close(self._master)
        _, status = os.waitpid(self.pid, 0)
        return os.waitstatus_to_exitcode(status), self.said

    def _read(self, timeout_s: float = 1.0) -> bool:
        ready, _, _ = select.select([self._master], [], [], timeout_s)
        if not ready:
            return timeout_s < 60.0
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # Linux says so when the other side is closed
            return False
        self.said += piece.decode("utf-8", "replace")
        return bool(piece)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "clew.db", config=config) as kb:
        kb.ingest_text("Varde Light was built by Munk Brothers in 1871.", name="light.txt")
    return tmp_path


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    lines = [
        json.dumps({"id": f"b{number}", "text": f"Buoy {number} lies off Cape {number % 90}."})
        for number in range(20_000)
    ]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_the_prompt_answers_completes_and_remembers(store: Path) -> None:
    terminal = Terminal("interactive", cwd=store)
    terminal.wait_for("Tab completes names")
    terminal.wait_for("clew>")
    terminal.send("Who built Varde L\t")
    terminal.wait_for("ight")
    terminal.send("?\r")
    terminal.wait_for("Munk Brothers")
    terminal.wait_for("clew>")
    terminal.send("/wh\t")
    terminal.wait_for("y")
    terminal.send("\r")
    terminal.wait_for("the path:")
    terminal.wait_for("clew>")
    terminal.send("\x1b[A")
    terminal.wait_for("/why")
    terminal.send("\x1b[A")
    terminal.wait_for("Light?")
    terminal.send("\r")
    terminal.wait_for("Munk Brothers")
    terminal.wait_for("clew>")
    terminal.send("half a question\x03")
    terminal.wait_for("question")
    terminal.wait_for("[?2004h")  # the next prompt reads
    terminal.wait_for("clew>")
    terminal.send("\x04")
    status, said = terminal.end()
    assert status == 0
    assert "Traceback" not in said


def test_a_question_of_several_lines_and_one_that_leans_on_it(store: Path) -> None:
    terminal = Terminal("interactive", cwd=store)
    terminal.wait_for("clew>")
    terminal.send("Who built \\\r")
    terminal.wait_for("...")
    terminal.send("Varde Light?\r")
    terminal.wait_for("Munk Brothers")
    terminal.wait_for("clew>")
    terminal.send("\x1b[200~when was\nit built?\x1b[201~")
    terminal.wait_for("built?")
    terminal.send("\r")
    terminal.wait_for("read as: when was Varde Light built?")
    terminal.wait_for("1871")
    terminal.wait_for("clew>")
    terminal.send("/clear\r")
    terminal.wait_for("forgotten")
    terminal.wait_for("clew>")
    terminal.send("/quit\r")
    status, said = terminal.end()
    assert status == 0
    assert "Traceback" not in said


def test_the_history_outlives_the_session(store: Path) -> None:
    first = Terminal("interactive", cwd=store)
    first.wait_for("clew>")
    first.send("Who built Varde Light?\r")
    first.wait_for("Munk Brothers")
    first.send("/quit\r")
    assert first.end()[0] == 0
    history = store / "cache" / "history"
    assert "Who built Varde Light?" in history.read_text(encoding="utf-8")
    assert history.stat().st_mode & 0o077 == 0
    second = Terminal("interactive", cwd=store)
    second.wait_for("clew>")
    second.send("\x1b[A\x1b[A")
    second.wait_for("Who built Varde Light?")
    second.send("\r")
    second.wait_for("Munk Brothers")
    second.wait_for("clew>")
    second.send("\x04")
    assert second.end()[0] == 0


def test_without_a_place_for_it_no_history_is_kept(store: Path) -> None:
    (store / "file").touch()
    terminal = Terminal("interactive", cwd=store, CLEW_CACHE_DIR=str(store / "file" / "cache"))
    terminal.wait_for("no history is kept")
    terminal.wait_for("clew>")
    terminal.send("/quit\r")
    status, said = terminal.end()
    assert status == 0
    assert "Traceback" not in said


@pytest.mark.parametrize("command", ["ask", "interactive"])
def test_what_a_model_writes_is_shown_and_then_checked(store: Path, command: str) -> None:
    pieces = [
        "Munk Brothers\n\n",
        "Munk Brothers built Varde Light [1]. ",
        "It burned in 1999 [1].",
    ]
    question = "Who built Varde Light?"
    with ScriptedServer() as server:
        server.script(lambda _: WIRE.streamed(pieces))
        arguments = [command] if command == "interactive" else [command, question]
        model = f"llm_model=openai:small-1@{server.url}/v1"
        terminal = Terminal(*arguments, "--set", model, cwd=store, CLEW_LLM_KEY="k")
        if command == "interactive":
            terminal.wait_for("clew>")
            terminal.send(f"{question}\r")
        terminal.wait_for("It burned in 1999 [1].")
        terminal.wait_for("light.txt")
        terminal.wait_for("Doubtful:")
        if command == "interactive":
            terminal.wait_for("clew>")
            terminal.send("\x04")
        status, said = terminal.end()
    assert status == 0, said
    assert "Traceback" not in said


def test_the_prompt_of_a_dumb_terminal(store: Path) -> None:
    terminal = Terminal("interactive", "--quiet", cwd=store, TERM="dumb", NO_COLOR="1")
    terminal.wait_for("clew>")
    terminal.send("Who built Varde Light?\r")
    terminal.wait_for("Munk Brothers")
    terminal.send("/quit\r")
    status, said = terminal.end()
    assert status == 0
    assert "Traceback" not in said


def test_a_bar_and_ctrl_c_once_finishes_the_batch(corpus: Path) -> None:
    terminal = Terminal("ingest", "corpus.jsonl", cwd=corpus)
    terminal.wait_for("/20000")
    terminal.send("\x03")
    terminal.wait_for("Ctrl-C again stops at once")
    status, said = terminal.end()
    assert status == 130
    assert "run the same command to go on" in said


def test_ctrl_c_twice_stops_at_once_and_leaves_a_good_store(corpus: Path) -> None:
    terminal = Terminal("ingest", "corpus.jsonl", cwd=corpus)
    terminal.wait_for("/20000")
    terminal.send("\x03\x03")
    status, said = terminal.end()
    assert status == 130
    assert "Traceback" not in said
    with KnowledgeBase.open(corpus / "clew.db", create=False) as kb:
        assert kb.check() == []
        assert kb.stats()["documents"] < 20_000
