"""The splitter of LangChain, with the real package."""

from __future__ import annotations

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.config import ChunkingConfig
from clew.chunking.making import make_chunker
from clew.chunking.selector import AdaptiveSelector
from clew.errors import ConfigError
from clew.integrations.langchain import LangChainAdaptiveTextSplitter

TEXT = (
    "# Orm Mill\n\n" + "The mill grinds corn. It stands at the brook.\n\n" * 20 + "# End\n\nDone.\n"
)


def test_it_is_a_text_splitter_whose_pieces_are_slices() -> None:
    splitter = LangChainAdaptiveTextSplitter(chunk_size=300)
    assert isinstance(splitter, TextSplitter)
    documents = splitter.create_documents([TEXT, "Short."], [{"source": "a"}, {"source": "b"}])
    first = [document for document in documents if document.metadata["source"] == "a"]
    assert len(first) > 2
    for document in first:
        start = document.metadata["start_index"]
        assert TEXT[start : start + len(document.page_content)] == document.page_content
        assert len(document.page_content) <= 300
        assert document.metadata["strategy"]
    assert first[0].metadata["heading_path"] == ["Orm Mill"]
    assert documents[-1].page_content == "Short."
    assert splitter.split_text(TEXT) == [document.page_content for document in first]


def test_documents_keep_their_own_metadata() -> None:
    metadata = {"source": "a", "tags": ["x"], "strategy": "mine"}
    (one,) = LangChainAdaptiveTextSplitter().split_documents(
        [Document(page_content="A mill.", metadata=metadata)]
    )
    assert one.metadata["strategy"] == "mine"
    assert one.metadata["tags"] == ["x"]
    assert one.metadata["tags"] is not metadata["tags"]
    transformed = LangChainAdaptiveTextSplitter().transform_documents([one])
    assert [document.page_content for document in transformed] == ["A mill."]


def test_the_chunker_and_the_strategies_can_be_chosen() -> None:
    config = ChunkingConfig(chunk_strategy="sentence", chunk_size=120, chunk_overlap=0)
    chunker = AdaptiveChunker(AdaptiveSelector([make_chunker(config)]))
    pieces = LangChainAdaptiveTextSplitter(chunker).split_text(TEXT)
    assert max(map(len, pieces)) <= 120
    fixed = LangChainAdaptiveTextSplitter(strategies=["fixed"], chunk_size=100)
    assert {one.metadata["strategy"] for one in fixed.create_documents([TEXT])} == {"fixed-window"}
    with pytest.raises(ConfigError, match="sentences"):
        LangChainAdaptiveTextSplitter(strategies=["sentences"])
