"""``clew ingest`` of a folder, killed at random moments and run again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from clew import ClewConfig, KnowledgeBase

FILES = 160
KILLS = 8
COMMAND = [sys.executable, "-m", "clew", "ingest", "mills", "--quiet"]
WORDS = ClewConfig(embedding_model="none")


def _folder(root: Path) -> None:
    moments = random.Random(3)
    (root / "mills").mkdir()
    for number in range(FILES):
        parts = [
            f"## Part {part}\n\nMill {number} at Brook {part} was built by Miller{number % 17}.\n"
            for part in range(moments.randrange(1, 20))
        ]
        path = root / "mills" / f"m{number:03}.md"
        path.write_text(f"# Mill {number}\n\n" + "\n".join(parts), encoding="utf-8")


def _start(root: Path, store: str) -> subprocess.Popen[bytes]:
    command = [*COMMAND, "--store", store, "--set", "embedding_model=none"]
    return subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL)


def test_killed_while_reading_a_folder(tmp_path: Path) -> None:
    _folder(tmp_path)
    began = time.monotonic()
    assert _start(tmp_path, "whole.clew").wait() == 0
    whole_s = time.monotonic() - began
    moments = random.Random(8)
    for _ in range(KILLS):
        child = _start(tmp_path, "killed.clew")
        time.sleep(moments.uniform(0.1, whole_s))
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        if (tmp_path / "killed.clew" / "main.db").exists():
            with KnowledgeBase.open(tmp_path / "killed.clew", config=WORDS) as kb:
                assert kb.check() == []
    assert _start(tmp_path, "killed.clew").wait() == 0
    for name in ("whole", "killed"):
        with KnowledgeBase.open(tmp_path / f"{name}.clew", config=WORDS) as kb:
            assert kb.stats()["documents"] == FILES
            kb.export(tmp_path / f"{name}.jsonl")
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "killed.jsonl").read_bytes()


def test_two_at_once_end_in_what_one_ends_in(tmp_path: Path) -> None:
    _folder(tmp_path)
    children = [_start(tmp_path, "s.clew") for _ in range(2)]
    assert [child.wait() for child in children] == [0, 0]
    with KnowledgeBase.open(tmp_path / "s.clew", config=WORDS) as kb:
        assert kb.stats()["documents"] == FILES
        assert kb.check() == []
