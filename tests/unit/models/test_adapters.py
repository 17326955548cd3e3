from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from clew.errors import EmbeddingError, ModelError
from clew.models.adapters import as_embedder, as_llm
from clew.models.base import LLM, Completion, Embedder, Message, SpanEmbedder, Usage
from clew.models.event_loop import EventLoopThread
from clew.testing import FakeEmbedder, ScriptedLLM


class Generating:
    """The least that a user may bring."""

    model = "tiny-1"

    def __init__(self, reply: Any = "yes") -> None:
        self.reply = reply
        self.prompts: list[str] = []

    def generate(self, prompt: str) -> Any:
        self.prompts.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


class AsyncGenerating(Generating):
    """Keeps a lock of its loop, as clients keep connections: another loop would fail."""

    def __init__(self) -> None:
        super().__init__()
        self.loops: set[asyncio.AbstractEventLoop] = set()

    async def generate(self, prompt: str) -> Any:
        self.loops.add(asyncio.get_running_loop())
        await asyncio.sleep(0.001)
        return prompt.upper()


class AsyncLLM:
    fingerprint = "async-llm"

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        await asyncio.sleep(0)
        return Completion(text=f"{messages[0].content} {max_tokens} {schema}")


class Lists:
    """Embeds into plain lists that are not of length 1."""

    model_name = "lists"

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.questions: list[str] = []

    def embed_text(self, text: str) -> list[float]:
        self.questions.append(text)
        return [3.0, 4.0, float(len(text))]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        return [[3.0, 4.0, 0.0] for _ in texts]


class AsyncLists(Lists):
    async def embed_text(self, text: str) -> list[float]:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().embed_text(text)

    async def embed_batch(self, texts: list[str]) -> list[list[float]]:  # type: ignore[override]
        await asyncio.sleep(0.001)
        return super().embed_batch(texts)


def _ask(llm: LLM, text: str) -> str:
    return llm.complete([Message(role="user", content=text)]).text


def test_an_llm_stays_itself() -> None:
    llm = ScriptedLLM([])
    assert as_llm(llm) is llm


def test_generate_is_enough() -> None:
    model = Generating()
    llm = as_llm(model)
    completion = llm.complete(
        [Message(role="system", content="Be brief."), Message(role="user", content="100% {x}?")],
        max_tokens=5,
        schema={},
    )
    assert completion == Completion(text="yes", usage=Usage(calls=1), model="Generating/tiny-1")
    assert model.prompts == ["Be brief.\n\n100% {x}?"]
    assert llm.fingerprint == "Generating/tiny-1"


def test_no_reply_is_an_empty_reply() -> None:
    assert _ask(as_llm(Generating(None)), "?") == ""


def test_what_a_model_raises_is_a_model_error_with_its_cause() -> None:
    with pytest.raises(ModelError, match=r"Generating/tiny-1 failed: TimeoutError: slow") as caught:
        _ask(as_llm(Generating(TimeoutError("slow"))), "?")
    assert isinstance(caught.value.__cause__, TimeoutError)


def test_a_reply_that_is_no_text_is_named() -> None:
    with pytest.raises(ModelError, match=r"generate\(prompt\) must return text, not dict"):
        _ask(as_llm(Generating({"text": "yes"})), "?")


@pytest.mark.parametrize("model", [None, object(), 7])
def test_anything_else_is_told_what_is_missing(model: object) -> None:
    with pytest.raises(ModelError, match=r"generate\(prompt\) -> str"):
        as_llm(model)
    with pytest.raises(ModelError, match=r"embed_text\(text\) and embed_batch\(texts\)"):
        as_embedder(model)


def test_a_class_in_place_of_an_object_is_named() -> None:
    with pytest.raises(ModelError, match=r"llm=Generating is a class; .* Generating\(…\)"):
        as_llm(Generating)
    with pytest.raises(ModelError, match="embedding=Lists is a class"):
        as_embedder(Lists)


def test_async_models_are_called_in_one_loop_of_their_own() -> None:
    model = AsyncGenerating()
    llm = as_llm(model)

    async def inside() -> str:
        return _ask(llm, "inside a loop")

    assert _ask(llm, "outside") == "OUTSIDE"
    assert [asyncio.run(inside()) for _ in range(3)] == ["INSIDE A LOOP"] * 3
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda: results.append(asyncio.run(inside()))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == ["INSIDE A LOOP"] * 2
    assert len(model.loops) == 1


