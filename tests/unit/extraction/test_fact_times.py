from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.extraction.facts.times import Period, iso_date, iso_of, period_of, time_in


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in 1931", "1931", "1931"),
        ("May 1931", "1931-05", "1931-05"),
        ("4 May 1931", "1931-05-04", "1931-05-04"),
        ("the 4th of May, 1931", "1931-05-04", "1931-05-04"),
        ("May 4, 1931", "1931-05-04", "1931-05-04"),
        ("1931-05-04", "1931-05-04", "1931-05-04"),
        ("1931/05/04", "1931-05-04", "1931-05-04"),
        ("4.5.1931", "1931-05-04", "1931-05-04"),
        ("4. Mai 1931", "1931-05-04", "1931-05-04"),
        ("4 de mayo de 1931", "1931-05-04", "1931-05-04"),
        ("since 2015", "2015", ""),
        ("from 2010", "2010", ""),
        ("until May 2015", "", "2015-05"),
        ("before 2015", "", "2015"),
        ("from 2010 to 2015", "2010", "2015"),
        ("between 2010 and 2015", "2010", "2015"),
        ("2010–2015", "2010", "2015"),
        ("1914–18", "1914", "1918"),
        ("from 1 May 2010 until 3 June 2012", "2010-05-01", "2012-06-03"),
        ("4–6 May 1931", "1931-05-04", "1931-05-06"),
        ("April to June 2010", "2010-04", "2010-06"),
        ("March 3 to April 5, 2010", "2010-03-03", "2010-04-05"),
        ("the 1930s", "1930", "1939"),
        ("the late 19th century", "1801", "1900"),
        ("in 1931 and again in 1940", "1931", "1931"),
    ],
)
def test_times_that_texts_write(text: str, start: str, end: str) -> None:
    assert period_of(text) == Period(start, end)


@pytest.mark.parametrize(
    "text",
    ["", "yesterday", "two years later", "44 BC", "in 300 BCE", "1,931 men", "1931000", "99",
     "room 12", "May Holm", "31 days"],
)  # fmt: skip
def test_what_needs_a_calendar_of_its_own_stays_as_said(text: str) -> None:
    assert period_of(text) == Period()
    assert iso_date(text) == ""


def test_days_that_are_none_are_not_taken() -> None:
    assert period_of("31 February 1931") == Period("1931-02", "1931-02")
    assert period_of("1931-13-40") == Period("1931", "1931")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Ida led Orm Works from 2010 to 2015.", "from 2010 to 2015"),
        ("Norr Bridge opened in May 1931.", "in May 1931"),
        ("It has stood since the 1930s.", "since the 1930s"),
        ("It stood there in the early 1930s.", "in the early 1930s"),
        ("The 1931 bridge is long.", ""),
        ("It opened in 1931 and closed in 1940.", ""),
        ("Ida lives in Oslo.", ""),
    ],
)
def test_the_words_that_say_when(statement: str, said: str) -> None:
    assert time_in(statement) == said


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (date(2024, 3, 5), "2024-03-05"),
        (datetime(2024, 3, 5, 10, tzinfo=UTC), "2024-03-05"),
        ("2024-03-05T10:00:00Z", "2024-03-05"),
        ("Tue, 05 Mar 2024 10:00:00 +0000", "2024-03-05"),
        ("D:20240305101010+01'00'", "2024-03-05"),
        (2024, "2024"),
        ("some day", ""),
        (None, ""),
        (True, ""),
        (["2024"], ""),
    ],
)
def test_dates_of_metadata(value: Any, expected: str) -> None:
    assert iso_of(value) == expected


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_every_date_in_every_form(day: date) -> None:
    iso = day.isoformat()
    for form in ("%d %B %Y", "%B %d, %Y", "%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %b %Y"):
        assert iso_date(day.strftime(form)) == iso


@given(st.text(alphabet="0123456789 -–/.MayJuneto'scentury", max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    start, end = period_of(text)
    assert not (start and end) or start[:4] <= end[:4]
    time_in(text)
