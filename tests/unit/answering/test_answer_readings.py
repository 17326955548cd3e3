"""A question read anew: a description by what it leads to, a thing brought in by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from clew.answering.evidence import read_evidence
from clew.answering.lexicon.instances import instances_of, is_instance
from clew.answering.naming import full_name
from clew.answering.ranking import Ranker
from clew.answering.readings import Reading, readings_of
from clew.answering.study import Study
from clew.results import Answer, RetrievalResult
from clew.retrieval.question import analyse_question
from clew.stores.memory import KnowledgeGraph

Index = Callable[[str, Any], tuple[KnowledgeGraph, RetrievalResult]]
Ask = Callable[..., Answer]

TEXTS = {
    "Norr": "Norr is a village in the west of Sundland.",
    "Sundland": "Sundland is a country. Its first president was Kari Lund, a lawyer.",
    "Vestland": "Vestland is a country. Its first president was Ola Roe.",
    "Blue Ice": "Blue Ice is a ballet composed by Per Moe.",
    "Per Moe": "Per Moe (1840 – 1902) was a composer and a citizen of Vestland.",
    "Orm Hall": "Orm Hall is a hall of residence of Tveit University.",
    "Tveit University": "Tveit University is a university in the north. It is located in Skarvik.",
    "Elv University": "Elv University is a university. It is located in Dalby.",
}


def study_of(index: Index, question: str, texts: Any = TEXTS) -> Study:
    graph, result = index(question, texts)
    return Study(analyse_question(question), read_evidence(result, graph, 10), graph)


def nothing(study: Study) -> Sequence[Any]:
    return ()


def read(index: Index, question: str) -> list[Reading]:
    return read_all(index, question, TEXTS)


def read_all(index: Index, question: str, texts: Any) -> list[Reading]:
    return readings_of(study_of(index, question, texts), nothing)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was the first president of Norr's country?", "first president of Sundland?"),
        ("Who was the first president of the country where Norr is?", "president of Sundland?"),
        ("Who was the first president of the country Norr is in?", "president of Sundland?"),
        ("In which city was the composer of Blue Ice born?", "was Per Moe born?"),
        (
            "Who was president of the country where the composer of Blue Ice was a citizen?",
            "country where Per Moe was a citizen?",
        ),
        ("Orm Hall belongs to a university located in which town?", "Tveit University located in"),
        ("When did the country Norr is located in join the union?", "did Sundland join the union?"),
        ("What is the country where Norr is located famous for?", "What is Sundland famous for?"),
        (
            "Sund Hill, in the country where Norr lies, has how many paths?",
            "Hill, in Sundland, has",
        ),
    ],
)
def test_a_description_gives_way_to_what_it_leads_to(
    index: Index, question: str, expected: str
) -> None:
    assert expected in read(index, question)[0].study.question.text


def test_descriptions_are_read_from_the_innermost_outwards(index: Index) -> None:
    question = "Who was the first president of the country where the composer of Blue Ice was born?"
    texts = {**TEXTS, "Per Moe": "Per Moe was born in Vestland. He was a composer."}
    found = readings_of(study_of(index, question, texts), nothing)
    last = max(found, key=lambda reading: (reading.steps, reading.strength))

    assert last.steps == 2
    assert last.study.question.text == "Who was the first president of Vestland?"
    assert [s.text for s in last.sentences] == [
        "Blue Ice is a ballet composed by Per Moe.",
        "Per Moe was born in Vestland.",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Who composed Blue Ice?",
        "Is Norr in Sundland?",
        "Which country is Norr in?",
        "Who was older, Per Moe or Ola Roe?",
    ],
)
def test_what_asks_in_one_step_is_not_read_anew(index: Index, question: str) -> None:
    assert read(index, question) == []


@pytest.mark.parametrize(
    "question",
    [
        "When did the man from Norr become a member of Tveit University?",
        "Who played in Blue Ice, a ballet staged in Tveit University?",
    ],
)
def test_what_is_no_description_of_one_thing_stays(index: Index, question: str) -> None:
    texts = [reading.study.question.text for reading in read(index, question)]

    assert all("Tveit University" in text for text in texts)


def test_a_part_of_a_state_is_called_what_it_is(index: Index) -> None:
    texts = {
        "Elvik": "Elvik is a town in Hird County, Kentucky. It was founded in 1820.",
        "Hird County": "Hird County borders Lund County.",
    }
    found = read_all(index, "Which county borders the county in which Elvik is located?", texts)

    assert found[0].thing.name.startswith("Hird County")


def test_a_place_is_read_behind_its_quarter(index: Index) -> None:
    texts = {
        **TEXTS,
        "Norr": "Norr is a village in eastern Sundland, near the border with Vestland.",
    }
    found = read_all(index, "Who was the first president of Norr's country?", texts)

    assert found[0].thing.name == "Sundland"


def test_candidates_of_a_reading_stand_in_sentences_about_the_thing(index: Index) -> None:
    reading = read(index, "Who was the first president of Norr's country?")[0]
    names = {candidate.text for candidate in reading.candidates()}

    assert "Kari Lund" in names
    assert "Ola Roe" not in names


def test_the_answer_cites_the_way_to_it(ask: Ask) -> None:
    answer = ask("Who was the first president of Norr's country?", TEXTS)

    assert answer.answer == "Kari Lund"
    assert {citation.doc_id for citation in answer.citations} >= {"Norr", "Sundland"}


def test_of_several_cuts_the_one_that_agrees_most_is_chosen(index: Index) -> None:
    study = study_of(index, "Who was the first president of Norr's country?")
    ranker = Ranker(study)

    assert ranker.best is not None
    assert ranker.best.candidate.text == "Kari Lund"
    assert sum({r.candidate.key: r.share for r in ranker.ranked}.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("noun", "words", "expected"),
    [
        ("language", ["latin"], True),
        ("language", ["norr"], False),
        ("position", ["central", "defender"], True),
        ("profession", ["aviator"], True),
        ("occupations", ["botanists"], False),
        ("occupation", ["botanist"], True),
        ("bridge", ["latin"], False),
    ],
)
def test_a_phrase_can_be_one_of_what_a_noun_names(
    noun: str, words: list[str], expected: bool
) -> None:
    assert is_instance(noun, words) is expected


def test_nothing_is_known_of_most_nouns() -> None:
    assert instances_of("waterfall") == frozenset()


def test_a_trade_is_chosen_before_a_name(ask: Ask) -> None:
    text = "Kari Lund (1901 – 1977) was a pioneering Sundish aviator who flew to Orm."

    assert ask("What was Kari Lund's profession?", {"Kari Lund": text}).answer.endswith("aviator")


def test_a_surname_is_written_in_full_where_the_passage_does(index: Index) -> None:
    text = "Jane Roe founded Orm Works. Roe sold it in 1950."
    study = study_of(index, "Who sold Orm Works?", {"Orm Works": text})
    short = [c for c in study.candidates if c.text == "Roe"]

    assert {full_name(study.evidence, candidate) for candidate in short} == {"Jane Roe"}


def test_a_place_of_one_word_stays_as_it_is(index: Index) -> None:
    text = "Kari Lund founded Orm Works in Lund. She lived near Lund."
    study = study_of(index, "Where was Orm Works founded?", {"Orm Works": text})
    places = [c for c in study.candidates if c.text == "Lund" and c.sentence.number == 1]

    assert places
    assert {full_name(study.evidence, candidate) for candidate in places} == {"Lund"}