def test_an_async_llm_is_an_llm() -> None:
    llm = as_llm(AsyncLLM())
    assert llm.fingerprint == "async-llm"
    completion = llm.complete([Message(role="user", content="hi")], max_tokens=3, schema={})
    assert completion.text == "hi 3 {}"


def test_the_loop_ends_with_the_model() -> None:
    def loops() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "clew-event-loop"]

    gc.collect()
    before = len(loops())
    llm = as_llm(AsyncGenerating())
    _ask(llm, "hi")
    assert len(loops()) == before + 1
    del llm
    gc.collect()
    assert len(loops()) == before


def test_plain_values_need_no_loop() -> None:
    assert EventLoopThread().resolve(7) == 7


def test_lists_become_unit_vectors() -> None:
    model = Lists()
    embedder = as_embedder(model)
    vectors = embedder.embed(["a", "b"])
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors, [[0.6, 0.8, 0.0]] * 2, atol=1e-6)
    assert embedder.fingerprint == "Lists/lists/3"
    assert model.questions == []
    assert isinstance(embedder, Embedder)


def test_questions_go_to_embed_text() -> None:
    model = Lists()
    as_embedder(model).embed(["who?"], kind="query")
    assert (model.questions, model.batches) == (["who?"], [])


def test_dimensions_are_probed_only_when_nobody_knows_them() -> None:
    model = Lists()
    assert as_embedder(model, dimensions=3).dimensions == 3
    assert model.questions == []
    embedder = as_embedder(model)
    assert model.questions == []
    assert embedder.dimensions == 3
    assert embedder.embed([]).shape == (0, 3)
    assert len(model.questions) == 1


def test_async_embedders_work_inside_and_outside_a_loop() -> None:
    embedder = as_embedder(AsyncLists(), batch_size=1, concurrency=4)

    async def inside() -> Any:
        return embedder.embed(["a", "b", "c"])

    np.testing.assert_array_equal(asyncio.run(inside()), embedder.embed(["a", "b", "c"]))
    assert embedder.embed(["a"], kind="query").shape == (1, 3)


def test_a_span_embedder_keeps_its_power_and_its_fingerprint() -> None:
    model = FakeEmbedder()
    embedder = as_embedder(model)
    assert isinstance(embedder, SpanEmbedder)
    assert (embedder.fingerprint, embedder.dimensions) == (model.fingerprint, 64)
    assert as_embedder(embedder) is embedder
    assert not isinstance(as_embedder(Lists(), dimensions=3), SpanEmbedder)


def test_own_fingerprints_are_kept() -> None:
    model = Lists()
    model.fingerprint = "mine/7"  # type: ignore[attr-defined]
    assert as_embedder(model).fingerprint == "mine/7"


def test_one_of_the_two_methods_will_do() -> None:
    class OnlyText:
        def embed_text(self, text: str) -> list[float]:
            return [float(len(text)), 0.0]

    class OnlyBatch:
        def embed_batch(self, texts: list[str]) -> list[list[float]]:
            return [[0.0, 1.0] for _ in texts]

    assert as_embedder(OnlyText()).embed(["a", "bb"]).tolist() == [[1.0, 0.0]] * 2
    assert as_embedder(OnlyBatch()).embed(["a"], kind="query").tolist() == [[0.0, 1.0]]


@pytest.mark.parametrize("reply", [None, 7, iter([[1.0]])])
def test_replies_that_are_no_lists_are_named(reply: Any) -> None:
    class Odd:
        def embed_batch(self, texts: list[str]) -> Any:
            return reply

    with pytest.raises(EmbeddingError, match="must return a list of vectors"):
        as_embedder(Odd()).embed(["a"])


def test_no_vector_for_a_word() -> None:
    class Silent:
        def embed_batch(self, texts: list[str]) -> list[list[float]]:
            return []

    with pytest.raises(EmbeddingError, match="returned no vector for a word"):
        as_embedder(Silent()).dimensions  # noqa: B018


def test_a_name_in_place_of_a_model_is_told_where_it_belongs() -> None:
    with pytest.raises(ModelError, match=r"ClewConfig\(llm_model='openai:gpt-4o-mini'\)"):
        as_llm("openai:gpt-4o-mini")
    with pytest.raises(ModelError, match=r"ClewConfig\(embedding_model='local'\)"):
        as_embedder("local")
