from __future__ import annotations

import pytest

from clew.indexing.low_yield import low_yield_note
from clew.reports import DocumentReport, Status


def _report(chunks: int, degraded: int) -> DocumentReport:
    return DocumentReport(
        source="a", status=Status.PARTIAL, chunks=chunks, degraded_chunks=degraded
    )


@pytest.mark.parametrize(
    ("counts", "warns"),
    [([], False), ([(0, 0)], False), ([(10, 1)], False), ([(10, 2)], True), ([(1, 1)], True),
     ([(3, 1), (30, 1)], False), ([(3, 2), (3, 0)], True)],
)  # fmt: skip
def test_a_fifth_of_the_chunks_of_a_run(counts: list[tuple[int, int]], warns: bool) -> None:
    note = low_yield_note([_report(*pair) for pair in counts], 1000)
    assert bool(note) == warns


def test_the_note_counts_and_says_what_to_change() -> None:
    note = low_yield_note([_report(2000, 1500)], 1000)
    assert "1,500 of 2,000 chunks" in note
    assert "chunk_size=500 and ku_batch_size=1" in note
    overlapping = low_yield_note([_report(2, 2)], 300, chunk_overlap=200)
    assert "chunk_size=200, chunk_overlap=40 and" in overlapping
    assert "chunk_size=200 " in low_yield_note([_report(1, 1)], 100)


def test_of_a_model_that_never_replied_it_is_said() -> None:
    note = low_yield_note([_report(4, 4)], 1000, answered=False)
    assert "the model never replied, and the reason stands beside each document" in note
    assert "4 of 4 chunks" in note
    assert low_yield_note([_report(40, 0)], 1000, answered=False) == ""
