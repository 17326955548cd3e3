"""Extraction by a model, killed at random moments and run again: what was paid for stays."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from clew import ClewConfig, KnowledgeBase

DOCUMENTS, CHUNKS, KILLS = 8, 12, 6
WORDS = ClewConfig(embedding_model="none", ku_extraction_method="sentence")

CHILD = """
import hashlib, json, os, re, sys, time

from clew import ClewConfig, KnowledgeBase

root, store, concurrency, size = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
log = os.open(os.path.join(root, store + ".log"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Model:
    fingerprint = "logged"

    def generate(self, prompt):
        name = hashlib.sha256(prompt.encode()).hexdigest()[:16]
        os.write(log, f"begin {name}\\n".encode())
        time.sleep(0.01)
        units = []
        passages = re.findall(r'<passage number="\\d+">(.*?)</passage>', prompt, re.DOTALL)
        for number, passage in enumerate(passages, 1):
            keepers = re.findall(r"Keeper K\\d+x\\d+", passage.replace("known: ", ""))
            again = "unclear: " in passage
            who = keepers[-1] if keepers and (again or "She " not in passage) else "She"
            lamp = re.findall(r"lamp (L\\d+x\\d+)", passage)[-1]
            units.append({
                "passage": number, "text": f"{who} lit lamp {lamp} at Tamsund.",
                "entities": [{"name": who, "type": "PERSON"}],
                "facts": [[who, "lit", f"lamp {lamp}"]],
            })
        os.write(log, f"end {name}\\n".encode())
        return json.dumps({"units": units})


config = ClewConfig(
    embedding_model="none", ku_extraction_method="llm", ku_concurrency=concurrency,
    ku_batch_size=size, chunk_size=110, chunk_overlap=0, chunk_strategy="paragraph",
)
with KnowledgeBase.open(os.path.join(root, store), llm=Model(), config=config) as kb:
    report = kb.ingest(os.path.join(root, "lamps"))
    sys.exit(report.exit_status)
"""


def _folder(root: Path) -> None:
    (root / "lamps").mkdir()
    (root / "child.py").write_text(CHILD, encoding="utf-8")
    for document in range(DOCUMENTS):
        paragraphs = [_paragraph(f"{document}x{chunk}", chunk) for chunk in range(CHUNKS)]
        path = root / "lamps" / f"l{document:02}.txt"
        path.write_text("\n\n".join(paragraphs), encoding="utf-8")


def _paragraph(name: str, number: int) -> str:
    """Every other one leaves open whom it speaks of."""
    if number % 2 == 0:
        return f"Keeper K{name} came to Tamsund in winter and lit lamp L{name} there, seen by all."
    return f"The night was long and cold on the quay. She lit lamp L{name} there, seen by all."


def _start(root: Path, store: str, concurrency: int, size: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "child.py", str(root), store, str(concurrency), str(size)]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL)


def _calls(root: Path, store: str) -> tuple[Counter[str], Counter[str]]:
    """How often each prompt was asked, and how often it was answered."""
    lines = [line.split() for line in (root / f"{store}.log").read_text().splitlines()]
    counts = [
        Counter(name for kind, name in lines if kind == wanted) for wanted in ("begin", "end")
    ]
    return counts[0], counts[1]


def _wait_for_lines(log: Path, more: int, child: subprocess.Popen[bytes]) -> None:
    """Until ``log`` has that many lines more than it has now, or ``child`` has ended."""

    def lines() -> int:
        return log.read_bytes().count(b"\n") if log.exists() else 0

    wanted = lines() + more
    while child.poll() is None and lines() < wanted:
        time.sleep(0.001)


@pytest.mark.parametrize(("concurrency", "size"), [(1, 1), (4, 3)])
def test_no_call_is_paid_for_twice(tmp_path: Path, concurrency: int, size: int) -> None:
    _folder(tmp_path)
    assert _start(tmp_path, "whole", concurrency, size).wait() == 0
    asked, _ = _calls(tmp_path, "whole")
    assert set(asked.values()) == {1}
    moments = random.Random(concurrency)
    killed = documents = 0
    for _ in range(KILLS):
        child = _start(tmp_path, "killed", concurrency, size)
        _wait_for_lines(tmp_path / "killed.log", moments.randrange(1, len(asked) // 4), child)
        time.sleep(moments.uniform(0, 0.02))
        killed += child.poll() is None
        child.kill()
        child.wait()
        if (tmp_path / "killed" / "main.db").exists():
            with KnowledgeBase.open(tmp_path / "killed", config=WORDS) as kb:
                assert kb.check() == []
                assert kb.stats()["documents"] >= documents
                documents = kb.stats()["documents"]
    assert _start(tmp_path, "killed", concurrency, size).wait() == 0
    assert killed > KILLS // 3
    begun, answered = _calls(tmp_path, "killed")
    twice = sum(begun.values()) - len(begun)
    assert twice <= killed * concurrency, "more than what was under way when it was killed"
    lost = sum(answered.values()) - len(answered)
    assert lost <= killed * concurrency
    for name in ("whole", "killed"):
        with KnowledgeBase.open(tmp_path / name, config=WORDS) as kb:
            assert kb.stats()["facts"] == DOCUMENTS * CHUNKS
            kb.export(tmp_path / f"{name}.jsonl")
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "killed.jsonl").read_bytes()
    assert _start(tmp_path, "killed", concurrency, size).wait() == 0
    assert _calls(tmp_path, "killed")[0] == begun


def test_two_runs_at_the_same_time_pay_for_each_call_once(tmp_path: Path) -> None:
    _folder(tmp_path)
    children = [_start(tmp_path, "together.clew", 3, 1) for _ in range(2)]
    assert [child.wait() for child in children] == [0, 0]
    begun, ended = _calls(tmp_path, "together.clew")
    assert begun == ended
    assert len(begun) >= DOCUMENTS * CHUNKS
    assert set(begun.values()) == {1}
