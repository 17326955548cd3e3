"""Every store keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.stores import open_store
from clew.stores.memory import KnowledgeGraph
from clew.testing.store_contract import StoreContract
from clew.testing.store_contract.fixtures import MakeStore


class TestKnowledgeGraph(StoreContract):
    @pytest.fixture
    def make_store(self) -> MakeStore:
        return KnowledgeGraph


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def make_store(self, tmp_path: Path) -> MakeStore:
        return lambda: open_store(tmp_path / "notes.clew")
