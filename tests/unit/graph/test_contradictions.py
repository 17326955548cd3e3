"""What cannot all be true is found from either side, and nothing else is."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from clew.graph.contradictions import Contradiction, contradictions
from clew.graph.ontology.schema import named_ontology, read_ontology
from clew.records import Fact, FactKind
from clew.text.names import name_key

DEFAULT = named_ontology("default")
_numbers = count()


def fact(subject: str, predicate: str, value: str, **details: Any) -> Fact:
    number = next(_numbers)
    return Fact(
        id=f"f{number:04}",
        document_id=f"d{number:04}",
        unit_id=f"u{number:04}",
        start=0,
        end=9,
        kind=details.pop("kind", FactKind.RELATION),
        subject=subject,
        predicate=predicate,
        object=value,
        **details,
    )


def found(*facts: Fact) -> list[Contradiction]:
    return contradictions(facts, DEFAULT)


def test_two_capitals_of_one_country() -> None:
    paris = fact("Paris", "is the capital of", "France")
    lyon = fact("Lyon", "is the capital of", "France")
    (one,) = found(paris, lyon, fact("Oslo", "is the capital of", "Norway"))
    assert one.facts == (paris, lyon)
    assert (one.kind, one.about) == ("single value", "France")
    assert "Paris is the capital of France / Lyon is the capital of France" in one.reason


def test_the_same_relation_from_both_sides_is_compared() -> None:
    (one,) = found(
        fact("France", "has the capital", "Paris"), fact("Lyon", "is the capital of", "France")
    )
    assert one.about == "France"
    assert found(fact("France", "capital", "Paris"), fact("Paris", "capital of", "France")) == []


@pytest.mark.parametrize(
    "limit",
    [
        {"modality": "may"},
        {"condition": "if the council moves"},
        {"speech_act": "question"},
        {"speech_act": "promise"},
    ],
)
def test_what_is_not_asserted_contradicts_nothing(limit: dict[str, str]) -> None:
    paris = fact("Paris", "is the capital of", "France")
    assert found(paris, fact("Lyon", "is the capital of", "France", **limit)) == []
    assert found(paris, fact("Paris", "is the capital of", "France", negated=True, **limit)) == []
    tall = fact("Norr Tower", "height", "90 m", kind=FactKind.ATTRIBUTE)
    taller = fact("Norr Tower", "height", "120 m", kind=FactKind.ATTRIBUTE, **limit)
    assert found(tall, taller) == []


def test_who_led_and_who_will_lead_are_two() -> None:
    (led, leads, will) = (
        fact("Norr Works", "leader", name, tense=tense)
        for name, tense in (("Ida", "past"), ("Ola", "present"), ("Per", "future"))
    )
    assert found(led, leads, will) == []
    (one,) = found(leads, fact("Norr Works", "leader", "Bo", tense="present"))
    assert one.kind == "single value"
    (one,) = found(leads, fact("Norr Works", "leader", "Bo"))
    assert one.kind == "single value"


def test_some_are_and_some_are_not() -> None:
    some = fact("ships", "carry", "mail", quantifier="some")
    most = fact("ships", "carry", "mail", quantifier="most of them", negated=True)
    assert found(some, most) == []
    (one,) = found(some, fact("ships", "carry", "mail", quantifier="all", negated=True))
    assert one.kind == "polarity"
    (one,) = found(most, fact("ships", "carry", "mail"))
    assert one.kind == "polarity"


@pytest.mark.parametrize("inverse", ["", "    inverse: acquired by\n"])
def test_a_passive_is_held_against_what_an_ontology_lists(inverse: str) -> None:
    ontology = read_ontology(
        f"predicates:\n  acquired:\n    says: [bought]\n    inverse_single_valued: true\n{inverse}"
    )
    bought = fact("Norr Works", "bought", "Tarn Yard")
    passive = fact("Tarn Yard", "was bought by", "Vell Mill")
    (one,) = contradictions([bought, passive], ontology)
    assert one.facts == (bought, passive)
    denied = fact("Tarn Yard", "was acquired by", "Norr Works", negated=True)
    (one,) = contradictions([bought, denied], ontology)
    assert one.kind == "polarity"


def test_said_and_denied() -> None:
    said = fact("Ola", "founded", "Norr Works")
    denied = fact("Norr Works", "was founded by", "Ola", negated=True)
    (one,) = found(said, denied)
    assert one.kind == "polarity"
    assert one.facts == (said, denied)
    assert "(denied)" in one.reason


def test_a_denial_of_another_time_denies_nothing() -> None:
    assert (
        found(
            fact("Ola", "led", "Norr", time_start="2010", time_end="2015"),
            fact("Ola", "led", "Norr", negated=True, time_start="2018", time_end="2019"),
        )
        == []
    )


def test_less_said_is_no_contradiction() -> None:
    assert found(fact("Ann", "born in", "1970"), fact("Ann", "born on", "14 March 1970")) == []
    assert found(fact("Ann", "born in", "Ulm"), fact("Ann", "born in", "Ulm, Germany")) == []
    assert found(fact("Ann", "born in", "1970"), fact("Ann", "born in", "Ulm")) == []


def test_predicates_of_many_values_contradict_nothing() -> None:
    assert found(fact("Ann", "visited", "Oslo"), fact("Ann", "visited", "Bergen")) == []


def test_a_role_passes_on_in_time() -> None:
    first = fact("Ann", "led", "Norr", time_start="2010", time_end="2015")
    then = fact("Bo", "leads", "Norr", time_start="2015")
    assert found(first, then) == []
    meanwhile = fact("Cy", "led", "Norr", time_start="2014", time_end="2016")
    (one,) = found(first, then, meanwhile)
    assert one.about == "Norr"
    assert set(one.facts) == {first, then, meanwhile}


@pytest.mark.parametrize(
    ("first", "second", "meet"),
    [
        (("2012", "2012"), ("2010", "2015"), True),
        (("2012", "2012"), ("2012", "2012"), True),
        (("2012-05", "2012-05"), ("2012-05-07", "2012-05-07"), True),
        (("2009", "2009"), ("2010", "2015"), False),
        (("", "2015"), ("2015-06", ""), False),
        (("", "2015"), ("2014", ""), True),
        (("2010", ""), ("2020", ""), True),
        (("2010", "2011"), ("2012", "2013"), False),
    ],
)
def test_times_that_share_more_than_an_end_meet(
    first: tuple[str, str], second: tuple[str, str], meet: bool
) -> None:
    facts = [
        fact(name, "led", "Norr", time_start=start, time_end=end)
        for name, (start, end) in (("Ann", first), ("Bo", second))
    ]
    assert bool(found(*facts)) is meet
    assert bool(found(*reversed(facts))) is meet


def test_of_roles_without_a_time_those_said_on_one_day_contradict() -> None:
    ann = fact("Ann", "led", "Norr", stated_at="2020-01-01")
    assert found(ann, fact("Bo", "led", "Norr", stated_at="2021-01-01")) == []
    assert len(found(ann, fact("Bo", "led", "Norr", stated_at="2020-01-01"))) == 1
    assert found(ann, fact("Bo", "led", "Norr", time_start="2012", time_end="2013")) == []


def test_two_numbers_for_one_attribute() -> None:
    kind = FactKind.ATTRIBUTE
    (one,) = found(
        fact("Norr", "height", "10 m", kind=kind), fact("Norr", "height", "12 m", kind=kind)
    )
    assert one.kind == "measure"
    assert (
        found(fact("Norr", "colour", "red", kind=kind), fact("Norr", "colour", "blue", kind=kind))
        == []
    )


def test_names_of_one_entity_are_one_end() -> None:
    known = {"norr ltd": "norr works"}
    facts = [fact("Norr Works", "born in", "Oslo"), fact("Norr Ltd", "born in", "Bergen")]
    assert contradictions(facts, DEFAULT) == []
    assert (
        len(
            contradictions(
                facts, DEFAULT, lambda _, name: known.get(name_key(name), name_key(name))
            )
        )
        == 1
    )


def test_an_ontology_of_ones_own_says_what_has_one_value() -> None:
    ontology = read_ontology("predicates: {flag colour: {single_valued: true}}")
    facts = [fact("Norr", "flag colour", "red"), fact("Norr", "flag colour", "blue")]
    assert len(contradictions(facts, ontology)) == 1
    assert contradictions(facts, DEFAULT) == []


def test_the_order_of_facts_does_not_matter() -> None:
    facts = [
        fact("Paris", "capital of", "France"),
        fact("Lyon", "capital of", "France"),
        fact("Ann", "born in", "Oslo"),
        fact("Ann", "born in", "Bergen"),
    ]
    assert found(*facts) == found(*reversed(facts))


def test_a_fact_told_a_thousand_times_is_compared_once() -> None:
    facts = [fact("Ann", "born in", "Oslo") for _ in range(3000)]
    (one,) = found(*facts, fact("Ann", "born in", "Bergen"))
    assert len(one.facts) == 2
