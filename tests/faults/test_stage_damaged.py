"""Damage to the vectors of an embedder on its way: they are made anew, and never used."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from clew import ClewConfig, KnowledgeBase
from clew.errors import ModelError
from clew.models.base import TextKind, Vectors
from clew.testing import FakeEmbedder

_CONFIG = ClewConfig(executor="inline", embedding_batch_size=4, embedding_concurrency=1)
_NEXT = FakeEmbedder(dimensions=16, seed=7)
_FLIPS = 25


class _Stopping:
    """``_NEXT``, until it has been asked so often."""

    fingerprint, dimensions = _NEXT.fingerprint, _NEXT.dimensions

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        self.calls -= 1
        if self.calls < 0:
            raise ModelError("stopped")
        return _NEXT.embed(texts, kind=kind)


@pytest.fixture
def half_done(tmp_path: Path) -> Path:
    """A store of which most of the next vectors are on the stage."""
    path = tmp_path / "s.clew"
    documents = [
        {
            "doc_id": f"d{number}",
            "text": f"Mill {number} stands. Miller {number} built Mill {number}.",
        }
        for number in range(12)
    ]
    with KnowledgeBase.open(path, embedding=FakeEmbedder(), config=_CONFIG) as kb:
        kb.ingest_documents(documents)
    with KnowledgeBase.open(path, embedding=_Stopping(5), config=_CONFIG) as kb:
        with pytest.raises(ModelError, match="stopped"):
            kb.reembed()
        state = kb.half_embedded()
    assert state is not None
    assert state.vectors >= 12
    return path


def _flip(path: Path, random: Random) -> None:
    data = bytearray(path.read_bytes())
    at = random.randrange(len(data))
    if random.random() < 0.7:
        data[at] ^= 1 << random.randrange(8)
    else:
        data[at : at + 64] = random.randbytes(len(data[at : at + 64]))
    path.write_bytes(data)


def _vectors(kb: KnowledgeBase) -> dict[str, np.ndarray]:
    found = {}
    for listed in kb.documents():
        document = kb.document(listed.doc_id)
        assert document.unit_vectors is not None
        assert document.chunk_vectors is not None
        found[listed.doc_id] = np.concatenate([document.chunk_vectors, document.unit_vectors])
    return found


def test_a_damaged_stage_gives_no_damaged_vector(half_done: Path, tmp_path: Path) -> None:
    random, copy = Random(3), tmp_path / "copy.clew"
    expected = None
    for damaged in [False] + [True] * _FLIPS:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(half_done, copy)
        if damaged:
            _flip(copy / "staging.db", random)
        with KnowledgeBase.open(copy, embedding=_NEXT, config=_CONFIG) as kb:
            assert not damaged or kb.half_embedded() is not None
            kb.reembed()
            assert kb.check() == []
            found = _vectors(kb)
        expected = expected or found
        assert found.keys() == expected.keys()
        assert all(np.array_equal(found[name], expected[name]) for name in expected)
        assert not (copy / "staging.db").exists()


def test_a_stage_that_seems_to_be_read_only_is_begun_anew(half_done: Path) -> None:
    data = bytearray((half_done / "staging.db").read_bytes())
    data[18] ^= 64  # in a later format, which may only be read
    (half_done / "staging.db").write_bytes(data)
    with KnowledgeBase.open(half_done, embedding=FakeEmbedder(), config=_CONFIG) as kb:
        kb.delete("d3")
        assert not (half_done / "staging.db").exists()
    (half_done / "staging.db").write_bytes(data)
    with KnowledgeBase.open(half_done, embedding=_NEXT, config=_CONFIG) as kb:
        kb.reembed()
        assert kb.check() == []


def test_a_damaged_stage_keeps_nothing_from_being_deleted(half_done: Path, tmp_path: Path) -> None:
    random, copy = Random(4), tmp_path / "copy.clew"
    for _ in range(_FLIPS):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(half_done, copy)
        _flip(copy / "staging.db", random)
        with KnowledgeBase.open(copy, embedding=FakeEmbedder(), config=_CONFIG) as kb:
            assert kb.delete("d3").removed["documents"] == 1
            assert len(kb.documents()) == 11
            kb.doctor()
