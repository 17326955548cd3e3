"""The models of the extraction benchmarks: one that replays, one behind another protocol."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.extraction.ollama_front import ollama_front
from benchmarks.extraction.replayed import ReplayedLLM

from clew.chunking import chunk_document
from clew.config import ClewConfig
from clew.documents.making import make_document
from clew.evaluation.datasets import Dataset, Passage
from clew.extraction.llm import LLMExtractor
from clew.extraction.prompts import UNITS_SCHEMA
from clew.models.base import Message
from clew.models.providers.ollama import OllamaLLM
from clew.testing.scripted_server import ScriptedServer
from clew.testing.wires.openai import OpenAIWire

PASSAGES = (
    Passage(id="p1", title="Norr Bridge", text="It was built by Ida Holm. It crosses the Vessel."),
    Passage(id="p2", title="Norr Bridge", text="Norr Bridge is also a song by Otto Brand."),
)
TOLD = [
    {
        "id": "p1",
        "entities": ["Norr Bridge", "Ida Holm", "Vessel"],
        "triples": [["Norr Bridge", "built by", "Ida Holm"], ["Norr Bridge", "crosses", "Vessel"],
                    ["broken", "triple"]],
    },
    {
        "id": "p2",
        "entities": ["Otto Brand"],
        "triples": [["Norr Bridge", "is a song by", "Otto Brand"]],
    },
]  # fmt: skip


def _replayed(folder: Path) -> ReplayedLLM:
    openie = folder / "openie.jsonl"
    openie.write_text("\n".join(json.dumps(one) for one in TOLD), encoding="utf-8")
    return ReplayedLLM(Dataset(name="t", passages=PASSAGES, questions=()), openie)


def test_each_passage_is_told_what_was_told_of_it(tmp_path: Path) -> None:
    documents = [
        make_document(passage.text, doc_id=passage.id, title=passage.title) for passage in PASSAGES
    ]
    pairs = [(document, chunk_document(document, ClewConfig())) for document in documents]
    extractions = LLMExtractor(_replayed(tmp_path), ClewConfig()).extract(pairs)
    assert [[fact.object for fact in one.facts] for one in extractions] == [
        ["Ida Holm", "Vessel"],
        ["Otto Brand"],
    ]
    assert sum(one.ungrounded for one in extractions) == 0
    assert not any(one.problems for one in extractions)


def test_the_vocabulary_keeps_what_was_named(tmp_path: Path) -> None:
    llm = _replayed(tmp_path)
    listed = "Keep those that name something.\n\nOtto Brand\nQuell\nVessel"
    reply = llm.complete([Message(role="user", content=listed)]).text
    assert [term["name"] for term in json.loads(reply)["terms"]] == ["Otto Brand", "Vessel"]


def test_ollama_s_protocol_in_front_of_openai_s() -> None:
    wire = OpenAIWire()
    with ScriptedServer() as server, ollama_front(f"{server.url}/v1", "small") as front:
        server.script(wire.reply('{"units": []}'), wire.failure(500, "out of memory"))
        llm = OllamaLLM(host=front.url, model="small")
        found = llm.complete(
            [Message(role="user", content="Ask")], max_tokens=77, schema=UNITS_SCHEMA
        )
        assert found.text == '{"units": []}'
        assert found.usage.output_tokens > 0
        body = server.requests[0].body
        assert body["max_tokens"] == 77
        assert body["response_format"]["schema"] == json.loads(json.dumps(UNITS_SCHEMA))
