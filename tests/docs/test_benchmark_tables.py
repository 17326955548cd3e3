"""The tables of the benchmark page say what the results files say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "benchmarks.md"


@pytest.fixture(scope="module")
def generator(script: Callable[[str], ModuleType]) -> ModuleType:
    return script("docs/generate_benchmarks.py")


def _report(name: str, *, form: tuple[str, ...] = (), embedder: str = "e") -> dict[str, Any]:
    figures = {"recall@2": 60.0, "recall@5": 70.0, "all@5": 50.0, "cpu_ms": 2.0}
    lost = {"linked": {"mean": -9.5, "low": -11.0, "high": -8.0}}
    machine = {"commit": "c0", "processor": "p", "python": "3", "packages": {"numpy": "2"}}
    return {
        "set": name,
        "form": list(form),
        "embedder": embedder,
        "environment": machine,
        "questions": 9,
        "index": {"passages": 1234},
        "systems": {"linked": figures, "linked − title": figures, "mine": figures, "bm25": figures},
        "differences": {"linked − title": lost, "bm25": lost},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = {
        "eval-hotpotqa": _report("eval/hotpotqa"),
        "eval-2wiki": _report("eval/2wiki"),
        "eval-2wiki-words": _report("eval/2wiki", embedder="none"),
        "eval-2wiki-no-titles": _report("eval/2wiki", form=("no-titles",)),
        "tune-2wiki": _report("tune/2wiki"),
    }
    for name, report in made.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
    return tmp_path


def test_the_committed_tables_are_those_of_the_results(generator: ModuleType) -> None:
    committed = PAGE.read_text(encoding="utf-8")
    assert generator.page(committed) == committed, "run docs/generate_benchmarks.py"


def test_another_figure_in_the_results_changes_the_page(
    generator: ModuleType, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "index-sqlite.json").write_text('{"scaling": []}', encoding="utf-8")
    monkeypatch.setattr(generator, "RESULTS", folder)
    committed = PAGE.read_text(encoding="utf-8")
    changed = generator.page(committed)
    assert changed != committed
    assert "60.0 / 70.0 / 50.0" in changed
    assert changed.startswith(committed[: committed.index("<!-- table: recall -->")])


def test_only_test_sets_are_reported_in_a_fixed_order(generator: ModuleType, folder: Path) -> None:
    found = [(report["set"], report["form"]) for report in generator.reports(folder)]
    assert found == [
        ("eval/2wiki", []),
        ("eval/hotpotqa", []),
        ("eval/2wiki", []),  # words alone
        ("eval/2wiki", ["no-titles"]),
    ]


def test_known_systems_come_first_and_parts_have_their_own_table(
    generator: ModuleType, folder: Path
) -> None:
    made = generator.tables(generator.reports(folder), {"scaling": []})
    methods = [line.split(" | ")[0].strip("| ") for line in made["recall"].splitlines()[2:]]
    assert methods == ["bm25", "linked", "mine"]
    assert "| title | -9.5 (-11.0 to -8.0) | -9.5 (-11.0 to -8.0) |" in made["parts"]
    assert "| words alone | bm25 | 60.0 / 70.0 / 50.0 | – | – |" in made["forms"]
    assert "| eval/2wiki | words alone | c0 |" in made["environment"]
