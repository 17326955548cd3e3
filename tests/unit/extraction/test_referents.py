"""What a sentence speaks of travels in its context."""

from __future__ import annotations

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.records import KnowledgeUnit


def units(text: str, *, title: str = "", markdown: bool = False) -> tuple[KnowledgeUnit, ...]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(text, doc_id="d", title=title, media_type=media_type)
    chunks = chunk_document(document, ChunkingConfig())
    (found,) = SentenceExtractor(ExtractionConfig()).extract([(document, chunks)])
    return found.units


def test_sentences_behind_a_definition_speak_of_what_it_defines() -> None:
    first, second, third = units("Norr Bridge is a bridge. It is long. Many like Norr Bridge.")
    assert first.context == ""
    assert second.context == "Norr Bridge\nNorr Bridge is a bridge."
    assert third.context == ""


def test_each_paragraph_speaks_of_what_was_defined_last() -> None:
    text = "Norr Bridge is a bridge. Many like it.\n\nTarn Tower is a tower. Few like it.\n"
    assert [unit.context for unit in units(text)] == ["", "Norr Bridge", "", "Tarn Tower"]


def test_a_heading_is_spoken_of_until_the_next() -> None:
    text = "# Guide\n\n## Norr Pump\n\nTurn the wheel.\n\n## Orm Valve\n\nShut the lid.\n"
    assert [unit.context for unit in units(text, markdown=True)] == ["Norr Pump", "Orm Valve"]


def test_the_title_is_not_repeated() -> None:
    found = units("Norr Bridge is a bridge. Many like it.", title="Norr Bridge")
    assert [unit.context for unit in found] == ["", ""]


def test_items_and_rows_keep_what_they_have() -> None:
    items = "You need:\n\n- a wheel\n- a lid\n"
    table = "| part | price |\n|---|---|\n| lid | 3 |\n"
    text = f"## Norr Pump\n\n{items}\n{table}"
    contexts = {unit.text: unit.context for unit in units(text, markdown=True)}
    assert contexts["a wheel"] == "You need:"
    assert contexts["| lid | 3 |"] == "| part | price |"


def test_without_a_topic_there_is_no_context() -> None:
    assert [unit.context for unit in units("It rained. Then it snowed.")] == ["", ""]
