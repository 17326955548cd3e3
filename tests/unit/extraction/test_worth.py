"""Chunks that hang together are worth a call of a model; the choice is deterministic and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log1p

import pytest

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.errors import ConfigError
from clew.extraction.budgeting import ChosenChunks
from clew.extraction.llm_budget import LLMBudget, llm_budget
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.worth import ChunkWorth
from clew.records import Chunk, Document

CONFIG = ClewConfig(embedding_model="none")
TEXTS = {
    "Tarn Bridge": "Tarn Bridge was built by Ola Roe.",
    "Ola Roe": "Ola Roe came from Lom and admired Tarn Bridge.",
    "Weather": "It rained on many days and the wind was cold and wet all through that year.",
    "Soup": "Cut the leeks, boil the water, and stir until everything is soft and warm enough.",
}
Pairs = list[tuple[Document, tuple[Chunk, ...]]]


def pairs(texts: Mapping[str, str] = TEXTS) -> Pairs:
    documents = [make_document(text, doc_id=title, title=title) for title, text in texts.items()]
    return [(document, chunk_document(document, CONFIG)) for document in documents]


def worth_of(found: Pairs) -> ChunkWorth:
    worth = ChunkWorth()
    extractions = SentenceExtractor(CONFIG).extract(found)
    for (document, chunks), extraction in zip(found, extractions, strict=True):
        worth.add(document, chunks, extraction)
    return worth


class Memory:
    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def keep(self, key: str, text: str) -> None:
        self.kept[key] = text

    def remembered(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self.kept[key] for key in keys if key in self.kept}


def _choice(share: float, memory: Memory) -> ChosenChunks:
    return ChosenChunks(f"{share}", lambda _: share, CONFIG, memory.keep, memory.remembered)


def test_worth_is_what_the_formula_says() -> None:
    found = pairs()
    chunks = {document.doc_id: own[0] for document, own in found}
    worth = dict(worth_of(found).worth())
    bridge, roe = chunks["Tarn Bridge"], chunks["Ola Roe"]
    # "Tarn Bridge" is mentioned by one other document, mentions one that a document is about,
    # and both of its entities are in two documents
    expected = (log1p(1) + log1p(1) + log1p(2)) / len(bridge.text)
    assert worth[bridge.id] == pytest.approx(expected)
    assert worth[roe.id] > worth[chunks["Weather"].id]
    assert worth[chunks["Soup"].id] == 0


def test_the_share_is_kept_and_the_best_come_first() -> None:
    found = pairs()
    total = sum(len(own[0].text) for _, own in found)
    chunks = {own[0].id: own[0] for _, own in found}
    worth = worth_of(found)
    for share in (0, 0.1, 0.2, 0.4, 0.7, 1):
        chosen = worth.chosen(share)
        assert sum(len(chunks[chunk].text) for chunk in chosen) <= share * total
    assert worth.chosen(1) == set(chunks)
    assert worth.chosen(0) == set()
    titles = {own[0].id: document.title for document, own in found}
    assert {titles[chunk] for chunk in worth.chosen(0.4)} == {"Tarn Bridge", "Ola Roe"}


def test_the_order_of_documents_does_not_matter() -> None:
    found = pairs()
    assert worth_of(found).chosen(0.4) == worth_of(found[::-1]).chosen(0.4)


def test_a_choice_holds_when_a_run_goes_on() -> None:
    memory = Memory()
    found = pairs()
    first = _choice(0.4, memory)
    first.look_ahead(found)
    first.decide()
    asked = [document.doc_id for document, own in found if own[0] in first]
    again = _choice(0.4, memory)
    again.look_ahead(found[2:])  # what an interrupted run had left
    again.decide()
    assert [document.doc_id for document, own in found if own[0] in again] == asked


def test_a_changed_document_is_looked_at_anew() -> None:
    memory = Memory()
    first = _choice(1.0, memory)
    first.look_ahead(pairs())
    first.decide()
    changed = pairs({"Soup": "Boil the water first."})
    again = _choice(1.0, memory)
    again.look_ahead(changed)
    again.decide()
    assert changed[0][1][0] in again


def test_another_share_is_another_choice() -> None:
    memory = Memory()
    for share, chosen in ((0.0, False), (1.0, True)):
        choice = _choice(share, memory)
        found = pairs()
        choice.look_ahead(found)
        choice.decide()
        assert (found[0][1][0] in choice) is chosen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25%", LLMBudget(share=0.25)),
        ("0.25", LLMBudget(share=0.25)),
        ("100 %", LLMBudget(share=1.0)),
        ("1", LLMBudget(share=1.0)),
        ("0", LLMBudget(share=0.0)),
        ("5 USD", LLMBudget(money=5.0, currency="USD")),
        ("$5", LLMBudget(money=5.0, currency="USD")),
        ("0.5 €", LLMBudget(money=0.5, currency="EUR")),
    ],
)
def test_budgets_are_shares_or_amounts(text: str, expected: LLMBudget) -> None:
    assert llm_budget("llm_budget", text) == expected


@pytest.mark.parametrize("text", ["", "5", "120%", "USD", "USD 5 USD", "-1", "five USD"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(ConfigError, match=r"25% or 0\.25"):
        ClewConfig(llm_budget=text)
