"""Scopes and filters hold everywhere: what may not be seen is as if it were not there.

Held against a store that holds the permitted documents and no others. Equal hits, scores, paths,
counts and answers leave nothing that could leak.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from clew.config import ClewConfig
from clew.errors import NotFoundError
from clew.knowledge_base import KnowledgeBase
from clew.records import IndexedDocument
from clew.results import RetrievalResult, to_plain
from clew.retrieval.explain import explain
from clew.retrieval.methods import method_names
from clew.stores.base import EmbeddingSpace, GraphReader, Links, Numbers, Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import ContractFixtures, linked_ids, scored_ids
from clew.testing.tenant_documents import (
    EMBEDDER,
    QUESTIONS,
    TENANTS,
    Claim,
    claimed,
    claims,
    filters,
)
from clew.testing.written_documents import text_vector
from clew.text.names import name_key

_SPACE = EmbeddingSpace(fingerprint=EMBEDDER.fingerprint, dimensions=EMBEDDER.dimensions)
_EXAMPLES = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.differing_executors,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)
_ACME = Claim(number=0, tenant="acme", name=2, year=1, tags=("mill",), titled=True)
_BETA = Claim(number=1, tenant="beta", name=0, year=2, tags=("river",), titled=False)


class RestrictionContract(ContractFixtures):
    @_EXAMPLES
    @given(seed=st.integers(0, 1000), some=st.sets(st.integers(0, 13)))
    def test_a_part_reads_like_a_store_of_its_own(
        self, store: Store, seed: int, some: set[int]
    ) -> None:
        documents = made_documents(14, seed=seed, names=12, scopes=("default", "other"))
        _refill(store, documents, SPACE)
        alone = KnowledgeGraph()
        kept = [documents[at] for at in sorted(some)]
        alone.commit(kept, embedding=SPACE)
        numbers = store.numbers_of("document", [indexed.document.id for indexed in kept])
        with store.reading() as reader:
            _assert_reads_alike(reader.within(np.sort(numbers)), alone, documents)

    @_EXAMPLES
    @given(
        said=claims(),
        by_scope=st.booleans(),
        tenant=st.sampled_from(TENANTS),
        where=filters(),
        question=st.sampled_from(QUESTIONS),
        method=st.sampled_from(method_names()),
    )
    def test_no_method_tells_what_a_filter_hides(
        self,
        store: Store,
        said: list[Claim],
        by_scope: bool,
        tenant: str,
        where: dict[str, Any] | None,
        question: str,
        method: str,
    ) -> None:
        """Tenants are scopes, or the same scope has them apart by metadata."""
        scope = tenant if by_scope else "all"
        documents = [claimed(claim, claim.tenant if by_scope else "all") for claim in said]
        _refill(store, documents, _SPACE)
        config = ClewConfig(scope=scope, retrieval_method=method)
        kb = KnowledgeBase(store, embedding=EMBEDDER, config=config)
        permitted = {document.doc_id for document in kb.documents(where=where)}
        hidden = [claim for claim in said if claim.doc_id not in permitted]
        assume(permitted)
        alone = KnowledgeGraph()
        alone.commit(
            [one for one in documents if one.document.doc_id in permitted], embedding=_SPACE
        )
        own = KnowledgeBase(alone, embedding=EMBEDDER, config=config)
        found = kb.search(question, where=where, top_n=20)
        _assert_no_secret(found.to_json(), hidden, asked=question)
        _assert_same_result(found, own.search(question, top_n=20))
        _assert_same(kb.ask(question, where=where).to_dict(), own.ask(question).to_dict())
        for listed in _LISTED:
            assert listed(kb, where) == listed(own, None)

    @pytest.mark.parametrize("scopes", [("acme", "beta"), ("one", "one")])
    def test_tenants_that_contradict_each_other(
        self, store: Store, scopes: tuple[str, str]
    ) -> None:
        pair = (_ACME, _BETA)
        documents = [claimed(claim, scope) for claim, scope in zip(pair, scopes, strict=True)]
        store.commit(documents, embedding=_SPACE)
        for (mine, theirs), scope in zip((pair, pair[::-1]), scopes, strict=True):
            kb = KnowledgeBase(store, embedding=EMBEDDER, config=ClewConfig(scope=scope))
            where = {"tenant": mine.tenant}
            answer = kb.ask("Who founded Norr Works?", where=where)
            assert answer.answer == mine.secrets[0]
            assert {citation.doc_id for citation in answer.sources} == {mine.doc_id}
            _assert_no_secret(answer.to_json() + kb.why(answer), [theirs])
            assert kb.contradictions(where=where) == []
            assert kb.ask(f"Where does {theirs.secrets[0]} live?", where=where).abstained
            talk = kb.conversation()
            talk.ask("Who founded Norr Works?", where={"tenant": theirs.tenant})
            _assert_no_secret(talk.readings("Where does he live?", where=where)[0], [theirs])
            assert kb.stats(where=where)["documents"] == 1
            assert not kb.entity_names(theirs.secrets[0][:3], where=where)

    def test_a_name_that_only_others_use_finds_nothing(self, store: Store) -> None:
        """ "NW" is an alias of the works in one document; to the other it means nothing."""
        store.commit([claimed(_ACME, "one"), claimed(_BETA, "one")], embedding=_SPACE)
        with store.reading() as reader:
            every = reader.find_entities(["norr works", "nw"])
            assert np.diff(every.indptr).tolist() == [1, 2]
            beta = reader.within(reader.select_documents(where={"tenant": "beta"}))
            links = beta.find_entities(["norr works", "nw"])
            assert np.diff(links.indptr).tolist() == [1, 0]
            assert beta.get_entities(links.targets)[0].aliases == ()
            assert beta.entities_holding("nw", k=9).numbers.tolist() == []
            assert beta.similar_entities("nw", threshold=0.9, k=9).numbers.tolist() == []
            (abel,) = reader.find_entities([name_key("Abel Rudd")]).targets
            with pytest.raises(NotFoundError):
                beta.get_entities(np.array([abel]))

    def test_records_outside_are_unknown(self, store: Store) -> None:
        mine, theirs = claimed(_ACME, "one"), claimed(_BETA, "one")
        store.commit([mine, theirs], embedding=_SPACE)
        with store.reading() as reader:
            seen = reader.within(reader.select_documents(where={"tenant": "acme"}))
            assert seen.load_document(theirs.document.id) is None
            assert seen.load_document(mine.document.id) is not None
            ids = [theirs.chunks[0].id, mine.chunks[0].id]
            assert (seen.numbers_of("chunk", ids) >= 0).tolist() == [False, True]
            hidden = reader.numbers_of("unit", [theirs.units[0].id])
            for read in (seen.get_units, seen.facts_of_units):
                with pytest.raises(NotFoundError):
                    read(hidden)
            assert list(seen.check()) == []
            nothing = seen.within(np.empty(0, np.int64))
            assert not any(nothing.stats().values())
            assert nothing.search_text("unit", ["works"], 9).numbers.tolist() == []


_LISTED: tuple[Callable[[KnowledgeBase, dict[str, Any] | None], Any], ...] = (
    lambda kb, where: kb.documents(where=where),
    lambda kb, where: kb.entities(where=where),
    lambda kb, where: kb.entity_names("", where=where),
    lambda kb, where: kb.facts(where=where),
    lambda kb, where: kb.facts("Norr Works", where=where),
    lambda kb, where: kb.contradictions(where=where),
    lambda kb, where: kb.stats(where=where),
)


def _refill(store: Store, documents: Sequence[IndexedDocument], space: EmbeddingSpace) -> None:
    store.commit(delete=[document.id for document in store.list_documents()])
    store.commit(documents, embedding=space)


def _assert_no_secret(text: str, hidden: Sequence[Claim], *, asked: str = "") -> None:
    """What the asker said may come back; nothing else of a hidden document."""
    for claim in hidden:
        for secret in claim.secrets:
            if secret.casefold() not in asked.casefold():
                assert secret.casefold() not in text.casefold()


def _assert_same_result(found: RetrievalResult, expected: RetrievalResult) -> None:
    _assert_same(found.to_dict(), expected.to_dict())
    assert explain(found) == explain(expected)


def _assert_same(found: dict[str, Any], expected: dict[str, Any]) -> None:
    """Equal, numbers up to the noise of adding up in another order."""
    one, other = _flat(to_plain(found)), _flat(to_plain(expected))
    assert [item for item in one if not isinstance(item, float)] == [
        item for item in other if not isinstance(item, float)
    ]
    numbers = [[item for item in items if isinstance(item, float)] for items in (one, other)]
    assert numbers[0] == pytest.approx(numbers[1], abs=2e-4)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [part for key, item in sorted(value.items()) for part in (key, *_flat(item))]
    if isinstance(value, list):
        return [part for item in value for part in _flat(item)]
    return [value]


def _assert_reads_alike(
    seen: GraphReader, alone: GraphReader, documents: Sequence[IndexedDocument]
) -> None:
    """Every read of the protocol gives the same records, whatever their numbers."""
    assert seen.stats() == alone.stats()
    assert seen.list_documents() == alone.list_documents()
    assert seen.merges() == alone.merges()
    assert seen.predicates() == alone.predicates()
    assert list(seen.find_facts()) == list(alone.find_facts())
    names = sorted({entity.key for indexed in documents for entity in indexed.entities})
    assert seen.entity_names("", k=1000) == alone.entity_names("", k=1000)
    words = [*sorted({word for name in names for word in name.split()}), "bridge", "river", "of"]
    every = [_ids(seen, documents), _ids(alone, documents)]
    assert every[0] == every[1]
    both = (seen, alone)
    for scope, where in ((None, {"year": {"$lt": 2000}}), ("other", None)):
        chosen = [one.select_documents(scope=scope, where=where) for one in both]
        assert _documents(seen, chosen[0]) == _documents(alone, chosen[1])
    pick = random.Random(len(words))
    layers: tuple[Literal["chunk", "unit"], ...] = ("chunk", "unit")
    for layer in layers:
        frequencies = [one.document_frequencies(layer, words).tolist() for one in both]
        assert frequencies[0] == frequencies[1]
        for terms in (words[:1], pick.sample(words, 3), words):
            found = [scored_ids(one, layer, one.search_text(layer, terms, 99)) for one in both]
            assert found[0] == pytest.approx(found[1])
        query = text_vector("x")
        near = [scored_ids(one, layer, one.search_vectors(layer, query, 99)) for one in both]
        assert near[0] == pytest.approx(near[1], abs=1e-5)
    by_key = [linked_ids(one, "entity", one.find_entities(names)) for one in both]
    assert by_key[0] == by_key[1]
    for name in [*names, *words][:40]:
        ranked = [
            {**scored_ids(one, "entity", one.similar_entities(name[:-1], threshold=0.6, k=99)),
             **scored_ids(one, "entity", one.entities_holding(name, k=99))}
            for one in both
        ]  # fmt: skip
        assert ranked[0] == pytest.approx(ranked[1])
        letters = [one.entities_abbreviated(name[:1], k=99) for one in both]
        assert _named(seen, letters[0]) == _named(alone, letters[1])
    entities = [id_ for id_ in every[0]["entity"] if id_]
    _assert_same_hops(both, entities)


def _assert_same_hops(both: tuple[GraphReader, GraphReader], entities: list[str]) -> None:
    told: list[list[Any]] = []
    for reader in both:
        numbers = reader.numbers_of("entity", entities)
        units = reader.units_of_entities(numbers)
        about = reader.chunks_about(numbers)
        mentioned: Links = reader.entities_of_units(np.unique(units.targets))
        told.append(
            [
                reader.get_entities(numbers),
                linked_ids(reader, "unit", units),
                linked_ids(reader, "chunk", about),
                reader.entity_frequencies(numbers).tolist(),
                [sorted(row.items()) for row in linked_ids(reader, "entity", mentioned)],
                reader.facts_of_units(np.unique(units.targets)),
            ]
        )
    assert told[0] == told[1]


def _ids(reader: GraphReader, documents: Sequence[IndexedDocument]) -> dict[str, list[str]]:
    """Per layer the ids of the records of all documents, empty where they are unknown."""
    asked: dict[Literal["document", "chunk", "unit", "entity"], list[str]] = {
        "document": [indexed.document.id for indexed in documents],
        "chunk": [chunk.id for indexed in documents for chunk in indexed.chunks],
        "unit": [unit.id for indexed in documents for unit in indexed.units],
        "entity": [entity.id for indexed in documents for entity in indexed.entities],
    }
    return {
        layer: [
            id_ if number >= 0 else ""
            for id_, number in zip(ids, reader.numbers_of(layer, ids).tolist(), strict=True)
        ]
        for layer, ids in asked.items()
    }


def _documents(reader: GraphReader, numbers: Numbers) -> list[str]:
    return [document.id for document in reader.get_documents(numbers)]


def _named(reader: GraphReader, numbers: Numbers) -> set[str]:
    return {entity.id for entity in reader.get_entities(numbers)}
