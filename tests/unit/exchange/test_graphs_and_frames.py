"""GraphML, networkx and pandas say the same of a store, and what its records say."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase
from clew.exchange.exporting import export_store
from clew.stores.memory import KnowledgeGraph
from clew.testing import FakeEmbedder
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.written_documents import written_document

_FOUNDED = "Norr Works was founded by Ada Holm in 1907.\nIda <Holm> & Co. left.\n"


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase.in_memory(embedding=FakeEmbedder())
    kb.ingest_text(_FOUNDED, name="a", title="Norr Works", metadata={"year": 1907, "tags": ["x"]})
    kb.add_facts([("Norr Works", "owns", "Norr Bridge")], name="given")
    return kb


def test_graphml_opens_in_networkx_with_the_same_nodes_and_edges(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "x.graphml"
    assert kb.export(path) == 2
    read = nx.read_graphml(path, force_multigraph=True)
    made = kb.to_networkx()
    assert dict(read.nodes(data=True)) == dict(made.nodes(data=True))
    assert sorted(read.edges(keys=True)) == sorted(made.edges(keys=True))
    for one, other, key, attributes in made.edges(keys=True, data=True):
        # networkx keeps ids of edges as their keys
        assert read.edges[one, other, key] == attributes


def test_nodes_and_edges_are_the_records(kb: KnowledgeBase) -> None:
    graph = kb.to_networkx()
    indexed = kb.document("a")
    document = graph.nodes[indexed.document.id]
    assert document["kind"] == "document"
    assert json.loads(document["metadata"]) == {"year": 1907, "tags": ["x"]}
    for unit in indexed.units:
        node = graph.nodes[unit.id]
        assert node["text"] == unit.text == _FOUNDED[node["start"] : node["end"]]
        assert graph.edges[unit.chunk_id, unit.id, f"holds-{unit.chunk_id}-{unit.id}"]
    for mention in indexed.mentions:
        edge = graph.edges[mention.unit_id, mention.entity_id, mention.id]
        assert (edge["kind"], edge["surface"]) == ("mentions", mention.surface)
    kinds = [attributes["kind"] for _, attributes in graph.nodes(data=True)]
    stats = kb.stats()
    for kind, name in (
        ("document", "documents"),
        ("chunk", "chunks"),
        ("unit", "knowledge_units"),
        ("entity", "entities"),
        ("fact", "facts"),
    ):
        assert kinds.count(kind) == stats[name]
    (owns,) = kb.facts(predicate="owns")
    ends = {
        data["kind"]: graph.nodes[end]["name"]
        for _, end, data in graph.out_edges(owns.id, data=True)
    }
    assert ends == {"subject": "Norr Works", "object": "Norr Bridge"}


def test_a_fact_keeps_what_limits_it() -> None:
    kb = KnowledgeBase.in_memory(config=ClewConfig(embedding_model="none"))
    said = {
        "subject": "Norr Works", "predicate": "may carry", "object": "mail", "negated": True,
        "confidence": 0.5, "time_start": "2010", "time_end": "2012", "time_as_said": "2010 to 2012",
        "condition": "if the ice holds", "modality": "may", "quantifier": "most ships",
        "speech_act": "promise", "tense": "past", "stated_at": "2013",
    }  # fmt: skip
    kb.add_facts([said], name="given")
    graph, (fact,) = kb.to_networkx(), kb.facts()
    node = graph.nodes[fact.id]
    assert node["label"] == "Norr Works not carry mail"
    assert {name: node[name] for name in said if name != "predicate"} == {
        name: value for name, value in said.items() if name != "predicate"
    }
    assert node["predicate_as_said"] == "may carry"


def test_what_xml_cannot_say_keeps_its_place(tmp_path: Path) -> None:
    text = "A\x00B\x0cC\rD ]]> <&> \ufffe \U0001f309"
    graph = KnowledgeGraph()
    graph.commit([written_document('a"<', [text], names=["B"])], embedding=SPACE)
    export_store(graph, tmp_path / "x.graphml")
    read = nx.read_graphml(tmp_path / "x.graphml")
    (unit,) = [node for _, node in read.nodes(data=True) if node["kind"] == "unit"]
    assert unit["text"] == "A\ufffdB\ufffdC\rD ]]> <&> \ufffd \U0001f309"
    (document,) = [node for _, node in read.nodes(data=True) if node["kind"] == "document"]
    assert document["doc_id"] == 'a"<'


def test_graphml_streams_the_same_bytes_again(tmp_path: Path) -> None:
    graph, other = KnowledgeGraph(), KnowledgeGraph()
    documents = made_documents(12, seed=5)
    graph.commit(documents, embedding=SPACE)
    other.commit(documents, embedding=SPACE)
    for name, one in (("a", graph), ("b", other)):
        export_store(one, tmp_path / f"{name}.graphml")
    assert (tmp_path / "a.graphml").read_bytes() == (tmp_path / "b.graphml").read_bytes()
    read = nx.read_graphml(tmp_path / "a.graphml")
    assert read.number_of_nodes() == sum(
        graph.stats()[name] for name in ("documents", "chunks", "knowledge_units", "entities",
                                         "facts")
    )  # fmt: skip


def test_frames_hold_the_records(kb: KnowledgeBase) -> None:
    frames = kb.to_pandas(vectors=True)
    stats = kb.stats()
    assert len(frames["documents"]) == stats["documents"]
    assert len(frames["units"]) == stats["knowledge_units"]
    assert len(frames["facts"]) == stats["facts"]
    indexed = kb.document("a")
    units = frames["units"].set_index("id")
    assert indexed.unit_vectors is not None
    for unit, vector in zip(indexed.units, indexed.unit_vectors, strict=True):
        row = units.loc[unit.id]
        assert (row["text"], row["start"], row["verbatim"]) == (unit.text, unit.start, True)
        assert np.array_equal(row["vector"], vector)
    joined = frames["mentions"].merge(
        frames["entities"], left_on=["entity_id", "document_id"], right_on=["id", "document_id"]
    )
    assert len(joined) == stats["mentions"]
    assert kb.to_pandas()["units"]["vector"].isna().all()
    assert list(frames["decisions"].columns)


def test_scope_and_filter_hold_in_graphs_and_frames(tmp_path: Path) -> None:
    graph = KnowledgeGraph()
    for scope, founder in (("acme", "Abel Rudd"), ("beta", "Bea Vann")):
        with KnowledgeBase(graph, embedding=FakeEmbedder(), config=ClewConfig(scope=scope)) as kb:
            for year in (1, 2):
                text = f"Norr Works was founded by {founder} in 190{year}."
                kb.ingest_text(text, name=f"{scope}-{year}", metadata={"year": year})
    acme = KnowledgeBase(graph, embedding=FakeEmbedder(), config=ClewConfig(scope="acme"))
    acme.export(tmp_path / "x.graphml", where={"year": 2})
    written = (tmp_path / "x.graphml").read_text(encoding="utf-8")
    told = written + repr(dict(acme.to_networkx(where={"year": 2}).nodes(data=True)))
    told += "".join(frame.to_csv() for frame in acme.to_pandas(where={"year": 2}).values())
    assert "acme-2" in told
    for hidden in ("acme-1", "1901", "Bea", "beta"):
        assert hidden not in told
