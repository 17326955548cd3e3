"""Lazy context: only chunks whose reply leaves open whom it speaks of are asked for again, with
the sentences before and the names that earlier chunks gave, whatever the number of calls at a time.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Any

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.facts.pronouns import is_pronoun, leading_reference
from clew.extraction.llm import LLMExtractor
from clew.extraction.memory import EntityMemory
from clew.extraction.named_things import NamedThing
from clew.models.base import Usage
from clew.records import Document
from clew.testing import ScriptedLLM

PEOPLE = ["Ida Holm", "Otto Brand", "Anna Roe", "Karl Strand"]
TEXT = "\n\n".join(
    f"{person} came to Tamsund in 19{number}0. Rain fell on the quay.\n\n"
    f"Bread was dear in 19{number}1. Later she kept lamp {number} there."
    for number, person in enumerate(PEOPLE, 1)
)
CONFIG = ClewConfig(chunk_size=70, chunk_overlap=0, chunk_strategy="paragraph", ku_batch_size=3)


def _document(text: str = TEXT, name: str = "a", title: str = "") -> Document:
    return make_document(text, doc_id=name, title=title)


def _run(
    llm: ScriptedLLM,
    document: Document,
    mode: str = "balanced",
    config: ClewConfig = CONFIG,
    **options: Any,
) -> Extraction:
    pairs = [(document, chunk_document(document, config))]
    [extraction] = LLMExtractor(llm, config, quality_mode=mode, **options).extract(pairs)
    return extraction


def _passages(prompt: str) -> list[tuple[dict[str, str], str]]:
    """What stands over each passage of a prompt, and its text."""
    found = []
    for inner in re.findall(r'<passage number="\d+">\n(.*?)\n</passage>', prompt, re.DOTALL):
        head, _, text = inner.rpartition("\n\n") if "\n\n" in inner else ("", "", inner.strip())
        about = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        found.append((about, text.strip()))
    return found


def _last_named(text: str) -> str:
    return max([one for one in PEOPLE if one in text], key=text.rfind, default="")


def _model(prompt: str) -> str:
    """A model that says every sentence back; whom "she" means it knows from the context only."""
    units = []
    for number, (about, text) in enumerate(_passages(prompt), 1):
        for sentence in re.findall(r"[^.]+\.", text):
            said = sentence.strip()
            who = _last_named(text) or _last_named(about.get("before", "")) or "she"
            subject = next((one for one in PEOPLE if one in said), "")
            lamp = re.search(r"kept (lamp \d)", said)
            facts = [[who, "kept", lamp[1]]] if lamp else []
            if lamp:
                said = said.replace("Later she", who.capitalize() if who == "she" else who)
            named = [subject] if subject else [who] if lamp and who != "she" else []
            units.append(
                {"passage": number, "text": said, "facts": facts,
                 "entities": [{"name": name, "type": "PERSON"} for name in named]}
            )  # fmt: skip
    return json.dumps({"units": units})


def _subjects(extraction: Extraction) -> list[str]:
    return [fact.subject for fact in extraction.facts]


def test_unclear_chunks_alone_are_asked_again_with_what_stands_before() -> None:
    llm = ScriptedLLM([(".", _model)])
    extraction = _run(llm, _document())
    assert _subjects(extraction) == PEOPLE
    assert (extraction.ungrounded, extraction.problems) == (0, ())
    first = [one for prompt in llm.prompts for one in _passages(prompt) if not one[0]]
    again = [one for prompt in llm.prompts for one in _passages(prompt) if "unclear" in one[0]]
    assert (len(first), len(again)) == (8, 4)
    assert all("she kept" in text for _, text in again)
    assert [about["unclear"] for about, _ in again] == ["She"] * 4
    about, _ = again[2]
    assert about["before"].endswith("Anna Roe came to Tamsund in 1930. Rain fell on the quay.")
    assert about["known"].split("; ")[0] == "Anna Roe (PERSON)"
    assert "Karl Strand" not in about["known"]


def test_nothing_of_the_context_becomes_a_statement_or_a_span() -> None:
    def parrot(prompt: str) -> str:
        units = json.loads(_model(prompt))["units"]
        for number, (about, _) in enumerate(_passages(prompt), 1):
            units += [
                {"passage": number, "text": sentence.strip()}
                for sentence in re.findall(r"[^.]+\.", about.get("before", ""))
            ]
        return json.dumps({"units": units})

    document = _document()
    with_parrot = _run(ScriptedLLM([(".", parrot)]), document)
    plain = _run(ScriptedLLM([(".", _model)]), document)
    assert with_parrot.units == plain.units
    assert with_parrot.facts == plain.facts
    for fact in plain.facts:
        assert "kept lamp" in document.text[fact.start : fact.end]


@pytest.mark.parametrize(("mode", "most"), [("cheap", 0), ("balanced", 1), ("quality", 2)])
def test_how_often_is_bounded_by_the_quality_mode(mode: str, most: int) -> None:
    def never_clear(prompt: str) -> str:
        units = [
            {"passage": number, "text": text, "facts": [["she", "kept", "lamp"]]}
            for number, (_, text) in enumerate(_passages(prompt), 1)
        ]
        return json.dumps({"units": units})

    llm = ScriptedLLM([(".", never_clear)])
    extraction = _run(llm, _document(), mode)
    assert extraction.facts == ()
    assert len(extraction.units) == 16
    unclear = [one for prompt in llm.prompts for one in _passages(prompt) if "unclear" in one[0]]
    asked = [text for about, text in unclear]
    assert {asked.count(text) for text in asked} == ({most} if most else set())
    assert extraction.ungrounded == 8


@pytest.mark.parametrize("mode", ["cheap", "balanced", "quality"])
@pytest.mark.parametrize("size", [1, 3, 10])
def test_any_number_of_calls_at_a_time_gives_the_same(mode: str, size: int) -> None:
    def slow(prompt: str) -> str:
        time.sleep(len(prompt) % 7 / 1000)
        return _model(prompt)

    def result(concurrency: int) -> tuple[Any, ...]:
        llm = ScriptedLLM([(".", slow)])
        config = CONFIG.replace(ku_concurrency=concurrency, ku_batch_size=size)
        extraction = _run(llm, _document(), mode, config)
        return sorted(llm.prompts), extraction

    alone = result(1)
    for concurrency in (2, 5):
        assert result(concurrency) == alone


class Memory:
    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def remember(self, document_id: str, replies: Any) -> None:
        del document_id
        self.kept |= replies

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self.kept[key] for key in keys if key in self.kept}

    @property
    def options(self) -> dict[str, Any]:
        return {"remember": self.remember, "remembered": self.remembered}


def test_second_replies_are_remembered_too() -> None:
    memory = Memory()
    first = _run(ScriptedLLM([(".", _model)]), _document(), **memory.options)
    assert len(first.reply_keys) == 12
    assert set(first.reply_keys) == set(memory.kept)
    silent = ScriptedLLM([])
    again = _run(silent, _document(), **memory.options)
    assert silent.calls == []
    assert (again.units, again.facts) == (first.units, first.facts)
    assert again.usage == Usage()


def test_an_edit_elsewhere_asks_for_nothing_twice() -> None:
    memory = Memory()
    _run(ScriptedLLM([(".", _model)]), _document(), **memory.options)
    llm = ScriptedLLM([(".", _model)])
    edited = TEXT.replace("Rain fell on the quay.", "Snow fell on Quay Lane.", 1)
    _run(llm, _document(edited), **memory.options)
    asked = [one for prompt in llm.prompts for one in _passages(prompt)]
    assert [text for _, text in asked] == [
        "Ida Holm came to Tamsund in 1910. Snow fell on Quay Lane.",
        "Bread was dear in 1911. Later she kept lamp 1 there.",
        "Bread was dear in 1921. Later she kept lamp 2 there.",
    ]


def test_a_chunk_that_failed_and_heals_costs_no_other() -> None:
    memory = Memory()

    def poisoned(prompt: str) -> str:
        if "Otto Brand came" in prompt:
            raise RuntimeError("HTTP 500")
        return _model(prompt)

    config = CONFIG.replace(ku_batch_size=1)
    failing = ScriptedLLM([(lambda prompt: "unclear:" in prompt, _model), (".", poisoned)])
    broken = _run(failing, _document(), config=config, **memory.options)
    assert broken.problems == ("chunk 2: HTTP 500",)
    llm = ScriptedLLM([(".", _model)])
    healed = _run(llm, _document(), config=config, **memory.options)
    assert [text for prompt in llm.prompts for _, text in _passages(prompt)] == [
        "Otto Brand came to Tamsund in 1920. Rain fell on the quay."
    ]
    assert healed.problems == ()


def test_a_failure_of_the_second_question_leaves_the_first_reply_and_is_told() -> None:
    llm = ScriptedLLM([(r"unclear: ", RuntimeError("HTTP 500")), (".", _model)])
    extraction = _run(llm, _document())
    assert len(extraction.problems) == 4
    assert extraction.problems[0] == "chunk 1: not read again with more context: HTTP 500"
    assert not any(unit.degraded for unit in extraction.units)


def test_a_worse_second_reply_is_not_taken() -> None:
    llm = ScriptedLLM([(r"unclear: ", '{"units": []}'), (".", _model)])
    extraction = _run(llm, _document())
    assert len(extraction.units) == 16
    assert extraction.problems == ()


def test_the_first_chunk_may_be_made_clear_by_its_title() -> None:
    def by_title(prompt: str) -> str:
        [(about, _)] = _passages(prompt)
        who = about["title"] if "unclear" in about else "The company"
        fact = {"subject": who, "predicate": "makes", "object": "looms"}
        return json.dumps({"units": [{"text": f"{who} makes looms.", "facts": [fact]}]})

    llm = ScriptedLLM([(".", by_title)])
    extraction = _run(llm, _document("The company makes looms.", title="Orm Works"))
    assert len(llm.calls) == 2
    assert "unclear: The company" in llm.prompts[1]
    assert _subjects(extraction) == ["Orm Works"]


def test_with_nothing_to_make_it_clear_nothing_is_asked() -> None:
    llm = ScriptedLLM([(".", json.dumps({"units": ["The company makes looms."]}))])
    extraction = _run(llm, _document("The company makes looms."))
    assert (len(llm.calls), len(extraction.units)) == (1, 1)


def test_a_chunk_that_leans_on_the_one_before_shows_it_at_once() -> None:
    llm = ScriptedLLM([(".", _model)])
    text = "Ida Holm came to Tamsund. Rain fell there.\n\nShe kept lamp 7 and a boat, it is said."
    _run(llm, _document(text), config=CONFIG.replace(chunk_size=50))
    [(first, _), (second, leaning)] = _passages(llm.prompts[0])
    assert "before" not in first
    assert leaning.startswith("She")
    assert second["before"] == "Ida Holm came to Tamsund. Rain fell there."


def test_one_s_own_prompt_has_no_place_for_context() -> None:
    llm = ScriptedLLM([(".", json.dumps({"units": ["She kept lamp 1 there."]}))])
    config = CONFIG.replace(ku_extraction_prompt="Facts of: {text_chunk}")
    _run(llm, _document(), "quality", config)
    assert len(llm.calls) == 8
    assert not any("before" in prompt for prompt in llm.prompts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("She left.", "She"),
        ("Its bridge fell.", "Its"),
        ("The company closed.", "The company"),
        ("The former went.", "The former"),
        ("The company of Orm closed.", ""),
        ("The Company closed.", ""),
        ("It is said that Orm closed.", ""),
        ("It rained.", ""),
        ("Ida left.", ""),
        ("Shetland lies north.", ""),
        ("", ""),
    ],
)
def test_words_that_lean_on_what_stands_before(text: str, said: str) -> None:
    assert leading_reference(text) == said


@pytest.mark.parametrize("name", ["He", "she", "its keel", "Their house", "er", "we", "THAT one"])
def test_pronouns(name: str) -> None:
    assert is_pronoun(name) == (name != "THAT one")


@pytest.mark.parametrize("name", ["IT", "US", "Er", "Ella", "Itsuki", "Hernández", "Oneida", ""])
def test_names_that_look_like_pronouns(name: str) -> None:
    assert not is_pronoun(name)


def test_the_memory_offers_the_last_first_with_short_forms() -> None:
    memory = EntityMemory()
    memory.add([NamedThing("Ida Holm", "per"), NamedThing("1931", "DATE")])
    memory.add([NamedThing("Orm Works", "company"), NamedThing("Orm Works"), NamedThing("she")])
    memory.add([NamedThing("Holm"), NamedThing("Tamsund")])
    assert memory.offered(9) == ("Ida Holm (PERSON, also Holm)", "Tamsund", "Orm Works (ORG)")
    assert memory.offered(1) == ("Ida Holm (PERSON, also Holm)",)
    memory.add([NamedThing("Anna Holm", "PERSON")])
    assert "Holm" in memory.offered(9)
    assert memory.offered(0) == ()
