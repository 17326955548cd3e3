"""``where`` and scopes: which documents are selected, and that nothing else is ever seen."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from clew.errors import FilterError
from clew.stores.base import Store
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import ContractFixtures
from clew.testing.written_documents import text_vector, written_document
from clew.text.words import terms

_METADATA: dict[str, dict[str, Any]] = {
    "a": {"year": 2019, "tags": ["bridge", "river"], "draft": False, "author": {"name": "Orm"}},
    "b": {"year": 2021, "tags": ["river"], "draft": True, "rating": 4.5},
    "c": {"year": "2020", "tags": [], "note": None, "when": "2020-05-01"},
    "d": {"title": "own title", "count": 1},
    "e": {},
}
_CASES: list[tuple[dict[str, Any], str]] = [
    ({}, "abcde"),
    ({"year": 2019}, "a"),
    ({"year": 2019.0}, "a"),
    ({"year": "2020"}, "c"),
    ({"year": {"$eq": 2021}}, "b"),
    ({"year": {"$ne": 2021}}, "acde"),
    ({"year": {"$gt": 2019}}, "b"),
    ({"year": {"$gte": 2019}}, "ab"),
    ({"year": {"$lt": 2021}}, "a"),
    ({"year": {"$lte": 2021}}, "ab"),
    ({"year": {"$gte": "2000"}}, "c"),
    ({"year": {"$gte": 2000, "$lt": 2020}}, "a"),
    ({"year": {"$in": [2019, "2020"]}}, "ac"),
    ({"year": {"$nin": [2019, "2020"]}}, "bde"),
    ({"year": {"$in": []}}, ""),
    ({"tags": "river"}, "ab"),
    ({"tags": ["river"]}, "b"),
    ({"tags": {"$contains": "bridge"}}, "a"),
    ({"tags": {"$in": ["bridge", "mill"]}}, "a"),
    ({"tags": {"$ne": "river"}}, "cde"),
    ({"tags": []}, "c"),
    ({"draft": True}, "b"),
    ({"draft": False}, "a"),
    ({"draft": {"$exists": True}}, "ab"),
    ({"draft": {"$exists": False}}, "cde"),
    ({"note": None}, "abcde"),
    ({"note": {"$exists": True}}, "c"),
    ({"note": {"$ne": None}}, ""),
    ({"count": True}, ""),
    ({"count": 1}, "d"),
    ({"author.name": "Orm"}, "a"),
    ({"author.name": {"$exists": True}}, "a"),
    ({"when": {"$gte": date(2020, 1, 1)}}, "c"),
    ({"doc_id": "b"}, "b"),
    ({"doc_id": {"$in": ["a", "e"]}}, "ae"),
    ({"source": {"$contains": "c"}}, "c"),
    ({"title": "own title"}, "d"),
    ({"title": "Title of b"}, "b"),
    ({"media_type": "text/plain"}, "abcde"),
    ({"$or": [{"year": 2019}, {"rating": {"$gt": 4}}]}, "ab"),
    ({"$and": [{"tags": "river"}, {"draft": True}]}, "b"),
    ({"$not": {"tags": "river"}}, "cde"),
    ({"$not": {"$or": [{"doc_id": "a"}, {"doc_id": "b"}]}, "year": {"$exists": False}}, "de"),
    ({"no' OR 1=1 --": "x"}, ""),
    ({"doc_id": "' OR '1'='1"}, ""),
]
_FAULTS: list[tuple[Any, str]] = [
    ({"year": {"gte": 2000}}, r"\$gte"),
    ({"year": {"$gtr": 2000}}, r"\$gt"),
    ({"year": {}}, "no operator"),
    ({"year": {"$gte": [2000]}}, "number"),
    ({"year": {"$gte": True}}, "number"),
    ({"year": {"$in": 2000}}, "list"),
    ({"year": {"$exists": 1}}, "true or false"),
    ({"year": object()}, "cannot compare"),
    ({"$nor": [{}]}, r"\$nor"),
    ({"$gte": 2000}, "behind a key"),
    ({"$or": []}, "one clause"),
    ({"$or": {"year": 1}}, "list"),
    ({"$or": [3]}, "mapping"),
    ({"$not": [{}]}, "mapping"),
    ({3: 4}, "keys are texts"),
    (["year"], "mapping"),
]


class FilterContract(ContractFixtures):
    @pytest.fixture
    def described(self, store: Store) -> Store:
        documents = [
            written_document(
                name,
                [f"The mill of {name} is old."],
                names=[f"mill of {name}", "mill"],
                title=f"Title of {name}",
                metadata=metadata,
            )
            for name, metadata in _METADATA.items()
        ]
        store.commit(documents, embedding=SPACE)
        return store

    @pytest.mark.parametrize(("where", "expected"), _CASES)
    def test_where(self, described: Store, where: dict[str, Any], expected: str) -> None:
        numbers = described.select_documents(where=where)
        assert numbers.tolist() == sorted(numbers.tolist())
        found = [document.doc_id for document in described.get_documents(numbers)]
        assert "".join(sorted(found)) == expected

    @pytest.mark.parametrize(("where", "message"), _FAULTS)
    def test_a_clause_that_means_nothing(self, store: Store, where: Any, message: str) -> None:
        with pytest.raises(FilterError, match=message):
            store.select_documents(where=where)

    def test_no_read_sees_what_was_filtered_out(self, described: Store) -> None:
        documents = described.select_documents(where={"doc_id": "b"})
        chunk_text = [chunk.text for chunk in _chunks(described, documents)]
        assert chunk_text == ["The mill of b is old."]
        query = text_vector("x")
        for layer in ("chunk", "unit"):
            by_words = described.search_text(layer, terms("mill old"), 9, documents=documents)
            by_vector = described.search_vectors(layer, query, 9, documents=documents)
            assert len(by_words.numbers) == len(by_vector.numbers) == 1
        mill = described.find_entities(["mill"]).targets
        assert len(described.units_of_entities(mill).targets) == 5
        assert len(described.units_of_entities(mill, documents=documents).targets) == 1
        assert described.entity_frequencies(mill, documents=documents).tolist() == [1]
        keys = ["mill of a", "mill of b", "mill", "title of a", "title of b"]
        links = described.find_entities(keys, documents=documents)
        assert np.diff(links.indptr).tolist() == [0, 1, 1, 0, 1]
        about = described.find_entities(["title of a"]).targets
        assert described.chunks_about(about, documents=documents).targets.tolist() == []
        similar = described.similar_entities("mill of", threshold=0.5, k=9, documents=documents)
        names = [entity.name for entity in described.get_entities(similar.numbers)]
        assert sorted(names) == ["Title of b", "mill", "mill of b"][-len(names) :]
        assert described.entity_names("mill", k=9, documents=documents) == ["mill", "mill of b"]
        assert described.stats(documents=documents)["entities"] == 3

    def test_tenants_do_not_see_each_other(self, store: Store) -> None:
        mine = written_document(
            "same.txt", ["Ada leads Norr Works."], names=["Ada", "Norr Works"], scope="mine"
        )
        theirs = written_document(
            "same.txt", ["Ida leads Norr Works."], names=["Ida", "Norr Works"], scope="theirs"
        )
        store.commit([mine, theirs], embedding=SPACE)
        for scope, leader in (("mine", "Ada"), ("theirs", "Ida")):
            documents = store.select_documents(scope=scope)
            assert len(documents) == 1
            found = store.search_text("unit", terms("Norr Works leads"), 9, documents=documents)
            texts = [unit.text for unit in store.get_units(found.numbers)]
            assert texts == [f"{leader} leads Norr Works."]
            links = store.find_entities(["norr works", "ada", "ida"], documents=documents)
            names = [entity.name for entity in store.get_entities(links.targets)]
            assert names == ["Norr Works", leader]
            hop = store.entities_of_units(store.units_of_entities(links.targets).targets)
            scopes = {entity.scope for entity in store.get_entities(np.unique(hop.targets))}
            assert scopes == {scope}
            near = store.similar_entities("norr work", threshold=0.8, k=9, documents=documents)
            assert [entity.scope for entity in store.get_entities(near.numbers)] == [scope]
        assert store.select_documents(scope="nobody").tolist() == []
        assert len(store.select_documents()) == 2
        store.commit(delete=[mine.document.id])
        assert store.select_documents(scope="mine").tolist() == []
        kept = store.load_document(theirs.document.id)
        assert kept is not None
        assert kept.document.scope == "theirs"

    def test_scope_and_where_hold_together(self, store: Store) -> None:
        documents = [
            written_document(f"{scope}-{year}", ["x"], scope=scope, metadata={"year": year})
            for scope in ("one", "two")
            for year in (2000, 2001)
        ]
        store.commit(documents, embedding=SPACE)
        numbers = store.select_documents(scope="two", where={"year": 2001})
        assert [item.doc_id for item in store.get_documents(numbers)] == ["two-2001"]


def _chunks(store: Store, documents: np.ndarray[Any, np.dtype[np.int64]]) -> list[Any]:
    found = store.search_vectors("chunk", text_vector("x"), 9, documents=documents)
    return store.get_chunks(found.numbers)
