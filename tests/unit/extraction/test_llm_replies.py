"""Replies as models write them. The five facts are the same in every disguise."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.extraction.loose_json import find_json
from clew.extraction.named_things import NamedThing
from clew.extraction.replies import read_names, read_units
from clew.extraction.unit_replies import UnitReply

FACTS: list[dict[str, Any]] = [
    {"text": f"Keeper {number} lit the lamp at Tamsund.", "entities": [
        {"name": "Tamsund", "type": "PLACE"}]}
    for number in range(5)
]  # fmt: skip
CLEAN = json.dumps({"units": FACTS})
TEXTS = [fact["text"] for fact in FACTS]

DISGUISES = {
    "clean": CLEAN,
    "fence with a sentence before it": f"Here are the facts:\n```json\n{CLEAN}\n```\nAny {{more}}?",
    "fence without a language": f"```\n{json.dumps({'units': FACTS}, indent=2)}\n```",
    "bare list": json.dumps(FACTS),
    "trailing commas": CLEAN.replace("}]", "},]").replace("]}", "],}"),
    "thoughts before it": f'<think>So {{"units": []}} or [1]?</think>\n{CLEAN}',
    "thoughts that never end": f"<think>The {{keeper}} comes [1] first. {CLEAN}",
    "single quotes and None": repr({"units": FACTS, "note": None, "done": True}),
    "one object a line": "\n".join(json.dumps(fact) for fact in FACTS),
    "another name for the list": json.dumps({"Facts": FACTS}),
    "list under a name of its own": json.dumps({"result": FACTS}),
    "texts only": json.dumps(TEXTS),
    "draft, then the answer": f"Draft: {json.dumps({'units': FACTS[:2]})} Final: {CLEAN}",
    "comments": CLEAN.replace('{"units": [', '{"units": [ // all of them\n').replace(
        "]}]}", "]} # end\n]}"
    ),
    "bare keys": CLEAN.replace('"text"', "text").replace('"units"', "units"),
    "commas forgotten": CLEAN.replace("}, {", "} {"),
    "an object around it": json.dumps({"data": {"result": {"units": FACTS}}}),
    "a remark before the list": json.dumps({"summary": "five facts in all", "result": FACTS}),
    "a call of a tool": json.dumps({"name": "units", "arguments": {"units": FACTS}}),
    "JSON in a string of JSON": json.dumps({"name": "units", "arguments": CLEAN}),
    "a string of JSON": json.dumps(CLEAN),
    "escaped quotes": CLEAN.replace('"', '\\"'),
    "objects by number": json.dumps({"units": dict(enumerate(FACTS))}),
    "a list in the list": json.dumps({"units": [FACTS]}),
    "a list for each": json.dumps([{"units": [fact]} for fact in FACTS]),
    "the passage given back": json.dumps({"text": " ".join(TEXTS), "units": FACTS}),
    "the name of the list twice": f"{CLEAN[: CLEAN.index(json.dumps(FACTS[2])) - 2]}], "
    f'"units": {json.dumps(FACTS[2:])}}}',
    "remarks behind it": f'{CLEAN}\n{{"notes": ["none"]}} ["end"]',
    "escaped for a page": escape(CLEAN),
    "closing quotes on both sides": CLEAN.replace('"', "”"),
    "smart quotes": CLEAN.replace('"text": "', '"text": “').replace('Tamsund.", ', "Tamsund.”, "),
}


@pytest.mark.parametrize("name", DISGUISES)
def test_five_facts_in_every_disguise(name: str) -> None:
    reply = read_units(DISGUISES[name])
    assert [unit.text for unit in reply.units] == TEXTS
    assert reply.whole
    assert reply.readable


@pytest.mark.parametrize("place", ["Keeper 3", "3 lit the", "Tamsund.", '", "ent', "PLACE"])
def test_cut_inside_the_fourth_keeps_three(place: str) -> None:
    at = CLEAN.index(place, CLEAN.index("Keeper 3"))
    reply = read_units(f"```json\n{CLEAN[: at + 2]}")
    assert [unit.text for unit in reply.units] == TEXTS[:3]
    assert not reply.whole


def test_cut_in_a_list_of_single_objects() -> None:
    lines = "\n".join(json.dumps(fact) for fact in FACTS)
    reply = read_units(lines[: lines.index("Keeper 3") + 4])
    assert [unit.text for unit in reply.units] == TEXTS[:3]
    assert not reply.whole


@pytest.mark.parametrize(
    "reply",
    ["", "  \n", "The passage speaks of [a lamp] and {so on}.", "```", '{"answer": 7}',
     '{"error": {"code": 3}}', "{units=[{text=A met B., entities=[]}]}"],
)  # fmt: skip
def test_nothing_to_read(reply: str) -> None:
    found = read_units(reply)
    assert found.units == ()
    assert not found.readable


def test_an_empty_list_is_an_answer() -> None:
    found = read_units('{"units": []}')
    assert (found.units, found.whole, found.readable) == ((), True, True)


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ("A, B", [("A", ""), ("B", "")]),
        ("A; B", [("A", ""), ("B", "")]),
        ("", []),
        ("none", []),
        (None, []),
        (7, []),
        (["A", "A", " B "], [("A", ""), ("B", "")]),
        ([{"name": "A", "type": "PERSON"}, {"entity": "B"}], [("A", "PERSON"), ("B", "")]),
        ([["A", "PERSON"], ["B"], []], [("A", "PERSON"), ("B", "")]),
        ({"PERSON": ["A", "B"]}, [("A", "PERSON"), ("B", "PERSON")]),
        ({"A": "PERSON"}, [("A", "PERSON")]),
        ({"name": "A", "type": None}, [("A", "")]),
        ([{"name": "A", "type": ["PERSON", "KEEPER"]}], [("A", "PERSON")]),
    ],
)
def test_entities_in_any_form(entities: Any, expected: list[tuple[str, str]]) -> None:
    reply = read_units(json.dumps({"units": [{"text": "A met B.", "entities": entities}]}))
    assert list(reply.units[0].entities) == [NamedThing(*pair) for pair in expected]


@pytest.mark.parametrize(("given", "expected"), [(2, 2), ("2", 2), (None, None), ("x", None)])
def test_passage_numbers(given: Any, expected: int | None) -> None:
    reply = read_units(json.dumps({"units": [{"passage": given, "text": "A met B."}]}))
    assert reply.units == (UnitReply(text="A met B.", passage=expected),)


NUMBERED = {
    "in lists of their own": {"passages": [{"passage": 1, "units": ["A."]},
                                           {"passage": 2, "units": ["B.", "C."]}]},
    "as names of lists": {"1": ["A."], "2": ["B.", "C."]},
    "as names of objects": {"passage 1": {"units": ["A."]}, "Passage #2": {"units": ["B.", "C."]}},
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_that_stand_over_statements(name: str) -> None:
    units = read_units(json.dumps(NUMBERED[name])).units
    assert [(unit.text, unit.passage) for unit in units] == [("A.", 1), ("B.", 2), ("C.", 2)]


def test_a_value_for_each_passage_is_one_reply() -> None:
    values = [{"units": [{"passage": at, "text": f"Keeper {at}."}]} for at in (1, 2, 3)]
    reply = "\n".join(f"Passage:\n```json\n{json.dumps(value)}\n```" for value in values)
    assert [unit.passage for unit in read_units(reply).units] == [1, 2, 3]


def test_cut_in_the_list_of_a_passage_keeps_what_is_whole() -> None:
    passages = [{"passage": 1, "units": FACTS[:2]}, {"passage": 2, "units": FACTS[2:]}]
    whole = json.dumps({"passages": passages})
    reply = read_units(whole[: whole.index("Keeper 4")])
    assert [unit.text for unit in reply.units] == TEXTS[:4]
    assert [unit.passage for unit in reply.units] == [1, 1, 2, 2]
    assert not reply.whole


@pytest.mark.parametrize("text", ["text", "statement_text", "claim"])
@pytest.mark.parametrize("facts", ["facts", "fact_list", "typed_facts"])
@pytest.mark.parametrize("entities", ["entities", "named_entities", "mentions"])
def test_members_under_names_of_the_models_own(text: str, facts: str, entities: str) -> None:
    fact = {"kind": "relation", "subject": "Ida", "predicate": "kept", "object": "Norr"}
    unit = {"passage": 1, text: "Ida kept Norr.", entities: [{"name": "Ida"}], facts: [fact]}
    (found,) = read_units(json.dumps({"units": [unit]})).units
    assert (found.text, found.passage) == ("Ida kept Norr.", 1)
    assert found.entities == (NamedThing("Ida"),)
    assert [(one.subject, one.object) for one in found.facts] == [("Ida", "Norr")]


def test_an_empty_list_of_statements_goes_before_remarks() -> None:
    assert read_units('{"units": [], "notes": ["A met B."]}').units == ()


def test_quotes_and_line_ends_inside_strings() -> None:
    reply = (
        "{'units': [{'text': 'Ida's lamp isn't \"old\", she said,\nto O'Brien', 'entities': []}]}"
    )
    assert read_units(reply).units[0].text == "Ida's lamp isn't \"old\", she said, to O'Brien"
    reply = '{"units": [{"text": "He said "no" and left", "entities": []}]}'
    assert read_units(reply).units[0].text == 'He said "no" and left'


def test_escapes() -> None:
    reply = r'{"units": ["\ud83c\udf09 caf\u00e9 \"x\" \\ \q \ud83c"]}'
    assert read_units(reply).units[0].text == '🌉 café "x" \\ q \ufffd'


@pytest.mark.parametrize("item", [7, None, [], {}, {"text": 7}, {"text": " "}, ""])
def test_what_is_no_statement_is_left_out(item: Any) -> None:
    reply = read_units(json.dumps({"units": [item, "A met B."]}))
    assert [unit.text for unit in reply.units] == ["A met B."]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"terms": [{"name": "Norr", "type": "PLACE"}]}', [("Norr", "PLACE")]),
        ('```json\n["Norr", "Tarn"]\n```', [("Norr", ""), ("Tarn", "")]),
        ('{"entities": "Norr, Tarn"}', [("Norr", ""), ("Tarn", "")]),
        ('{"names": []}', []),
        ('{"terms": [{"name": "Norr"}, {"name": "Ta', [("Norr", "")]),
    ],
)
def test_lists_of_names(reply: str, expected: list[tuple[str, str]]) -> None:
    found = read_names(reply)
    assert found is not None
    assert found.names == tuple(NamedThing(*pair) for pair in expected)
    assert found.whole == reply.rstrip("`\n").endswith(("]", "}"))


@pytest.mark.parametrize("reply", ["", "No names here.", '{"answer": 7}'])
def test_no_list_of_names(reply: str) -> None:
    assert read_names(reply) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text("abc_", min_size=1, max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
_PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\"'“”{}[]"))


@given(st.lists(_JSON, max_size=4) | st.dictionaries(st.just("key"), _JSON), _PLAIN, _PLAIN)
def test_clean_json_is_read_exactly(value: Any, before: str, behind: str) -> None:
    reply = f"{before}{json.dumps(value, ensure_ascii=True)}{behind}"
    found = list(find_json(reply))
    assert [(one.value, one.whole) for one in found] == [(value, True)]


@given(st.text(alphabet="{}[]\"',:abc\\ \n1“”/#*-", max_size=120))
def test_no_text_breaks_the_reader(text: str) -> None:
    read_units(text)
    read_names(text)


@given(st.integers(0, len(CLEAN)))
def test_wherever_it_is_cut_only_whole_facts_are_kept(at: int) -> None:
    texts = [unit.text for unit in read_units(CLEAN[:at]).units]
    assert texts == TEXTS[: len(texts)]
    assert len(texts) == CLEAN[:at].count("]}") - CLEAN[:at].count("]}]}")


def test_deep_nesting_and_long_noise_end_soon() -> None:
    assert read_units("[" * 100_000).units == ()
    assert read_units("{'a" * 50_000).units == ()
