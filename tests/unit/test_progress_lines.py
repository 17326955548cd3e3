"""Progress as lines: not too often, on standard error, with a rate and the time left."""

from __future__ import annotations

import pytest

from clew import ClewConfig, IndexPipeline
from clew.progress_lines import progress_lines
from clew.testing import FakeEmbedder


def test_a_line_with_rate_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 100.0
    monkeypatch.setattr("clew.progress_lines.time.monotonic", lambda: now)
    tell = progress_lines("documents", every_s=5.0)
    for now in (102.0, 110.0, 111.0, 120.0):
        tell(int(now - 100) * 2, 100, "index")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "index: 20/100 documents, 2/s, 40 s left",
        "index: 40/100 documents, 2/s, 30 s left",
    ]


def test_nothing_done_yet_has_no_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr("clew.progress_lines.time.monotonic", lambda: now)
    tell = progress_lines("documents", every_s=1.0)
    now = 2.0
    tell(0, 10, "embed")
    assert capsys.readouterr().err == "embed: 0/10 documents, 0/s\n"


def test_the_library_is_silent_unless_it_is_told_to_speak(
    capsys: pytest.CaptureFixture[str],
) -> None:
    IndexPipeline(embedding=FakeEmbedder()).run(["Varde Light was lit in 1871."])
    silent = capsys.readouterr()
    assert (silent.out, silent.err) == ("", "")
    config = ClewConfig(verbose=True)
    IndexPipeline(embedding=FakeEmbedder(), config=config).run(["Varde Light was lit in 1871."])
    spoken = capsys.readouterr()
    assert spoken.out == ""
    assert spoken.err.startswith("clew: 1 documents (1 inserted), 1 knowledge units in ")
