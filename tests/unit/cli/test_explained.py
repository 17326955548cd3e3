"""The tree of an explanation: with colours on a terminal, plain in a pipe, whole in both."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from clew.cli.render import console, print_hits
from clew.results import PathStep, RetrievalItem, RetrievalResult


def _result() -> RetrievalResult:
    path = (
        PathStep(
            unit_id="u1",
            doc_id="bridge.md",
            text="Norr Bridge was built by Sund Ironworks.",
            start=0,
            end=40,
            entity="Norr Bridge",
            covers=("built", "Norr", "Bridge"),
            coverage=0.6,
        ),
        PathStep(
            unit_id="u2",
            doc_id="[/red].md",
            text="It was\nfounded by Berit Lind.\x1b[2J",
            start=0,
            end=29,
            entity="Sund Ironworks",
            relation="about",
            covers=("founded",),
            adds=("founded",),
            coverage=0.4,
        ),
    )
    item = RetrievalItem(
        content="It was founded by Berit Lind. " * 30,
        score=0.9,
        source_chunk_id="c",
        document_id="d",
        doc_id="[/red].md",
        start=0,
        end=29,
        path=path,
        scores={"alone": 0.4, "links": 0.5, "coverage": 1.0},
        uncovered=("Styx",),
    )
    return RetrievalResult(query="?", items=(item,))


def test_a_pipe_gets_the_tree_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_hits(console(), _result(), explain=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1. 0.900 [/red].md"
    assert lines[1].startswith("   It was founded by Berit Lind. It was")
    assert lines[1].endswith("…")
    assert lines[2:] == [
        "   ├─ score 0.900: alone 0.400, links +0.500; 1.00 of the question is covered",
        "   ├─ the question names Norr Bridge",
        "   │  └─ bridge.md [0:40] “Norr Bridge was built by Sund Ironworks.”",
        "   │     │  has of the question: built, Norr, Bridge (0.60)",
        "   │     └─ Sund Ironworks, which the next passage is about",
        "   │        └─ [/red].md [0:29] “It was founded by Berit Lind.␛[2J”",
        "   │              has of the question: founded (0.40)",
        "   └─ neither here nor on the path: Styx",
    ]


def _on_a_terminal(width: int, *, colours: bool) -> str:
    stream = io.StringIO()
    out = Console(
        file=stream,
        force_terminal=True,
        width=width,
        color_system="standard" if colours else None,
        highlight=False,
    )
    print_hits(out, _result(), explain=True)
    return stream.getvalue()


def test_a_terminal_gets_it_folded_to_its_width() -> None:
    lines = _on_a_terminal(50, colours=False).splitlines()
    assert max(map(len, lines)) <= 50
    text = " ".join(" ".join(lines).replace("│", " ").split())
    for part in (
        "├── the question names Norr Bridge",
        "└── bridge.md [0:40] “Norr Bridge was built by Sund Ironworks.”",
        "└── Sund Ironworks, which the next passage is about",
        "has of the question: founded (0.40)",
        "└── neither here nor on the path: Styx",
    ):
        assert part in text, text


def test_words_of_the_question_stand_out_on_a_terminal() -> None:
    text = _on_a_terminal(200, colours=True)
    assert "was \x1b[1mbuilt\x1b[0m by" in text
    assert "\x1b[2J" not in text


def test_without_explain_there_is_no_tree(capsys: pytest.CaptureFixture[str]) -> None:
    print_hits(console(), _result(), explain=False)
    out = capsys.readouterr().out
    assert "└─" not in out
    assert out.count("\n") == 2
