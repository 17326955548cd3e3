"""Chains: the steps in a question, and taking them through the evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.answering.chain import follow
from clew.answering.evidence import read_evidence
from clew.answering.frames import Role, asked_role, role_of
from clew.answering.hops import Hopper
from clew.answering.lifespan import life_of
from clew.answering.steps import plan_of
from clew.answering.study import Study
from clew.answering.things import Anchor, Directory, Thing, plain
from clew.results import RetrievalResult
from clew.retrieval.question import analyse_question
from clew.retrieval.question.tokens import tokenise
from clew.stores.memory import KnowledgeGraph

Index = Callable[[str, Any], tuple[KnowledgeGraph, RetrievalResult]]


def anchor(question: str, name: str) -> Anchor:
    start = question.index(name)
    return Anchor(Thing(name, plain(name)), start, start + len(name), is_known=True)


# question, name in it, the relations outwards from the name
PLANS = [
    ("Who founded Norr Works?", "Norr Works", ["founder"]),
    ("Who is the mother of Ola Berg?", "Ola Berg", ["mother"]),
    ("What is Jane Roe's mother's birthplace?", "Jane Roe", ["mother", "birth"]),
    ("Who founded the company that bought Norr Works?", "Norr Works", ["buyer", "founder"]),
    (
        "When did the founder of the company that bought Norr Works die?",
        "Norr Works",
        ["buyer", "founder", "death"],
    ),
    ("Where was the director of the film Blue Ice born?", "Blue Ice", ["director", "birth"]),
    ("What is the place of birth of the director of Blue Ice?", "Blue Ice", ["director", "birth"]),
    ("Who is the maternal grandfather of Ola Berg?", "Ola Berg", ["mother", "father"]),
    ("Who is Ola Berg's mother-in-law?", "Ola Berg", ["spouse", "mother"]),
    ("Which country is the author of Blue Ice from?", "Blue Ice", ["author", "origin"]),
    ("Who owns the firm that Norr Works sold?", "Norr Works", ["seller", "owner"]),
    ("Where is the bridge that Per Moe built?", "Per Moe", ["builder", "location"]),
]


@pytest.mark.parametrize(("text", "name", "relations"), PLANS)
def test_steps_lead_outwards_from_the_name(text: str, name: str, relations: list[str]) -> None:
    plan = plan_of(analyse_question(text), anchor(text, name))

    assert [step.relation for step in plan.steps] == relations
    assert plan.unexplained == 0


def test_the_last_step_wants_what_the_question_wants() -> None:
    text = "When did the founder of the company that bought Norr Works die?"
    steps = plan_of(analyse_question(text), anchor(text, "Norr Works")).steps

    assert [kind.value for kind in steps[-1].kinds] == ["date"]
    assert steps[0].noun == "company"
    assert steps[0].role == Role.AGENT


def test_words_that_no_step_takes_up_are_counted() -> None:
    text = "Who quickly and secretly founded Norr Works?"

    assert plan_of(analyse_question(text), anchor(text, "Norr Works")).unexplained == 2


TEXTS = {
    "Norr Works": "Norr Works is a shipyard in Bergen. It was founded by Jane Roe.",
    "Orm Foundry": "Orm Foundry was bought by Norr Works in 2004.",
    "Jane Roe": "Jane Roe (4 June 1951 – 2 May 2019) was an engineer. She was the daughter of Ola "
    "Roe and his wife Kari Lund.",
    "Ola Roe": "Ola Roe (born in Molde) was a baker. His daughter Jane Roe built ships.",
}

TRAILS = [
    ("Who founded the company that bought Orm Foundry?", "Jane Roe"),
    ("When did the founder of the company that bought Orm Foundry die?", "2 May 2019"),
    ("Who is the father of the founder of Norr Works?", "Ola Roe"),
    ("Who is the mother of Jane Roe?", "Kari Lund"),
    ("Where was the father of Jane Roe born?", "Molde"),
    ("When was the founder of Norr Works born?", "4 June 1951"),
    ("Where is Norr Works located?", "Bergen"),
]


@pytest.mark.parametrize(("text", "expected"), TRAILS)
def test_hops_find_the_end_of_the_chain(index: Index, text: str, expected: str) -> None:
    graph, result = index(text, TEXTS)
    evidence = read_evidence(result, graph, 6)
    study = Study(analyse_question(text), evidence, graph)
    trails = follow(Hopper(evidence, Directory(evidence)), study.plans[0])

    assert trails[0].last.candidate.text == expected


@pytest.mark.parametrize(
    ("sentence", "cue", "name", "role"),
    [
        ("Orm bought Vik in May.", "bought", "Orm", Role.AGENT),
        ("Orm bought Vik in May.", "bought", "Vik", Role.PATIENT),
        ("Vik was bought by Orm.", "bought", "Orm", Role.AGENT),
        ("Vik was bought by Orm.", "bought", "Vik", Role.PATIENT),
        ("The founder of Orm is Ola.", "founder", "Ola", Role.AGENT),
        ("Ola, founder of Orm, spoke.", "founder", "Ola", Role.AGENT),
        ("Its founder Ola spoke.", "founder", "Ola", Role.AGENT),
    ],
)
def test_word_order_and_by_give_the_roles(sentence: str, cue: str, name: str, role: Role) -> None:
    tokens = tokenise(sentence)
    at = next(i for i, token in enumerate(tokens) if token.text == cue)
    first = next(i for i, token in enumerate(tokens) if token.text == name)

    assert role_of(tokens, at, first, first + 1) == role


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Who bought Orm?", Role.AGENT),
        ("What did Orm buy?", Role.PATIENT),
        ("Which firm bought Orm?", Role.AGENT),
        ("Which firm did Orm buy?", Role.PATIENT),
        ("Which film was directed by Ola Berg?", Role.PATIENT),
        ("Orm was founded by whom?", Role.AGENT),
        ("When was Orm founded?", Role.NONE),
    ],
)
def test_the_role_that_a_question_asks_for(text: str, role: Role) -> None:
    assert asked_role(analyse_question(text)) == role


@pytest.mark.parametrize(
    ("sentence", "birth", "death"),
    [
        ("Ola (3 May 1901 – 1980) was a baker.", "3 May 1901", "1980"),
        ("Ola (born 3 May 1901) is a baker.", "born 3 May 1901", ""),
        ("Ola (died 1980) was a baker.", "", "1980"),
        (
            "Ola (3 May 1901, Oslo – 4 June 1980, Vik) was a baker.",
            "3 May 1901, Oslo",
            "4 June 1980, Vik",
        ),
        ("Ola (b. 1170 – d. 1236) was a lord.", "b. 1170", "d. 1236"),
        ("Ola (a baker) lived in Vik.", "", ""),
    ],
)
def test_lives_in_brackets(sentence: str, birth: str, death: str) -> None:
    life = life_of(sentence)

    assert sentence[slice(*life.birth)] == birth
    assert sentence[slice(*life.death)].removeprefix("d. ") == death.removeprefix("d. ")
