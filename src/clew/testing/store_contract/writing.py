"""Commits: whole, replacing, deleting, remembering, undoing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.errors import EmbeddingError, FingerprintMismatchError, NotFoundError, StoreError
from clew.stores.base import EmbeddingSpace, Store
from clew.stores.powers import Tracing
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import (
    ContractFixtures,
    assert_same_document,
    problems,
)
from clew.testing.written_documents import written_document
from clew.text.words import terms

_BRIDGE = "Norr Bridge"
_A = written_document(
    "a.txt",
    ["Norr Bridge was built by Ada Quill.", "Norr Bridge is long."],
    names=(_BRIDGE, "Ada Quill"),
)
_B = written_document("b.txt", ["Norr Bridge crosses the Vell."], names=(_BRIDGE, "Vell"))


class WritingContract(ContractFixtures):
    def test_a_new_store_is_empty(self, store: Store) -> None:
        assert set(store.stats().values()) == {0}
        assert store.embedding is None
        assert problems(store) == []

    def test_a_commit_says_what_it_added(self, store: Store) -> None:
        before = store.generation
        receipt = store.commit([_A, _B], embedding=SPACE)
        assert receipt.generation == store.generation == before + 1
        assert receipt.added == {
            "documents": 2,
            "chunks": 2,
            "knowledge_units": 3,
            "mentions": 5,
            "entities": 3,
        }
        assert receipt.removed == {}
        assert store.embedding == SPACE
        assert problems(store) == []

    def test_a_commit_that_changes_nothing_leaves_the_generation(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        before = store.generation
        receipt = store.commit(delete=["dnothing"])
        assert (receipt.generation, receipt.added, receipt.removed) == (before, {}, {})
        assert store.generation == before

    def test_what_two_documents_share_stays_with_the_second(self, store: Store) -> None:
        store.commit([_A, _B], embedding=SPACE)
        receipt = store.commit(delete=[_A.document.id])
        assert receipt.removed == {
            "documents": 1,
            "chunks": 1,
            "knowledge_units": 2,
            "mentions": 3,
            "entities": 1,
        }
        links = store.find_entities(["norr bridge", "ada quill", "vell"])
        assert np.diff(links.indptr).tolist() == [1, 0, 1]
        assert store.document_frequencies("unit", terms("Quill built bridge")).tolist() == [0, 0, 1]
        assert len(store.search_text("unit", terms("Ada Quill built"), 10).numbers) == 0
        assert store.load_document(_A.document.id) is None
        assert store.numbers_of("unit", [unit.id for unit in _A.units]).tolist() == [-1, -1]
        assert store.similar_entities("ada quil", threshold=0.5, k=5).numbers.tolist() == []
        assert store.entity_names("ada", k=5) == []
        assert problems(store) == []
        assert store.commit(delete=[_A.document.id]).removed == {}

    def test_everything_can_go(self, store: Store) -> None:
        documents = made_documents(30, seed=4)
        store.commit(documents, embedding=SPACE)
        receipt = store.commit(delete=[indexed.document.id for indexed in documents])
        assert receipt.removed["documents"] == 30
        assert set(store.stats().values()) == {0}
        assert store.merges() == []
        assert store.list_documents() == []
        assert problems(store) == []

    def test_a_document_replaces_the_one_of_its_id(self, store: Store) -> None:
        newer = written_document(
            "a.txt",
            ["Norr Bridge was built by Ida Moss.", "Norr Bridge is long."],
            names=(_BRIDGE, "Ida Moss"),
        )
        store.commit([_A, _B], embedding=SPACE)
        receipt = store.commit([newer], embedding=SPACE)
        assert receipt.added["documents"] == receipt.removed["documents"] == 1
        assert receipt.added["entities"] == receipt.removed["entities"] == 1
        assert store.stats()["documents"] == 2
        assert len(store.search_text("unit", terms("Quill"), 10).numbers) == 0
        found = store.search_text("unit", terms("Moss"), 10).numbers
        assert [unit.id for unit in store.get_units(found)] == [newer.units[0].id]
        assert_same_document(store.load_document(newer.document.id), newer)
        assert problems(store) == []

    def test_numbers_are_never_given_twice(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        before = store.numbers_of("unit", [_A.units[0].id])
        store.commit(delete=[_A.document.id])
        store.commit([_B], embedding=SPACE)
        with pytest.raises(NotFoundError):
            store.get_units(before)
        assert store.numbers_of("unit", [_B.units[0].id]) != before

    def test_the_last_of_two_with_one_id_is_put(self, store: Store) -> None:
        newer = written_document("a.txt", ["Only this."])
        store.commit([_A, newer], delete=[_A.document.id], embedding=SPACE)
        assert_same_document(store.load_document(_A.document.id), newer)
        assert store.stats()["documents"] == 1

    def test_documents_without_text_are_kept(self, store: Store) -> None:
        empty = written_document("empty.txt", [])
        store.commit([empty, _A], embedding=SPACE)
        assert [document.doc_id for document in store.list_documents()] == ["a.txt", "empty.txt"]
        assert store.stats()["chunks"] == 1
        assert problems(store) == []
        store.commit(delete=[_A.document.id])
        assert problems(store) == []

    def test_words_alone_need_no_vectors(self, store: Store) -> None:
        plain = written_document("plain.txt", ["Norr Bridge is old."], space=None)
        store.commit([plain])
        query = np.ones(SPACE.dimensions, np.float32)
        assert store.embedding is None
        assert store.search_vectors("unit", query, 5).numbers.tolist() == []
        found = store.search_text("unit", terms("old bridge"), 5).numbers
        assert store.score_vectors("unit", query, found).tolist() == [0.0]
        assert store.vectors("unit", found).shape == (1, 0)
        assert problems(store) == []

    # --- what is refused ------------------------------------------------------------------------

    @pytest.mark.parametrize("dimensions", [SPACE.dimensions, 2 * SPACE.dimensions])
    def test_another_embedder_is_refused_by_name(self, store: Store, dimensions: int) -> None:
        store.commit([_A], embedding=SPACE)
        before = store.stats(), store.generation
        other = EmbeddingSpace(fingerprint="another/model", dimensions=dimensions)
        stranger = written_document("c.txt", ["The Vell is wide."], space=other)
        with pytest.raises(FingerprintMismatchError) as caught:
            store.commit([stranger], embedding=other)
        message = str(caught.value)
        assert SPACE.fingerprint in message
        assert other.fingerprint in message
        assert "clew reembed" in message
        assert (store.stats(), store.generation) == before
        assert store.embedding == SPACE

    def test_words_alone_do_not_mix_with_vectors(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        plain = written_document("plain.txt", ["Norr Bridge is old."], space=None)
        with pytest.raises(FingerprintMismatchError):
            store.commit([plain])

    def test_an_emptied_store_takes_another_embedder(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        store.commit(delete=[_A.document.id])
        other = EmbeddingSpace(fingerprint="another/model", dimensions=8)
        written = written_document("c.txt", ["The Vell is wide."], space=other)
        store.commit([written], embedding=other)
        assert store.embedding == other
        assert_same_document(store.load_document(written.document.id), written)
        assert problems(store) == []

    @pytest.mark.parametrize(
        "fault", ["zero", "nan", "infinite", "too few", "too long", "none", "wrong dimensions"]
    )
    def test_broken_vectors_are_refused(self, store: Store, fault: str) -> None:
        assert _A.unit_vectors is not None
        good = _A.unit_vectors
        broken = {
            "zero": good * 0,
            "nan": np.where(good == good[0, 0], np.float32("nan"), good),
            "infinite": np.where(good == good[0, 0], np.float32("inf"), good),
            "too few": good[:1],
            "too long": good * 2,
            "none": None,
            "wrong dimensions": good[:, :3],
        }[fault]
        store.commit([_B], embedding=SPACE)
        before = store.generation
        with pytest.raises(EmbeddingError, match=r"a\.txt"):
            store.commit([replace(_A, unit_vectors=broken)], embedding=SPACE)
        assert store.generation == before
        assert store.load_document(_A.document.id) is None
        assert problems(store) == []

    def test_references_that_lead_nowhere_are_refused(self, store: Store) -> None:
        with pytest.raises(StoreError, match=r"a\.txt.*entity"):
            store.commit([_B, replace(_A, entities=())], embedding=SPACE)
        assert store.stats()["documents"] == 0

    def test_half_a_character_is_refused(self, store: Store) -> None:
        broken = replace(_A, document=replace(_A.document, text="A \ud83d mill."))
        with pytest.raises(StoreError, match="surrogate"):
            store.commit([broken], embedding=SPACE)
        assert store.stats()["documents"] == 0

    @pytest.mark.parametrize("value", [{1, 2}, float("nan"), {"deep": {1: "a"}}, [{2: 3}]])
    def test_metadata_that_no_store_could_give_back_is_refused(
        self, store: Store, value: object
    ) -> None:
        strange = replace(_A, document=replace(_A.document, metadata={"size": value}))
        with pytest.raises(StoreError, match=r"a\.txt.*metadata"):
            store.commit([strange], embedding=SPACE)

    # --- vectors of another embedder ------------------------------------------------------------

    def test_all_vectors_can_be_replaced(self, store: Store) -> None:
        other = EmbeddingSpace(fingerprint="another/model", dimensions=8)
        lines = {"a.txt": ["Norr Bridge is long.", "It is old."], "b.txt": ["The Vell is wide."]}
        old = [written_document(name, text) for name, text in lines.items()]
        new = [written_document(name, text, space=other) for name, text in lines.items()]
        store.commit(old, embedding=SPACE)
        before = store.generation
        given = [(item.document.id, item.chunk_vectors, item.unit_vectors) for item in new]
        receipt = store.replace_vectors(
            other,
            [
                (name, one, two)
                for name, one, two in reversed(given)
                if one is not None and two is not None
            ],
        )
        assert receipt.generation == store.generation == before + 1
        assert store.embedding == other
        for expected in new:
            assert_same_document(store.load_document(expected.document.id), expected)
        assert problems(store) == []

    def test_replacing_vectors_wants_every_document(self, store: Store) -> None:
        store.commit([_A, _B], embedding=SPACE)
        other = EmbeddingSpace(fingerprint="another/model", dimensions=8)
        vectors = np.eye(8, dtype=np.float32)
        with pytest.raises(EmbeddingError):
            store.replace_vectors(other, [(_A.document.id, vectors[:1], vectors[:2])])
        with pytest.raises(NotFoundError):
            store.replace_vectors(other, [("dnothing", vectors[:1], vectors[:2])])
        assert store.embedding == SPACE
        assert_same_document(store.load_document(_A.document.id), _A)
        assert problems(store) == []

    def test_vectors_can_be_given_up(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        store.replace_vectors(None, ())
        assert store.embedding is None
        found = store.load_document(_A.document.id)
        assert found is not None
        assert found.unit_vectors is None
        assert problems(store) == []

    # --- replies --------------------------------------------------------------------------------

    def test_replies_are_kept_until_the_document_is_made_from_others(self, store: Store) -> None:
        name = _A.document.id
        before = store.generation
        store.remember(name, {"k1": "one", "k2": "two"})
        store.remember("dother", {"k3": "three"})
        assert store.remembered(["k1", "k2", "k3", "k4"]) == {
            "k1": "one",
            "k2": "two",
            "k3": "three",
        }
        assert store.generation == before
        store.commit([replace(_A, reply_keys=("k1",))], embedding=SPACE)
        assert store.remembered(["k1", "k2", "k3"]) == {"k1": "one", "k3": "three"}
        store.commit(delete=[name])
        assert store.remembered(["k1", "k3"]) == {"k3": "three"}

    def test_replies_of_a_document_that_was_never_committed_can_go(self, store: Store) -> None:
        store.remember("dnever", {"k": "reply"})
        store.remember("dnever", {"k": "newer"})
        assert store.remembered(["k"]) == {"k": "newer"}
        store.commit(delete=["dnever"])
        assert store.remembered(["k"]) == {}

    def test_of_no_text_there_is_no_trace(self, store: Store) -> None:
        store.commit(made_documents(2, seed=31), embedding=SPACE)
        if isinstance(store, Tracing):
            assert list(store.traces([])) == list(store.traces(["", " "])) == []
