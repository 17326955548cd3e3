"""The vocabulary method over whole runs: all documents decide, and what was paid for holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, IndexPipeline, KnowledgeBase, SQLiteStore
from clew.reports import Status
from clew.stores.base import Store
from clew.testing import ScriptedLLM

CONFIG = ClewConfig(embedding_model="none", ku_extraction_method="vocabulary")
TEXTS = [
    {"doc_id": f"d{number:03}", "text": f"Report {number} names the tidal gauge. {extra}"}
    for number, extra in enumerate(
        ["The C++ code is old.", "Ida Holm wrote C++ code.", "Ida Holm left.", "潮汐計がある。"]
        * 80
    )
]


def _kept(*names: str) -> str:
    return json.dumps({"terms": [{"name": name, "type": "THING"} for name in names]})


def _llm() -> ScriptedLLM:
    return ScriptedLLM([(".", _kept("tidal gauge", "C++", "Ida Holm", "潮汐計"))])


def _names(store: Store) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for document in store.list_documents():
        indexed = store.load_document(document.id)
        assert indexed is not None
        found[document.doc_id] = {mention.surface for mention in indexed.mentions}
    return found


def test_all_documents_decide_before_the_first_is_written() -> None:
    llm = _llm()
    names = _names(IndexPipeline(llm, config=CONFIG).run(TEXTS))
    assert {"tidal gauge", "C++"} <= names["d000"]
    assert {"Ida Holm", "C++"} <= names["d001"]
    assert "潮汐計" in names["d003"]
    assert len(llm.calls) == 1


def test_the_order_of_documents_does_not_matter() -> None:
    forward = _names(IndexPipeline(_llm(), config=CONFIG).run(TEXTS))
    backward = _names(IndexPipeline(_llm(), config=CONFIG).run(TEXTS[::-1]))
    assert forward == backward


def test_later_runs_ask_only_about_new_terms(tmp_path: Path) -> None:
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        first = _llm()
        IndexPipeline(first, config=CONFIG, store=store).run(TEXTS[:8])
        later = ScriptedLLM([(".", _kept("sluice gate"))])
        more = [
            {"doc_id": "x", "text": "A sluice gate by the tidal gauge. Another sluice gate."},
            {"doc_id": "y", "text": "Ida Holm read one tidal gauge."},
        ]
        IndexPipeline(later, config=CONFIG, store=store).run(more)
        (call,) = later.calls
        assert "sluice gate" in call.prompt.splitlines()
        assert "tidal gauge" not in call.prompt.splitlines()
        names = _names(store)
        assert names["x"] == {"sluice gate", "tidal gauge"}
        assert {"Ida Holm", "tidal gauge"} <= names["y"]


def test_a_call_that_fails_costs_only_documents_with_its_terms() -> None:
    config = CONFIG.replace(vocab_max_terms_per_llm_call=1)
    bad = ScriptedLLM(
        [
            (r"\ntidal gauge\s*$", ConnectionError("down")),
            (".", lambda prompt: _kept(_last(prompt))),
        ]
    )
    texts = [
        {"doc_id": "a", "text": "The tidal gauge stands. A tidal gauge fell."},
        {"doc_id": "b", "text": "The sluice gate stands. A sluice gate fell."},
    ]
    pipeline = IndexPipeline(bad, config=config)
    with pytest.warns(UserWarning, match="down"):
        store = pipeline.run(texts)
    statuses = {one.doc_id: one.status for one in pipeline.report.documents}
    assert statuses == {"a": Status.PARTIAL, "b": Status.INSERTED}
    assert _names(store)["b"] == {"sluice gate"}


def _last(prompt: str) -> str:
    return prompt.rstrip().splitlines()[-1]


def test_what_was_decided_goes_when_something_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, llm=_llm(), config=CONFIG) as kb:
        kb.ingest_documents(TEXTS[:8])
        kb.delete("d000")
    again = _llm()
    with KnowledgeBase.open(path, llm=again, config=CONFIG) as kb:
        kb.ingest_documents(_again("d000"))
    assert len(again.calls) == 1


def _again(doc_id: str) -> list[dict[str, Any]]:
    text = "The tidal gauge stands here. Another tidal gauge stands there."
    return [{"doc_id": doc_id, "text": text}]
