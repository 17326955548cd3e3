"""Reports as Markdown."""

from __future__ import annotations

from typing import Any

from clew.evaluation.tables import kind_table, recall_table, stage_table, summary_table

REPORT: dict[str, Any] = {
    "set": "eval/made",
    "questions": 1200,
    "index": {"pieces": 6119},
    "systems": {
        "bm25s": {
            "recall@2": 50.0,
            "recall@5": 60.0,
            "all@5": 30.0,
            "cpu_ms_by_stage": {"rest": 1},
        },
        "linked": {
            "recall@2": 70.0,
            "recall@5": 90.0,
            "all@5": 80.5,
            "cpu_ms": 9.0,
            "cpu_ms_by_stage": {"embed": 3.0, "link": 1.0, "find": 4.0, "rank": 1.0},
            "by_kind": {"bridge": {"questions": 7, "recall@5": 88.0}},
        },
    },
    "differences": {"bm25s": {"linked": {"mean": -30.0, "low": -32.5, "high": -27.5}}},
}


def _rows(table: str) -> list[list[str]]:
    lines = table.strip().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_a_system_a_line_with_its_distance_to_linked_evidence() -> None:
    head, _, words, linked = _rows(recall_table(REPORT))
    assert head[0] == "method"
    assert words[:3] == ["bm25s", "50.0", "60.0"]
    assert words[-1] == "-30.0 (-32.5 to -27.5)"
    assert linked[-1] == "–"
    assert len({len(row) for row in _rows(recall_table(REPORT))}) == 1


def test_only_systems_with_stages_have_a_line_of_stages() -> None:
    _, _, only = _rows(stage_table(REPORT))
    assert only == ["linked", "3.0", "1.0", "4.0", "1.0", "9.0"]


def test_a_type_a_line() -> None:
    head, _, row = _rows(kind_table(REPORT))
    assert head == ["type", "questions", "bm25s", "linked"]
    assert row == ["bridge", "7", "–", "88.0"]


def test_sets_side_by_side() -> None:
    other = {**REPORT, "set": "eval/other", "index": {}, "systems": {"linked": {"recall@2": 1.0}}}
    head, _, words, linked = _rows(summary_table([REPORT, other]))
    assert head == [
        "",
        "eval/made: 1,200 questions, 6,119 passages",
        "eval/other: 1,200 questions",
    ]
    assert words == ["bm25s", "50.0 / 60.0 / 30.0", "–"]
    assert linked == ["linked", "70.0 / 90.0 / 80.5", "1.0 / – / –"]
