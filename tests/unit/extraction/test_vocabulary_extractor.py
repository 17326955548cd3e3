from __future__ import annotations

import json
from typing import Any

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.vocabulary import VocabularyExtractor
from clew.models.base import Usage
from clew.testing import ScriptedLLM

TEXTS = [
    "The tidal gauge stands at Tamsund. Ida Holm read the tidal gauge daily.",
    "Ida Holm came to Tamsund in May. The cold morning broke over Old Quay.",
    "On Old Quay the cold morning was long. Otto Brand fished there.",
]


def _terms(*names: tuple[str, str]) -> str:
    return json.dumps({"terms": [{"name": name, "type": kind} for name, kind in names]})


KEPT = _terms(("tidal gauge", "product"), ("Tamsund", "city"), ("Ida Holm", "Person"))


def _extract(
    extractor: Any, texts: list[str] = TEXTS, config: ClewConfig | None = None
) -> list[Extraction]:
    documents = [make_document(text, doc_id=str(number)) for number, text in enumerate(texts)]
    pairs = [(one, chunk_document(one, config or ClewConfig())) for one in documents]
    extractions: list[Extraction] = extractor.extract(pairs)
    for document, extraction in zip(documents, extractions, strict=True):
        for mention in extraction.mentions:
            assert document.text[mention.start : mention.end] == mention.surface
    return extractions


def _surfaces(extraction: Extraction) -> list[str]:
    return [mention.surface for mention in sorted(extraction.mentions, key=lambda one: one.start)]


def test_the_model_decides_which_terms_are_mentions_and_what_they_are() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    first, second, third = _extract(VocabularyExtractor(llm, ClewConfig()))
    assert _surfaces(first) == ["tidal gauge", "Tamsund", "Ida Holm", "tidal gauge"]
    assert "Old Quay" not in _surfaces(second)
    assert _surfaces(third) == ["Otto Brand"]
    types = {entity.name: entity.type for entity in first.entities}
    assert types["Tamsund"] == "PLACE"
    assert types["Ida Holm"] == "PERSON"
    assert types["tidal gauge"] == "PRODUCT"
    assert first.problems == second.problems == ()


def test_units_are_the_sentences() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    found = _extract(VocabularyExtractor(llm, ClewConfig()))
    plain = _extract(SentenceExtractor(ClewConfig()))
    assert [[unit.text for unit in one.units] for one in found] == [
        [unit.text for unit in one.units] for one in plain
    ]
    assert {unit.origin for one in found for unit in one.units} == {"vocabulary"}
    assert not any(unit.degraded for one in found for unit in one.units)


def test_the_model_is_asked_about_terms_and_not_texts() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    extractions = _extract(VocabularyExtractor(llm, ClewConfig()))
    assert len(llm.calls) == 1
    lines = llm.prompts[0].splitlines()
    assert {"Ida Holm", "Tamsund", "Old Quay", "tidal gauge", "cold morning"} <= set(lines)
    assert "Otto Brand" not in lines
    assert sum((one.usage for one in extractions), Usage()).calls == 1


@pytest.mark.parametrize(("most", "calls"), [(1, 5), (2, 3), (500, 1)])
def test_terms_in_one_call(most: int, calls: int) -> None:
    config = ClewConfig(vocab_max_terms_per_llm_call=most, ku_concurrency=3)
    llm = ScriptedLLM([(".", lambda prompt: _terms(*[(line, "X") for line in prompt.split("\n")]))])
    extractions = _extract(VocabularyExtractor(llm, config), config=config)
    assert len(llm.calls) == calls
    assert "cold morning" in _surfaces(extractions[1])


def test_frequency_decides_what_is_asked_about() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    _extract(VocabularyExtractor(llm, ClewConfig(vocab_min_term_freq=1)))
    assert "Otto Brand" in llm.prompts[0].splitlines()
    none = ScriptedLLM([])
    _extract(VocabularyExtractor(none, ClewConfig(vocab_min_term_freq=9)))
    assert none.calls == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (ConnectionError("refused"), "refused"),
        ("", "the reply names no term"),
        ("I keep them all.", "the reply names no term"),
        ('{"terms": []}', "the reply names no term"),
        (_terms(("Zed Mercer", "PERSON")), "no term of the list"),
    ],
)
def test_a_failing_model_leaves_the_rules(reply: Any, reason: str) -> None:
    llm = ScriptedLLM([(".", reply)])
    found = _extract(VocabularyExtractor(llm, ClewConfig()))
    plain = _extract(SentenceExtractor(ClewConfig()))
    assert [_surfaces(one) for one in found] == [_surfaces(one) for one in plain]
    for extraction in found:
        assert len(extraction.problems) == 1
        assert reason in extraction.problems[0]
        assert "vocab_max_terms_per_llm_call" in extraction.problems[0]


def test_a_reply_cut_off_keeps_what_it_named_and_the_names_of_the_rules() -> None:
    reply = KEPT[: KEPT.index("Tamsund") + 3]
    first, second, _ = _extract(VocabularyExtractor(ScriptedLLM([(".", reply)]), ClewConfig()))
    assert {"tidal gauge", "Tamsund", "Ida Holm"} <= set(_surfaces(first))
    assert "Old Quay" in _surfaces(second)
    assert "was cut off" in first.problems[0]


def test_a_term_is_asked_about_once_a_run() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    extractor = VocabularyExtractor(llm, ClewConfig())
    _extract(extractor)
    [again] = _extract(extractor, ["Ida Holm mended the tidal gauge at Old Quay."])
    assert len(llm.calls) == 1
    assert _surfaces(again) == ["Ida Holm", "tidal gauge"]


def test_braces_in_terms_reach_the_model_as_they_are() -> None:
    llm = ScriptedLLM([(".", KEPT)])
    text = "The team of {Ida} Holm %s wrote C++ code. Their C++ code of {Ida} Holm ran."
    _extract(VocabularyExtractor(llm, ClewConfig()), [text])
    assert "C++" in llm.prompts[0].splitlines()


def test_no_documents() -> None:
    assert VocabularyExtractor(ScriptedLLM([]), ClewConfig()).extract([]) == []


LISTED = {"tidal gauge": "PRODUCT", "Tamsund": "PLACE", "Ida Holm": "PERSON"}


@pytest.mark.parametrize(
    "reply",
    [
        json.dumps({"terms": {kind: [name] for name, kind in LISTED.items()}}),
        json.dumps({kind: [name] for name, kind in LISTED.items()}),
        json.dumps(LISTED),
        json.dumps({"terms": [{name: kind} for name, kind in LISTED.items()]}),
        json.dumps({"result": json.loads(KEPT)}),
        "I keep:\n" + "\n".join(f"- {name} ({kind})" for name, kind in LISTED.items()),
        "\n".join(f"7. **{name}**: {kind}" for name, kind in LISTED.items()),
        "\n".join(f"| {name} | {kind} |" for name, kind in LISTED.items()),
        json.dumps([f"7. {name} - {kind}" for name, kind in LISTED.items()]),
    ],
    ids=["by type", "by type alone", "by name", "pairs", "wrapped", "bullets", "numbers", "table",
         "numbers in JSON"],
)  # fmt: skip
def test_terms_in_any_form(reply: str) -> None:
    found = _extract(VocabularyExtractor(ScriptedLLM([(".", reply)]), ClewConfig()))
    types = {entity.name: entity.type for one in found for entity in one.entities}
    assert LISTED.items() <= types.items()
    assert "Old Quay" not in types
    assert not any(one.problems for one in found)
