"""Questions that lean on what was said before, made whole."""

from __future__ import annotations

import pytest

from clew.conversation.following import readings
from clew.conversation.referents import referents_of
from clew.results import Answer

BRIDGE = ("Who built Norr Bridge?", "Berit Lind")
COMPANY = ("Which company bought Tveit Yard?", "Norr Works")
WIFE = ("Who was Otto Brand's wife?", "Eva Sund")
BORN = ("Where was Oda Krog born?", "Bergen")
OPENED = ("When was Norr Bridge opened?", "1931")


def _read(question: str, *before: tuple[str, str]) -> tuple[str, ...]:
    things = [referents_of(asked, Answer(question=asked, answer=said)) for asked, said in before]
    return readings(question, before[-1][0] if before else "", things)


@pytest.mark.parametrize(
    ("before", "question", "whole"),
    [
        # pronouns
        (BRIDGE, "When was it opened?", "When was Norr Bridge opened?"),
        (BRIDGE, "When was she born?", "When was Berit Lind born?"),
        (BRIDGE, "Who was her husband?", "Who was Berit Lind's husband?"),
        (BRIDGE, "Who married her in 1920?", "Who married Berit Lind in 1920?"),
        (BRIDGE, "Who married her?", "Who married Berit Lind?"),
        (BRIDGE, "Why did she build it?", "Why did Berit Lind build Norr Bridge?"),
        (BRIDGE, "How old was she when she died?", "How old was Berit Lind when she died?"),
        (BRIDGE, "Is it older than Orm Bridge?", "Is Norr Bridge older than Orm Bridge?"),
        (COMPANY, "Who founded it?", "Who founded Norr Works?"),
        (COMPANY, "Where is its seat?", "Where is Norr Works's seat?"),
        (WIFE, "When did he die?", "When did Otto Brand die?"),
        (WIFE, "When did she die?", "When did Eva Sund die?"),
        (BORN, "When did she leave it?", "When did Oda Krog leave Bergen?"),
        (BORN, "Who else lives there?", "Who else lives in Bergen?"),
        (OPENED, "Who built it?", "Who built Norr Bridge?"),
        # nouns that point back
        (BRIDGE, "How long is the bridge?", "How long is Norr Bridge?"),
        (COMPANY, "Who owns that company?", "Who owns Norr Works?"),
        (COMPANY, "Who founded this firm?", "Who founded Norr Works?"),
        # fragments
        (BRIDGE, "and her husband?", "Who was Berit Lind's husband?"),
        (BRIDGE, "And its length?", "What is Norr Bridge's length?"),
        (BRIDGE, "what about her birthday", "When was Berit Lind's birthday?"),
        (BRIDGE, "and Orm Bridge?", "Who built Orm Bridge?"),
        (BORN, "What about Eva Sund?", "Where was Eva Sund born?"),
        (BORN, "Why?", "Why was Oda Krog born?"),
        (BORN, "and when?", "When was Oda Krog born?"),
        (BRIDGE, "When?", "When was Norr Bridge built?"),
        (("Who led Norr Works in 1920?", "Bo"), "And in 1931?", "Who led Norr Works in 1931?"),
        (("Who led Norr Works?", "Bo Munk"), "And in 1931?", "Who led Norr Works in 1931?"),
        (("Who led Norr Works in 1920?", "Bo"), "And now?", "Who led Norr Works now?"),
        (("Who leads Norr Works?", "Bo Munk"), "And last year?", "Who leads Norr Works last year?"),
    ],
)
def test_the_likeliest_reading(before: tuple[str, str], question: str, whole: str) -> None:
    assert _read(question, before)[0] == whole


@pytest.mark.parametrize(
    "question",
    [
        "Who founded the company that built Orm Bridge?",
        "Does it rain in Orm?",
        "Is it true that Orm Bridge fell?",
        "When did Eva Sund sell her house?",
        "Are there ferries to Orm?",
        "Where did Eva and her husband live?",
        "Which of the islands is the largest?",
        "What did the painter use?",
    ],
)
def test_a_question_that_leans_on_nothing_stays_as_it_is(question: str) -> None:
    assert _read(question, BRIDGE) == (question,)


def test_without_a_turn_before_nothing_is_resolved() -> None:
    assert _read("and  her husband?") == ("and her husband?",)


def test_other_readings_follow_and_the_words_themselves_come_last() -> None:
    assert _read("When was it founded?", COMPANY) == (
        "When was Norr Works founded?",
        "When was Tveit Yard founded?",
        "When was it founded?",
    )


def test_a_pronoun_reaches_over_a_turn_that_does_not_fit() -> None:
    before = (("Who was Eva Sund's father?", "Otto Brand"), ("Where is Orm Bridge?", "Halden"))
    assert _read("When did he die?", *before)[0] == "When did Otto Brand die?"


def test_a_question_without_an_answer_still_says_what_is_spoken_of() -> None:
    things = referents_of("Who painted Orm Bridge?", Answer(question="", answer="", abstained=True))
    assert [one.name for one in things] == ["Orm Bridge"]


@pytest.mark.parametrize("answer", ["1931", "yes", "made of stone", "Bo Munk; Eva Sund"])
def test_what_is_no_name_is_not_spoken_of(answer: str) -> None:
    things = referents_of("What is Orm Bridge?", Answer(question="", answer=answer))
    assert [one.name for one in things] == ["Orm Bridge"]
