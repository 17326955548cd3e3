"""A process that is killed loses nothing that it committed, and pays for no model call twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from clew import KnowledgeBase
from clew.testing import FakeEmbedder

DOCUMENTS = 30
KILLS = 12

CHILD = r"""
import json, sys, time
from pathlib import Path
from clew import ClewConfig, KnowledgeBase
from clew.testing import FakeEmbedder

store, corpus, calls = (Path(argument) for argument in sys.argv[1:])

class Model:
    model = "scripted"
    def generate(self, prompt):
        text = next(line for line in prompt.splitlines() if "Harbour-" in line)
        sentence = text[text.index("Harbour-"):].split(".")[0] + "."
        with calls.open("a") as stream:
            stream.write(sentence + "\n")
        time.sleep(0.002)
        return json.dumps({"units": [{"text": sentence, "entities": []}]})

config = ClewConfig(ku_batch_size=1)
print("ready", flush=True)
with KnowledgeBase.open(store, llm=Model(), embedding=FakeEmbedder(), config=config) as kb:
    for line in corpus.read_text().splitlines():
        kb.ingest_documents([json.loads(line)])
print("done", flush=True)
"""


def _corpus(path: Path) -> None:
    lines = [
        json.dumps(
            {
                "doc_id": f"d{number:02}",
                "text": f"Harbour-{number} has a lighthouse that Keeper-{number % 7} keeps.",
            }
        )
        for number in range(DOCUMENTS)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _start(store: Path, corpus: Path, calls: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store), str(corpus), str(calls)],
        stdout=subprocess.PIPE,
        text=True,
    )


def _run_and_kill(store: Path, corpus: Path, calls: Path, delay_s: float) -> None:
    child = _start(store, corpus, calls)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay_s)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()


def _state(store: Path) -> tuple[object, ...]:
    with KnowledgeBase.open(store, embedding=FakeEmbedder(), create=False) as kb:
        assert kb.check() == []
        indexed = [kb.document(document.doc_id) for document in kb.documents()]
        units = [unit for one in indexed for unit in one.units]
        vectors = [one.unit_vectors for one in indexed if one.unit_vectors is not None]
        hits = [(item.doc_id, round(item.score, 5)) for item in kb.search("Keeper-3").items]
        return (units, kb.stats(), hits, np.vstack(vectors).round(5).tolist())


def test_killed_at_random_moments(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    _corpus(corpus)
    moments = random.Random(20)
    store, calls = tmp_path / "killed.clew", tmp_path / "calls.txt"
    for _ in range(KILLS):
        _run_and_kill(store, corpus, calls, moments.uniform(0.0, 0.35))
        if store.exists():
            with KnowledgeBase.open(store, embedding=FakeEmbedder()) as kb:
                assert kb.check() == []
                for document in kb.documents():
                    assert len(kb.document(document.doc_id).units) == 1
    finished = _start(store, corpus, calls)
    assert finished.communicate()[0] == "ready\ndone\n"
    assert finished.returncode == 0

    undisturbed, other_calls = tmp_path / "whole.clew", tmp_path / "other.txt"
    whole = _start(undisturbed, corpus, other_calls)
    whole.communicate()
    assert whole.returncode == 0
    assert _state(store) == _state(undisturbed)

    paid = calls.read_text(encoding="utf-8").splitlines()
    # A call that was under way when the process died has no reply to keep: one for each kill.
    assert len(paid) <= DOCUMENTS + KILLS
    assert len(set(paid)) == DOCUMENTS
