"""Names and texts that have broken other stores: kept and found as they are."""

from __future__ import annotations

import numpy as np
import pytest

from clew.stores.base import Store
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import ContractFixtures, assert_same_document, problems
from clew.testing.written_documents import written_document
from clew.text.names import name_key
from clew.text.words import terms

HOSTILE_NAMES = (
    'O\'Brien "Bo" {x}',
    "C:\\new\\table",
    "%s %d {} {{chunk}}",
    "`; DROP TABLE units; --",
    "[[a|b]]",
    "👨‍👩‍👧‍👦 family",
    "C++",
    ".NET",
    "F#",
    "食べ物の店",
    "Ünïcödé Straße",
    "x\ty",
    "a" * 5000,
    "NEAR(a b) AND OR NOT *",
    "-- comment /* */ ;",
    "null",
    "\u202eright to left",
)


class HostileTextContract(ContractFixtures):
    @pytest.mark.parametrize("name", HOSTILE_NAMES)
    def test_a_hostile_name_is_a_name(self, store: Store, name: str) -> None:
        line = f"{name} crosses the Vell."
        written = written_document(
            name, [line, "The Vell is wide."], names=[name], title=name, metadata={name: name}
        )
        plain = written_document("plain", ["Nothing here."])
        store.commit([written, plain], embedding=SPACE)
        assert_same_document(store.load_document(written.document.id), written)
        assert problems(store) == []
        key = name_key(name)
        found = store.find_entities([key]).targets
        assert len(found) == 1
        assert store.get_entities(found)[0].name == name
        assert store.entity_names(name, k=5) == [name]
        similar = store.similar_entities(key, threshold=1.0, k=5)
        assert similar.numbers.tolist() == found.tolist()
        words = terms(name)
        if words:
            texts = [
                unit.text for unit in store.get_units(store.search_text("unit", words, 5).numbers)
            ]
            assert line in texts
            assert "Nothing here." not in texts
        chosen = store.select_documents(where={name: name} if "." not in name else {"doc_id": name})
        assert [item.doc_id for item in store.get_documents(chosen)] == [name]
        store.commit(delete=[written.document.id])
        assert store.find_entities([key]).targets.tolist() == []
        assert problems(store) == []

    def test_all_of_them_at_once(self, store: Store) -> None:
        lines = [f"{name} is near." for name in HOSTILE_NAMES]
        written = written_document("all", lines, names=HOSTILE_NAMES, chunk_lines=4)
        store.commit([written], embedding=SPACE)
        assert_same_document(store.load_document(written.document.id), written)
        keys = [name_key(name) for name in HOSTILE_NAMES]
        assert np.all(np.diff(store.find_entities(keys).indptr) == 1)
        assert problems(store) == []

    def test_hostile_search_terms_find_nothing_and_break_nothing(self, store: Store) -> None:
        store.commit([written_document("a", ["A mill."])], embedding=SPACE)
        for term in ("' OR 1=1", '"', "*", "mill*", "(", "\x00", "a" * 100_000, "mill\nmill", ""):
            assert store.search_text("unit", [term], 5).numbers.tolist() == []
        assert store.document_frequencies("unit", ["mill", '"mill"']).tolist() == [1, 0]

    def test_a_hub_answers_at_once(self, store: Store) -> None:
        lines = [f"The Company did thing number {number}." for number in range(300)]
        hub = written_document(
            "hub", [*lines, "The Company built Norr."], names=["Company", "Norr"]
        )
        store.commit([hub], embedding=SPACE)
        links = store.find_entities(["company", "norr"])
        assert np.diff(store.units_of_entities(links.targets).indptr).tolist() == [301, 1]
        limited = store.units_of_entities(links.targets, limit=50)
        assert np.diff(limited.indptr).tolist() == [50, 1]
