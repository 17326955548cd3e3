"""The graph is the same wherever its documents were read."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from clew import ClewConfig, Document, KnowledgeBase
from clew.chunking import Outline, Span, register_chunker, unregister_chunker
from clew.documents import documents_from
from clew.extraction.sentence import SentenceExtractor
from clew.indexing.extracting import ExtractBatch, Extracted
from clew.indexing.pipeline import IndexPipeline
from clew.indexing.reading import BatchSize
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder

FAMILIES = ("Orm", "Norr", "Tal", "Wes")
WORDS = ClewConfig(embedding_model="none")


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a few documents are work for several processes."""
    for name in ("_OF_WORDS", "_EMBEDDED", "_REMOTE"):
        monkeypatch.setattr(f"clew.indexing.reading.{name}", BatchSize(16, 100_000))


def _documents(count: int) -> list[dict[str, str]]:
    return [
        {
            "doc_id": f"d{number}",
            "title": f"Mill {number}",
            "text": f"Mill {number} was built by Dr. Jane {FAMILIES[number % 4]} in 17{number:02}. "
            f"{FAMILIES[number % 4]} sold it to the Brook Company.\n\n# Later\n\nIt burnt down.",
        }
        for number in range(count)
    ]


@pytest.mark.parametrize("embedded", [False, True])
def test_other_processes_make_the_same_graph(tmp_path: Path, embedded: bool) -> None:
    exports = []
    for executor in ("inline", "processes"):
        config = ClewConfig(executor=executor, embedding_model="none")
        embedding = FakeEmbedder() if embedded else None
        with SQLiteStore.open(tmp_path / executor) as store:
            pipeline = IndexPipeline(embedding=embedding, config=config, store=store)
            pipeline.run(_documents(200))
        with KnowledgeBase.open(tmp_path / executor, embedding=embedding, config=WORDS) as kb:
            assert kb.check() == []
            kb.export(tmp_path / f"{executor}.jsonl")
        exports.append((tmp_path / f"{executor}.jsonl").read_text(encoding="utf-8").splitlines())
    assert exports[0] == exports[1]
    assert any("Brook Company" in json.dumps(line) for line in exports[0])


def test_a_config_with_callbacks_can_be_used(tmp_path: Path) -> None:
    told: list[int] = []
    config = ClewConfig(
        executor="processes",
        embedding_model="none",
        on_progress=lambda done, _total, _stage: told.append(done),
    )
    with SQLiteStore.open(tmp_path / "s") as store:
        IndexPipeline(config=config, store=store).run(_documents(200))
    assert told[-1] == 200


def test_what_was_extracted_survives_the_way() -> None:
    documents = [item for item in documents_from(_documents(5)) if isinstance(item, Document)]
    extracted = ExtractBatch(WORDS, SentenceExtractor(WORDS))(documents)
    assert pickle.loads(pickle.dumps(extracted)) == extracted
    failed = Extracted(failure="no reason")
    assert pickle.loads(pickle.dumps(failed)) == failed


@pytest.mark.parametrize(
    "executor", ["auto", pytest.param("ray", marks=pytest.mark.xdist_group("ray"))]
)
def test_a_strategy_of_ones_own_cuts_at_home(
    tmp_path: Path, executor: str, request: pytest.FixtureRequest
) -> None:
    if executor == "ray":
        request.getfixturevalue("ray_cluster")
    register_chunker("halves", lambda _config, _count: _Halves())
    try:
        config = WORDS.replace(chunk_strategy="halves", executor=executor, workers=1)
        with SQLiteStore.open(tmp_path / "s") as store:
            pipeline = IndexPipeline(config=config, store=store)
            pipeline.run(_documents(200))
            assert pipeline.report.counts == {"inserted": 200}
            assert store.stats()["chunks"] == 400
    finally:
        unregister_chunker("halves")


class _Halves:
    name = "halves"

    def cuts(self, outline: Outline) -> list[Span]:
        middle = outline.text.index("# Later")
        return [Span(0, middle - 2), Span(middle, len(outline.text.rstrip()))]
