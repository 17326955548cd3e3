"""Facts that somebody brings have a source, are found by any name, and may contradict others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.errors import DocumentError
from clew.records import Fact, FactKind
from clew.reports import Status

WORDS = ClewConfig(embedding_model="none")


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.in_memory(config=WORDS) as kb:
        yield kb


def test_a_triple_is_a_statement_with_a_source(kb: KnowledgeBase) -> None:
    report = kb.add_facts([("Norr Works", "acquired", "Tarn Ltd")], name="mine")
    assert report.documents[0].status is Status.INSERTED
    assert report.documents[0].facts == 1
    (fact,) = kb.facts()
    indexed = kb.document("mine")
    assert indexed.document.text[fact.start : fact.end] == "Norr Works acquired Tarn Ltd."
    assert (fact.subject, fact.predicate, fact.object) == ("Norr Works", "acquired", "Tarn Ltd")
    assert indexed.units[0].id == fact.unit_id
    assert {entity.name for entity in kb.entities()} >= {"Norr Works", "Tarn Ltd"}
    assert kb.check() == []


def test_facts_are_answered_from_and_cited(kb: KnowledgeBase) -> None:
    kb.add_facts([("Ola Roe", "founded", "Norr Works"), ("Norr Works", "bought", "Tarn Ltd")])
    answer = kb.ask("Who founded Norr Works?")
    assert answer.answer == "Ola Roe"
    assert answer.citations[0].text == "Ola Roe founded Norr Works."


def test_every_field_comes_back(kb: KnowledgeBase) -> None:
    told: dict[str, Any] = {
        "kind": "event",
        "subject": "Norr Works",
        "predicate": "moves to",
        "object": "Bergen",
        "negated": True,
        "confidence": 0.5,
        "time_start": "2031",
        "time_end": "2032",
        "time_as_said": "from 2031 to 2032",
        "condition": "if it rains",
        "modality": "may",
        "quantifier": "most of",
        "speech_act": "promise",
        "tense": "future",
        "stated_at": "2030-01-01",
    }
    kb.add_facts([told | {"text": "Most of Norr may not move to Bergen."}])
    (fact,) = kb.facts()
    assert fact.kind is FactKind.EVENT
    for key, value in told.items():
        if key not in {"kind", "predicate"}:
            assert getattr(fact, key) == value
    assert (fact.predicate, fact.predicate_as_said) == ("moves to", "moves to")
    unit = kb.document(fact_document(kb, fact)).units[0]
    assert unit.text == "Most of Norr may not move to Bergen."


def fact_document(kb: KnowledgeBase, fact: Fact) -> str:
    return next(one.doc_id for one in kb.documents() if one.id == fact.document_id)


def test_equal_statements_are_told_apart_by_their_place(kb: KnowledgeBase) -> None:
    same = {"subject": "Ola", "predicate": "said", "object": "so", "text": "Ola said so."}
    kb.add_facts([same, ("Bo", "said", "no"), same], name="mine")
    indexed = kb.document("mine")
    assert [indexed.document.text[unit.start : unit.end] for unit in indexed.units] == [
        "Ola said so.",
        "Bo said no.",
        "Ola said so.",
    ]
    assert len({fact.id for fact in kb.facts()}) == 3


def test_the_same_name_again_replaces(kb: KnowledgeBase) -> None:
    kb.add_facts([("Ola", "founded", "Norr")], name="mine")
    assert (
        kb.add_facts([("Ola", "founded", "Norr")], name="mine").documents[0].status == "unchanged"
    )
    kb.add_facts([("Bo", "founded", "Norr")], name="mine")
    assert [fact.subject for fact in kb.facts()] == ["Bo"]
    kb.delete("mine")
    assert kb.facts() == []


def test_facts_of_two_things_of_one_name_are_told_apart(kb: KnowledgeBase) -> None:
    kb.add_facts([("Mercury", "mass", "330 Yg"), ("Bo Lind", "saw", "Mercury")], name="sky")
    kb.add_facts([("Mercury", "mass", "200 u"), ("Bo Lind", "sold", "Mercury")], name="metal")
    assert len(kb.contradictions()) == 1
    kb.split_name("Mercury", "Mercury (planet)", ["sky"])
    assert kb.contradictions() == []
    assert [fact.predicate for fact in kb.facts("Mercury (planet)")] == ["mass", "saw"]
    assert len(kb.facts("Mercury")) == 4
    assert len(kb.facts("Bo Lind")) == 2


def test_contradictions_are_found_in_the_words_of_an_ontology_that_came_later(
    tmp_path: Path,
) -> None:
    field = tmp_path / "field.yaml"
    field.write_text("predicates: {steers: {says: [led], inverse_single_valued: true}}")
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "s.clew", config=config) as kb:
        kb.add_facts([("Ida", "led", "Norr"), ("Ola", "led", "Norr")], name="mine")
        assert {fact.predicate for fact in kb.facts()} == {"leader of"}
    with KnowledgeBase.open(tmp_path / "s.clew", config=config.replace(ontology=str(field))) as kb:
        (found,) = kb.contradictions()
        assert found.about == "Norr"


def test_facts_are_found_in_the_words_of_an_ontology_that_came_later(tmp_path: Path) -> None:
    field = tmp_path / "field.yaml"
    field.write_text("predicates: {acquired: {says: [bought]}}", encoding="utf-8")
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "s.clew", config=config) as kb:
        kb.add_facts([("Norr", "bought", "Tarn"), ("Vell", "was bought by", "Norr")], name="mine")
    with KnowledgeBase.open(tmp_path / "s.clew", config=config.replace(ontology=str(field))) as kb:
        for said in ("acquired", "was acquired by", "buys"):
            assert {fact.subject for fact in kb.facts(predicate=said)} == {"Norr", "Vell"}


def test_facts_are_found_by_any_name_and_in_any_form(kb: KnowledgeBase) -> None:
    kb.add_facts(
        [
            ("Ola Roe", "founded", "Norr Ltd"),
            ("Norr Works", "is led by", "Bo Lind"),
            ("Paris", "has been the capital city of", "France"),
        ]
    )
    kb.join_names(["Norr Ltd"], "Norr Works")
    assert {fact.subject for fact in kb.facts("norr ltd")} == {"Ola Roe", "Norr Works"}
    assert [fact.object for fact in kb.facts("Norr Works", predicate="leader")] == ["Bo Lind"]
    assert [fact.subject for fact in kb.facts(predicate="capital of")] == ["Paris"]
    assert [fact.subject for fact in kb.facts("Norr Works", predicate="founded by")] == ["Ola Roe"]
    assert [fact.subject for fact in kb.facts("France", predicate="capital")] == ["Paris"]
    assert kb.facts("Nobody") == []
    assert len(kb.facts(most=2)) == 2


def test_contradictions_name_both_sources(kb: KnowledgeBase) -> None:
    kb.add_facts([("Paris", "is the capital of", "France")], name="one")
    kb.add_facts([("Lyon", "is the capital of", "France")], name="other")
    (found,) = kb.contradictions()
    assert {fact_document(kb, fact) for fact in found.facts} == {"one", "other"}
    assert [one.about for one in kb.contradictions("France")] == ["France"]
    assert kb.contradictions("Oslo") == []
    kb.delete("other")
    assert kb.contradictions() == []


def test_where_restricts_facts_and_contradictions(kb: KnowledgeBase) -> None:
    kb.add_facts([("Paris", "capital of", "France")], name="one", metadata={"year": 1})
    kb.add_facts([("Lyon", "capital of", "France")], name="other", metadata={"year": 2})
    assert [fact.subject for fact in kb.facts(where={"year": 2})] == ["Lyon"]
    assert kb.contradictions(where={"year": 2}) == []
    hidden = KnowledgeBase(kb.store, config=WORDS.replace(scope="other"))
    assert hidden.facts() == []
    assert hidden.facts("Paris") == []


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("Ola founded Norr", "neither a mapping nor a triple"),
        (("Ola", "founded"), "has 2 parts"),
        ({"subject": "Ola"}, "predicate is missing"),
        ({"subject": "Ola", "predicate": "is", "objekt": "x"}, "did you mean 'object'"),
        ({"subject": "Ola", "predicate": "is", "negated": "no"}, "must be true or false"),
        ({"subject": "Ola", "predicate": "is", "confidence": 2}, "must be 0 to 1"),
        ({"subject": "Ola", "predicate": "is", "kind": "relations"}, "did you mean 'relation'"),
        ({"subject": "Ola", "predicate": "led", "time_start": "spring"}, "'spring' is no date"),
        (
            {"subject": "Ola", "predicate": "led", "time_start": "2015", "time_end": "2010-05"},
            "time_end='2010-05' is before",
        ),
        (3, "neither a mapping nor a triple"),
    ],
)
def test_a_fact_that_is_none_is_named_and_nothing_is_written(
    kb: KnowledgeBase, fact: Any, said: str
) -> None:
    with pytest.raises(DocumentError, match="fact 2") as error:
        kb.add_facts([("Ola", "founded", "Norr"), fact])
    assert said in str(error.value)
    assert kb.documents() == []


def test_the_kind_is_read_from_the_object(kb: KnowledgeBase) -> None:
    kb.add_facts([("Norr Light", "height", "86 m"), ("Norr Light", "stands on", "Tarn")], name="a")
    kb.add_facts([("Norr Light", "height", "68 m"), {"subject": "Ida", "predicate": "left"}])
    assert {(fact.predicate, str(fact.kind)) for fact in kb.facts()} == {
        ("height", "attribute"), ("stands on", "relation"), ("left", "event"),
    }  # fmt: skip
    (found,) = kb.contradictions()
    assert "86 m" in found.reason
    assert not kb.entities("86 m")


def test_dates_are_read_as_people_write_them(kb: KnowledgeBase) -> None:
    kb.add_facts(
        [{"subject": "Ola", "predicate": "led", "time_start": 2010, "time_end": "4 May 2015"}]
    )
    (fact,) = kb.facts()
    assert (fact.time_start, fact.time_end) == ("2010", "2015-05-04")


def test_one_fact_alone_is_a_list_of_one(kb: KnowledgeBase) -> None:
    kb.add_facts({"subject": "Ola", "predicate": "founded", "object": "Norr"})
    (fact,) = kb.facts()
    assert (fact.subject, fact.object) == ("Ola", "Norr")


def test_no_facts_are_an_error(kb: KnowledgeBase) -> None:
    with pytest.raises(DocumentError, match="no facts"):
        kb.add_facts([])
