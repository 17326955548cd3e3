from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from clew.errors import StoreCorruptError
from clew.models.base import Usage, UsageEntry
from clew.stores.json_store import JSONStore
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite.store import SQLiteStore
from clew.testing.made_documents import SPACE
from clew.testing.written_documents import written_document

_ENTRY = UsageEntry(
    scope="default",
    day="2031-04-05",
    stage="answer",
    model="maker/small",
    question="Where does Xylvia live?",
    usage=Usage(calls=1, input_tokens=30, output_tokens=4),
    cost=0.5,
    currency="EUR",
)


def test_the_books_travel_with_a_saved_graph(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    graph.record_usage([_ENTRY, replace(_ENTRY, cost=None, currency="")])
    JSONStore(tmp_path / "x.json").save(graph)
    assert JSONStore(tmp_path / "x.json").load().usage() == graph.usage()
    assert KnowledgeGraph.from_json(graph.to_json()).usage() == graph.usage()


def test_a_graph_saved_before_there_were_books_has_none() -> None:
    plain = KnowledgeGraph().to_dict()
    del plain["usage"]
    assert KnowledgeGraph.from_dict(plain).usage() == []
    with pytest.raises(StoreCorruptError):
        KnowledgeGraph.from_dict(plain | {"usage": [{"scope": "default"}]})


def test_no_word_of_a_question_outlives_a_deletion(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    document = written_document("a.txt", ["A mill."])
    with SQLiteStore.open(path) as store:
        store.commit([document], embedding=SPACE)
        store.keep_reply("k", "Xylvia lives in Norr.")
        store.record_usage([_ENTRY])
        assert b"Xylvia" in _bytes(path)
        store.commit(delete=[document.document.id])
        assert b"Xylvia" not in _bytes(path)
        assert [entry.cost for entry in store.usage()] == [0.5]
    assert b"Xylvia" not in _bytes(path)


def _bytes(path: Path) -> bytes:
    return b"".join(item.read_bytes() for item in path.rglob("*") if item.is_file())
