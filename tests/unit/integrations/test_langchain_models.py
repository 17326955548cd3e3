"""clew's models and knowledge bases in LangChain, with the real langchain-core."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough
from pydantic import BaseModel

from clew import ClewConfig, KnowledgeBase
from clew.errors import RateLimitError
from clew.integrations.langchain_models import ClewChatModel, ClewEmbeddings
from clew.integrations.langchain_retriever import ClewRetriever
from clew.models.base import Completion, Message, Usage
from clew.models.prefixed import with_prefixes
from clew.testing import FakeEmbedder, ScriptedLLM

REPLY = '{"name": "Norr Bridge", "year": 1931}'


class Streaming(ScriptedLLM):
    def stream(
        self, messages: list[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        yield "Nor"
        yield "vik"
        yield Completion(
            text="Norvik", usage=Usage(calls=1, input_tokens=4, output_tokens=max_tokens or 1)
        )


class Bridge(BaseModel):
    name: str
    year: int


def _llm(reply: Any = "Norvik STOP there") -> ScriptedLLM:
    return ScriptedLLM([(".*", reply)])


def test_a_language_model_is_a_chat_model() -> None:
    llm = _llm()
    chat = ClewChatModel(llm=llm, max_tokens=50)
    reply = chat.invoke([SystemMessage("Be brief."), HumanMessage("Where?"), AIMessage("Hm.")])
    assert isinstance(reply, AIMessage)
    assert reply.content == "Norvik STOP there"
    assert reply.usage_metadata == {"input_tokens": 4, "output_tokens": 3, "total_tokens": 7}
    assert reply.response_metadata["model_name"] == "scripted-llm"
    assert llm.calls[0].prompt == "Be brief.\n\nWhere?\n\nHm."
    assert llm.calls[0].max_tokens == 50
    assert chat.invoke("Where?", stop=["STOP", "there"]).content == "Norvik "
    assert chat.bind(max_tokens=3).invoke("Where?").content == "Norvik STOP there"
    assert llm.calls[-1].max_tokens == 3


def test_it_can_be_awaited_and_batched() -> None:
    chat = ClewChatModel(llm=_llm())

    async def ask() -> Any:
        return await chat.ainvoke("Where?"), await chat.abatch(["a", "b"])

    one, two = asyncio.run(ask())
    assert one.content == "Norvik STOP there"
    assert one.usage_metadata["output_tokens"] == 3
    assert len(two) == 2


def test_what_only_generates_will_do() -> None:
    class Echo:
        def generate(self, prompt: str) -> str:
            return prompt.upper()

    assert ClewChatModel(llm=Echo()).invoke("where?").content == "WHERE?"


def test_it_streams() -> None:
    chunks = list(ClewChatModel(llm=Streaming([]), max_tokens=9).stream("Where?"))
    assert [str(one.content) for one in chunks if one.content] == ["Nor", "vik"]
    whole = chunks[0]
    for one in chunks[1:]:
        whole = whole + one
    assert whole.usage_metadata is not None
    assert whole.usage_metadata["output_tokens"] == 9
    plain = list(ClewChatModel(llm=_llm()).stream("Where?", stop=["STOP"]))
    assert "".join(str(one.content) for one in plain) == "Norvik "

    async def stream() -> list[str]:
        return [str(one.content) async for one in ClewChatModel(llm=Streaming([])).astream("a")]

    assert "".join(asyncio.run(stream())) == "Norvik"


def test_replies_follow_a_schema() -> None:
    llm = _llm(REPLY)
    chat = ClewChatModel(llm=llm)
    assert chat.with_structured_output(Bridge).invoke("Which?") == Bridge(
        name="Norr Bridge", year=1931
    )
    asked = llm.calls[0].schema
    assert asked is not None
    assert set(asked["properties"]) == {"name", "year"}
    schema = {"title": "B", "type": "object", "properties": {"year": {"type": "integer"}}}
    found = chat.with_structured_output(schema, include_raw=True).invoke("Which?")
    assert isinstance(found, dict)
    assert found["parsed"] == {"name": "Norr Bridge", "year": 1931}
    assert found["raw"].content == REPLY
    broken = ClewChatModel(llm=_llm("no")).with_structured_output(Bridge, include_raw=True)
    told = broken.invoke("Which?")
    assert isinstance(told, dict)
    assert told["parsed"] is None
    assert isinstance(told["parsing_error"], ValueError)


def test_failures_are_those_of_clew() -> None:
    chat = ClewChatModel(llm=_llm(RateLimitError("slow", retry_after_s=3.0)))
    with pytest.raises(RateLimitError) as caught:
        chat.invoke("Where?")
    assert caught.value.retry_after_s == 3.0


def test_its_cache_key_names_the_model() -> None:
    def key(fingerprint: str, **options: Any) -> str:
        chat = ClewChatModel(llm=ScriptedLLM([], fingerprint=fingerprint), **options)
        return str(chat._identifying_params)

    assert len({key("a"), key("b"), key("a", max_tokens=3)}) == 3


def test_an_embedder_is_embeddings() -> None:
    fake = FakeEmbedder()
    embeddings = ClewEmbeddings(fake)
    assert embeddings.embed_documents(["a mill", "a ferry"]) == [
        pytest.approx(row.tolist()) for row in fake.embed(["a mill", "a ferry"])
    ]
    told_apart = ClewEmbeddings(with_prefixes(fake, "q: ", "p: "))
    question, passage = fake.embed(["q: a mill", "p: a mill"]).tolist()
    assert told_apart.embed_query("a mill") == pytest.approx(question)
    assert told_apart.embed_documents(["a mill"]) == [pytest.approx(passage)]
    assert embeddings.embed_documents([]) == []
    assert len(asyncio.run(embeddings.aembed_documents(["a"]))[0]) == fake.dimensions


@pytest.fixture
def kb(tmp_path: Any) -> Iterator[KnowledgeBase]:
    config = ClewConfig(embedding_model="none")
    with KnowledgeBase.open(tmp_path / "n.clew", config=config) as kb:
        kb.ingest_documents(
            [
                {
                    "text": "Norr Bridge was built by Sund Ironworks.",
                    "doc_id": "bridge",
                    "title": "Norr",
                    "metadata": {"year": 1931, "doc_id": "theirs"},
                },
                {
                    "text": "Sund Ironworks was founded by Berit Lind.",
                    "doc_id": "works",
                    "metadata": {"year": 1902},
                },
            ]
        )
        yield kb


def test_a_knowledge_base_is_a_retriever(kb: KnowledgeBase) -> None:
    found = ClewRetriever(kb=kb).invoke("Who founded the builder of Norr Bridge?")
    assert {one.metadata["doc_id"] for one in found} == {"bridge", "works"}
    items = kb.search("Who founded the builder of Norr Bridge?").items
    assert [one.page_content for one in found] == [item.content for item in items]
    first = found[0]
    assert isinstance(first, Document)
    assert first.id == items[0].source_chunk_id
    assert first.metadata["score"] == items[0].score
    assert first.metadata["source"] == first.metadata["doc_id"]
    assert first.metadata["path"] == [step.text for step in items[0].path]
    bridge = next(one for one in found if one.metadata["doc_id"] == "bridge")
    assert bridge.metadata["year"] == 1931
    assert bridge.metadata["title"] == "Norr"
    assert bridge.page_content == "Norr Bridge was built by Sund Ironworks."
    assert (bridge.metadata["start"], bridge.metadata["end"]) == (0, 40)


def test_filters_and_counts_can_be_set_once_or_each_time(kb: KnowledgeBase) -> None:
    question = "Who founded Sund Ironworks?"
    one = ClewRetriever(kb=kb, top_n=1).invoke(question)
    assert len(one) == 1
    only = ClewRetriever(kb=kb, where={"year": 1931})
    assert {found.metadata["doc_id"] for found in only.invoke(question)} == {"bridge"}
    other = only.invoke(question, where={"year": 1902})
    assert {found.metadata["doc_id"] for found in other} == {"works"}
    assert len(ClewRetriever(kb=kb).invoke(question, top_n=1)) == 1


def test_it_can_be_awaited_and_chained(kb: KnowledgeBase) -> None:
    retriever = ClewRetriever(kb=kb)
    found = asyncio.run(retriever.ainvoke("Who founded Sund Ironworks?"))
    assert found[0].metadata["doc_id"] == "works"
    llm = _llm("Berit Lind")
    prompt = ChatPromptTemplate.from_messages([("system", "{context}"), ("human", "{question}")])
    chain = (
        {"context": retriever, "question": RunnablePassthrough()}
        | prompt
        | ClewChatModel(llm=llm)
        | StrOutputParser()
    )
    assert chain.invoke("Who founded Sund Ironworks?") == "Berit Lind"
    assert "founded by Berit Lind" in llm.calls[0].prompt
