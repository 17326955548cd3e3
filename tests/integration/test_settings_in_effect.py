"""Settings whose effect shows in no result: who is asked what, and how many at the same time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Event, Lock

import pytest

from clew import ClewConfig, IndexPipeline, RetrievePipeline
from clew.testing import FakeEmbedder, ScriptedLLM

TEXTS = [f"Keeper K{number} lit lamp L{number} at Tamsund." for number in range(6)]


class Meeting:
    """Whoever comes in waits for a second one, who need not come when all others are through."""

    def __init__(self) -> None:
        self.most = 0
        self._inside = 0
        self._lock = Lock()
        self._met = Event()

    def come(self) -> None:
        with self._lock:
            self._inside += 1
            self.most = max(self.most, self._inside)
            if self._inside == 2:
                self._met.set()
        self._met.wait(timeout=10)
        with self._lock:
            self._inside -= 1


def test_calls_of_the_model_are_under_way_at_the_same_time() -> None:
    meeting = Meeting()

    def reply(prompt: str) -> str:
        meeting.come()
        said = next(text for text in TEXTS if text in prompt)
        return json.dumps({"units": [{"text": said}]})

    llm = ScriptedLLM([(".", reply)])
    config = ClewConfig(ku_concurrency=2, ku_batch_size=1, embedding_model="none")
    IndexPipeline(llm=llm, config=config).run(TEXTS)
    assert meeting.most == 2
    assert len(llm.calls) == len(TEXTS)


def test_batches_are_embedded_at_the_same_time() -> None:
    meeting, inner = Meeting(), FakeEmbedder()

    class Model:
        def embed_text(self, text: str) -> list[float]:
            return [float(number) for number in inner.embed([text])[0]]

        def embed_batch(self, texts: Sequence[str]) -> list[list[float]]:
            meeting.come()
            return [self.embed_text(text) for text in texts]

    config = ClewConfig(embedding_concurrency=2, embedding_batch_size=2)
    graph = IndexPipeline(embedding=Model(), config=config).run(TEXTS)
    assert meeting.most == 2
    assert graph.stats()["documents"] == len(TEXTS)


def test_prompts_of_the_environment_reach_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLEW_KU_PROMPT", "Units of: {text_chunk}")
    monkeypatch.setenv("CLEW_ENTITY_PROMPT", "Things in: {text}")
    monkeypatch.setenv("CLEW_QUERY_ENTITY_PROMPT", "Asked about: {query}")
    monkeypatch.setenv("CLEW_EMBEDDING_MODEL", "none")
    text = TEXTS[0]
    rules = [
        ("Units of", f'{{"units": [{{"text": "{text}"}}]}}'),
        ("Things in|Asked about", '{"entities": ["lamp L0"]}'),
    ]
    llm, config = ScriptedLLM(rules), ClewConfig.from_env()
    graph = IndexPipeline(llm=llm, config=config).run([text])
    RetrievePipeline(graph=graph, llm=llm, config=config).search("Who lit it?")
    assert [call.prompt for call in llm.calls] == [
        f"Units of: {text}",
        f"Things in: {text}",
        "Asked about: Who lit it?",
    ]
