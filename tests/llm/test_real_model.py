"""What a provider promises, kept by a real model: replies, schemas, streams, limits, usage."""

from __future__ import annotations

import json
from typing import Any

from clew.config import ClewConfig
from clew.knowledge_base import KnowledgeBase
from clew.models.base import Completion, Message, StreamingLLM

PASSAGE = (
    "The ferry Havtind was launched at the Brekke yard in 1962. Until 1987 it carried cars between "
    "Askvik and Norvik; then Olav Brandt bought it and moored it at Tangen as a museum."
)
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "year": {"type": "integer"},
        "harbours": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    },
    "required": ["name", "year", "harbours"],
}


def _asked(question: str) -> list[Message]:
    return [
        Message(role="system", content="You answer from the passage alone, as briefly as you can."),
        Message(role="user", content=f"{PASSAGE}\n\n{question}"),
    ]


def test_it_answers_from_a_passage(llm: StreamingLLM) -> None:
    completion = llm.complete(_asked("In which year was the Havtind launched?"), max_tokens=40)
    assert "1962" in completion.text
    assert not completion.truncated
    assert completion.model


def test_it_says_what_it_used(llm: StreamingLLM) -> None:
    completion = llm.complete(_asked("Who bought the ferry?"), max_tokens=40)
    assert completion.usage.calls == 1
    words = sum(len(message.content.split()) for message in _asked("Who bought the ferry?"))
    assert words < completion.usage.input_tokens < 6 * words
    assert 1 <= completion.usage.output_tokens <= 40


def test_a_schema_gives_json_of_that_form(llm: StreamingLLM) -> None:
    for _ in range(2):  # the second time, what the server takes is known
        question = "Give the ferry's name, the year it was launched, and its harbours, as JSON."
        completion = llm.complete(_asked(question), max_tokens=200, schema=SCHEMA)
        assert not completion.truncated
        value = json.loads(completion.text)
        assert isinstance(value["name"], str)
        assert isinstance(value["year"], int)
        assert value["harbours"]
        assert all(isinstance(harbour, str) for harbour in value["harbours"])


def test_a_reply_at_its_limit_is_truncated(llm: StreamingLLM) -> None:
    completion = llm.complete(_asked("Tell the whole story in many sentences."), max_tokens=6)
    assert completion.truncated
    assert 1 <= completion.usage.output_tokens <= 6


def test_a_stream_gives_the_whole_at_its_end(llm: StreamingLLM) -> None:
    *pieces, last = llm.stream(_asked("Where is the Havtind moored now?"), max_tokens=40)
    assert isinstance(last, Completion)
    assert len(pieces) > 1
    assert "".join(str(piece) for piece in pieces) == last.text
    assert "Tangen" in last.text
    assert not last.truncated


def test_a_document_is_read_by_the_model_that_the_settings_name(model: str) -> None:
    config = ClewConfig(
        llm_model=model,
        llm_timeout_s=900,
        llm_max_tokens=500,  # small models go on for ever
        quality_mode="cheap",
        embedding_model="none",
    )
    with KnowledgeBase.in_memory(config=config) as kb:
        report = kb.ingest_text(PASSAGE, name="havtind")
        assert report.method == "llm"
        assert report.usage.calls >= 1
        assert report.usage.output_tokens > 0
        assert kb.stats()["knowledge_units"] >= 1
        items = kb.search("Havtind").items
        assert items
        assert items[0].doc_id == "havtind"
