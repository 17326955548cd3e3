"""Models of LangChain as models of clew, with the real langchain-core."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel, FakeListLLM
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableLambda
from pydantic import Field, SecretStr

from clew import KnowledgeBase
from clew.errors import (
    EmbeddingError,
    MissingExtraError,
    ModelError,
    ModelRefusedError,
    ModelTimeoutError,
    ModelUnavailableError,
    RateLimitError,
)
from clew.models import LangChainEmbeddingAdapter, LangChainLLMAdapter
from clew.models.adapters import as_embedder, as_llm
from clew.models.base import LLM, BaseEmbedding, BaseLLM, Completion, Embedder, Message

ASKED = [
    Message(role="system", content="Be {brief}."),
    Message(role="user", content="Where does the ferry land?"),
    Message(role="assistant", content="Somewhere."),
    Message(role="user", content="Where?"),
]
SCHEMA = {"type": "object", "properties": {"units": {"type": "array"}}}
Content = str | list[str | dict[Any, Any]]


class Chat(BaseChatModel):
    """A chat model that remembers what it was asked."""

    model_name: str = "chat-1"
    max_tokens: int | None = None
    temperature: float | None = None
    api_key: str = "hidden"
    content: Content = "Norvik"
    metadata_: dict[str, Any] = Field(default_factory=dict)
    failure: Any = None
    asked: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "chat"

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        self.asked.append((self.max_tokens, [(one.type, one.content) for one in messages]))
        if self.failure is not None:
            raise self.failure
        message = AIMessage(
            content=self.content,
            usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
            response_metadata=self.metadata_,
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


class StreamingChat(Chat):
    def _stream(
        self, messages: list[BaseMessage], *_: Any, **__: Any
    ) -> Iterator[ChatGenerationChunk]:
        for piece in ("Nor", "vik"):
            yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
        end = AIMessageChunk(
            content="",
            usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
            response_metadata={"finish_reason": "length"},
        )
        yield ChatGenerationChunk(message=end)


class KeepingChat(Chat):
    def with_structured_output(self, schema: Any, *, include_raw: bool = False, **_: Any) -> Any:
        assert include_raw
        self.asked.append(schema)

        def reply(messages: Any) -> dict[str, Any]:
            raw = self.invoke(messages)
            return {"raw": raw, "parsed": {"units": ["mühle"]}, "parsing_error": None}

        return RunnableLambda(reply)


def test_a_chat_model_is_a_language_model() -> None:
    chat = Chat(asked=[], metadata_={"model_name": "chat-1-2026", "finish_reason": "stop"})
    llm = LangChainLLMAdapter(chat)
    assert isinstance(llm, LLM)
    assert isinstance(llm, BaseLLM)
    completion = llm.complete(ASKED)
    assert completion.text == "Norvik"
    assert completion.model == "chat-1-2026"
    usage = completion.usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, 5, 2)
    assert not completion.truncated
    assert chat.asked == [
        (
            None,
            [
                ("system", "Be {brief}."),
                ("human", "Where does the ferry land?"),
                ("ai", "Somewhere."),
                ("human", "Where?"),
            ],
        )
    ]
    assert llm.generate("Where?") == "Norvik"


def test_a_limit_reaches_models_that_have_one() -> None:
    chat = Chat(asked=[])
    LangChainLLMAdapter(chat).complete(ASKED, max_tokens=9)
    assert chat.asked[0][0] == 9
    assert chat.max_tokens is None, "the model itself stays as it was"
    fake = FakeListChatModel(responses=["Norvik"])
    assert LangChainLLMAdapter(fake).complete(ASKED, max_tokens=9).text == "Norvik"


@pytest.mark.parametrize(
    "told",
    [{"finish_reason": "length"}, {"stop_reason": "max_tokens"}, {"finish_reason": "MAX_TOKENS"}],
)
def test_a_reply_that_was_cut_says_so(told: dict[str, Any]) -> None:
    assert LangChainLLMAdapter(Chat(metadata_=told)).complete(ASKED).truncated


def test_text_models_and_chains_will_do() -> None:
    assert LangChainLLMAdapter(FakeListLLM(responses=["Norvik"])).complete(ASKED).text == "Norvik"
    chain = RunnableLambda(lambda messages: messages[-1].content.upper())
    llm = LangChainLLMAdapter(chain)
    assert llm.complete(ASKED).text == "WHERE?"
    assert next(iter(llm.stream(ASKED))) == "WHERE?"
    bound = LangChainLLMAdapter(Chat().bind(stop=["x"]))
    assert bound.complete(ASKED, max_tokens=5).text == "Norvik"
    assert "chat-1" in bound.fingerprint


def test_blocks_are_joined_and_thoughts_dropped() -> None:
    blocks: Content = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Nor"},
        "vik",
    ]
    assert LangChainLLMAdapter(Chat(content=blocks)).complete(ASKED).text == "Norvik"
    thinking = Chat(content="<think>Hm.</think>Norvik")
    assert LangChainLLMAdapter(thinking).complete(ASKED).text == "Norvik"


def test_it_streams() -> None:
    *pieces, last = LangChainLLMAdapter(StreamingChat()).stream(ASKED)
    assert pieces == ["Nor", "vik"]
    assert isinstance(last, Completion)
    assert (last.text, last.truncated, last.usage.input_tokens) == ("Norvik", True, 5)
    *pieces, last = LangChainLLMAdapter(Chat()).stream(ASKED)
    assert pieces == ["Norvik"], "a model that does not stream gives its reply in one piece"


def test_a_schema_reaches_models_that_keep_to_one() -> None:
    chat = KeepingChat(asked=[])
    completion = LangChainLLMAdapter(chat).complete(ASKED, schema=SCHEMA, max_tokens=9)
    assert completion.text == '{"units": ["mühle"]}'
    assert completion.usage.output_tokens == 2
    assert chat.asked[0]["properties"] == SCHEMA["properties"]
    assert chat.asked[0]["title"]
    assert chat.asked[1][0] == 9


def test_others_are_told_the_schema_in_the_prompt() -> None:
    chat = Chat(asked=[], content='{"units": []}')
    assert LangChainLLMAdapter(chat).complete(ASKED, schema=SCHEMA).text == '{"units": []}'
    [(_, messages)] = chat.asked
    assert "units" in messages[-1][1]


class StatusError(Exception):
    def __init__(self, status: int, headers: dict[str, str]) -> None:
        super().__init__("slow down")
        self.status_code, self.body = status, {"error": {"message": "slow down"}}
        self.response = type("Response", (), {"headers": headers})()


class GoogleError(Exception):
    code = 429


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (StatusError(429, {"retry-after": "7"}), RateLimitError),
        (StatusError(503, {}), ModelUnavailableError),
        (StatusError(401, {}), ModelRefusedError),
        (GoogleError("slow down"), RateLimitError),
        (TimeoutError("late"), ModelTimeoutError),
        (ConnectionError("refused"), ModelUnavailableError),
        (RuntimeError("odd"), ModelError),
    ],
)
def test_failures_of_any_sdk_are_errors_of_clew(failure: Exception, kind: type[ModelError]) -> None:
    llm = LangChainLLMAdapter(Chat(failure=failure))
    for call in (llm.complete, lambda asked: list(llm.stream(asked))):
        with pytest.raises(kind, match="langchain:chat-1") as caught:
            call(ASKED)
        assert type(caught.value) is kind
    if isinstance(failure, StatusError) and failure.status_code == 429:
        assert getattr(caught.value, "retry_after_s", None) == 7.0


def test_the_fingerprint_names_model_and_parameters_and_no_key() -> None:
    first = LangChainLLMAdapter(Chat()).fingerprint
    assert first == LangChainLLMAdapter(Chat(api_key="other")).fingerprint
    assert first.startswith("langchain/Chat/chat-1")
    others = [Chat(temperature=0.5), Chat(model_name="chat-2"), Chat(max_tokens=3)]
    bound = [Chat().bind(stop=["x"]), Chat(temperature=0.1).bind(stop=["x"])]
    prints = {LangChainLLMAdapter(one).fingerprint for one in [*others, *bound]}
    assert len(prints | {first}) == 6
    assert LangChainLLMAdapter(Chat(), fingerprint="mine").fingerprint == "mine"
    assert "hidden" not in f"{first} {LangChainLLMAdapter(Chat())!r}"


class Lengths(Embeddings):
    model = "lengths-1"
    rows: Any = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = self.rows or [[float(len(text)), 1.0, -2.0] for text in texts]
        return rows

    def embed_query(self, text: str) -> list[float]:
        return [1.0, float(len(text)), 0.0]


def test_embeddings_are_an_embedder() -> None:
    embedder = LangChainEmbeddingAdapter(Lengths())
    assert embedder.dimensions == 3
    assert isinstance(embedder, Embedder)
    assert isinstance(embedder, BaseEmbedding)
    assert embedder.fingerprint == "langchain/Lengths/lengths-1"
    vectors = embedder.embed(["ab", "", "a\ud800"])
    expected = np.array([[2.0, 1.0, -2.0], [1.0, 1.0, -2.0], [2.0, 1.0, -2.0]])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    np.testing.assert_allclose(vectors, expected, atol=1e-6)
    np.testing.assert_allclose(embedder.embed_batch(["ab"]), expected[:1], atol=1e-6)
    question = np.array([1.0, 2.0, 0.0]) / np.sqrt(5)
    np.testing.assert_allclose(embedder.embed(["ab"], kind="query")[0], question, atol=1e-6)
    np.testing.assert_allclose(embedder.embed_text("ab"), question, atol=1e-6)
    given = LangChainEmbeddingAdapter(Lengths(), fingerprint="mine", dimensions=3)
    assert (given.fingerprint, given.embed([]).shape) == ("mine", (0, 3))


def test_vectors_that_are_none_are_named() -> None:
    odd = Lengths()
    none: list[Any] = [[[1.0]], [[1.0], [1.0, 2.0]], [[], []]]
    for rows in none:
        odd.rows = rows
        with pytest.raises(EmbeddingError, match="langchain:lengths-1"):
            LangChainEmbeddingAdapter(odd, dimensions=1).embed(["a", "b"])
    odd.rows = 3
    with pytest.raises(ModelError):
        LangChainEmbeddingAdapter(odd, dimensions=1).embed(["a", "b"])


def test_a_knowledge_base_over_models_of_langchain() -> None:
    chat = FakeListChatModel(responses=['{"units": []}'])
    with KnowledgeBase.in_memory(
        llm=LangChainLLMAdapter(chat), embedding=LangChainEmbeddingAdapter(Lengths())
    ) as kb:
        kb.ingest_text("Orm Works was founded by Mira Vance.", name="orm")
        assert kb.search("Who founded Orm Works?").items[0].doc_id == "orm"


def test_models_of_langchain_are_taken_as_they_are() -> None:
    """Their ``generate`` is another one than that of a simple model."""
    chat = Chat()
    llm = as_llm(chat)
    assert isinstance(llm, LangChainLLMAdapter)
    assert llm.complete(ASKED).text == "Norvik"
    assert isinstance(as_llm(FakeListLLM(responses=["Norvik"])), LangChainLLMAdapter)
    embedder = as_embedder(Lengths())
    assert embedder.fingerprint == "langchain/Lengths/lengths-1"
    assert embedder.embed(["ab"]).shape == (1, 3)
    with pytest.raises(EmbeddingError, match=r"instead of \(4,\)"):
        as_embedder(Lengths(), dimensions=4).embed(["ab"])


def test_without_the_package_the_install_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_core.messages", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clew\[langchain\]'"):
        LangChainLLMAdapter(Chat())


class Keyed(Chat):
    secret: SecretStr = SecretStr("sk-of-the-tests-1")


@pytest.mark.parametrize("code", [401, None])
def test_no_failure_shows_the_key_of_a_model(code: int | None) -> None:
    failure = RuntimeError("no such key: sk-of-the-tests-1")
    failure.code = code  # type: ignore[attr-defined]
    model = Keyed(failure=failure)
    for llm in (LangChainLLMAdapter(model), LangChainLLMAdapter(model.bind(stop=["x"]))):
        with pytest.raises(ModelError) as caught:
            llm.generate("?")
        shown = "".join(traceback.format_exception(caught.value))
        assert "no such key: ***" in shown
        assert "sk-of-the-tests-1" not in shown
