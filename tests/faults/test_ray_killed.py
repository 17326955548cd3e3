"""A run on Ray whose own process is killed: nothing is paid for twice, nobody is left behind."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase

pytestmark = pytest.mark.xdist_group("ray")

DOCUMENTS, UNDERWAY = 40, 4

CHILD = """
import hashlib, json, os, re, sys, time

from clew import ClewConfig, KnowledgeBase
from clew.indexing import reading
from clew.testing import TellingLLM

reading._OF_MODEL = reading.BatchSize(4, 100_000)
log = os.open("calls.log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Logged(TellingLLM):
    def complete(self, messages, **options):
        name = hashlib.sha256(messages[-1].content.encode()).hexdigest()[:16]
        completion = super().complete(messages, **options)
        os.write(log, f"{name}\\n".encode())
        return completion


config = ClewConfig(
    executor=sys.argv[1], workers=2, embedding_model="none", ku_extraction_method="llm",
    ku_concurrency=%d, ku_batch_size=1,
)
with KnowledgeBase.open("store", llm=Logged(latency_s=float(sys.argv[2])), config=config) as kb:
    sys.exit(kb.ingest("mills").exit_status)
"""


def _begin(root: Path, executor: str, latency_s: float) -> subprocess.Popen[bytes]:
    command = [sys.executable, "child.py", executor, str(latency_s)]
    return subprocess.Popen(command, cwd=root, start_new_session=True)


def _calls(root: Path) -> Counter[str]:
    log = root / "calls.log"
    return Counter(log.read_text().split()) if log.exists() else Counter()


def _in_session(session: int) -> list[str]:
    """The processes that a session still has, dead ones that wait for a parent left out."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            status = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(status[3]) == session and status[0] != "Z":
                found.append((entry / "cmdline").read_text())
        except (OSError, IndexError):
            continue
    return found


@pytest.mark.timeout(600)
def test_a_killed_caller_pays_nothing_twice(tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(CHILD % UNDERWAY, encoding="utf-8")
    (tmp_path / "mills").mkdir()
    for number in range(DOCUMENTS):
        text = f"Ada Orm built mill {number} near Norr."
        (tmp_path / "mills" / f"m{number:02}.txt").write_text(text, encoding="utf-8")
    child = _begin(tmp_path, "ray", 0.05)
    while child.poll() is None and sum(_calls(tmp_path).values()) < DOCUMENTS // 3:
        time.sleep(0.01)
    assert child.poll() is None
    child.kill()
    child.wait()
    assert _begin(tmp_path, "inline", 0.0).wait() == 0
    calls = _calls(tmp_path)
    assert len(calls) == DOCUMENTS
    assert sum(calls.values()) - len(calls) <= UNDERWAY, "what was under way when it was killed"
    words = ClewConfig(embedding_model="none", ku_extraction_method="sentence")
    with KnowledgeBase.open(tmp_path / "store", config=words) as kb:
        assert kb.check() == []
        assert kb.stats()["documents"] == DOCUMENTS
    while left := _in_session(child.pid):
        time.sleep(0.1)
    assert not left
