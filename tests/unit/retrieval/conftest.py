"""The same small corpus in each kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from clew.config import ClewConfig
from clew.indexing.pipeline import IndexPipeline
from clew.models.base import Embedder
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore
from clew.testing.small_graphs import small_graph

StoreMaker = Callable[..., Store]


@pytest.fixture(params=["memory", "sqlite"])
def store_of(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StoreMaker]:
    """Make a store of texts (title → text), in memory or in a folder.

    ``names`` are the names in them; without, the texts are indexed as documents are, by rule.
    """
    with ExitStack() as opened:

        def make(
            texts: Mapping[str, str],
            *,
            names: Iterable[str] | None = None,
            embedder: Embedder | None = None,
        ) -> Store:
            graph = small_graph(texts, names=names or (), embedder=embedder)
            if names is None:
                graph = KnowledgeGraph()
                documents = [
                    {"title": title, "doc_id": title, "text": text} for title, text in texts.items()
                ]
                config = ClewConfig(embedding_model="none")
                IndexPipeline(store=graph, config=config).run(documents)
            if request.param == "memory":
                return graph
            store = opened.enter_context(SQLiteStore.open(tmp_path / "linking.clew"))
            kept = [graph.load_document(document.id) for document in graph.list_documents()]
            store.commit([one for one in kept if one is not None], embedding=graph.embedding)
            return store

        yield make
