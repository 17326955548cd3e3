"""Nodes and the node parser of LlamaIndex, with the real package."""

from __future__ import annotations

from itertools import pairwise

from llama_index.core import Document
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import NodeRelationship, TextNode

from clew.chunking.adaptive import AdaptiveChunker
from clew.integrations.llama_index import LlamaIndexAdaptiveNodeParser, result_to_llama_nodes

TEXT = (
    "# Orm Mill\n\n" + "The mill grinds corn. It stands at the brook.\n\n" * 60 + "# End\n\nDone.\n"
)


def test_chunks_become_nodes_that_know_their_neighbours() -> None:
    result = AdaptiveChunker().chunk(TEXT, document_id="mill")
    nodes = result_to_llama_nodes(result, metadata={"author": "Lind"})
    assert [node.text for node in nodes] == [chunk.text for chunk in result.chunks]
    assert len(nodes) > 2
    for node in nodes:
        assert TEXT[node.start_char_idx : node.end_char_idx] == node.text
        assert node.metadata["author"] == "Lind"
        assert node.relationships[NodeRelationship.SOURCE].node_id == "mill"  # type: ignore[union-attr]
    for before, after in pairwise(nodes):
        assert before.next_node is not None
        assert before.next_node.node_id == after.node_id
        assert after.prev_node is not None
        assert after.prev_node.node_id == before.node_id
    assert nodes[0].prev_node is None


def test_the_parser_works_in_a_pipeline() -> None:
    document = Document(text=TEXT, metadata={"file": "mill.md"}, id_="mill")
    parser = LlamaIndexAdaptiveNodeParser(chunk_size=400)
    nodes = IngestionPipeline(transformations=[parser]).run(documents=[document])
    assert len(nodes) > 5
    for node in nodes:
        assert isinstance(node, TextNode)
        assert TEXT[node.start_char_idx : node.end_char_idx] == node.text
        assert len(node.text) <= 400
        assert node.metadata["file"] == "mill.md"
        assert node.ref_doc_id == "mill"
    assert [node.id_ for node in nodes] == [
        node.id_ for node in parser.get_nodes_from_documents([document])
    ]


def test_a_parser_can_be_written_down_and_read_again() -> None:
    parser = LlamaIndexAdaptiveNodeParser(chunk_size=250, strategies=("sentence",))
    written = {key: value for key, value in parser.to_dict().items() if key != "id_func"}
    again = LlamaIndexAdaptiveNodeParser.from_dict(written)
    nodes = again.get_nodes_from_documents([Document(text=TEXT)])
    assert {node.metadata["strategy"] for node in nodes} == {"sentence"}
