"""Facts from a scripted model: what the passage bears out, on which span, at what time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.llm import LLMExtractor
from clew.records import Document, Fact, FactKind, KnowledgeUnit
from clew.testing import ScriptedLLM

TEXT = (
    "Norr Bridge crosses the Vessel at Tamsund. Ida Holm built Norr Bridge in 1931. She never "
    "finished its towers. Otto Brand led Orm Works from 2010 to 2015. Anna Roe has led it since "
    "2015. It is 86.5 metres long."
)


def _extraction(document: Document, units: Sequence[Any], **settings: Any) -> Extraction:
    config = ClewConfig(**settings)
    llm = ScriptedLLM([(".", json.dumps({"units": units}))])
    pairs = [(document, chunk_document(document, config))]
    [extraction] = LLMExtractor(llm, config, quality_mode="cheap").extract(pairs)
    by_id = {unit.id: unit for unit in extraction.units}
    assert len({fact.id for fact in extraction.facts}) == len(extraction.facts)
    for fact in extraction.facts:
        unit = by_id[fact.unit_id]
        assert unit.start <= fact.start < fact.end <= unit.end
        assert 0 <= fact.confidence <= 1
    return extraction


def _of_model(extraction: Extraction) -> list[KnowledgeUnit]:
    return [unit for unit in extraction.units if unit.origin == "llm"]


def _facts(
    units: Sequence[Any],
    text: str = TEXT,
    title: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> tuple[Fact, ...]:
    document = make_document(text, doc_id="a", title=title, metadata=metadata)
    return _extraction(document, units).facts


def _unit(text: str, *facts: Any, entities: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    named = [{"name": name, "type": kind} for name, kind in entities]
    return {"text": text, "entities": named, "facts": list(facts)}


def test_a_fact_is_tied_to_its_unit_and_its_span() -> None:
    said = {
        "kind": "relation", "subject": "Ida Holm", "predicate": "built", "object": "Norr Bridge",
        "confidence": 3, "qualifiers": [{"name": "tense", "text": "past"},
                                        {"name": "time", "text": "in 1931"}],
    }  # fmt: skip
    document = make_document(TEXT, doc_id="a")
    extraction = _extraction(document, [_unit("Norr Bridge was built by Ida Holm in 1931.", said)])
    [unit], [fact] = _of_model(extraction), extraction.facts
    assert fact.unit_id == unit.id
    assert document.text[fact.start : fact.end] == "Ida Holm built Norr Bridge in 1931."
    assert (fact.subject, fact.predicate, fact.object) == ("Ida Holm", "built", "Norr Bridge")
    assert (fact.time_start, fact.time_end, fact.time_as_said) == ("1931", "1931", "in 1931")
    assert (fact.kind, fact.tense, fact.confidence) == (FactKind.RELATION, "past", 1.0)


def test_the_narrowest_sentence_of_a_unit_of_several() -> None:
    statement = (
        "Norr Bridge crosses the Vessel at Tamsund. Ida Holm built Norr Bridge in 1931. She never "
        "finished its towers."
    )
    document = make_document(TEXT, doc_id="a")
    unit = _unit(
        statement, ["Ida Holm", "built", "Norr Bridge"], ["Norr Bridge", "crosses", "Vessel"]
    )
    extraction = _extraction(document, [unit])
    spans = {fact.subject: document.text[fact.start : fact.end] for fact in extraction.facts}
    assert spans == {
        "Ida Holm": "Ida Holm built Norr Bridge in 1931.",
        "Norr Bridge": "Norr Bridge crosses the Vessel at Tamsund.",
    }


@pytest.mark.parametrize(
    "fact",
    [
        ["Zed Mercer", "built", "Norr Bridge"],
        ["Norr Bridge", "stands in", "Quell"],
        ["Norr Bridge", "was built in", "1932"],
        ["Norr Bridge", "is long", "86 metres"],
        {"subject": "Norr Bridge", "predicate": "opened", "time": "in 1932"},
        {"subject": "Norr Bridge", "predicate": "opened", "condition": "if Zed Mercer comes"},
        {"subject": "Norr Bridge", "predicate": "has", "object": "towers", "quantifier": "12"},
        ["She", "finished", "its towers"],
        ["Norr Bridge", "has", "they"],
        ["we", "crossed", "Norr Bridge"],
    ],
)
def test_what_does_not_occur_is_dropped_and_counted(fact: Any) -> None:
    document = make_document(TEXT, doc_id="a")
    good = ["Norr Bridge", "crosses", "Vessel"]
    extraction = _extraction(document, [_unit("Norr Bridge crosses the Vessel.", fact, good)])
    assert [fact.object for fact in extraction.facts] == ["Vessel"]
    assert extraction.ungrounded == 1
    assert extraction.problems == ()


def test_examples_of_the_prompt_count_once_with_their_facts() -> None:
    units = [
        _unit("Ida Holm built Norr Bridge.", ["Ida Holm", "built", "Norr Bridge"]),
        _unit("Zed Mercer lives in Quell.", ["Zed Mercer", "lives in", "Quell"]),
    ]
    extraction = _extraction(make_document(TEXT, doc_id="a"), units)
    assert [fact.subject for fact in extraction.facts] == ["Ida Holm"]
    assert extraction.ungrounded == 1


def test_a_paraphrase_stays_and_the_predicate_is_free() -> None:
    [fact] = _facts(
        [_unit("Ida Holm built it.", ["Ida Holm", "constructed", "the bridge of Norr"])]
    )
    assert fact.predicate == "constructed"


def test_title_and_headings_are_ground_too() -> None:
    document = make_document("# Trade\n\nIt sold 300 looms.", doc_id="a", title="Orm Works",
                             media_type="text/markdown")  # fmt: skip
    extraction = _extraction(document, [_unit("Orm Works sold 300 looms.",
                                              ["Orm Works", "sold", "300 looms"])])  # fmt: skip
    assert [fact.subject for fact in extraction.facts] == ["Orm Works"]


def test_pronouns_become_the_one_name_that_they_can_stand_for() -> None:
    people = [("Ida Holm", "PERSON"), ("Norr Bridge", "PLACE")]
    facts = _facts(
        [
            _unit(
                "Ida Holm never finished the towers of Norr Bridge.",
                ["She", "did not finish", "its towers"],
                entities=people,
            )
        ]
    )
    assert [(fact.subject, fact.predicate, fact.object, fact.negated) for fact in facts] == [
        ("Ida Holm", "finish", "Norr Bridge's towers", True)
    ]


def test_a_pronoun_that_two_names_fit_is_ungrounded() -> None:
    people = [("Ida Holm", "PERSON"), ("Otto Brand", "PERSON")]
    document = make_document("Ida Holm met Otto Brand. She left.", doc_id="a")
    unit = _unit("Ida Holm met Otto Brand and left.", ["She", "left", ""], entities=people)
    extraction = _extraction(document, [unit])
    assert (extraction.facts, extraction.ungrounded) == ((), 1)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"time": "since 2015"}, ("2015", "", "since 2015")),
        ({"time_start": "2015"}, ("2015", "", "since 2015")),
        ({"time_start": "2015-01-01", "time": {"text": "since 2015"}}, ("2015", "", "since 2015")),
        ({"time_start": "1999", "time_end": "2015"}, ("2015", "", "since 2015")),
        ({}, ("2015", "", "since 2015")),
    ],
)
def test_times_are_those_of_the_text(said: dict[str, Any], expected: tuple[str, ...]) -> None:
    fact = {"subject": "Anna Roe", "predicate": "led", "object": "Orm Works"} | said
    [found] = _facts([_unit("Anna Roe has led Orm Works since 2015.", fact)])
    assert (found.time_start, found.time_end, found.time_as_said) == expected


def test_bounds_without_words_keep_what_the_text_has_of_them() -> None:
    fact = {"subject": "Otto Brand", "predicate": "led", "object": "Orm Works",
            "time_start": "2010-01-01", "time_end": "2015-12-31"}  # fmt: skip
    other = ["Otto Brand", "was of", "Orm Works"]
    found = _facts([_unit("Otto Brand led Orm Works from 2010 to 2015.", fact, other)])
    assert [(one.time_start, one.time_end) for one in found] == [("2010", "2015"), ("", "")]


def test_an_object_that_is_a_date_is_the_time() -> None:
    [fact] = _facts([_unit("Norr Bridge was built in 1931.", ["Norr Bridge", "built in", "1931"])])
    assert fact.kind is FactKind.ATTRIBUTE
    assert (fact.time_start, fact.time_end) == ("1931", "1931")


def test_the_time_of_a_unit_with_several_facts_is_nobody_s() -> None:
    unit = _unit(
        "Ida Holm built Norr Bridge in 1931.",
        ["Ida Holm", "built", "Norr Bridge"],
        ["Ida Holm", "is", "a builder of bridges"],
    )
    assert {fact.time_as_said for fact in _facts([unit])} == {""}


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, ""),
        ({"date": "5 March 2024"}, "2024-03-05"),
        ({"Published": "2024-03-05", "modified": "2025-01-01"}, "2024-03-05"),
        ({"year": 2024}, "2024"),
        ({"date": "some day", "created": "2024-03"}, "2024-03"),
    ],
)
def test_stated_at_is_the_day_of_the_document(metadata: dict[str, Any], expected: str) -> None:
    [fact] = _facts([_unit("Ida Holm built Norr Bridge.", ["Ida Holm", "built", "Norr Bridge"])],
                    metadata=metadata)  # fmt: skip
    assert fact.stated_at == expected


def test_one_statement_said_twice_has_the_facts_of_both_each_once() -> None:
    first = _unit("Ida Holm built Norr Bridge.", ["Ida Holm", "built", "Norr Bridge"])
    second = _unit("Ida Holm built Norr Bridge.", ["Norr Bridge", "built by", "Ida Holm"],
                   ["Ida Holm", "built", "Norr Bridge"])  # fmt: skip
    extraction = _extraction(make_document(TEXT, doc_id="a"), [first, second])
    assert len(_of_model(extraction)) == 1
    assert [fact.subject for fact in extraction.facts] == ["Ida Holm", "Norr Bridge"]


def test_a_denial_and_its_assertion_are_two_facts() -> None:
    text = "Some say that Ida Holm built Norr Bridge."
    unit = _unit(text, ["Ida Holm", "never built", "Norr Bridge"],
                 ["Ida Holm", "built", "Norr Bridge"])  # fmt: skip
    facts = _facts([unit], text=text)
    assert [fact.negated for fact in facts] == [True, False]


def test_what_held_twice_is_two_facts() -> None:
    text = "Ida Holm led Norr Works from 1990 to 1995 and from 2001 to 2008."
    said = ["Ida Holm", "led", "Norr Works"]
    terms = [[*said, "from 1990 to 1995"], [*said, "from 2001 to 2008"]]
    facts = _facts([_unit(text, *terms, said)], text=text)
    assert [(fact.time_start, fact.time_end) for fact in facts] == [
        ("1990", "1995"),
        ("2001", "2008"),
    ]
    assert len({fact.id for fact in facts}) == 2


def test_what_holds_under_two_conditions_is_two_facts() -> None:
    text = "Norr Bridge opens if a ship comes or if the wind rises."
    facts = _facts([_unit(text, *(
        {"subject": "Norr Bridge", "predicate": "opens", "object": "", "condition": condition}
        for condition in ("if a ship comes", "if the wind rises")
    ))], text=text)  # fmt: skip
    assert [fact.condition for fact in facts] == ["if a ship comes", "if the wind rises"]


def test_triples_alone_are_statements_with_the_span_of_their_sentence() -> None:
    document = make_document(TEXT, doc_id="a")
    llm = ScriptedLLM([(".", json.dumps({
        "entities": ["Ida Holm", "Norr Bridge"],
        "triples": [["Ida Holm", "constructed", "Norr Bridge"]],
    }))])  # fmt: skip
    pairs = [(document, chunk_document(document, ClewConfig()))]
    [extraction] = LLMExtractor(llm, ClewConfig()).extract(pairs)
    [unit], [fact] = _of_model(extraction), extraction.facts
    assert (unit.text, unit.verbatim) == ("Ida Holm constructed Norr Bridge", False)
    assert document.text[fact.start : fact.end] == "Ida Holm built Norr Bridge in 1931."
    assert {entity.name for entity in extraction.entities} >= {"Ida Holm", "Norr Bridge"}


def test_ids_are_those_of_the_unit_and_what_is_said() -> None:
    units = [_unit("Ida Holm built Norr Bridge.", ["Ida Holm", "built", "Norr Bridge"])]
    first, second = _facts(units), _facts(units, text=TEXT + " Bread is baked.")
    assert [fact.id for fact in first] == [fact.id for fact in second]


def test_a_chunk_that_falls_back_has_no_facts() -> None:
    extraction = _extraction(make_document(TEXT, doc_id="a"), [])
    assert extraction.facts == ()
    assert all(unit.degraded for unit in extraction.units)


def test_facts_of_overlapping_chunks_come_once() -> None:
    text = " ".join(f"Keeper {number} lit lamp {number} at Tamsund." for number in range(30))
    units = [
        _unit(f"Keeper {number} lit lamp {number}.", [f"Keeper {number}", "lit", f"lamp {number}"])
        for number in range(30)
    ]
    extraction = _extraction(
        make_document(text, doc_id="a"), units, chunk_size=200, chunk_overlap=80,
        chunk_strategy="recursive",
    )  # fmt: skip
    assert [fact.subject for fact in extraction.facts] == [f"Keeper {n}" for n in range(30)]
