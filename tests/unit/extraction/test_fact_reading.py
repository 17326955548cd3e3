"""Facts in every form that models give them. The five are the same in every disguise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.extraction.facts.reading import FactReply, read_fact, read_facts, to_plain
from clew.extraction.facts.wording import confidence_of, is_negated, plain, without_denial
from clew.extraction.named_things import NamedThing
from clew.extraction.replies import read_units
from clew.extraction.unit_replies import UnitReply, reply_of
from clew.records import FactKind

UNITS: list[dict[str, Any]] = [
    {
        "text": f"Keeper {number} lit the lamp at Tamsund.",
        "entities": [{"name": "Tamsund", "type": "PLACE"}],
        "facts": [
            {
                "kind": "event",
                "subject": f"Keeper {number}",
                "predicate": "lit",
                "object": "the lamp",
                "negated": False,
                "confidence": 0.9,
                "qualifiers": [{"name": "tense", "text": "past"}],
            }
        ],
    }
    for number in range(5)
]
CLEAN = json.dumps({"units": UNITS})
BARE = [unit["facts"][0] for unit in UNITS]
TRIPLES = [[fact["subject"], fact["predicate"], fact["object"]] for fact in BARE]
TEXTS = [{"text": unit["text"]} for unit in UNITS]
ENDS = [(f"Keeper {number}", "lit", "the lamp") for number in range(5)]

DISGUISES = {
    "clean": CLEAN,
    "fence with a sentence before it": f"Here they are:\n```json\n{CLEAN}\n```",
    "bare list": json.dumps(UNITS),
    "trailing commas": CLEAN.replace("}]", "},]").replace("]}", "],}"),
    "thoughts before it": f"<think>Is it [1] or {{2}}?</think>{CLEAN}",
    "thoughts that never end": f"<think>Perhaps so. {CLEAN}",
    "single quotes and None": repr({"units": UNITS, "note": None}),
    "entities as one text": json.dumps(
        {"units": [unit | {"entities": "Tamsund, lamp"} for unit in UNITS]}
    ),
    "triples inside": json.dumps(
        {"units": [{"text": unit["text"], "facts": [triple]} for unit, triple in
                   zip(UNITS, TRIPLES, strict=True)]}
    ),
    "one triple a unit, not in a list": json.dumps(
        {"units": [{"text": unit["text"], "facts": triple} for unit, triple in
                   zip(UNITS, TRIPLES, strict=True)]}
    ),
    "facts in the units themselves": json.dumps(
        {"units": [{"text": unit["text"]} | fact for unit, fact in zip(UNITS, BARE, strict=True)]}
    ),
    "flat, with numbers from 1": json.dumps(
        {"units": TEXTS, "facts": [{"unit": n, **fact} for n, fact in enumerate(BARE, 1)]}
    ),
    "flat, with numbers from 0": json.dumps(
        {"units": TEXTS, "facts": [{"unit": n, **fact} for n, fact in enumerate(BARE)]}
    ),
    "flat, without numbers": json.dumps({"units": TEXTS, "relations": TRIPLES}),
    "flat, in front": json.dumps({"triples": TRIPLES, "units": TEXTS}),
    "facts alone": json.dumps({"facts": BARE}),
    "triples alone": json.dumps({"triples": TRIPLES}),
    "triples beside entities": json.dumps({"entities": ["Tamsund"], "triples": TRIPLES}),
    "a bare list of triples": json.dumps(TRIPLES),
    "one fact a line": "\n".join(json.dumps(fact) for fact in BARE),
    "lines with bars": json.dumps({"facts": [" | ".join(triple) for triple in TRIPLES]}),
    "other names of the members": json.dumps(
        {"edges": [{"head": s, "type": p, "tail": o} for s, p, o in TRIPLES]}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DISGUISES)
def test_five_facts_in_every_disguise(name: str) -> None:
    replies = read_units(DISGUISES[name])
    assert replies.whole
    assert len(replies.units) == 5
    facts = [unit.facts[0] for unit in replies.units]
    assert [(fact.subject, fact.predicate, fact.object) for fact in facts] == ENDS
    assert all(len(unit.facts) == 1 for unit in replies.units)


@pytest.mark.parametrize("place", ["Keeper 3", "lit the", '"kind', "predicate", "qualifiers"])
def test_cut_inside_the_fourth_keeps_three(place: str) -> None:
    replies = read_units(CLEAN[: CLEAN.index(place, CLEAN.index("Keeper 3")) + 3])
    assert [unit.facts[0].subject for unit in replies.units] == ["Keeper 0", "Keeper 1", "Keeper 2"]
    assert not replies.whole


def test_facts_of_one_kind_in_a_list_of_their_own() -> None:
    reply = {
        "units": ["Ida built Norr Bridge. It is 86 metres long. It opened in 1931."],
        "relations": [["Ida", "built", "Norr Bridge"]],
        "attributes": [{"entity": "Norr Bridge", "attribute": "length", "value": 86}],
        "events": [{"subject": "Norr Bridge", "predicate": "opened"}],
    }
    [unit] = read_units(json.dumps(reply)).units
    assert [(fact.kind, fact.object) for fact in unit.facts] == [
        (FactKind.RELATION, "Norr Bridge"),
        (FactKind.ATTRIBUTE, "86"),
        (FactKind.EVENT, ""),
    ]


def test_a_fact_about_nothing_in_the_units_is_a_unit_of_its_own() -> None:
    reply = {"units": ["Rain fell."], "facts": [["Ida", "built", "Norr"]]}
    units = read_units(json.dumps(reply)).units
    assert [unit.text for unit in units] == ["Rain fell.", "Ida built Norr"]


@pytest.mark.parametrize(
    ("members", "negated"),
    [
        ({"negated": True}, True),
        ({"negated": "yes"}, True),
        ({"negated": "True"}, True),
        ({"negation": "not"}, True),
        ({"negation": "never"}, True),
        ({"polarity": "negative"}, True),
        ({"negated": 1}, True),
        ({"negated": "no"}, False),
        ({"negated": "false"}, False),
        ({"negation": None}, False),
        ({"negated": False, "negation": "never"}, True),
        ({"polarity": "positive"}, False),
        ({"predicate": "did not build"}, True),
        ({"predicate": "didn't build", "negated": True}, True),
    ],
)
def test_negation_in_any_form(members: dict[str, Any], negated: bool) -> None:
    fact = read_fact({"subject": "Ida", "predicate": "build", "object": "Norr"} | members)
    assert fact is not None
    assert (fact.negated, fact.predicate) == (negated, "build")


@pytest.mark.parametrize(
    ("predicate", "affirmed"),
    [("is not part of", "is part of"), ("cannot open", "can open"), ("never met", "met"),
     ("notified", "notified"), ("not", "not")],
)  # fmt: skip
def test_predicates_hold_no_denial(predicate: str, affirmed: str) -> None:
    assert without_denial(predicate)[0] == affirmed


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, 1.0), (0.4, 0.4), (0, 0.0), (-3, 0.0), (1.7, 1.0), (95, 0.95), (100, 1.0), (250, 1.0),
     ("0.8", 0.8), ("80 %", 0.8), ("0,8", 0.8), ("high", 0.9), ("Low", 0.3), ("?", 1.0),
     (True, 1.0), (float("nan"), 1.0), ([], 1.0), ("5%", 0.05)],
)  # fmt: skip
def test_confidence_lies_between_0_and_1(value: Any, expected: float) -> None:
    assert confidence_of(value) == pytest.approx(expected)


def test_qualifiers_as_list_as_object_and_beside() -> None:
    said = {"time": "since 1931", "condition": "if it rains", "modality": "may", "tense": "Present"}
    fact = {"subject": "Norr", "predicate": "opens", "object": "gates"}
    listed = [{"name": name, "text": text} for name, text in said.items()]
    read = [
        read_fact(fact | said),
        read_fact(fact | {"qualifiers": said}),
        read_fact(fact | {"qualifiers": listed}),
    ]
    assert read[0] == read[1] == read[2]
    assert read[0] is not None
    assert read[0].time_as_said == "since 1931"
    assert (read[0].condition, read[0].modality, read[0].tense) == ("if it rains", "may", "present")


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("in 1931", ("", "", "in 1931")),
        ({"start": "1931", "end": "1940"}, ("1931", "1940", "")),
        ({"start": 1931, "end": None, "text": "from 1931"}, ("1931", "", "from 1931")),
        ({"Start": "1931", "as_said": "since 1931"}, ("1931", "", "since 1931")),
        (["1931", "1940"], ("1931", "1940", "")),
        ([], ("", "", "")),
        (None, ("", "", "")),
        ("unknown", ("", "", "")),
        (1931, ("", "", "1931")),
    ],
)
def test_times_in_any_form(time: Any, expected: tuple[str, str, str]) -> None:
    fact = read_fact({"subject": "Norr", "predicate": "opened", "time": time})
    assert fact is not None
    assert (fact.time_start, fact.time_end, fact.time_as_said) == expected


@pytest.mark.parametrize(
    ("said", "negated"),
    [
        ({"polarity": True}, False), ({"polarity": False}, True), ({"polarity": 1}, False),
        ({"polarity": -1}, True), ({"polarity": "negative"}, True),
        ({"polarity": "positive"}, False), ({"negation": ["not"]}, True), ({"negation": []}, False),
        ({"negated": "False"}, False), ({"negated": 1}, True), ({"negated": None}, False),
    ],
)  # fmt: skip
def test_polarity_in_any_form(said: dict[str, Any], negated: bool) -> None:
    fact = read_fact({"subject": "Norr", "predicate": "opened", **said})
    assert fact is not None
    assert fact.negated is negated


def test_names_as_objects_and_lists() -> None:
    facts = read_facts(
        {"subject": {"name": "Ida"}, "predicate": "kept", "object": ["Norr", {"name": "Tarn"}]}
    )
    assert [(fact.subject, fact.object) for fact in facts] == [("Ida", "Norr"), ("Ida", "Tarn")]


def test_qualifiers_that_say_nothing_are_left_out() -> None:
    fact = read_fact(
        {"subject": "Norr", "predicate": "opened", "object": None, "condition": "None",
         "modality": "factual", "quantifier": "N/A", "speech_act": "assertion", "tense": "none"}
    )  # fmt: skip
    assert fact == FactReply(subject="Norr", predicate="opened", kind=FactKind.EVENT)
    assert plain(["all", "of them"]) == "all, of them"
    said = ("Informative", "statement of fact", "real", "affirmative", "Description.")
    assert {plain(word) for word in said} == {""}
    assert plain({"type": "may"}) == "may"


@pytest.mark.parametrize(
    "item",
    [None, 7, "text", "a | b", [], ["a", "b"], ["a", [], "c"], {}, {"subject": "Ida"},
     {"subject": 7, "predicate": "x"}, {"subject": "…", "predicate": "…", "object": "…"},
     {"subject": "Ida", "predicate": " "}, {"subject": "none", "predicate": "is", "object": "x"},
     {"entity": "Ida", "type": "PERSON"}, {"name": "Ida", "type": "PERSON"},
     {"subject": "x" * 400, "predicate": "is"}],
)  # fmt: skip
def test_what_is_no_fact(item: Any) -> None:
    assert read_fact(item) is None


@pytest.mark.parametrize("line", ["Ida | built | Norr", "(Ida, built, Norr)", "Ida - built -> Norr",
                                  "Ida; built; Norr", "<Ida, built, Norr>"])  # fmt: skip
def test_triples_as_lines(line: str) -> None:
    fact = read_fact(line)
    assert fact is not None
    assert (fact.subject, fact.predicate, fact.object) == ("Ida", "built", "Norr")


def test_predicates_of_a_schema_become_words() -> None:
    fact = read_fact(["snake_case", "BORN_IN", "iphone_14"])
    assert fact is not None
    assert (fact.subject, fact.predicate, fact.object) == ("snake_case", "born in", "iphone_14")
    assert not is_negated([])


_words = st.text("abcdefg ", min_size=1, max_size=12).map(lambda text: f"x{' '.join(text.split())}")
_rare = st.sampled_from(["", "if it rains", "may"])
_facts = st.builds(
    FactReply,
    subject=_words,
    predicate=_words,
    object=st.just("") | _words,
    kind=st.sampled_from(FactKind),
    negated=st.booleans(),
    confidence=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    time_as_said=st.sampled_from(["", "in May 1931"]),
    time_start=st.sampled_from(["", "1931-05"]),
    time_end=st.sampled_from(["", "1940"]),
    condition=_rare,
    modality=_rare,
    quantifier=_rare,
    speech_act=_rare,
    tense=st.sampled_from(["", "past", "future"]),
)
_units = st.builds(
    UnitReply,
    text=_words,
    entities=st.lists(st.builds(NamedThing, _words, _words), max_size=2, unique=True).map(tuple),
    facts=st.lists(_facts, max_size=3, unique=True).map(tuple),
)


@given(_facts)
def test_a_fact_written_down_reads_the_same(fact: FactReply) -> None:
    assert read_fact(json.loads(json.dumps(to_plain(fact)))) == fact


@given(st.lists(_units, max_size=4))
def test_what_is_remembered_reads_the_same(units: list[UnitReply]) -> None:
    replies = read_units(reply_of(units))
    assert list(replies.units) == units
    assert replies.whole


def test_replies_remembered_before_there_were_facts_are_readable() -> None:
    old = '{"units": [{"text": "A met B.", "entities": [{"name": "A", "type": "PERSON"}]}]}'
    assert read_units(old).units == (
        UnitReply(text="A met B.", entities=(NamedThing("A", "PERSON"),)),
    )
