"""Reports as Markdown."""

from __future__ import annotations

from typing import Any

from clew.evaluation.tables import (
    heading,
    index_rows,
    kind_rows,
    markdown,
    recall_rows,
    stage_rows,
    summary_rows,
)

REPORT: dict[str, Any] = {
    "set": "eval/made",
    "form": [],
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


def test_a_heading_says_what_was_measured_on() -> None:
    assert heading(REPORT) == "eval/made: 1,200 questions, 6,119 passages"
    long = {**REPORT, "form": ["no-titles", "concatenated"]}
    assert heading(long) == ("eval/made (no-titles, concatenated): 1,200 questions, 6,119 chunks")


def test_a_system_a_line_with_its_distance_to_linked_evidence() -> None:
    head, words, linked = recall_rows(REPORT)
    assert head[0] == "method"
    assert words[:3] == ("bm25s", "50.0", "60.0")
    assert words[-1] == "-30.0 (-32.5 to -27.5)"
    assert linked[-1] == "–"
    assert len(head) == len(words) == len(linked)


def test_only_systems_with_stages_have_a_line_of_stages() -> None:
    _, only = stage_rows(REPORT)
    assert only == ("linked", "3.0", "1.0", "4.0", "1.0", "9.0")


def test_a_type_a_line() -> None:
    head, row = kind_rows(REPORT)
    assert head == ("type", "questions", "bm25s", "linked")
    assert row == ("bridge", "7", "–", "88.0")


def test_without_types_the_number_of_passages_stands_for_them() -> None:
    untyped = {"by_kind": {}, "by_passages": {"2": {"questions": 4, "recall@5": 75.0}}}
    assert kind_rows({**REPORT, "systems": {"linked": untyped}}) == [
        ("passages", "questions", "linked"),
        ("2", "4", "75.0"),
    ]


def test_a_stage_of_indexing_a_line() -> None:
    index = {
        "seconds": 3.0,
        "cpu_seconds": 2.5,
        "seconds_by_stage": {"chunk": 1.0, "store": 2.0},
        "cpu_seconds_by_stage": {"chunk": 0.5, "store": 2.0},
    }
    assert index_rows({**REPORT, "index": index})[1:] == [
        ("chunk", "1.0", "0.5"),
        ("store", "2.0", "2.0"),
        ("whole", "3.0", "2.5"),
    ]
    assert len(index_rows(REPORT)) == 1


def test_sets_side_by_side() -> None:
    other = {**REPORT, "set": "eval/other", "systems": {"linked": {"recall@2": 1.0}}}
    head, words, linked = summary_rows([REPORT, other])
    assert head == ("method", "eval/made", "eval/other")
    assert words == ("bm25s", "50.0 / 60.0 / 30.0", "–")
    assert linked == ("linked", "70.0 / 90.0 / 80.5", "1.0 / – / –")


def test_rows_are_a_markdown_table() -> None:
    assert markdown([("a", "b"), ("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"
