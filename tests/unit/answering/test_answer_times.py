"""What held when: from plain sentences, from the days of documents, and from typed facts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.answering.time_statements import moment_of
from clew.knowledge_base import KnowledgeBase
from clew.results import Answer
from clew.testing.fake_embedder import FakeEmbedder

LED = (
    "Ola Berg led Orm Works from 2010 to 2015. Kari Lund has led it since 2015. "
    "Ola Berg lives in Oslo."
)
MAYORS = (
    "Per Moe became mayor of Vik in 2003. Kari Lund became mayor of Vik in 2011. "
    "Ola Berg became mayor of Vik in 2019."
)
MILL = "The mill was run by Ola Berg from 1980 to 1992 and by Per Moe from 1993 to 2001."
MERGER = (
    "Nils Aas led Lund Rail from 1990 to 2004. Tove Strand led Lund Rail from 2005 to 2012. "
    "The merger took place in 2004. The strike lasted from 2006 to 2008."
)
DATED: list[tuple[str, Mapping[str, Any]]] = [
    ("Kari Lund leads Orm Works. The office of Orm Works is in Bergen.", {"date": "2012-03-01"}),
    ("Per Moe leads Orm Works. The office of Orm Works is in Molde.", {"date": "2021-06-15"}),
]
LIVES: list[tuple[str, Mapping[str, Any]]] = [
    ("Ola Berg lives in Oslo.", {"date": "2015-01-01"}),
    ("Kari Lund lives in Bergen.", {"date": "2020-01-01"}),
]
ZONES: list[tuple[str, Mapping[str, Any]]] = [
    ("The keeper of the Norr Light is Kari Lund.", {"date": "2024-03-01T23:30:00-08:00"}),
    ("The keeper of the Norr Light is Per Moe.", {"date": "2024-03-02T00:15:00+01:00"}),
]

PLAIN = [
    ("led then", "Who led Orm Works in 2012?", LED, "Ola Berg"),
    ("leads", "Who leads Orm Works?", LED, "Kari Lund"),
    ("leads now", "Who leads Orm Works now?", LED, "Kari Lund"),
    ("lives", "Where does Ola Berg live?", LED, "Oslo"),
    ("led later", "Who led Orm Works in 2020?", LED, "Kari Lund"),
    ("led before", "Who led Orm Works before 2015?", LED, "Ola Berg"),
    ("led after", "Who led Orm Works after 2016?", LED, "Kari Lund"),
    ("yes in its time", "Did Ola Berg lead Orm Works in 2014?", LED, "yes"),
    ("no out of it", "Did Ola Berg lead Orm Works in 2019?", LED, "no"),
    ("first of three", "Who was mayor of Vik in 2005?", MAYORS, "Per Moe"),
    ("second of three", "Who was mayor of Vik in 2015?", MAYORS, "Kari Lund"),
    ("third of three", "Who was mayor of Vik in 2021?", MAYORS, "Ola Berg"),
    ("last of three", "Who is the mayor of Vik?", MAYORS, "Ola Berg"),
    ("decade", "Who ran the mill in the 1980s?", MILL, "Ola Berg"),
    ("later decade", "Who ran the mill in the late 1990s?", MILL, "Per Moe"),
    ("between", "Who ran the mill between 1995 and 1998?", MILL, "Per Moe"),
    ("before an event", "Who led Lund Rail before the merger?", MERGER, "Nils Aas"),
    ("after an event", "Who led Lund Rail after the merger?", MERGER, "Tove Strand"),
    ("during an event", "Who led Lund Rail during the strike?", MERGER, "Tove Strand"),
    (
        "history",
        "Who has led Orm Works?",
        LED,
        "Ola Berg (2010–2015), Kari Lund (since 2015)",
    ),
    (
        "history of three",
        "Who has been mayor of Vik over the years?",
        MAYORS,
        "Per Moe (since 2003), Kari Lund (since 2011), Ola Berg (since 2019)",
    ),
    (
        "history in one sentence",
        "Who has run the mill?",
        MILL,
        "Ola Berg (1980–1992), Per Moe (1993–2001)",
    ),
]
OF_DOCUMENTS = [
    ("now, of the later", "Who leads Orm Works?", DATED, "Per Moe"),
    ("then, of the earlier", "Who led Orm Works in 2012?", DATED, "Kari Lund"),
    ("in between", "Who led Orm Works in 2015?", DATED, "Kari Lund"),
    ("later", "Who led Orm Works in 2022?", DATED, "Per Moe"),
    ("another slot", "Where is the office of Orm Works?", DATED, "Molde"),
    ("another subject", "Where does Ola Berg live?", LIVES, "Oslo"),
    ("its own subject", "Where does Kari Lund live?", LIVES, "Bergen"),
    ("the same day by zones", "Who is the keeper of the Norr Light?", ZONES, "Kari Lund"),
    (
        "the same day by zones, told in another order",
        "Who is the keeper of the Norr Light?",
        ZONES[::-1],
        "Kari Lund",
    ),
]
FACTS: list[dict[str, Any]] = [
    {
        "subject": "Ola Berg",
        "predicate": "led",
        "object": "Orm Works",
        "time_start": "2010",
        "time_end": "2015",
    },
    {"subject": "Kari Lund", "predicate": "led", "object": "Orm Works", "time_start": "2015"},
    {"subject": "Ola Berg", "predicate": "lives in", "object": "Oslo"},
]
STATED: list[dict[str, Any]] = [
    {
        "subject": "Nils Aas",
        "predicate": "owns",
        "object": "Vik Tower",
        "stated_at": "2024-03-01T23:30:00-08:00",
    },
    {
        "subject": "Tove Strand",
        "predicate": "owns",
        "object": "Vik Tower",
        "stated_at": "2024-03-02T00:15:00+01:00",
    },
]
OF_FACTS = [
    ("led then", "Who led Orm Works in 2012?", FACTS, "Ola Berg"),
    ("leads", "Who leads Orm Works?", FACTS, "Kari Lund"),
    ("lives", "Where does Ola Berg live?", FACTS, "Oslo"),
    ("led later", "Who led Orm Works in 2020?", FACTS, "Kari Lund"),
    (
        "history",
        "Who has led Orm Works?",
        FACTS,
        "Ola Berg (2010–2015), Kari Lund (since 2015)",
    ),
    ("stated at", "Who owns the Vik Tower?", STATED, "Nils Aas"),
]


def _asked(
    question: str,
    documents: Iterable[tuple[str, Mapping[str, Any]]] = (),
    facts: Iterable[Mapping[str, Any]] = (),
) -> Answer:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder(256)) as kb:
        for number, (text, metadata) in enumerate(documents):
            kb.ingest_text(text, name=f"document {number}", metadata=metadata)
        if facts:
            kb.add_facts(facts)
        return kb.ask(question)


@pytest.mark.parametrize(
    ("question", "text", "expected"), [pytest.param(*c[1:], id=c[0]) for c in PLAIN]
)
def test_times_in_sentences(question: str, text: str, expected: str) -> None:
    answer = _asked(question, [(text, {})])

    assert answer.answer == expected, answer.sentence
    assert answer.citations


@pytest.mark.parametrize(
    ("question", "documents", "expected"), [pytest.param(*c[1:], id=c[0]) for c in OF_DOCUMENTS]
)
def test_the_day_of_a_document_dates_what_it_says(
    question: str, documents: list[tuple[str, Mapping[str, Any]]], expected: str
) -> None:
    answer = _asked(question, documents)

    assert answer.answer == expected, answer.sentence
    assert not answer.has_contradictions


@pytest.mark.parametrize(
    ("question", "facts", "expected"), [pytest.param(*c[1:], id=c[0]) for c in OF_FACTS]
)
def test_times_of_typed_facts(question: str, facts: list[dict[str, Any]], expected: str) -> None:
    answer = _asked(question, facts=facts)

    assert answer.answer == expected, answer.sentence


def test_last_year_is_another_one_on_another_day(monkeypatch: pytest.MonkeyPatch) -> None:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder(256)) as kb:
        kb.ingest_text(LED, name="works")
        found = []
        for day in (dt.date(2013, 5, 17), dt.date(2021, 1, 1), dt.date(2013, 5, 17)):
            for module in ("clew.asking", "clew.answering.time_events"):
                monkeypatch.setattr(f"{module}.current_day", lambda day=day: day)
            found.append(kb.ask("Who led Orm Works last year?").answer)

    assert found == ["Ola Berg", "Kari Lund", "Ola Berg"]


def test_an_event_that_nothing_dates_is_missing() -> None:
    answer = _asked("Who led Orm Works before the flood?", [(LED, {})])

    assert answer.abstained or "flood" in answer.trace["uncovered"]


def test_the_sentence_that_dates_an_event_is_cited() -> None:
    answer = _asked("Who led Lund Rail before the merger?", [(MERGER, {})])

    assert "The merger took place in 2004." in [citation.text for citation in answer.citations]


@pytest.mark.parametrize(
    ("value", "day", "second"),
    [
        ("2024-03-01T23:30:00-08:00", (2024, 3, 2), 27_000),
        ("2024-03-02T00:15:00+01:00", (2024, 3, 1), 83_700),
        ("2024-03-02T00:15:00Z", (2024, 3, 2), 900),
        ("2024-03-02 00:15", (2024, 3, 2), 900),
        ("2024-03-02", (2024, 3, 2), 0),
        ("2024", (2024, 0, 0), 0),
        ("soon", (0, 0, 0), 0),
        ("2024-13-45T99:99:99", (0, 0, 0), 0),
        ("2024-13-45", (0, 0, 0), 0),
        ("0001-01-01T00:00:00+05:00", (0, 0, 0), 0),
        ("15 May 2019", (2019, 5, 15), 0),
    ],
)
def test_moments_are_in_universal_time(value: str, day: tuple[int, int, int], second: int) -> None:
    assert moment_of(value) == (day, second)


@given(st.text(max_size=40))
def test_any_text_is_a_moment_or_none(value: str) -> None:
    day, second = moment_of(value)
    assert len(day) == 3
    assert 0 <= second < 86_400
