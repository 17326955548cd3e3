"""What a store says of some of its documents, where the ways to find it out part."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from clew.errors import FilterError
from clew.stores import open_store
from clew.stores.base import Store
from clew.stores.filters import canonical_where
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import names_within
from clew.testing.made_documents import SPACE
from clew.testing.written_documents import written_document


def test_the_first_voters_name_what_many_speak_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names_within, "MOST_VOTERS", 2)
    forms = ["NORR", "NORR", "norr", "norr", "norr", "Norr"]
    documents = [
        written_document(f"{at}", [f"{form} is old."], names=[form], metadata={"at": at})
        for at, form in enumerate(forms)
    ]
    store = open_store(tmp_path / "s.clew")
    store.commit(documents, embedding=SPACE)
    for most, name in ((6, "norr"), (5, "NORR"), (2, "NORR")):
        with store.reading() as reader:
            seen = reader.within(reader.select_documents(where={"at": {"$lt": most}}))
            (entity,) = seen.get_entities(seen.find_entities(["norr"]).targets)
            assert entity.name == name
            assert seen.entity_names("", k=9) == [name]
    store.close()


def test_a_type_that_only_others_give_is_not_told(tmp_path: Path) -> None:
    plain = written_document("a", ["Norr is old."], names=["Norr"])
    typed = written_document("b", ["Norr is old."], names=["Norr"])
    typed = replace(typed, entities=(replace(typed.entities[0], type="PLACE"),))
    stores: list[Store] = [KnowledgeGraph(), open_store(tmp_path / "s.clew")]
    for store in stores:
        store.commit([plain, typed], embedding=SPACE)
        with store.reading() as reader:
            numbers = reader.find_entities(["norr"]).targets
            types = [
                reader.within(reader.select_documents(where=where)).get_entities(numbers)[0].type
                for where in ({"doc_id": "a"}, {"doc_id": "b"}, None)
            ]
        assert types == ["", "PLACE", "PLACE"]


def test_everything_is_the_store_itself(tmp_path: Path) -> None:
    stores: list[Store] = [KnowledgeGraph(), open_store(tmp_path / "s.clew")]
    for store in stores:
        store.commit([written_document("a", ["A mill."])], embedding=SPACE)
        with store.reading() as reader:
            assert reader.within(reader.select_documents()) is reader
            assert reader.within(np.empty(0, np.int64)) is not reader


def test_clauses_are_one_only_where_they_mean_one() -> None:
    same: list[tuple[dict[str, Any] | None, dict[str, Any] | None]] = [
        (None, {}),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": {"$in": {"x", "y", "z"}}}, {"a": {"$in": {"z", "y", "x"}}}),
        ({"a": date(2020, 1, 1)}, {"a": "2020-01-01"}),
        ({"a": (1, 2)}, {"a": [1, 2]}),
    ]
    for one, other in same:
        assert canonical_where(one) == canonical_where(other)
    apart: list[dict[str, Any]] = [
        {"a": 1}, {"a": "1"}, {"a": True}, {"a": None}, {"a": [1]}, {"a": "datetime.date(1, 1, 1)"},
        {"a": date(1, 1, 1)}, {"a.b": 1}, {"a": {"$eq": 1}},
    ]  # fmt: skip
    assert len({canonical_where(one) for one in apart}) == len(apart)
    with pytest.raises(FilterError, match="cannot compare"):
        canonical_where({"a": object()})
