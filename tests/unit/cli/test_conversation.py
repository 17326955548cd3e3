"""Questions and commands, one after another."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
from rich.console import Console

from clew import KnowledgeBase, QuestionError
from clew.cli.conversation import Dialogue
from clew.cli.prompt import completions, history_file, is_unfinished, joined
from clew.testing import FakeEmbedder


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Varde Light was lit by Oda Krog in 1871.", name="light.txt")
        kb.ingest_text("Varde Light Society was founded by Bo Munk.", name="society.txt")
        yield kb


def _talk(kb: KnowledgeBase, *lines: str, as_json: bool = False) -> str:
    stream = io.StringIO()
    dialogue = Dialogue(kb, Console(file=stream, width=200), as_json=as_json)
    dialogue.run(lines)
    return stream.getvalue()


def test_why_and_sources_speak_of_the_last_answer(kb: KnowledgeBase) -> None:
    said = _talk(kb, "Who lit Varde Light?", "/why", "/sources")
    assert said.startswith("Oda Krog\n")
    assert "the path:" in said
    assert said.splitlines()[-1] == "light.txt"


def test_commands_before_a_question_and_unknown_ones_are_answered(kb: KnowledgeBase) -> None:
    said = _talk(kb, "/why", "", "  ", "/frob").splitlines()
    assert said[0] == "nothing was asked yet"
    assert [line.split()[0] for line in said[1:]] == [
        "/why", "/sources", "/clear", "/help", "/quit",
    ]  # fmt: skip
    assert _talk(kb, "/help").splitlines() == said[1:]


def test_quit_ends(kb: KnowledgeBase) -> None:
    assert _talk(kb, " /quit ", "Who lit Varde Light?") == ""


def test_an_error_or_ctrl_c_ends_one_question_alone(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ask, outcomes = kb.ask_stream, iter([QuestionError("no such"), KeyboardInterrupt()])

    def fail_twice(question: str) -> object:
        error = next(outcomes, None)
        if error is not None:
            raise error
        return ask(question)

    monkeypatch.setattr(kb, "ask_stream", fail_twice)
    said = _talk(kb, "?", "?", "Who lit Varde Light?")
    assert said.startswith("stopped\nOda Krog\n")
    assert "clew: no such" in capsys.readouterr().err


def test_everything_is_json_when_asked_for(
    kb: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _talk(kb, "/why", "Who lit Varde Light?", "/why", "/sources", "/x", as_json=True) == ""
    decoder, text, values = json.JSONDecoder(), capsys.readouterr().out.strip(), []
    while text:
        value, end = decoder.raw_decode(text)
        values.append(value)
        text = text[end:].lstrip()
    assert [min(value) for value in values] == [
        "note", "abstained", "why", "sources", "note",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/w", [("/why", 2)]),
        ("/", [(name, 1) for name in ("/why", "/sources", "/clear", "/help", "/quit")]),
        ("Who lit Vard", [("Varde Light", 4), ("Varde Light Society", 4)]),
        ("Who lit varde li", [("Varde Light", 8), ("Varde Light Society", 8)]),
        ("Who founded Varde Light S", [("Varde Light Society", 13)]),
        ("Who is O", []),
        ("Who ", []),
        ("", []),
    ],
)
def test_completion(kb: KnowledgeBase, line: str, expected: list[tuple[str, int]]) -> None:
    assert completions(kb, line) == expected


def test_a_question_may_lean_on_the_last_until_that_is_forgotten(kb: KnowledgeBase) -> None:
    said = _talk(kb, "Who lit Varde Light?", "When did she light it?").splitlines()
    assert "read as: When did Oda Krog light Varde Light?" in said
    said = _talk(kb, "Who lit Varde Light?", "/clear", "and when?").splitlines()
    assert "what was said is forgotten" in said
    assert not any(line.startswith("read as") for line in said)


def test_lines_of_a_pipe_are_joined() -> None:
    lines = ["Who \\\n", "lit it?\n", '"""Who\r\n', 'kept it?"""\n', 'Is it 5" long?\n', "Why \\\n"]
    assert list(joined(lines)) == ["Who lit it?", "Who kept it?", 'Is it 5" long?', "Why"]


@pytest.mark.parametrize(
    ("text", "unfinished"),
    [
        ("Who?", False),
        ("Who \\", True),
        ("Who \\\nlit it?", False),
        ('Who said "light', True),
        ('Who said "light\nthe lamp"?', False),
        ('Is it 5" long?\n', False),
        ("Who said “light", True),
        ('"""Who\n\n', True),
        ('"""Who\n\nlit it?"""', False),
    ],
)
def test_what_goes_on_after_enter(text: str, unfinished: bool) -> None:
    assert is_unfinished(text) is unfinished


def test_history_is_kept_where_caches_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert history_file({"CLEW_CACHE_DIR": "/somewhere"}).as_posix() == "/somewhere/history"
    assert history_file({}).name == "history"
    monkeypatch.setenv("CLEW_CACHE_DIR", "/elsewhere")
    assert history_file().parent.as_posix() == "/elsewhere"
