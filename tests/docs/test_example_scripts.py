"""The scripts in ``examples`` run as they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from clew.demo.questions import load_questions

HARDER = Path(__file__).resolve().parents[2] / "examples" / "harder_questions.json"
Load = Callable[[str], ModuleType]


def test_asking_a_folder_prints_the_answer_and_where_it_stands(
    script: Load,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bridge.txt").write_text("Norr Bridge was built by Sund Ironworks in 1931.\n")
    monkeypatch.setattr("sys.argv", ["ask_a_folder.py", str(tmp_path), "Who built Norr Bridge?"])
    assert script("examples/ask_a_folder.py").main() == 0
    answer, place, quoted = capsys.readouterr().out.splitlines()
    assert answer == "Sund Ironworks"
    assert place == f"[1] {(tmp_path / 'bridge.txt').as_posix()} 0-48"
    assert quoted.strip() == "Norr Bridge was built by Sund Ironworks in 1931."


def test_asking_a_folder_without_a_question_shows_how_to(
    script: Load, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ask_a_folder.py"])
    assert script("examples/ask_a_folder.py").main() == 2
    assert "ask_a_folder.py" in capsys.readouterr().err


def test_the_harder_questions_are_asked_and_counted(
    script: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script("examples/ask_harder_questions.py").main() == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.endswith(f"of {len(load_questions(HARDER))} right")


def test_the_committed_binary_documents_are_those_of_the_prose(
    script: Load,
) -> None:
    builder = script("examples/build_documents.py")
    for name, build in builder.BUILDERS.items():
        content = build(builder.read_prose(builder.PROSE / f"{Path(name).stem}.md"))
        assert builder.is_same(content, (builder.DOCUMENTS / name).read_bytes()), name
