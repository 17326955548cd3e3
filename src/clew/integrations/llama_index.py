"""clew's chunks as nodes of LlamaIndex, and its chunking as a node parser."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.choosing import chooser
from clew.chunking.config import ChunkingConfig
from clew.chunking.result import ChunkingResult
from clew.models.extras import import_extra
from clew.records import Chunk

if TYPE_CHECKING:
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.schema import BaseNode, NodeRelationship, RelatedNodeInfo, TextNode
    from pydantic import PrivateAttr
else:
    NodeParser = import_extra(
        "llama_index.core.node_parser", extra="llama-index", purpose="the LlamaIndex parser"
    ).NodeParser
    _schema = import_extra(
        "llama_index.core.schema", extra="llama-index", purpose="LlamaIndex nodes"
    )
    BaseNode, TextNode = _schema.BaseNode, _schema.TextNode
    NodeRelationship, RelatedNodeInfo = _schema.NodeRelationship, _schema.RelatedNodeInfo
    PrivateAttr = import_extra(
        "pydantic", extra="llama-index", purpose="the LlamaIndex parser"
    ).PrivateAttr


def result_to_llama_nodes(
    result: ChunkingResult, *, metadata: dict[str, Any] | None = None
) -> list[TextNode]:
    """Return the nodes of the chunks of a result, as :func:`chunks_to_llama_nodes` makes them."""
    return chunks_to_llama_nodes(result.chunks, document_id=result.document_id, metadata=metadata)


def chunks_to_llama_nodes(
    chunks: Sequence[Chunk],
    *,
    document_id: str = "document",
    metadata: dict[str, Any] | None = None,
) -> list[TextNode]:
    """Return one ``TextNode`` a chunk: its text, its span, links to the document and to the nodes
    before and behind it, and ``metadata`` beside the chunk's own.
    """
    nodes = [_node(chunk, document_id, metadata or {}) for chunk in chunks]
    for before, after in pairwise(nodes):
        before.relationships[NodeRelationship.NEXT] = after.as_related_node_info()
        after.relationships[NodeRelationship.PREVIOUS] = before.as_related_node_info()
    return nodes


class LlamaIndexAdaptiveNodeParser(NodeParser):
    """Parses documents into nodes, each by the strategy that suits it: those of ``strategies``, or
    the usual candidates, at ``chunk_size`` and ``chunk_overlap`` characters. A ``chunker`` of your
    own takes their place; it is not written down by ``to_dict``.
    """

    chunk_size: int = 1000
    chunk_overlap: int = 0
    strategies: tuple[str, ...] = ()

    _own_chunker: AdaptiveChunker | None = PrivateAttr(default=None)

    def __init__(self, chunker: AdaptiveChunker | None = None, **options: Any) -> None:
        super().__init__(**options)
        self._own_chunker = chunker

    @classmethod
    def class_name(cls) -> str:
        return "LlamaIndexAdaptiveNodeParser"

    def _parse_nodes(
        self,
        nodes: Sequence[BaseNode],
        show_progress: bool = False,  # noqa: ARG002 - the name is LlamaIndex's
        **options: Any,  # noqa: ARG002
    ) -> list[BaseNode]:
        chunker = self._chunker()
        parsed: list[BaseNode] = []
        for node in nodes:
            result = chunker.chunk(node.get_content(), document_id=node.node_id)
            parsed += result_to_llama_nodes(result, metadata=dict(node.metadata))
        return parsed

    def _chunker(self) -> AdaptiveChunker:
        if self._own_chunker is not None:
            return self._own_chunker
        config = ChunkingConfig(chunk_size=self.chunk_size, chunk_overlap=self.chunk_overlap)
        return chooser(config, self.strategies)


LlamaIndexAdaptiveParser = LlamaIndexAdaptiveNodeParser
"""The same by its shorter name."""


def _node(chunk: Chunk, document_id: str, metadata: dict[str, Any]) -> TextNode:
    own = {
        "chunk_index": chunk.index,
        "heading_path": " › ".join(chunk.heading_path),
        **chunk.metadata,
    }
    return TextNode(
        id_=chunk.id,
        text=chunk.text,
        start_char_idx=chunk.start,
        end_char_idx=chunk.end,
        metadata=own | metadata,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document_id)},
    )
