from __future__ import annotations

import json

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.extraction.facts.polarity import denies
from clew.testing import ScriptedLLM


@pytest.mark.parametrize(
    ("statement", "predicate", "denied"),
    [
        ("The Sund Bridge does not carry trains.", "carries", True),
        ("Ola Roe didn't found Tarn Ltd.", "founded", True),
        ("Tarn Ltd was not founded by Ola Roe.", "founded by", True),
        ("Norr Light is not a bridge.", "is a", True),
        ("Ida Holm never left Norr.", "left", True),
        ("The ferry cannot land at Norr.", "lands at", True),
        ("The Sund Bridge carries trains.", "carries", False),
        ("The bridge does not carry trains but crosses the Sund.", "crosses", False),
        ("It does not only carry trains.", "carries", False),
        ("Ida does not keep Norr and keeps Tarn.", "keeps", False),
        ("Ida is not here and is a keeper.", "is a", False),
        ("No train has crossed.", "crossed", False),
    ],
)
def test_the_verb_of_the_fact_is_denied(statement: str, predicate: str, denied: bool) -> None:
    assert denies(statement, predicate) is denied


def test_a_fact_is_negated_where_its_statement_is() -> None:
    text = "The Sund Bridge does not carry trains."
    fact = {"subject": "Sund Bridge", "predicate": "carries", "object": "trains", "negated": False}
    reply = json.dumps({"units": [{"text": text, "entities": ["Sund Bridge"], "facts": [fact]}]})
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.in_memory(llm=ScriptedLLM([(".", reply)]), config=config) as kb:
        kb.ingest_text(text, name="a")
        kb.add_facts([("Sund Bridge", "carries", "trains")], name="b")
        (found,) = [fact for fact in kb.facts() if fact.negated]
        (contradiction,) = kb.contradictions()
    assert found.predicate == "carries"
    assert contradiction.kind == "polarity"
