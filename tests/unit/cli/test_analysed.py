"""The block that says how a question was read."""

from __future__ import annotations

import datetime as dt
import io

import pytest
from rich.console import Console

from clew.cli.analysed import print_analysis


def _printed(question: str) -> str:
    out = Console(file=io.StringIO(), width=100, force_terminal=False)
    print_analysis(out, question)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_the_block_says_what_is_asked_line_by_line() -> None:
    block = _printed("Who led Orm Works between 2010 and 2015?")

    assert [line.split() for line in block.splitlines()[1:]] == [
        ["language", "en"],
        ["asks", "who"],
        ["expects", "person,", "org"],
        ["names", "Orm", "Works"],
        ["relations", "leader", "(“led”)"],
        ["times", "between", "2010–2015"],
    ]


def test_markup_in_a_question_is_text() -> None:
    assert "[bold]" in _printed('Who wrote "[bold]Norr"?')


def test_last_year_is_a_time_of_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clew.answering.time_events.current_day", lambda: dt.date(2020, 1, 31))

    assert "at 2019" in _printed("Who led Orm Works last year?")


def test_a_question_without_a_word_gives_no_block() -> None:
    assert _printed(" ?! ") == ""
