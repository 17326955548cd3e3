"""What a model writes is shown while it does, in a terminal alone; what is doubtful is said."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from clew.cli.render import print_answer
from clew.cli.streaming import shown_while_written
from clew.errors import ModelUnavailableError
from clew.results import Answer, Doubt

ANSWER = Answer(question="Who?", answer="Oda")


def _console(*, terminal: bool) -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(file=stream, force_terminal=terminal, color_system=None, width=80), stream


def test_pieces_are_shown_as_they_come() -> None:
    out, stream = _console(terminal=True)
    seen = []

    def items() -> Iterator[str | Answer]:
        for item in ("[b]Oda", " lit\x1b[2J it [1]", ANSWER):
            seen.append(stream.getvalue())
            yield item

    assert shown_while_written(out, items()) is ANSWER
    assert seen == ["", "[b]Oda", "[b]Oda lit␛[2J it [1]"]
    assert stream.getvalue() == "[b]Oda lit␛[2J it [1]\n\n"


def test_nothing_is_shown_in_a_pipe() -> None:
    out, stream = _console(terminal=False)
    assert shown_while_written(out, ["Oda", ANSWER]) is ANSWER
    assert not stream.getvalue()


def test_a_line_that_breaks_off_is_ended() -> None:
    out, stream = _console(terminal=True)

    def items() -> Iterator[str | Answer]:
        yield "Oda"
        raise ModelUnavailableError("gone")

    with pytest.raises(ModelUnavailableError):
        shown_while_written(out, items())
    assert stream.getvalue() == "Oda\n\n"


def test_doubts_are_shown_with_the_answer() -> None:
    out, stream = _console(terminal=False)
    doubts = (
        Doubt(sentence="It burned [/b].", reason="nothing says so"),
        Doubt(sentence="It fell.", reason="there is no such piece", citation=9),
    )
    print_answer(out, Answer(question="?", answer="Oda", doubts=doubts))
    assert stream.getvalue().splitlines()[1:] == [
        "  Doubtful: “It burned [/b].” (nothing says so)",
        "  Doubtful: “It fell.” [9] (there is no such piece)",
    ]
