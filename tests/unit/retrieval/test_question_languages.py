"""Languages are files of word lists: which one a question is in, and what every list must keep."""

from __future__ import annotations

import datetime as dt
import json

import pytest

from clew.retrieval.question import analyse_question
from clew.retrieval.question.dates import find_dates_in
from clew.retrieval.question.languages import ENGLISH, GERMAN, LANGUAGES, Language, language_of
from clew.retrieval.question.relations import RELATIONS, stems_of
from clew.retrieval.question.telling import analysis_lines, analysis_of
from clew.retrieval.question.tokens import fold, tokenise


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Who founded Tarn Optik?", "en"),
        ("Wer gründete Tarn Optics?", "de"),
        ("Was Ola Berg a painter?", "en"),
        ("Was ist das Ziel?", "de"),
        ("war in Norway 1814", "en"),
        ("Die Hard director", "en"),
        ("norr works", "en"),
        ("Wo liegt Vik?", "de"),
        ("Is the Hat Man a play?", "en"),
        ("Hat Ola die Brücke gebaut?", "de"),
    ],
)
def test_the_language_is_told_by_small_words(text: str, code: str) -> None:
    assert language_of(tokenise(text)).code == code


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_lists_are_folded_whole_words_of_known_things(language: Language) -> None:
    assert all(word == fold(word) and " " not in word for word in language.function_words)
    assert all(word == fold(word) for word in language.noun_types)
    assert set(language.relations) <= set(RELATIONS)
    assert set(language.plurals.values()) <= set(language.noun_types) | language.common_nouns | {
        "wife",
        "child",
    }


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.code)
def test_every_slot_can_be_asked_for(language: Language) -> None:
    asked = {slot.value for slot in language.wh.values()}

    assert {"who", "whom", "whose", "what", "which", "when", "where", "why", "how"} <= asked
    assert language.many
    assert language.negations


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("am 3. Mai 1944", [(1944, 5, 3)]),
        ("im März 1999", [(1999, 3, 0)]),
        ("von 1990 bis 1995", [(1990, 0, 0), (1995, 0, 0)]),
        ("im 19. Jahrhundert", [(1801, 0, 0)]),
        ("in den 1990er Jahren", [(1990, 0, 0)]),
        ("3.5.1944", [(1944, 5, 3)]),
        ("1200 Menschen und 12 Boote", []),
    ],
)
def test_german_dates(text: str, days: list[tuple[int, int, int]]) -> None:
    found = [span.day for span in find_dates_in(text, GERMAN)]

    assert found == days or (not days and all(day[0] == 1200 for day in found))


def test_german_words_find_german_and_english_words_of_one_meaning() -> None:
    (term,) = [t for t in analyse_question("Wer gründete Norr?").terms if t.text == "gründete"]

    assert stems_of("gegründet Gründer founded") <= term.alternatives


def test_german_nouns_are_no_names_and_small_words_no_terms() -> None:
    question = analyse_question("Wer war der Architekt der Brücke bei Schloss Norr?")

    assert [name.text for name in question.names] == ["Schloss Norr"]
    assert {term.text for term in question.terms} == {"Architekt", "Brücke", "Schloss", "Norr"}


def test_last_year_is_a_time_only_when_today_is_given() -> None:
    text = "Who led Orm Works last year?"

    assert analyse_question(text).times == ()
    (time,) = analyse_question(text, today=dt.date(2020, 1, 31)).times
    assert (time.first, time.last) == ((2019, 0, 0), (2019, 0, 0))


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("last month", (2019, 12, 0), (2019, 12, 0)),
        ("this week", (2020, 1, 27), (2020, 2, 2)),
        ("yesterday", (2020, 1, 30), (2020, 1, 30)),
        ("two decades ago", (2000, 0, 0), (2009, 0, 0)),
        ("last century", (1901, 0, 0), (2000, 0, 0)),
    ],
)
def test_relative_times(said: str, first: tuple[int, int, int], last: tuple[int, int, int]) -> None:
    (time,) = analyse_question(f"What was built {said}?", today=dt.date(2020, 1, 31)).times

    assert (time.first, time.last) == (first, last)


@pytest.mark.parametrize(
    ("text", "opened"),
    [
        ("Do you know who built it?", "who"),
        ("Can you tell me when it was built?", "when"),
        ("Please list the towns of Vik.", "list"),
        ("Do you know Ola Berg?", "yes_no"),
        ("Weißt du, wer die Brücke gebaut hat?", "who"),
    ],
)
def test_openings_lead_to_the_question(text: str, opened: str) -> None:
    assert analyse_question(text).slot.value == opened


def test_an_analysis_is_told_as_data_and_as_lines() -> None:
    question = analyse_question("Who did not lead Orm Works before the merger?")
    told = analysis_of(question)

    assert json.loads(json.dumps(told)) == told
    assert told["times"] == [{"kind": "before", "text": "before the merger", "event": "the merger"}]
    lines = dict(analysis_lines(question))
    assert lines["asks"] == "who"
    assert lines["negated"] == "yes"
    assert lines["times"] == "before the merger"


def test_a_claim_is_told_with_its_options() -> None:
    told = analysis_of(analyse_question("Is Norr older than Vik?"))

    assert told["slot"] == "comparison"
    assert told["comparison"] == {
        "options": ["Norr", "Vik"],
        "measure": "birth",
        "order": "least",
        "is_claim": True,
    }
    assert ENGLISH.code == told["language"]
