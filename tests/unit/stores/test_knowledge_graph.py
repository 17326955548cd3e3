"""What KnowledgeGraph shows beside the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew import ids
from clew.errors import NotFoundError
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.written_documents import written_document


@pytest.fixture
def graph() -> KnowledgeGraph:
    graph = KnowledgeGraph()
    written = written_document(
        "a", ["Ada Quill built Norr.", "Norr is old."], names=["Ada Quill", "Norr"], title="Norr"
    )
    graph.commit([written], embedding=SPACE)
    return graph


def test_the_graph_as_lists(graph: KnowledgeGraph) -> None:
    assert [chunk.text for chunk in graph.chunks] == ["Ada Quill built Norr.\nNorr is old."]
    assert [unit.text for unit in graph.knowledge_units] == [
        "Ada Quill built Norr.",
        "Norr is old.",
    ]
    assert sorted(entity.name for entity in graph.entities) == ["Ada Quill", "Norr"]
    kinds = sorted(kind for _, kind, _ in graph.edges)
    assert kinds == ["about", "holds", "holds", "mentions", "mentions", "mentions"]
    assert graph.stats()["edges"] == len(graph.edges)


def test_edges_are_counted_once() -> None:
    graph = KnowledgeGraph()
    graph.commit(made_documents(30, seed=12), embedding=SPACE)
    assert graph.stats()["edges"] == len(graph.edges) == len(set(graph.edges))


def test_looking_up(graph: KnowledgeGraph) -> None:
    chunk, unit = graph.chunks[0], graph.knowledge_units[1]
    assert graph.get_chunk(chunk.id) == chunk
    assert graph.get_unit(unit.id) == unit
    norr = graph.entity_by_name("NORR")
    assert norr is not None
    assert graph.get_entity(norr.id) == norr
    assert norr.id == ids.entity_id("default", "norr")
    assert graph.entity_by_name("Norr", scope="other") is None
    assert graph.entity_by_name("nobody") is None
    assert graph.get_chunk("none") is None
    assert graph.get_unit("none") is None
    assert graph.get_entity("none") is None


def test_neighbours(graph: KnowledgeGraph) -> None:
    chunk, (first, second) = graph.chunks[0], graph.knowledge_units
    norr = ids.entity_id("default", "norr")
    ada = ids.entity_id("default", "ada quill")
    assert graph.neighbors(norr) == sorted([chunk.id, first.id, second.id])
    assert graph.neighbors(chunk.id) == sorted([first.id, second.id, norr])
    assert graph.neighbors(first.id) == sorted([chunk.id, norr, ada])
    with pytest.raises(NotFoundError, match="none"):
        graph.neighbors("none")


def test_as_text_and_back(graph: KnowledgeGraph, tmp_path: Path) -> None:
    plain = graph.to_dict()
    for copy in (
        KnowledgeGraph.from_dict(plain),
        KnowledgeGraph.from_json(graph.to_json()),
        KnowledgeGraph.from_json(tmp_path / "g.json")
        if graph.to_json(tmp_path / "g.json")
        else graph,
        KnowledgeGraph.from_json(str(tmp_path / "g.json")),
    ):
        assert copy.to_dict() == plain
        assert copy.edges == graph.edges
