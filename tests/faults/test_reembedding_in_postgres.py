"""Changing the embedder of a store in PostgreSQL while others write, and after a failure."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase
from clew.errors import ModelError, ReadOnlyStoreError, StoreLockedError
from clew.stores.base import EmbeddingSpace
from clew.stores.postgres import PostgresStore
from clew.stores.powers import Staging
from clew.testing import FakeEmbedder, FlakyEmbedder

_DOCUMENTS = 12
_BATCH = 3
_CONFIG = ClewConfig(embedding_batch_size=_BATCH, embedding_concurrency=1)
_SPACE = EmbeddingSpace(fingerprint="other", dimensions=4)


@pytest.fixture
def store_url(postgres_url: str) -> str:
    with KnowledgeBase.open(postgres_url, embedding=FakeEmbedder()) as kb:
        kb.ingest_documents(
            [{"doc_id": f"d{n}", "text": f"Mill {n} stands in Ort{n}."} for n in range(_DOCUMENTS)]
        )
    return postgres_url


def test_vectors_wait_on_the_stage(postgres_url: str) -> None:
    rows = np.arange(8, dtype=np.float32).reshape(2, 4)
    with PostgresStore.open(postgres_url) as store:
        assert isinstance(store, Staging)
        assert store.stage_state() is None
        with store.staged(_SPACE) as stage:
            stage.put({"a": rows, "b": rows[:1]})
            assert stage.get(["none"]) == {}
    with PostgresStore.open(postgres_url) as store:
        state = store.stage_state()
        assert state is not None
        assert (state.space, state.vectors) == (_SPACE, 2)
        store.unstage(["b", "none"])
        with store.staged(_SPACE) as stage:
            found = stage.get(["a", "b"])
            assert found.keys() == {"a"}
            np.testing.assert_array_equal(found["a"], rows)
        with store.staged(EmbeddingSpace(fingerprint="third", dimensions=4)) as stage:
            assert stage.get(["a"]) == {}
            stage.drop()
        assert store.stage_state() is None
        with store.staged(_SPACE):
            pass
        store.unstage()
        assert store.stage_state() is None
    with (
        PostgresStore.open(postgres_url, read_only=True) as reader,
        pytest.raises(ReadOnlyStoreError),
        reader.staged(_SPACE),
    ):
        pass


def test_one_at_a_time(postgres_url: str) -> None:
    with PostgresStore.open(postgres_url) as one, PostgresStore.open(postgres_url) as other:
        with one.staged(_SPACE) as stage:
            stage.put({"a": np.ones((1, 4), np.float32)})
            for refused in (other.staged(_SPACE).__enter__, other.unstage):
                with pytest.raises(StoreLockedError, match="embedding this store anew"):
                    refused()
            other.unstage(["a"])
        with other.staged(_SPACE) as stage:
            assert stage.get(["a"]) == {}


def test_a_failing_embedder_leaves_the_old_vectors_and_what_it_did(store_url: str) -> None:
    broken = FlakyEmbedder("error", at_call=3, seed=9)
    with KnowledgeBase.open(store_url, embedding=FakeEmbedder()) as kb:
        failing = KnowledgeBase(kb.store, embedding=broken, config=_CONFIG)
        with pytest.raises(ModelError):
            failing.reembed()
        assert kb.search("Where does Mill 3 stand?").items
        state = failing.half_embedded()
        assert state is not None
        assert (state.space.fingerprint, state.vectors) == (broken.fingerprint, 3 * _BATCH)
        whole = FakeEmbedder(seed=9)
        again = KnowledgeBase(kb.store, embedding=whole, config=_CONFIG)
        again.reembed()
        assert max(Counter(whole.texts).values()) == 1
        assert len(set(whole.texts)) < 2 * _DOCUMENTS
        assert again.half_embedded() is None
        assert again.check() == []


def test_others_write_meanwhile_and_nothing_of_it_is_missed(store_url: str) -> None:
    class Meanwhile(FakeEmbedder):
        """While it embeds, another adds a document, changes one and deletes one."""

        def embed_spans(self, texts: Any, spans: Any) -> Any:
            if not self.call_count:
                with KnowledgeBase.open(store_url, embedding=FakeEmbedder()) as other:
                    other.ingest_text("A new mill in Skagen.", name="new")
                    other.ingest_text("Mill 2 is a ruin now.", name="d2")
                    other.delete("d3")
            return super().embed_spans(texts, spans)

    with KnowledgeBase.open(store_url, embedding=Meanwhile(seed=9), config=_CONFIG) as kb:
        kb.reembed()
        assert len(kb.documents()) == _DOCUMENTS
        assert kb.search("a new mill in Skagen").items[0].doc_id == "new"
        assert kb.check() == []
