"""Records come back as they went in; one state for the length of a reading block."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.errors import NotFoundError
from clew.records import Block, BlockKind, Fact, FactKind, Page
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import (
    ContractFixtures,
    assert_same_document,
    problems,
)
from clew.testing.written_documents import written_document
from clew.text.words import terms

_NOWHERE = np.array([987654], np.int64)
_NONE = np.empty(0, np.int64)


class ReadingContract(ContractFixtures):
    def test_documents_come_back_whole(self, store: Store) -> None:
        documents = made_documents(20, seed=2)
        store.commit(documents[:12], embedding=SPACE)
        store.commit(documents[12:], embedding=SPACE)
        for expected in documents:
            assert_same_document(store.load_document(expected.document.id), expected)

    def test_every_field_comes_back(self, store: Store) -> None:
        plain = written_document("all.md", ["Norr Bridge opened.", "It closed."], names=["Norr"])
        document = replace(
            plain.document,
            title="On bridges",
            source="docs/all.md",
            media_type="text/markdown",
            metadata={"year": 1999, "tags": ["a", "b"], "deep": {"x": None, "y": True, "z": 0.5}},
            blocks=(Block(kind=BlockKind.HEADING, start=0, end=30, level=2),),
            pages=(Page(number=1, start=0, end=10), Page(number=2, start=10, end=30)),
            source_hash="s",
        )
        chunk = replace(
            plain.chunks[0],
            heading_path=("One", "Two"),
            page=2,
            context="a header",
            metadata={"rows": 3},
        )
        unit = replace(
            plain.units[0],
            text="Norr Bridge was opened.",
            verbatim=False,
            origin="llm",
            degraded=True,
            context="about bridges",
        )
        fact = Fact(
            id="f1",
            document_id=document.id,
            unit_id=unit.id,
            start=0,
            end=5,
            kind=FactKind.EVENT,
            subject="Norr Bridge",
            predicate="open",
            object="",
            predicate_as_said="opened",
            negated=True,
            confidence=0.25,
            time_start="1999",
            time_end="2000",
            time_as_said="in 1999",
            condition="if dry",
            modality="maybe",
            quantifier="most",
            speech_act="promise",
            tense="past",
            stated_at="2001-05-06",
        )
        full = replace(
            plain,
            document=document,
            chunks=(chunk, *plain.chunks[1:]),
            units=(unit, *plain.units[1:]),
            facts=(fact,),
            reply_keys=("k1", "k2"),
        )
        store.commit([full], embedding=SPACE)
        assert_same_document(store.load_document(document.id), full)
        numbers = store.numbers_of("document", [document.id])
        assert store.get_documents(numbers) == [document]
        assert store.list_documents() == [replace(document, text="", blocks=())]
        assert store.facts_of_units(store.numbers_of("unit", [unit.id])) == [[fact]]
        assert problems(store) == []

    def test_records_come_in_the_order_asked_for(self, store: Store) -> None:
        documents = made_documents(5, seed=3)
        store.commit(documents, embedding=SPACE)
        ids = [unit.id for indexed in documents for unit in indexed.units]
        wanted = [ids[3], ids[0], ids[3], ids[-1]]
        numbers = store.numbers_of("unit", wanted)
        assert [unit.id for unit in store.get_units(numbers)] == wanted
        assert [len(facts) for facts in store.facts_of_units(numbers)] == [1, 1, 1, 1]

    def test_documents_are_listed_by_name_without_text(self, store: Store) -> None:
        documents = [written_document(name, [f"Text of {name}."]) for name in ("b", "c", "a")]
        store.commit(documents, embedding=SPACE)
        listed = store.list_documents()
        assert [document.doc_id for document in listed] == ["a", "b", "c"]
        assert {document.text for document in listed} == {""}
        two = store.numbers_of("document", [documents[0].document.id, documents[2].document.id])
        assert [item.doc_id for item in store.list_documents(documents=np.sort(two))] == ["a", "b"]
        assert store.list_documents(documents=_NONE) == []

    def test_ids_that_are_not_there_have_no_number(self, store: Store) -> None:
        for layer in ("document", "chunk", "unit", "entity"):
            assert store.numbers_of(layer, ["nothing", ""]).tolist() == [-1, -1]
        assert store.load_document("nothing") is None

    def test_unknown_numbers_raise(self, filled: tuple[Store, KnowledgeGraph]) -> None:
        store, _ = filled
        query = np.ones(SPACE.dimensions, np.float32)
        for call in (
            store.get_documents,
            store.get_chunks,
            store.get_units,
            store.get_entities,
            store.facts_of_units,
            store.documents_of_chunks,
            store.chunks_of_units,
            store.units_of_chunks,
            store.entities_of_units,
            store.units_of_entities,
            store.topics_of_chunks,
            store.chunks_about,
            store.entity_frequencies,
            lambda numbers: store.vectors("unit", numbers),
            lambda numbers: store.score_vectors("chunk", query, numbers),
        ):
            with pytest.raises(NotFoundError):
                call(_NOWHERE)

    def test_empty_in_empty_out(self, filled: tuple[Store, KnowledgeGraph]) -> None:
        store, _ = filled
        query = np.ones(SPACE.dimensions, np.float32)
        for records in (store.get_documents, store.get_chunks, store.get_units, store.get_entities):
            assert records(_NONE) == []
        for links in (
            store.units_of_chunks,
            store.entities_of_units,
            store.units_of_entities,
            store.topics_of_chunks,
            store.chunks_about,
        ):
            assert links(_NONE).indptr.tolist() == [0]
        assert store.facts_of_units(_NONE) == []
        assert store.numbers_of("unit", []).tolist() == []
        assert store.chunks_of_units(_NONE).tolist() == []
        assert store.entity_frequencies(_NONE).tolist() == []
        assert store.vectors("unit", _NONE).shape == (0, SPACE.dimensions)
        assert store.score_vectors("unit", query, _NONE).tolist() == []
        assert store.search_text("unit", [], 5).numbers.tolist() == []
        assert store.search_vectors("unit", query, 0).numbers.tolist() == []
        assert store.document_frequencies("unit", []).tolist() == []
        assert store.find_entities([]).indptr.tolist() == [0]

    def test_reading_is_one_state(self, store: Store) -> None:
        first = written_document("a", ["The old bridge stands."])
        second = written_document("b", ["The old bridge fell."])
        store.commit([first], embedding=SPACE)
        with store.reading() as reader:
            assert reader.stats()["documents"] == 1
            generation = reader.generation
            store.commit([second], delete=[first.document.id], embedding=SPACE)
            assert reader.generation == generation
            assert reader.stats()["documents"] == 1
            found = reader.search_text("unit", terms("old bridge"), 5).numbers
            assert [unit.text for unit in reader.get_units(found)] == ["The old bridge stands."]
            assert_same_document(reader.load_document(first.document.id), first)
        found = store.search_text("unit", terms("old bridge"), 5).numbers
        assert [unit.text for unit in store.get_units(found)] == ["The old bridge fell."]

    def test_counts_are_those_of_the_reference(self, filled: tuple[Store, KnowledgeGraph]) -> None:
        store, reference = filled
        assert store.stats() == reference.stats()
        assert problems(store) == []
        for scope in ("default", "other", "nobody"):
            mine = store.stats(documents=store.select_documents(scope=scope))
            theirs = reference.stats(documents=reference.select_documents(scope=scope))
            assert mine == theirs
