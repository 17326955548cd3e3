"""Every example in the README and in ``docs/`` is run or checked against the real thing.

Python blocks of a page run one after another in one namespace, in a folder that holds ``docs/``
with a few small documents. A ``text`` block right behind one is what it prints. ``$ clew`` lines
are parsed by the real command line, which knows every command and option.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import typer

from clew.cli import (
    commands,  # noqa: F401 - importing them registers them
    main,
)
from clew.cli.app import app
from clew.cli.main import hoist

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
QUICKSTART = ROOT / "docs" / "quickstart.md"  # runs as a whole, in an empty folder
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


@dataclass(frozen=True, kw_only=True)
class Fence:
    language: str
    code: str
    line: int
    output: str | None = None


def fences(page: Path) -> list[Fence]:
    text = page.read_text(encoding="utf-8")
    matches = list(_FENCE.finditer(text))
    found = []
    for at, match in enumerate(matches):
        following = matches[at + 1] if at + 1 < len(matches) else None
        shows_output = (
            following is not None
            and following[1] == "text"
            and not text[match.end() : following.start()].strip()
        )
        found.append(
            Fence(
                language=match[1],
                code=match[2],
                line=text.count("\n", 0, match.start()) + 1,
                output=following[2] if following and shows_output else None,
            )
        )
    return found


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def shell_lines() -> list[tuple[str, str]]:
    return [
        (f"{name_of(page)}:{fence.line + 1 + offset}", line.removeprefix("$ "))
        for page in PAGES
        for fence in fences(page)
        if fence.language == "console"
        for offset, line in enumerate(fence.code.splitlines())
        if line.startswith("$ ")
    ]


WITH_PYTHON = [
    page
    for page in PAGES
    if page != QUICKSTART and any(fence.language == "python" for fence in fences(page))
]
CLEW_LINES = [item for item in shell_lines() if item[1].startswith("clew ")]
OTHER_LINES = [item for item in shell_lines() if not item[1].startswith("clew ")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a few documents in ``docs/``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLEW_STORE", raising=False)
    drafts = tmp_path / "docs" / "drafts"
    drafts.mkdir(parents=True)
    texts = {
        "bridge.md": "# Norr Bridge\n\nNorr Bridge was built by Sund Ironworks in 1931.\n",
        "company.md": "# Sund Ironworks\n\nIt was founded by Berit Lind, a shipwright.\n",
        "drafts/ferry.txt": "The ferry to Halden stopped when the bridge was opened.\n",
    }
    for name, text in texts.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A server that speaks as Ollama does, on this machine; gives the prompts that it got."""
    prompts: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompts.append(asked.get("prompt") or asked["messages"][-1]["content"])
            text = '{"units": []}'
            message = {"role": "assistant", "content": text}
            reply = {"model": asked["model"], "response": text, "message": message, "done": True}
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(reply).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("OLLAMA_HOST", f"http://127.0.0.1:{server.server_port}")
    yield prompts
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("page", WITH_PYTHON, ids=name_of)
@pytest.mark.usefixtures("folder")
def test_python_examples_run_and_print_what_they_say(
    page: Path,
    ollama: list[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    text = page.read_text(encoding="utf-8")
    if "NOTES_DATABASE" in text:
        monkeypatch.setenv("NOTES_DATABASE", request.getfixturevalue("postgres_url"))
    namespace: dict[str, Any] = {"__name__": "example"}
    for fence in fences(page):
        if fence.language == "python":
            run(fence, page, namespace)
    assert bool(ollama) == ("OLLAMA_HOST" in text or "import OllamaLLM" in text)


def run(fence: Fence, page: Path, namespace: dict[str, Any]) -> str:
    lines_above = "\n" * fence.line  # so that a traceback shows the line of the page
    code = compile(lines_above + fence.code, str(page), "exec")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, namespace)
    if fence.output is not None:
        assert out.getvalue() == fence.output, f"{name_of(page)}:{fence.line}"
    return out.getvalue()


def test_the_quickstart_works_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CLEW_STORE", raising=False)
    namespace: dict[str, Any] = {"__name__": "example"}
    told = []
    for fence in fences(QUICKSTART):
        if fence.language == "python":
            told.append(run(fence, QUICKSTART, namespace))
            continue
        for line in fence.code.splitlines():
            if line.startswith("$ clew "):
                with contextlib.suppress(SystemExit):
                    main(words_of(line.removeprefix("$ ")))
                told.append(capfd.readouterr().out)
    found = [text for text in told if "Berit Lind" in text]
    assert len(found) >= 2, "the command line and the Python example find the founder"
    assert any("do not know" in text for text in told), "the length is not made up"


def words_of(line: str) -> list[str]:
    """The arguments of a ``clew`` line, without comment and redirection."""
    words = shlex.split(line, comments=True)[1:]
    ends = [at for at, word in enumerate(words) if word in {">", "|", "&&"}]
    return words[: ends[0]] if ends else words


@pytest.mark.parametrize(("place", "line"), CLEW_LINES, ids=[place for place, _ in CLEW_LINES])
def test_clew_lines_name_commands_and_options_that_exist(place: str, line: str) -> None:
    group: Any = typer.main.get_command(app)
    with group.make_context("clew", hoist(words_of(line)), resilient_parsing=False) as context:
        rest = [*context._protected_args, *context.args]
        name, command, arguments = group.resolve_command(context, rest)
        while hasattr(command, "commands"):  # a group inside of the group
            name, command, arguments = command.resolve_command(context, arguments)
        with command.make_context(name, arguments, parent=context):
            pass


def test_a_wrong_option_would_be_noticed() -> None:
    with pytest.raises(Exception, match="--explian"):
        test_clew_lines_name_commands_and_options_that_exist("here", "clew ask 'why?' --explian")


def test_other_lines_name_make_targets_or_programs_of_the_environment() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for place, line in OTHER_LINES:
        first, *rest = shlex.split(line, comments=True)
        if first == "make":
            asked = {word for word in rest if "=" not in word}
            assert asked <= targets, f"{place}: no target {asked - targets}"
        else:
            assert first in {"source", "pip", "ray"} or first.startswith(".venv/bin/"), place


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    broken = [
        link
        for link in _LINK.findall(text)
        if "://" not in link and not (page.parent / link).exists()
    ]
    assert not broken


def test_pages_do_not_repeat_a_heading() -> None:
    for page in PAGES:
        text = _FENCE.sub("", page.read_text(encoding="utf-8"))
        headings = re.findall(r"^#+ .*$", text, re.MULTILINE)
        assert len(headings) == len(set(headings)), name_of(page)
