"""When a statement holds, and whether that fits the time asked for."""

from __future__ import annotations

import pytest

from clew.answering.intervals import (
    OPEN,
    UNKNOWN,
    agreement,
    as_event,
    find_intervals,
    interval_of,
    is_former,
)
from clew.retrieval.question import analyse_question

Y2010, Y2015 = (2010, 0, 0), (2015, 0, 0)


@pytest.mark.parametrize(
    ("text", "first", "last", "is_point"),
    [
        ("from 2010 to 2015", Y2010, Y2015, False),
        ("between 2010 and 2015", Y2010, Y2015, False),
        ("(2010–2015)", Y2010, Y2015, False),
        ("since 2015", Y2015, OPEN, False),
        ("from 2015 onwards", Y2015, OPEN, False),
        ("2015–present", Y2015, OPEN, False),
        ("until 2010", UNKNOWN, Y2010, False),
        ("became mayor in 2015", Y2015, OPEN, False),
        ("left the firm in 2010", UNKNOWN, Y2010, False),
        ("was built in 2010", Y2010, Y2010, True),
    ],
)
def test_intervals(
    text: str, first: tuple[int, int, int], last: tuple[int, int, int], is_point: bool
) -> None:
    found = find_intervals(text)

    assert [(i.first, i.last, i.is_point) for i in found] == [(first, last, is_point)]


@pytest.mark.parametrize(
    ("text", "question", "fits"),
    [
        ("from 2010 to 2015", "Who led it in 2012?", True),
        ("from 2010 to 2015", "Who led it in 2010?", True),
        ("from 2010 to 2015", "Who led it in 2016?", False),
        ("from 2010 to 2015", "Who leads it now?", False),
        ("since 2015", "Who leads it now?", True),
        ("since 2015", "Who led it in 2012?", False),
        ("until 2010", "Who led it in 1999?", True),
        ("until 2010", "Who led it after 2012?", False),
        ("from 2010 to 2015", "Who led it before 2010?", False),
        ("from 2010 to 2015", "Who led it between 2014 and 2020?", True),
        ("since May 2015", "Who led it in 2015?", True),
    ],
)
def test_agreement(text: str, question: str, fits: bool) -> None:
    interval = find_intervals(text)[0]

    assert (agreement(interval, analyse_question(question).times[0]) > 0) is fits


def test_a_change_counts_as_a_moment_when_the_change_is_asked_for() -> None:
    elected = as_event(find_intervals("was elected in 2010")[0])

    assert agreement(elected, analyse_question("Who was elected in 2012?").times[0]) < 0
    assert agreement(elected, analyse_question("Who was elected in 2010?").times[0]) > 0


def test_a_time_belongs_to_the_name_before_it_and_crosses_no_other() -> None:
    text = "Ola led it from 2010 to 2015 and Kari since 2015."
    ola, kari = (0, 3), (text.index("Kari"), text.index("Kari") + 4)

    first, second = interval_of(text, *ola, [kari]), interval_of(text, *kari, [ola])
    assert first is not None
    assert second is not None
    assert (first.first, first.last) == (Y2010, Y2015)
    assert (second.first, second.last) == (Y2015, OPEN)


def test_former_holders_are_recognised_by_the_word() -> None:
    assert is_former("The former mayor Ola Berg spoke.", 17, 25)
    assert not is_former("The mayor Ola Berg spoke.", 10, 18)
