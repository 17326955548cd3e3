"""Every store keeps the contract."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.stores import open_store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import segment_table, sign_file
from clew.testing.store_contract import StoreContract
from clew.testing.store_contract.fixtures import MakeStore
from clew.testing.store_contract.linking import LinkContract
from clew.testing.store_contract.searching import SearchContract
from clew.testing.store_contract.writing import WritingContract


class TestKnowledgeGraph(StoreContract):
    @pytest.fixture
    def make_store(self) -> MakeStore:
        return KnowledgeGraph


class TestSQLiteStoreWithDeadDocuments(WritingContract, SearchContract, LinkContract):
    """As in large stores, where deleted documents stay in the index until it is rewritten."""

    @pytest.fixture
    def make_store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeStore:
        monkeypatch.setattr(segment_table, "_ALWAYS_REWRITTEN", 0)
        monkeypatch.setattr(segment_table, "_DEAD_SHARE", 0)
        return lambda: open_store(tmp_path / "notes.clew")


class TestSQLiteStoreWithSigns(WritingContract, SearchContract):
    """As in large stores, where vectors are found by their signs; so few are all measured."""

    @pytest.fixture
    def make_store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeStore:
        monkeypatch.setattr(sign_file, "MOST_SCANNED", 0)
        monkeypatch.setattr(sign_file, "MOST_UNSIGNED", 1)
        return lambda: open_store(tmp_path / "notes.clew")


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def make_store(self, tmp_path: Path) -> MakeStore:
        return lambda: open_store(tmp_path / "notes.clew")


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def make_store(self, postgres_url: str) -> MakeStore:
        return lambda: open_store(postgres_url)
