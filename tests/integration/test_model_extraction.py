"""Indexing with a language model: in parallel, within a budget, with its books and its progress."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, IndexPipeline, KnowledgeBase, KnowledgeGraph, Status
from clew.errors import ConfigError, ModelError, RateLimitError, StoreFullError
from clew.models.base import Completion, Message, PaidReply, UsageEntry
from clew.models.wrappers.giving_up import PATIENCE
from clew.testing import ScriptedLLM, TellingLLM

_PEOPLE = ("Ada Orm", "Bo Lind", "Cy Holt", "Di Vang", "Ed Roth")
_PLACES = ("Norr", "Ostby", "Velm", "Skagen", "Lund")


def _documents(count: int, sentences: int = 3) -> list[dict[str, Any]]:
    return [
        {
            "doc_id": f"d{number:03}",
            "text": " ".join(
                f"{_PEOPLE[(number + at) % 5]} built mill number {number}-{at} near "
                f"{_PLACES[(number * at) % 5]}."
                for at in range(sentences)
            ),
        }
        for number in range(count)
    ]


def _prices(folder: Path, output: float = 100.0) -> str:
    """A hundred euros a million tokens, so that one word costs a hundredth of a cent."""
    path = folder / "prices.yaml"
    text = f"currency: EUR\nmodels:\n  telling-llm: {{input: 100, output: {output}}}"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _config(**settings: Any) -> ClewConfig:
    return ClewConfig(embedding_model="none", **settings)


def _run(documents: Any, llm: Any, **settings: Any) -> tuple[KnowledgeGraph, IndexPipeline]:
    pipeline = IndexPipeline(llm=llm, config=_config(**settings))
    graph = pipeline.run(documents)
    assert isinstance(graph, KnowledgeGraph)
    return graph, pipeline


def _plain(graph: KnowledgeGraph) -> dict[str, Any]:
    """All but the books, which know how long calls took."""
    plain = {key: value for key, value in graph.to_dict().items() if key != "usage"}
    return plain | {"replies": sorted(plain["replies"])}


# --- in parallel ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["llm", "vocabulary"])
def test_the_graph_is_the_same_however_many_calls_are_made_at_once(method: str) -> None:
    documents = _documents(150)
    settings = {"ku_extraction_method": method, "vocab_max_terms_per_llm_call": 3}
    alone, _ = _run(documents, TellingLLM(), ku_concurrency=1, **settings)
    together, _ = _run(documents, TellingLLM(latency_s=0.001), ku_concurrency=10, **settings)
    assert _plain(together) == _plain(alone)
    assert alone.stats()["knowledge_units"] == 450


def test_ten_calls_are_under_way_at_once_for_one_long_document() -> None:
    text = " ".join(document["text"] for document in _documents(100))
    llm = TellingLLM(latency_s=0.25)
    _run([text], llm, chunk_size=150, chunk_overlap=0, ku_batch_size=1, ku_concurrency=10)
    assert len(llm.prompts) >= 100
    assert llm.most_underway == 10


def test_ten_calls_are_under_way_at_once_for_many_small_documents() -> None:
    llm = TellingLLM(latency_s=1.0)  # long enough to begin ten on a busy machine
    _run(_documents(300), llm, ku_batch_size=10, ku_concurrency=10)
    assert len(llm.prompts) < 35
    assert llm.most_underway == 10


def test_the_calls_are_the_same_however_many_are_made_at_once() -> None:
    prompts = []
    for concurrency in (1, 7):
        llm = TellingLLM()
        _run(_documents(200), llm, ku_concurrency=concurrency)
        prompts.append(sorted(llm.prompts))
    assert prompts[0] == prompts[1]


def test_progress_is_told_in_the_callers_thread_while_calls_are_under_way() -> None:
    told: list[tuple[int, int, str]] = []
    threads: set[int] = set()

    def tell(done: int, total: int, stage: str) -> None:
        threads.add(threading.get_ident())
        told.append((done, total, stage))

    config = _config(on_progress=tell, ku_batch_size=1, ku_concurrency=2)
    pipeline = IndexPipeline(llm=TellingLLM(latency_s=0.2), config=config)
    pipeline.run(_documents(12))
    meanwhile = [stage for _, _, stage in told if stage.startswith("extract")]
    assert meanwhile
    assert "calls/s" in meanwhile[-1]
    assert "cost unknown" in meanwhile[-1]
    assert "left" in meanwhile[-1]
    assert told[-1] == (12, 12, "index")
    assert threads == {threading.get_ident()}


def test_stopping_in_the_middle_keeps_the_replies(tmp_path: Path) -> None:
    llm = TellingLLM(latency_s=0.1)
    config = _config(ku_batch_size=1)
    with KnowledgeBase.open(tmp_path / "s.clew", llm=llm, config=config) as kb:
        pipeline = IndexPipeline(llm=llm, config=config, store=kb.store)
        from clew.documents import documents_from

        first = pipeline.index(
            documents_from(_documents(20)), kb.store, should_stop=lambda: len(llm.prompts) >= 5
        )
        assert first.interrupted
        asked = len(llm.prompts)
        assert asked < 20
        report = kb.ingest_documents(_documents(20))
    assert not report.interrupted
    assert len(llm.prompts) == 20, "what was asked before the stop is not asked again"
    assert len(set(llm.prompts)) == 20


# --- limits ---------------------------------------------------------------------------------------


def test_a_busy_provider_is_waited_for() -> None:
    telling = TellingLLM()
    busy = RateLimitError("429", retry_after_s=0.05)
    llm = ScriptedLLM(
        [(".*", [busy, busy, lambda prompt: telling.complete(_message(prompt)).text])]
    )
    _, pipeline = _run(_documents(3), llm)
    assert [item.status for item in pipeline.report.documents] == [Status.INSERTED] * 3
    assert len(llm.calls) == 3


def _message(prompt: str) -> list[Message]:
    return [Message(role="user", content=prompt)]


def test_a_budget_stops_and_the_next_run_goes_on(tmp_path: Path) -> None:
    llm = TellingLLM()
    settings = {"ku_batch_size": 1, "ku_concurrency": 3, "llm_prices": _prices(tmp_path)}
    free = TellingLLM()
    with KnowledgeBase.in_memory(llm=free, config=_config(**settings)) as whole:
        price = whole.ingest_documents(_documents(12)).cost
        assert price is not None
        expected = _plain(_memory(whole))
    config = _config(**settings, llm_max_cost=price / 2)
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, llm=llm, config=config) as kb:
        first = kb.ingest_documents(_documents(12))
        assert first.cost is not None
        assert first.cost <= price / 2
        statuses = {item.status for item in first.documents}
        assert statuses == {Status.INSERTED, Status.PARTIAL}
        partial = [item for item in first.documents if item.status is Status.PARTIAL]
        assert all("the budget is used up" in item.reason for item in partial)
        assert all(item.degraded_chunks == item.chunks for item in partial)
        assert first.exit_status == 3
        assert any("the budget is used up" in note for note in first.notes)
        assert not any("low yield" in note for note in first.notes), "the model is not to blame"
        paid = len(llm.prompts)
        assert 12 - len(partial) == paid
    with KnowledgeBase.open(path, llm=llm, config=config.replace(llm_max_cost=price)) as kb:
        second = kb.ingest_documents(_documents(12))
        again = [item for item in second.documents if item.status is not Status.UNCHANGED]
        assert len(again) == len(partial)
        assert len(llm.prompts) == 12, "only what was missing was asked"
        assert len(set(llm.prompts)) == 12
        assert kb.usage().total.usage.calls == 12
        assert kb.usage().total.costs == {"EUR": pytest.approx(price)}
        assert kb.stats()["facts"] == len(_facts(expected))


def _memory(kb: KnowledgeBase) -> KnowledgeGraph:
    assert isinstance(kb.store, KnowledgeGraph)
    return kb.store


def _facts(plain: Mapping[str, Any]) -> list[Any]:
    return [fact for document in plain["documents"] for fact in document["facts"]]


def test_a_budget_without_a_price_is_refused_before_anything_is_spent() -> None:
    llm = TellingLLM()
    with pytest.raises(ConfigError, match=r"(?s)price of telling-llm is not known.*llm_prices"):
        _run(_documents(2), llm, llm_max_cost=1.0)
    assert llm.prompts == []


# --- replies and books ----------------------------------------------------------------------------


def test_nothing_is_paid_twice(tmp_path: Path) -> None:
    llm = TellingLLM()
    path = tmp_path / "s.clew"
    for _ in range(3):
        with KnowledgeBase.open(path, llm=llm, config=_config()) as kb:
            kb.ingest_documents(_documents(30))
    assert len(llm.prompts) == 3


def test_a_reply_is_safe_before_it_is_read(tmp_path: Path) -> None:
    """A run that dies right behind a call finds the reply in the next."""

    class Dies(TellingLLM):
        def complete(
            self,
            messages: Sequence[Message],
            *,
            max_tokens: int | None = None,
            schema: Mapping[str, Any] | None = None,
        ) -> Completion:
            completion = super().complete(messages, max_tokens=max_tokens, schema=schema)
            return Completion(text=completion.text, usage=completion.usage, model="dies")

    llm = Dies()
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, llm=llm, config=_config()) as kb:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("clew.extraction.telling.read_units", _killed)
            with pytest.raises(KeyboardInterrupt):
                kb.ingest_documents(_documents(5))
        assert len(llm.prompts) == 1
        report = kb.ingest_documents(_documents(5))
        assert len(llm.prompts) == 1
        assert report.usage.cached_calls == 1
        assert report.usage.calls == 0
        assert kb.usage().total.usage.calls == 1


def _killed(_: str) -> Any:
    raise KeyboardInterrupt


def test_a_reply_that_cannot_be_kept_ends_the_run() -> None:
    class Full(KnowledgeGraph):
        def keep_replies(
            self, replies: Sequence[PaidReply], usage: Iterable[UsageEntry] = ()
        ) -> None:
            raise StoreFullError("no space left")

    pipeline = IndexPipeline(llm=TellingLLM(), config=_config(), store=Full())
    with pytest.raises(StoreFullError):
        pipeline.run(_documents(2))


def test_the_books_are_by_document_and_stage(tmp_path: Path) -> None:
    llm = TellingLLM()
    config = _config(llm_prices=_prices(tmp_path))
    with KnowledgeBase.open(tmp_path / "s.clew", llm=llm, config=config) as kb:
        report = kb.ingest_documents(_documents(4))
        usage = kb.usage()
        by_document = usage.by("document")
        assert [key for (key,) in by_document] == ["d000", "d001", "d002", "d003"]
        assert usage.total.usage == report.usage
        assert usage.total.costs == {"EUR": pytest.approx(report.cost)}
        assert list(usage.by("stage")) == [("extraction",)]
        assert report.summary.endswith("EUR")
        kb.delete("d001")
        assert kb.usage().total.usage == report.usage
        assert ("d001",) not in kb.usage().by("document")


def test_a_question_is_searched_for_though_the_money_is_spent(tmp_path: Path) -> None:
    llm = ScriptedLLM([("Question: ", '["Norr"]'), (".*", _told)], fingerprint="telling-llm")
    with KnowledgeBase.open(tmp_path / "s.clew", llm=llm, config=_config()) as kb:
        kb.ingest_documents(_documents(2))
    config = _config(
        query_entity_prompt="Question: {query}",
        llm_prices=_prices(tmp_path),
        llm_max_cost=0.0,
    )
    with KnowledgeBase.open(tmp_path / "s.clew", llm=llm, config=config) as kb:
        found = kb.search("Who built near Norr?")
    assert found.items
    assert any("the budget is used up" in note for note in found.notes)


def test_questions_are_in_the_books(tmp_path: Path) -> None:
    names = ScriptedLLM([("Question: ", '["Norr"]'), (".*", _told)])
    config = _config(query_entity_prompt="Question: {query}", ku_batch_size=1)
    with KnowledgeBase.open(tmp_path / "s.clew", llm=names, config=config) as kb:
        kb.ingest_documents(_documents(2))
        before = len(names.calls)
        for _ in range(2):
            kb.search("Who built near Norr?")
        assert len(names.calls) == before + 1, "the same question is asked once"
        (asked,) = [line for line in kb.usage().lines if line.stage == "question"]
        assert asked.question == "Who built near Norr?"
        assert (asked.usage.calls, asked.usage.cached_calls) == (1, 1)
        kb.delete("d000")
        kb.search("Who built near Norr?")
        assert len(names.calls) == before + 2, "what was kept of questions went with the document"
        assert json.loads(kb.usage().to_json())["total"]["usage"]["calls"] == 4


def _told(prompt: str) -> str:
    return TellingLLM().complete(_message(prompt)).text


@pytest.mark.parametrize("error", [ConnectionError("refused"), ModelError("refused")])
def test_a_model_that_never_replies_is_given_up(error: Exception) -> None:
    llm = ScriptedLLM([(".", error)])
    config = ClewConfig(embedding_model="none", ku_batch_size=1, llm_attempts=1)
    texts = [f"Town {number} has a mill." for number in range(50)]
    pipeline = IndexPipeline(llm, config=config)
    with pytest.warns(UserWarning, match="refused|never replied"):
        store = pipeline.run(texts)
    assert len(llm.calls) == PATIENCE
    reports = pipeline.report.documents
    assert {report.degraded_chunks for report in reports} == {1}
    assert sum("failed 8 times and never replied" in report.reason for report in reports) == 42
    assert store.stats()["knowledge_units"] == 50
    assert any("the model never replied" in note for note in pipeline.report.notes)
