"""Hops: the same links as the reference, many at once, filters kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from clew.stores.base import GraphReader, Links, Numbers, Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import ContractFixtures, ids_of, linked_ids
from clew.testing.written_documents import written_document
from clew.text.names import name_key

Both = tuple[Store, KnowledgeGraph]


class LinkContract(ContractFixtures):
    def test_units_and_chunks(self, filled: Both) -> None:
        units = _everything(filled[1], "unit")
        chunks = _everything(filled[1], "chunk")
        _assert_same_ids(filled, "unit", units, lambda store, some: store.chunks_of_units(some))
        _assert_same(
            filled, "chunk", "unit", chunks, lambda store, some: store.units_of_chunks(some)
        )
        store, reference = filled
        mine = store.documents_of_chunks(store.numbers_of("chunk", chunks))
        theirs = reference.documents_of_chunks(reference.numbers_of("chunk", chunks))
        assert ids_of(store, "document", mine) == ids_of(reference, "document", theirs)

    def test_mentions_both_ways(self, filled: Both) -> None:
        units = _everything(filled[1], "unit")
        entities = _everything(filled[1], "entity")
        _assert_same(
            filled, "unit", "entity", units, lambda store, some: store.entities_of_units(some)
        )
        for where in (None, {"year": {"$lt": 2000}}, {"year": 1}):

            def hop(store: GraphReader, some: Numbers, where: object = where) -> Links:
                documents = None if where is None else store.select_documents(where=where)  # type: ignore[arg-type]
                return store.units_of_entities(some, documents=documents)

            _assert_same(filled, "entity", "unit", entities, hop)

    def test_facts_by_what_they_speak_of(self, filled: Both) -> None:
        store, reference = filled
        everything = list(reference.find_facts())
        assert everything
        assert list(store.find_facts()) == everything
        years = [one.select_documents(where={"year": {"$lt": 2000}}) for one in filled]
        keys = sorted({name_key(fact.subject) for fact in everything})[:3]
        keys += sorted({name_key(fact.object) for fact in everything})[-3:]
        predicate = everything[0].predicate
        for about in (None, keys, keys[:1], [], ["nothing known by this name"]):
            for said in (None, [predicate], ["no such predicate"], []):
                expected = [
                    fact
                    for fact in everything
                    if (about is None or {name_key(fact.subject), name_key(fact.object)} & {*about})
                    and (said is None or fact.predicate in said)
                ]
                assert list(store.find_facts(keys=about, predicates=said)) == expected
                mine, theirs = (
                    list(one.find_facts(keys=about, predicates=said, documents=documents))
                    for one, documents in zip(filled, years, strict=True)
                )
                assert mine == theirs
                assert {*mine} <= {*expected}
        for one, documents in zip(filled, years, strict=True):
            assert one.predicates() == dict(
                sorted(Counter(fact.predicate for fact in everything).items())
            )
            narrowed = one.find_facts(documents=documents)
            assert one.predicates(documents=documents) == dict(
                sorted(Counter(fact.predicate for fact in narrowed).items())
            )

    def test_topics_both_ways(self, filled: Both) -> None:
        chunks = _everything(filled[1], "chunk")
        entities = _everything(filled[1], "entity")
        _assert_same(
            filled, "chunk", "entity", chunks, lambda store, some: store.topics_of_chunks(some)
        )
        for where in (None, {"year": {"$lt": 2000}}):

            def hop(store: GraphReader, some: Numbers, where: object = where) -> Links:
                documents = None if where is None else store.select_documents(where=where)  # type: ignore[arg-type]
                return store.chunks_about(some, documents=documents)

            _assert_same(filled, "entity", "chunk", entities, hop)

    def test_frequencies(self, filled: Both) -> None:
        _, reference = filled
        entities = _everything(reference, "entity")
        for where in (None, {"year": {"$lt": 2000}}):
            counts = []
            for reader in filled:
                documents = None if where is None else reader.select_documents(where=where)
                numbers = reader.numbers_of("entity", entities)
                counts.append(reader.entity_frequencies(numbers, documents=documents).tolist())
            assert counts[0] == counts[1]

    def test_links_ascend_without_duplicates(self, filled: Both) -> None:
        store, reference = filled
        entities = store.numbers_of("entity", _everything(reference, "entity"))
        links = store.units_of_entities(entities)
        for start, end in zip(links.indptr[:-1], links.indptr[1:], strict=True):
            row = links.targets[start:end]
            assert np.all(np.diff(row) > 0)
        assert set(links.weights.tolist()) <= {1.0}

    def test_a_limit_keeps_the_lowest_numbers(self, filled: Both) -> None:
        store, reference = filled
        entities = store.numbers_of("entity", _everything(reference, "entity"))
        documents = store.select_documents(where={"year": {"$gte": 2000}})
        whole = store.units_of_entities(entities, documents=documents)
        some = store.units_of_entities(entities, documents=documents, limit=2)
        for row in range(len(entities)):
            start, end = whole.indptr[row], whole.indptr[row + 1]
            few = some.targets[some.indptr[row] : some.indptr[row + 1]]
            assert few.tolist() == whole.targets[start:end][:2].tolist()

    def test_the_same_asked_twice_answers_twice(self, store: Store) -> None:
        written = written_document("a", ["Norr and Vell.", "Norr again."], names=["Norr", "Vell"])
        store.commit([written], embedding=SPACE)
        entity = store.find_entities(["norr"]).targets
        links = store.units_of_entities(np.concatenate((entity, entity)))
        assert links.indptr.tolist() == [0, 2, 4]
        units = store.numbers_of("unit", [written.units[0].id] * 2)
        assert store.entities_of_units(units).indptr.tolist() == [0, 2, 4]
        chunks = store.chunks_of_units(units)
        assert store.units_of_chunks(chunks).indptr.tolist() == [0, 2, 4]


def _everything(reference: KnowledgeGraph, layer: str) -> list[str]:
    if layer == "entity":
        return [entity.id for entity in reference.entities]
    records = reference.chunks if layer == "chunk" else reference.knowledge_units
    return [record.id for record in records]


def _assert_same(
    filled: Both,
    source: str,
    target: str,
    ids: list[str],
    hop: Callable[[GraphReader, Numbers], Links],
) -> None:
    found = []
    for store in filled:
        numbers = store.numbers_of(source, ids)  # type: ignore[arg-type]
        found.append(linked_ids(store, target, hop(store, numbers)))
    assert found[0] == found[1]
    assert any(found[0]) or not any(found[1])


def _assert_same_ids(
    filled: Both, source: str, ids: list[str], hop: Callable[[GraphReader, Numbers], Numbers]
) -> None:
    found = []
    for store in filled:
        numbers = store.numbers_of(source, ids)  # type: ignore[arg-type]
        found.append(ids_of(store, "chunk", hop(store, numbers)))
    assert found[0] == found[1]
