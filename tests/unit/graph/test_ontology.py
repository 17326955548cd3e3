"""Predicates in one form, ontologies read strictly, facts brought into their terms."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from clew.errors import ConfigError
from clew.graph.fact_identity import identified
from clew.graph.ontology.normalising import normalised
from clew.graph.ontology.schema import Ontology, named_ontology, read_ontology
from clew.graph.predicates import plain_predicate, predicate_key
from clew.graph.values import say_the_same, value_kind
from clew.records import Fact, FactKind

FIELD = """
entity_types:
  AGENT:
  PERSON: {is_a: AGENT}
  COMPANY: {is_a: AGENT}
  TOWN:
predicates:
  acquired:
    says: [bought, took over]
    domain: [AGENT]
    range: [COMPANY]
    inverse: acquired by
  chief executive:
    says: [ceo]
    domain: [COMPANY]
    range: [PERSON]
    single_valued: true
    time_bound: true
  founding year:
    says: [founded in]
    value: date
  founding place:
    says: [founded in]
    value: name
closed: true
"""


def fact(subject: str, predicate: str, value: str, *, negated: bool = False) -> Fact:
    found = Fact(
        id="",
        document_id="d",
        unit_id="u",
        start=0,
        end=5,
        kind=FactKind.RELATION,
        subject=subject,
        predicate=predicate,
        object=value,
        negated=negated,
    )
    return identified(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("was founded by", "is founded by"),
        ("founded_by", "FoundedBy"),
        ("has been founded by", "founded by"),
        ("is the capital of", "capital of"),
        ("leads", "lead"),
    ],
)
def test_grammar_alone_makes_no_other_predicate(one: str, other: str) -> None:
    assert predicate_key(one) == predicate_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("founded", "founded by"), ("born in", "died in"), ("moved to", "moved from")],
)
def test_what_steers_the_meaning_stays(one: str, other: str) -> None:
    assert predicate_key(one) != predicate_key(other)


def test_an_auxiliary_alone_is_a_predicate() -> None:
    assert plain_predicate("is").text == "is"
    assert plain_predicate("has").text == "has"


@pytest.mark.parametrize("said", ["did not win", "never won", "didn't win", "is not the winner"])
def test_a_negation_in_the_predicate_is_seen(said: str) -> None:
    assert plain_predicate(said).negated
    assert "not" not in plain_predicate(said).text


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("14 March 1879", "date"),
        ("1879", "date"),
        ("May", "name"),
        ("3 May", "date"),
        ("1,200 m", "number"),
        ("12", "number"),
        ("Ulm", "name"),
        ("Route 66 Diner", "name"),
    ],
)
def test_kinds_of_values(value: str, kind: str) -> None:
    assert value_kind(value) == kind


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("1879", "14 March 1879", True),
        ("1879-03-14", "March 14, 1879", True),
        ("1,200", "1200 m", True),
        ("Ulm", "Ulm, Germany", True),
        ("the Tarn", "Tarn", True),
        ("1879", "1880", False),
        ("14 March 1879", "15 March 1879", False),
        ("12 m", "10 m", False),
        ("Paris", "Lyon", False),
        ("", "Lyon", False),
    ],
)
def test_values_that_say_the_same_more_or_less_fully(one: str, other: str, same: bool) -> None:
    assert say_the_same(one, other) is same
    assert say_the_same(other, one) is same


def test_a_fact_gets_the_name_of_its_predicate_and_keeps_what_was_said() -> None:
    (found,), violations = normalised(
        [fact("Norr", "has bought", "Tarn Works")], {}, read_ontology(FIELD)
    )
    assert (found.predicate, found.predicate_as_said) == ("acquired", "has bought")
    assert found.id == fact("Norr", "acquired", "Tarn Works").id
    assert violations == ()


def test_the_value_tells_two_predicates_apart_that_are_said_alike() -> None:
    found, _ = normalised(
        [fact("Norr", "was founded in", "1970"), fact("Norr", "was founded in", "Oslo")],
        {},
        read_ontology(FIELD),
    )
    assert [one.predicate for one in found] == ["founding year", "founding place"]


def test_two_ways_to_say_one_thing_are_one_fact() -> None:
    found, _ = normalised(
        [fact("Norr", "bought", "Tarn"), fact("Norr", "took over", "Tarn")],
        {},
        read_ontology(FIELD),
    )
    assert len(found) == 1


def test_a_negation_moves_from_the_predicate_into_the_fact() -> None:
    (found,), _ = normalised([fact("Norr", "did not buy", "Tarn")], {}, Ontology())
    assert found.negated
    assert found.predicate == "buy"
    assert found.predicate_as_said == "did not buy"


@pytest.mark.parametrize(
    ("said", "modality", "tense"),
    [
        ("may not acquire", "may", ""),
        ("might have acquired", "might", ""),
        ("will acquire", "", "future"),
        ("would acquire", "", ""),
        ("can acquire", "", ""),
    ],
)
def test_what_may_be_and_what_will_be_are_told_from_what_is(
    said: str, modality: str, tense: str
) -> None:
    (found,), _ = normalised([fact("Norr", said, "Tarn")], {}, read_ontology(FIELD))
    assert (found.predicate, found.modality, found.tense) == ("acquired", modality, tense)
    assert normalised([found], {}, read_ontology(FIELD))[0] == (found,)


def test_without_an_ontology_the_plain_form_is_the_predicate() -> None:
    (found,), violations = normalised(
        [fact("Norr", "was_painted_by", "Ola")], {}, named_ontology("none")
    )
    assert found.predicate == "painted by"
    assert violations == ()


def test_normalising_twice_changes_nothing() -> None:
    ontology = read_ontology(FIELD)
    once, _ = normalised([fact("Norr", "has not bought", "Tarn")], {}, ontology)
    assert normalised(once, {}, ontology)[0] == once


def test_violations_name_the_fact_and_the_rule_and_the_fact_is_kept() -> None:
    types = {"ola roe": "person", "norr works": "COMPANY", "tarn": "TOWN"}
    facts, violations = normalised(
        [
            fact("Ola Roe", "bought", "Norr Works"),
            fact("Norr Works", "bought", "Tarn"),
            fact("Norr Works", "smells of", "tar"),
            fact("Norr Works", "ceo", "Unknown Name"),
        ],
        types,
        read_ontology(FIELD),
    )
    assert len(facts) == 4
    assert [violation.message for violation in violations] == [
        "Norr Works – acquired – Tarn: the object 'Tarn' is a TOWN, not a COMPANY",
        "Norr Works – smells of – tar: the ontology has no such predicate",
    ]
    assert violations[0].fact_id == facts[1].id


def test_an_open_ontology_lets_other_predicates_pass() -> None:
    _, violations = normalised(
        [fact("Norr", "smells of", "tar")], {}, read_ontology(FIELD.replace("closed: true", ""))
    )
    assert violations == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("predicates: [a]", "must be a mapping"),
        ("predicate: {}", "did you mean 'predicates'"),
        ("predicates: {ceo: {singel_valued: true}}", "did you mean 'single_valued'"),
        ("predicates: {ceo: {single_valued: 1}}", "must be true or false"),
        ("predicates: {ceo: {says: 3}}", "must be a text or a list of texts"),
        ("predicates: {ceo: {value: colour}}", "one of date, number, name"),
        ("predicates: {a b: {}, c: {says: [a b]}}", "means both 'a b' and 'c'"),
        ("entity_types: {A: {is_a: B}}", "no type 'B'"),
        ("entity_types: {A: {is_a: B}, B: {is_a: C}, C: {is_a: B}}", "B: is_a: leads back to B"),
        ("predicates:\n  led: {}\n  led: {}\n", "'led' stands in line 2 and again in line 3"),
        ("entity_types: [TOWN]\npredicates: {in: {range: [TWON]}}", "did you mean 'TOWN'"),
        ("predicates: {'...': {}}", "needs a name"),
        ("a: [", "no YAML"),
        ("entity_types: [[TOWN]]", "must be a text or a list of texts"),
    ],
)
def test_what_is_wrong_with_an_ontology_is_named(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=r"field\.yaml") as error:
        read_ontology(text, "field.yaml")
    assert said in str(error.value)


def test_an_ontology_that_is_not_there_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="'default', 'none' or the path"):
        named_ontology(str(tmp_path / "none.yaml"))


def test_what_is_said_of_a_predicate_holds_for_its_inverse() -> None:
    ontology = named_ontology("default")
    rule = ontology.rule("is the capital of")
    assert rule is not None
    assert rule.inverse_single_valued
    bought = read_ontology(FIELD).rule("was acquired by")
    assert bought is not None
    assert (bought.domain, bought.range) == (("COMPANY",), ("AGENT",))


def test_the_passive_of_a_way_to_say_it_is_the_inverse() -> None:
    types = {"norr": "COMPANY", "tarn": "TOWN"}
    (found,), (broken,) = normalised(
        [fact("Tarn", "was bought by", "Norr")], types, read_ontology(FIELD)
    )
    assert (found.predicate, found.predicate_as_said) == ("acquired by", "was bought by")
    assert "the subject 'Tarn' is a TOWN, not a COMPANY" in broken.message


def test_the_passive_of_a_predicate_without_inverse_is_known_and_keeps_its_words() -> None:
    field = FIELD.replace("    inverse: acquired by\n", "")
    (found,), (broken,) = normalised(
        [fact("Tarn", "was bought by", "Norr")], {"tarn": "TOWN"}, read_ontology(field)
    )
    assert found.predicate == "bought by"
    assert "the subject 'Tarn' is a TOWN, not a COMPANY" in broken.message


def test_what_an_ontology_lists_goes_before_a_passive() -> None:
    ontology = read_ontology(
        "predicates: {wrote: {}, author: {says: [written by], range: [PERSON]}}"
    )
    rule = ontology.rule("was written by")
    assert rule is not None
    assert rule.name == "author"


def test_other_texts_are_other_ontologies() -> None:
    assert read_ontology(FIELD).digest != read_ontology(FIELD + "\n").digest
    assert read_ontology(FIELD).digest == read_ontology(FIELD).digest


@pytest.mark.parametrize(
    "said",
    ["का जन्म हुआ", "เป็นเมืองหลวงของ", "تَأَسَّسَتْ في", "née à"],
)
def test_predicates_keep_the_marks_of_their_script(said: str) -> None:
    assert plain_predicate(said).text == said
    assert plain_predicate(unicodedata.normalize("NFD", said)) == plain_predicate(said)
