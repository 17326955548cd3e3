"""Indexing with a model, killed at random moments and run again: no reply is paid for twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from clew import ClewConfig, KnowledgeBase
from clew.stores.codec import indexed_to_dict

KILLS = 6
CONCURRENCY = 4
ON_THE_WAY = 2 * CONCURRENCY
"""Replies that may have come back and not be kept yet: one for each thread."""

CHILD = f"""
import hashlib, os, sys
from clew import ClewConfig, KnowledgeBase
from clew.testing import TellingLLM

class Logged(TellingLLM):
    def complete(self, messages, *, max_tokens=None, schema=None):
        completion = super().complete(messages, max_tokens=max_tokens, schema=schema)
        line = hashlib.sha256(messages[0].content.encode()).hexdigest() + "\\n"
        os.write(log, line.encode())
        return completion

log = os.open("calls.log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
config = ClewConfig(embedding_model="none", ku_batch_size=1, ku_concurrency={CONCURRENCY})
print("ready", flush=True)
with KnowledgeBase.open(sys.argv[1], llm=Logged(latency_s=0.02), config=config) as kb:
    kb.ingest("mills")
"""


def _start(root: Path, store: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", CHILD, store]
    child = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout as out:
        out.readline()
    return child


def _calls(root: Path) -> list[str]:
    path = root / "calls.log"
    return path.read_text(encoding="ascii").split() if path.exists() else []


def test_no_reply_is_paid_for_twice(tmp_path: Path) -> None:
    (tmp_path / "mills").mkdir()
    for number in range(150):
        text = f"Ada Orm built mill {number} at Norr. Bo Lind sold it in {1800 + number}.\n"
        (tmp_path / "mills" / f"m{number:03}.txt").write_text(text, encoding="utf-8")
    began = time.monotonic()
    assert _start(tmp_path, "whole.clew").wait() == 0
    whole_s = time.monotonic() - began
    distinct = set(_calls(tmp_path))
    assert len(distinct) == len(_calls(tmp_path)) == 150
    (tmp_path / "calls.log").unlink()

    moments = random.Random(5)
    killed_after = []
    for _ in range(KILLS):
        child = _start(tmp_path, "killed.clew")
        time.sleep(moments.uniform(0.0, whole_s / 4))
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        killed_after.append(len(_calls(tmp_path)))
    assert _start(tmp_path, "killed.clew").wait() == 0

    calls = _calls(tmp_path)
    assert set(calls) == distinct
    excused = {place for end in killed_after for place in range(max(0, end - ON_THE_WAY), end)}
    again = [call for call, times in Counter(calls).items() if times > 1]
    for call in again:
        *earlier, _ = [place for place, made in enumerate(calls) if made == call]
        assert set(earlier) <= excused, "a reply that was kept was paid for again"
    graphs = []
    for name in ("whole", "killed"):
        config = ClewConfig(embedding_model="none")
        with KnowledgeBase.open(tmp_path / f"{name}.clew", config=config) as kb:
            assert kb.check() == []
            ids = sorted(document.id for document in kb.documents())
            loaded = [kb.store.load_document(document_id) for document_id in ids]
            graphs.append([indexed_to_dict(indexed) for indexed in loaded if indexed])
            paid = kb.usage().total.usage.calls
            assert 150 <= paid <= len(calls) if name == "killed" else paid == 150
    assert graphs[0] == graphs[1]
