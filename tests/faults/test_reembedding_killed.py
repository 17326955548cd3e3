"""Another embedder takes over at once, and pays for no text twice, however often it is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest

from clew import ClewConfig, FingerprintMismatchError, KnowledgeBase
from clew.cli import main
from clew.errors import ModelError, StoreLockedError
from clew.stores.sqlite import SQLiteStore
from clew.testing import FakeEmbedder, FlakyEmbedder

DOCUMENTS = 60
BATCH = 7

_CHILD = """
import sys, time
from clew import ClewConfig, KnowledgeBase
from clew.testing import FakeEmbedder

class Told(FakeEmbedder):
    def _told(self, texts):
        if texts:
            with open(sys.argv[2], "a") as log:
                log.write("".join(f"{text!r}\\n" for text in texts) + "\\n")
            print("call", flush=True)
            time.sleep(0.01)

    def embed(self, texts, *, kind="document"):
        self._told(texts)
        return super().embed(texts, kind=kind)

    def embed_spans(self, texts, spans):
        self._told(texts)
        return super().embed_spans(texts, spans)

embedder = Told(dimensions=96, seed=7)
if sys.argv[3] == "plain":
    embedder.embed_spans = None
config = ClewConfig(embedding_batch_size=int(sys.argv[4]), embedding_concurrency=1)
with KnowledgeBase.open(sys.argv[1], embedding=embedder, config=config) as kb:
    kb.reembed()
