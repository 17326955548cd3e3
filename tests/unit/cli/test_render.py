"""What people see: documents' own words as they are, tables that fit, no markup of strangers."""

from __future__ import annotations

import io
import json
import sys

import pytest
from rich.console import Console

from clew.cli.render import console, escape, print_answer, print_json, print_table
from clew.results import Answer, Citation, PathStep


def test_a_table_in_a_pipe_is_plain_and_no_wider_than_its_cells(
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows = [("a.md", "[bold]Tern[/bold]"), ("b\nc.md", "x" * 200), ("d\x1b[2J.md", "")]
    print_table(console(), ("document", "title"), rows)
    assert capsys.readouterr().out.splitlines() == [
        "document  title",
        "a.md      [bold]Tern[/bold]",
        "b c.md    " + "x" * 200,
        "d␛[2J.md",
    ]


def test_a_table_without_names_of_columns_has_no_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(console(), ("", ""), [("documents", 3)])
    assert capsys.readouterr().out == "documents  3\n"


def test_an_empty_table_is_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(console(), ("name",), [])
    assert capsys.readouterr().out == "name\n"


def test_a_table_on_a_terminal_folds() -> None:
    stream = io.StringIO()
    out = Console(file=stream, force_terminal=True, width=30, color_system=None)
    print_table(out, ("document", "title"), [("a" * 40, "[/red]")])
    lines = stream.getvalue().splitlines()
    assert max(map(len, lines)) <= 30
    assert "[/red]" in stream.getvalue()


def test_markup_of_documents_is_text() -> None:
    stream = io.StringIO()
    Console(file=stream, width=80).print(escape("[/bold] [red]x[/red] \\[y]"))
    assert stream.getvalue() == "[/bold] [red]x[/red] \\[y]\n"


def _shown(answer: Answer) -> list[str]:
    stream = io.StringIO()
    print_answer(Console(file=stream, width=200), answer, explain=True)
    return stream.getvalue().splitlines()


def test_an_answer_that_is_none_begins_with_what_is_said_of_it() -> None:
    answer = Answer(question="?", answer="", sentence="I do not know.", abstained=True)
    assert _shown(answer)[0] == "I do not know."


def test_an_answer_of_hostile_words_is_shown_as_it_is() -> None:
    citation = Citation(number=1, doc_id="[/x]", start=0, end=4, text="[b]\x07")
    answer = Answer(
        question="?", answer="[i]", sentence="[i] [1]", citations=(citation,), missing=("[/q]",)
    )
    assert _shown(answer) == ["[i]", "[i] [1]", "Missing: [/q]", "  [1] [/x] (0–4): “[b]␇”"]


def test_json_keeps_to_what_the_stream_can_say(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    print_json({"name": "Þór 東"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode("ascii")) == {"name": "Þór 東"}


def test_a_step_without_a_name_to_it_goes_on() -> None:
    def step(relation: str, entity: str = "") -> PathStep:
        return PathStep(
            unit_id="u", doc_id="a", text="x", start=0, end=1, relation=relation, entity=entity
        )

    path = (step("similar"), step("mentions", "Sula"), step("mentions"))
    lines = _shown(Answer(question="?", answer="y", path=path))
    assert [line.strip() for line in lines if "└─" in line] == [
        "└─ found by likeness (a)",
        "└─ shares Sula (a)",
        "└─ goes on (a)",
    ]
