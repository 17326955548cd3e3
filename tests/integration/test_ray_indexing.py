"""Indexing on a Ray cluster: the same graph as in one process, whatever happens on the way."""

from __future__ import annotations

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from clew import ClewConfig, IndexPipeline, KnowledgeBase
from clew.errors import FingerprintMismatchError
from clew.executors.base import Caller, Executor
from clew.executors.ray_cluster import RayExecutor
from clew.extraction.sentence import SentenceExtractor
from clew.indexing.reading import BatchSize
from clew.indexing.remote import Errand, RemoteBatch
from clew.models.base import Completion
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, TellingLLM

pytestmark = pytest.mark.usefixtures("ray_cluster", "small_batches")

FAMILIES = ("Orm", "Norr", "Tal", "Wes")
WORDS = ClewConfig(embedding_model="none", ku_extraction_method="sentence")
RAY: dict[str, Any] = {"executor": "ray", "workers": 2}


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few documents are work for several workers."""
    for name in ("_REMOTE", "_REMOTE_EMBEDDED", "_OF_MODEL"):
        monkeypatch.setattr(f"clew.indexing.reading.{name}", BatchSize(8, 100_000))


def _documents(count: int, first: int = 0, later: str = "It burnt down.") -> list[dict[str, str]]:
    return [
        {
            "doc_id": f"d{number}",
            "title": f"Mill {number}",
            "text": f"Mill {number} was built by Jane {FAMILIES[number % 4]} in {1700 + number}. "
            f"{FAMILIES[number % 4]} sold it to the Brook Company.\n\n# Later\n\n{later}",
        }
        for number in range(first, first + count)
    ]


def _export(path: Path, **options: Any) -> str:
    config = ClewConfig(ku_extraction_method="sentence", **options)
    with KnowledgeBase.open(path, config=config) as kb:
        kb.export(path.with_suffix(".jsonl"))
    return path.with_suffix(".jsonl").read_text(encoding="utf-8")


def test_workers_embed_what_the_caller_would(tmp_path: Path) -> None:
    """With the packaged embedder; then again, where only some documents changed."""
    exports = []
    for executor in ("inline", "ray"):
        workers = 2 if executor == "ray" else None
        config = ClewConfig(executor=executor, workers=workers, chunk_strategy="semantic")
        with KnowledgeBase.open(tmp_path / executor, config=config) as kb:
            kb.ingest_documents(_documents(18))
            report = kb.ingest_documents([*_documents(14), *_documents(4, 14, "It was rebuilt.")])
            assert report.counts == {"unchanged": 14, "updated": 4}
        exports.append(_export(tmp_path / executor))
    assert exports[0] == exports[1]


def test_the_graph_is_that_of_one_process(tmp_path: Path) -> None:
    """With an embedder that was given and stays with the caller."""
    exports = []
    for executor in ("inline", "threads", "ray"):
        config = WORDS.replace(executor=executor, workers=2)
        with SQLiteStore.open(tmp_path / executor) as store:
            pipeline = IndexPipeline(embedding=FakeEmbedder(), config=config, store=store)
            pipeline.run(_documents(60))
            assert pipeline.report.counts == {"inserted": 60}
        with KnowledgeBase.open(tmp_path / executor, embedding=FakeEmbedder(), config=WORDS) as kb:
            kb.export(tmp_path / f"{executor}.jsonl")
        exports.append((tmp_path / f"{executor}.jsonl").read_text(encoding="utf-8"))
    assert exports[0] == exports[1] == exports[2]


class KillingExtractor:
    """Sentences; and once, the end of the process that reads document d7."""

    method = "sentence"

    def __init__(self, mark: Path) -> None:
        self._mark = mark
        self._sentences = SentenceExtractor(WORDS)

    def extract(self, documents: Sequence[Any]) -> Any:
        if any(document.doc_id == "d7" for document, _ in documents) and not self._mark.exists():
            self._mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return self._sentences.extract(documents)


def test_a_killed_worker_costs_the_graph_nothing(tmp_path: Path) -> None:
    from clew.documents import documents_from

    exports = []
    for name, settings in (("inline", dict[str, Any]()), ("ray", RAY)):
        config = WORDS.replace(**settings)
        mark = tmp_path / "killed"
        if name == "inline":
            mark.touch()
        else:
            mark.unlink()
        with SQLiteStore.open(tmp_path / name) as store:
            pipeline = IndexPipeline(config=config, store=store)
            given = documents_from(_documents(60))
            extractor = KillingExtractor(mark)
            if name == "ray":
                with pytest.warns(UserWarning, match="a worker was lost"):
                    report = pipeline.index(given, store, extractor=extractor)
            else:
                report = pipeline.index(given, store, extractor=extractor)
        assert report.counts == {"inserted": 60}
        exports.append(_export(tmp_path / name, embedding_model="none"))
    assert exports[0] == exports[1]


# --- with a language model --------------------------------------------------------------------


class _WhereAsked(TellingLLM):
    """Keeps the process of each call."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.processes: set[int] = set()

    def complete(self, *arguments: Any, **options: Any) -> Completion:
        self.processes.add(os.getpid())
        return super().complete(*arguments, **options)