print("done", flush=True)
"""


def _text(number: int) -> str:
    return (
        f"Mill {number} was built by Ada Orm. It stands on the river {number % 9} of Norr.\n\n"
        f"In {1700 + number} it burned down, and Bo Lind built it again."
    )


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, embedding=FakeEmbedder()) as kb:
        kb.ingest_documents([{"doc_id": f"d{n}", "text": _text(n)} for n in range(DOCUMENTS)])
    return path


def _run(store: Path, log: Path, kind: str, calls: int, after_s: float = 0.0) -> bool:
    """Embed in a child, killed so long after so many calls (0: let it live); did it get through?"""
    command = [sys.executable, "-c", _CHILD, str(store), str(log), kind, str(BATCH)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if line == "done\n":
                return True
            calls -= 1
            if calls == 0:
                time.sleep(after_s)
                child.kill()
    return False


@pytest.mark.parametrize("kind", ["spans", "plain"])
def test_killed_and_resumed_every_text_is_paid_for_once(
    store: Path, tmp_path: Path, kind: str
) -> None:
    random, underway = Random(5), Counter[str]()
    log = tmp_path / "log"
    log.touch()
    with KnowledgeBase.open(store, embedding=FakeEmbedder()) as reader:
        before = [item.to_dict() for item in reader.search("Who built Mill 3?").items]
        for calls in (1, 3, 2):
            assert not _run(store, log, kind, calls, random.uniform(0.0, 0.03))
            *_, last = [call for call in log.read_text().split("\n\n") if call]
            underway.update(last.split("\n"))
            found = [item.to_dict() for item in reader.search("Who built Mill 3?").items]
            assert found == before, "readers go on with the old vectors"
            assert reader.check() == []
        assert _run(store, log, kind, 0)
        asked = Counter(line for line in log.read_text().split("\n") if line)
        again = {text: times - 1 for text, times in asked.items() if times > 1}
        assert all(times <= underway[text] for text, times in again.items()), again
        with pytest.raises(FingerprintMismatchError, match="clew reembed"):
            reader.search("Who built Mill 3?")
    assert {path.name for path in store.iterdir()} <= {
        "main.db", "main.db-note", "vectors", "lock", "staging.lock"
    }  # fmt: skip
    _assert_as_if_made_by_it(store, kind)


def _assert_as_if_made_by_it(store: Path, kind: str) -> None:
    embedder = FakeEmbedder(dimensions=96, seed=7)
    if kind == "plain":
        vars(embedder)["embed_spans"] = None
    with (
        KnowledgeBase.open(store, embedding=embedder) as kb,
        KnowledgeBase.in_memory(embedding=embedder) as fresh,
    ):
        assert kb.check() == []
        assert kb.half_embedded() is None
        fresh.ingest_documents([{"doc_id": f"d{n}", "text": _text(n)} for n in range(DOCUMENTS)])
        for number in (0, 31):
            mine, theirs = kb.document(f"d{number}"), fresh.document(f"d{number}")
            assert mine.unit_vectors is not None
            assert theirs.unit_vectors is not None
            np.testing.assert_allclose(mine.unit_vectors, theirs.unit_vectors, atol=1e-6)


def test_others_write_meanwhile_and_nothing_of_it_is_missed(store: Path) -> None:
    class Meanwhile(FakeEmbedder):
        """While it embeds, another adds a document, changes one and deletes one."""

        def embed_spans(self, texts, spans):  # type: ignore[no-untyped-def]
            if not self.call_count:
                with KnowledgeBase.open(store, embedding=FakeEmbedder()) as other:
                    other.ingest_text("A new mill in Skagen.", name="new")
                    other.ingest_text("Mill 2 is a ruin now.", name="d2")
                    other.delete("d3")
            return super().embed_spans(texts, spans)

    embedder = Meanwhile(seed=9)
    config = ClewConfig(embedding_batch_size=BATCH, embedding_concurrency=1)
    with KnowledgeBase.open(store, embedding=embedder, config=config) as kb:
        kb.reembed()
        assert len(kb.documents()) == DOCUMENTS
        assert kb.search("a new mill in Skagen").items[0].doc_id == "new"
        assert kb.check() == []
    assert max(Counter(embedder.texts).values()) == 1


def test_a_failing_embedder_leaves_the_old_vectors_and_what_it_did(store: Path) -> None:
    config = ClewConfig(embedding_batch_size=BATCH, embedding_concurrency=1)
    broken = FlakyEmbedder("error", at_call=3, seed=9)
    with KnowledgeBase.open(store, embedding=FakeEmbedder()) as kb:
        failing = KnowledgeBase(kb.store, embedding=broken, config=config)
        with pytest.raises(ModelError):
            failing.reembed()
        assert kb.search("Who built Mill 3?").items
        state = failing.half_embedded()
        assert state is not None
        assert (state.space.fingerprint, state.vectors) == (broken.fingerprint, 3 * BATCH)
        other = FakeEmbedder(seed=3)
        KnowledgeBase(kb.store, embedding=other, config=config).reembed()
        assert kb.store.embedding is not None
        assert kb.store.embedding.fingerprint == other.fingerprint
        assert failing.half_embedded() is None


def test_one_at_a_time(store: Path) -> None:
    class Inside(FakeEmbedder):
        def embed_spans(self, texts, spans):  # type: ignore[no-untyped-def]
            with KnowledgeBase.open(store, embedding=FakeEmbedder(seed=3)) as other:
                with pytest.raises(StoreLockedError, match="embedding this store anew"):
                    other.reembed()
                with pytest.raises(StoreLockedError):
                    other.discard_half_embedded()
            return super().embed_spans(texts, spans)

    with KnowledgeBase.open(store, embedding=Inside(seed=9)) as kb:
        kb.reembed()
        assert kb.check() == []


def test_from_the_command_line(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with SQLiteStore.open(store) as opened:
        space = opened.embedding
        assert space is not None
        with opened.staged(space) as stage:
            stage.put({"k": np.ones((2, space.dimensions), np.float32)})

    def run(*arguments: str) -> dict[str, object]:
        with pytest.raises(SystemExit) as stop:
            main(["reembed", *arguments, "--json", "--store", str(store)])
        assert stop.value.code == 0
        told: dict[str, object] = json.loads(capsys.readouterr().out)
        return told

    assert run("--discard") == {"discarded": 1}
    assert run("--discard") == {"discarded": 0}
    told = run("--set", "embedding_model=none")
    assert told == {"embedder": "none", "documents": DOCUMENTS, "resumed_vectors": 0}
