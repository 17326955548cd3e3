"""Searching large layers by their signs: near to exact, and never what must not be seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clew.errors import StoreFullError
from clew.stores.base import Numbers, Scores
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore, arrays, nearest, sign_file
from clew.stores.sqlite.seals import first_damaged
from clew.stores.sqlite.sign_file import SignFile
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import problems

_DOCUMENTS = made_documents(60, seed=21)


@pytest.fixture(autouse=True)
def _signs_for_small_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_file, "MOST_SCANNED", 20)
    monkeypatch.setattr(sign_file, "MOST_UNSIGNED", 10)
    monkeypatch.setattr(nearest, "LEAST_MEASURED", 60)


def _query(seed: int) -> Scores:
    made = np.random.default_rng(seed).standard_normal(SPACE.dimensions).astype(np.float32)
    scaled: Scores = made / np.linalg.norm(made)
    return scaled


def _signed_rows(path: Path, layer: str) -> int:
    (file,) = (path / "vectors").glob(f"{layer}-*.signs")
    return SignFile(file, SPACE.dimensions).rows()


def test_most_of_the_nearest_are_found_with_their_exact_scores(tmp_path: Path) -> None:
    reference = KnowledgeGraph()
    reference.commit(_DOCUMENTS, embedding=SPACE)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        units = store.stats()["knowledge_units"]
        assert _signed_rows(tmp_path / "s.clew", "unit") == units > 120
        shares = []
        for seed in range(20):
            query = _query(seed)
            expected = reference.search_vectors("unit", query, 3)
            found = store.search_vectors("unit", query, 3)
            shares.append(np.isin(found.numbers, expected.numbers).mean())
            exact = store.score_vectors("unit", query, found.numbers)
            assert np.allclose(found.scores, exact, atol=1e-6)
            assert (np.diff(found.scores) <= 0).all()
        assert np.mean(shares) >= 0.9
        assert problems(store) == []


def test_what_has_no_signs_yet_is_always_found(tmp_path: Path) -> None:
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS[:50], embedding=SPACE)
        signed = _signed_rows(tmp_path / "s.clew", "unit")
        store.commit(_DOCUMENTS[50:51], embedding=SPACE)
        assert _signed_rows(tmp_path / "s.clew", "unit") == signed, "too few to be worth it"
        vectors = _DOCUMENTS[50].unit_vectors
        assert vectors is not None
        for unit, vector in zip(_DOCUMENTS[50].units, vectors, strict=True):
            found = store.search_vectors("unit", vector, 1)
            assert [one.id for one in store.get_units(found.numbers)] == [unit.id]
        store.commit(_DOCUMENTS[51:], embedding=SPACE)
        assert _signed_rows(tmp_path / "s.clew", "unit") == store.stats()["knowledge_units"]


def test_a_selection_is_never_left_and_a_small_one_is_exact(tmp_path: Path) -> None:
    reference = KnowledgeGraph()
    reference.commit(_DOCUMENTS, embedding=SPACE)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        store.commit(delete=[_DOCUMENTS[at].document.id for at in (3, 9, 30)])
        reference.commit(delete=[_DOCUMENTS[at].document.id for at in (3, 9, 30)])
        few = store.select_documents()[::7]
        for seed in range(5):
            found = store.search_vectors("unit", _query(seed), 9, documents=few)
            chunks = store.chunks_of_units(found.numbers)
            assert np.isin(store.documents_of_chunks(chunks), few).all()
            ids = [unit.id for unit in store.get_units(found.numbers)]
            same = reference.numbers_of("document", [one.id for one in store.get_documents(few)])
            wanted = reference.search_vectors("unit", _query(seed), 9, documents=np.sort(same))
            assert ids == [unit.id for unit in reference.get_units(wanted.numbers)]


def test_each_vector_that_is_measured_is_compared_with_its_sum_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[int] = []

    def counted(vectors: Scores, sums: Numbers) -> int | None:
        compared.append(len(vectors))
        return first_damaged(vectors, sums)

    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS[:50], embedding=SPACE)
    monkeypatch.setattr(arrays, "first_damaged", counted)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.search_vectors("unit", _query(1), 3)
        after_one = sum(compared)
        assert nearest.LEAST_MEASURED <= after_one < store.stats()["knowledge_units"]
        store.search_vectors("unit", _query(1), 3)
        assert sum(compared) == after_one
        store.commit(_DOCUMENTS[50:], embedding=SPACE)
        for seed in range(40):
            store.search_vectors("unit", _query(seed), 3)
        assert after_one < sum(compared) <= store.stats()["knowledge_units"]


def test_new_vectors_never_meet_old_signs(tmp_path: Path) -> None:
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        turned = []
        for indexed in _DOCUMENTS:
            assert indexed.chunk_vectors is not None
            assert indexed.unit_vectors is not None
            turned.append((indexed.document.id, -indexed.chunk_vectors, -indexed.unit_vectors))
        store.replace_vectors(SPACE, turned)
        assert problems(store) == []
        assert len(list((tmp_path / "s.clew" / "vectors").iterdir())) == 4
        for indexed in _DOCUMENTS[::9]:
            assert indexed.unit_vectors is not None
            found = store.search_vectors("unit", -indexed.unit_vectors[0], 1)
            assert store.get_units(found.numbers)[0].id == indexed.units[0].id
        store.compact()
        assert problems(store) == []


def test_signs_of_rows_that_came_back_from_a_backup_are_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[:40], embedding=SPACE)
    kept = (path / "main.db").read_bytes()
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[40:50], embedding=SPACE)
    for file in path.glob("main.db*"):
        file.unlink()
    (path / "main.db").write_bytes(kept)
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS[50:], embedding=SPACE)
        assert problems(store) == []


def test_wrong_signs_are_reported_and_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
    (file,) = (path / "vectors").glob("unit-*.signs")
    raw = bytearray(file.read_bytes())
    raw[-3] ^= 0xFF
    raw[-100] ^= 1
    file.write_bytes(raw)
    with SQLiteStore.open(path) as store:
        (problem,) = problems(store)
        assert "other signs" in problem
        store.compact()
        assert problems(store) == []


def test_signs_are_no_leftovers(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with SQLiteStore.open(path) as store:
        store.commit(_DOCUMENTS, embedding=SPACE)
        assert list(store.leftovers()) == []
        assert list(store.traces(["zanthic"])) == []
        (file,) = (path / "vectors").glob("unit-*.signs")
        with file.open("ab") as tail:
            tail.write(b"torn")
        (left,) = store.leftovers()
        assert left.where == f"vectors/{file.name}"


def test_a_commit_is_through_where_signs_have_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: SignFile, parts: list[Scores]) -> None:
        raise StoreFullError(f"{self.path}: no space left for {len(parts)} parts")

    monkeypatch.setattr(SignFile, "extend", full)
    with SQLiteStore.open(tmp_path / "s.clew") as store:
        assert store.commit(_DOCUMENTS, embedding=SPACE).added["documents"] == len(_DOCUMENTS)
        assert store.search_vectors("unit", _query(1), 5).numbers.size == 5