_LLM: dict[str, Any] = {
    "embedding_model": "none",
    "ku_extraction_method": "llm",
    "ku_batch_size": 1,
}


def _plain(path: Path) -> list[str]:
    """An export without the books, which know how long calls took."""
    lines = _export(path, embedding_model="none").splitlines()
    return [line for line in lines if not re.match(r'\{"(kind|type)": ?"usage"', line)]


@pytest.mark.parametrize(
    "settings",
    [{"llm_budget": "40%"}, {"ku_extraction_method": "vocabulary", "llm_cache": False}],
    ids=["a share", "vocabulary, nothing kept"],
)
def test_calls_of_a_model_are_made_at_home(tmp_path: Path, settings: dict[str, Any]) -> None:
    exports, asked = [], []
    for name, place in (("inline", dict[str, Any]()), ("ray", RAY)):
        llm = _WhereAsked(latency_s=0.002)
        config = ClewConfig(**(_LLM | {"ku_concurrency": 4} | settings | place))
        with KnowledgeBase.open(tmp_path / name, llm=llm, config=config) as kb:
            report = kb.ingest_documents(_documents(60))
            assert report.counts == {"inserted": 60}
            assert report.usage.calls == len(llm.prompts)
        assert llm.processes == {os.getpid()}
        assert llm.most_underway <= 4
        exports.append(_plain(tmp_path / name))
        asked.append(Counter(llm.prompts))
    assert exports[0] == exports[1]
    assert asked[0] == asked[1]


def test_a_worker_that_is_killed_while_it_asks_pays_nothing_twice(tmp_path: Path) -> None:
    llm = TellingLLM(latency_s=0.02)
    config = ClewConfig(**_LLM, **RAY, ku_concurrency=4)
    quiet = TellingLLM()
    with KnowledgeBase.open(tmp_path / "inline", llm=quiet, config=ClewConfig(**_LLM)) as kb:
        kb.ingest_documents(_documents(60))
    killer = Thread(target=_kill_a_worker, args=(llm,))
    killer.start()
    kb = KnowledgeBase.open(tmp_path / "ray", llm=llm, config=config)
    with pytest.warns(UserWarning, match="a worker was lost"):
        report = kb.ingest_documents(_documents(60))
    kb.close()
    killer.join()
    assert report.counts == {"inserted": 60}
    assert Counter(llm.prompts) == Counter(quiet.prompts)
    assert set(Counter(llm.prompts).values()) == {1}
    assert _plain(tmp_path / "inline") == _plain(tmp_path / "ray")


def _kill_a_worker(llm: TellingLLM) -> None:
    """Kill one that is at work, when some calls were made."""
    while len(llm.prompts) < 8:
        time.sleep(0.01)
    for entry in Path("/proc").iterdir():
        try:
            if (entry / "cmdline").read_bytes().startswith(b"ray::Worker.work"):
                os.kill(int(entry.name), signal.SIGKILL)
                return
        except OSError:
            continue


def test_a_run_that_is_stopped_keeps_what_it_paid_for(tmp_path: Path) -> None:
    from clew.documents import documents_from

    config = ClewConfig(**_LLM, **RAY, ku_concurrency=4)
    llm = TellingLLM(latency_s=0.02)
    with SQLiteStore.open(tmp_path / "s") as store:
        pipeline = IndexPipeline(llm, config=config, store=store)
        stopped = pipeline.index(
            documents_from(_documents(60)), store, should_stop=lambda: len(llm.prompts) > 10
        )
        assert stopped.interrupted
        assert len(llm.prompts) < 50
        pipeline = IndexPipeline(llm, config=ClewConfig(**_LLM), store=store)
        report = pipeline.index(documents_from(_documents(60)), store)
        assert not report.interrupted
    assert set(Counter(llm.prompts).values()) == {1}


# --- errors -----------------------------------------------------------------------------------


def test_another_embedder_on_a_worker_is_refused() -> None:
    batch = RemoteBatch(WORDS, SentenceExtractor(WORDS), "another/tokens/0123")
    errand = Errand(documents=(), batch=(), known=())
    executor: Executor = RayExecutor(1).attended(Caller())
    with pytest.raises(FingerprintMismatchError, match="a worker has no embedder, this process"):
        list(executor.map(batch, [errand]))
