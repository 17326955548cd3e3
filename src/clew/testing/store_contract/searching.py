"""Searches give what the reference gives."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from clew.errors import StoreError
from clew.stores.base import Layer, Ranking, Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import ContractFixtures, ids_of, scored_ids
from clew.testing.written_documents import text_vector, written_document
from clew.text.words import terms

LAYERS: tuple[Layer, Layer] = ("chunk", "unit")
_QUESTIONS = (
    "who built the long bridge",
    "the river and the old mill of the town",
    "Norhag market",
    "winter",
    "nothing of this kind: zzz",
)
_FILTERS: tuple[dict[str, Any] | None, ...] = (None, {"year": {"$gte": 2010}}, {"year": 1800})


class SearchContract(ContractFixtures):
    @pytest.mark.parametrize("where", _FILTERS)
    def test_full_text_equals_the_reference(
        self, filled: tuple[Store, KnowledgeGraph], where: dict[str, Any] | None
    ) -> None:
        for layer, question, k in product(LAYERS, _QUESTIONS, (10_000, 7)):

            def search(
                store: Store, layer: Layer = layer, q: str = question, k: int = k
            ) -> Ranking:
                documents = None if where is None else store.select_documents(where=where)
                return store.search_text(layer, terms(q), k, documents=documents)

            _assert_same_ranking(filled, layer, search)

    @pytest.mark.parametrize("where", _FILTERS)
    def test_vectors_equal_the_reference(
        self, filled: tuple[Store, KnowledgeGraph], where: dict[str, Any] | None
    ) -> None:
        query = text_vector("any question")
        for layer, k in product(LAYERS, (10_000, 5)):

            def search(store: Store, layer: Layer = layer, k: int = k) -> Ranking:
                documents = None if where is None else store.select_documents(where=where)
                return store.search_vectors(layer, query, k, documents=documents)

            _assert_same_ranking(filled, layer, search)

    @pytest.mark.parametrize("layer", ["chunk", "unit"])
    def test_scores_stand_beside_the_numbers_asked_for(
        self, filled: tuple[Store, KnowledgeGraph], layer: Layer
    ) -> None:
        store, _ = filled
        query = text_vector("any question")
        everything = store.search_vectors(layer, query, 10_000)
        few = everything.numbers[::7][::-1].copy()
        for numbers in (few, few[:1], everything.numbers, np.concatenate((few, few))):
            vectors = store.vectors(layer, numbers)
            assert vectors.dtype == np.float32
            assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
            scores = store.score_vectors(layer, query, numbers)
            assert np.allclose(scores, vectors @ query, atol=1e-5)

    def test_document_frequencies_are_exact(self, filled: tuple[Store, KnowledgeGraph]) -> None:
        store, reference = filled
        words = [*terms(" ".join(_QUESTIONS)), "bridg", "zzz", "bridg"]
        for layer in LAYERS:
            mine = store.document_frequencies(layer, words)
            assert mine.tolist() == reference.document_frequencies(layer, words).tolist()
            assert mine.max() > 0

    def test_a_chunk_is_found_by_what_stands_beside_it(self, store: Store) -> None:
        written = written_document("a", ["It was long."], title="Norr Bridge")
        store.commit([written], embedding=SPACE)
        for layer in LAYERS:
            found = store.search_text(layer, terms("Norr"), 5).numbers
            assert len(found) == 1

    def test_a_term_asked_for_twice_counts_once(self, store: Store) -> None:
        store.commit([written_document("a", ["A mill.", "A town."])], embedding=SPACE)
        once = store.search_text("unit", ["mill"], 5)
        twice = store.search_text("unit", ["mill", "mill"], 5)
        assert once.scores.tolist() == twice.scores.tolist()

    def test_equal_scores_come_in_order_of_number(self, store: Store) -> None:
        lines = [f"A mill stands {word}." for word in ("north", "south", "east", "west")]
        store.commit([written_document(line, [line]) for line in lines], embedding=SPACE)
        found = store.search_text("unit", ["mill"], 3)
        assert found.numbers.tolist() == sorted(found.numbers.tolist())
        assert len(found.numbers) == 3

    def test_a_word_in_most_records_still_counts_a_little(self, store: Store) -> None:
        lines = ["A mill.", "A mill again.", "The mill."]
        store.commit([written_document("a", lines)], embedding=SPACE)
        scores = store.search_text("unit", ["mill"], 5).scores
        assert len(scores) == 3
        assert 0 < scores.max() < 1e-5

    def test_a_query_of_other_dimensions_is_refused(
        self, filled: tuple[Store, KnowledgeGraph]
    ) -> None:
        store, _ = filled
        with pytest.raises(StoreError, match=str(SPACE.dimensions)):
            store.search_vectors("unit", np.ones(3, np.float32), 5)


def _assert_same_ranking(
    filled: tuple[Store, KnowledgeGraph], layer: Layer, search: Callable[[Store], Ranking]
) -> None:
    """The same scores in the same order; equal scores may change places at the edge."""
    store, reference = filled
    mine, theirs = search(store), search(reference)
    assert np.all(np.diff(mine.scores) <= 0)
    assert np.allclose(mine.scores, theirs.scores, atol=1e-5)
    found, expected = scored_ids(store, layer, mine), scored_ids(reference, layer, theirs)
    edge = min(expected.values(), default=0.0) + 1e-5
    for id_, score in expected.items():
        if score > edge:
            assert abs(found[id_] - score) < 1e-5
    assert len(ids_of(store, layer, mine.numbers)) == len(found)
