"""Reports count, say what went wrong, and give the exit status."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from clew.models.base import Usage
from clew.reports import DocumentReport, IngestReport, Status


def _report(*statuses: Status) -> IngestReport:
    return IngestReport(
        documents=tuple(
            DocumentReport(source=f"{place}.txt", status=status)
            for place, status in enumerate(statuses)
        )
    )


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        ((), 0),
        ((Status.INSERTED, Status.UNCHANGED, Status.EMPTY, Status.DUPLICATE_OF), 0),
        ((Status.INSERTED, Status.FAILED), 3),
        ((Status.PARTIAL,), 3),
        ((Status.FAILED, Status.FAILED), 1),
    ],
)
def test_exit_status(statuses: tuple[Status, ...], expected: int) -> None:
    assert _report(*statuses).exit_status == expected


def test_counts_and_trouble() -> None:
    report = _report(Status.INSERTED, Status.FAILED, Status.INSERTED, Status.PARTIAL)
    assert report.counts == {"failed": 1, "inserted": 2, "partial": 1}
    assert [item.source for item in report.trouble] == ["1.txt", "3.txt"]


def test_json_has_the_documents_first() -> None:
    plain = json.loads(_report(Status.FAILED).to_json())
    assert next(iter(plain)) == "documents"
    assert plain["documents"][0] == {
        "source": "0.txt",
        "status": "failed",
        "doc_id": "",
        "reason": "",
        "chunks": 0,
        "knowledge_units": 0,
        "facts": 0,
        "degraded_chunks": 0,
        "ungrounded_facts": 0,
        "violations": [],
    }
    assert plain["exit_status"] == 1


def test_a_summary_in_a_line() -> None:
    report = _report(Status.INSERTED, Status.DUPLICATE_OF, Status.INSERTED)
    assert report.summary == (
        "3 documents (1 duplicate of, 2 inserted), 0 knowledge units in 0.0 s"
    )
    assert "nothing to read" in IngestReport().summary
    assert IngestReport(interrupted=True).summary == "no documents"


def test_a_summary_says_what_a_model_cost() -> None:
    usage = Usage(calls=12, input_tokens=34_000, output_tokens=5_000)
    report = IngestReport(documents=_report(Status.INSERTED).documents, usage=usage)
    told = "; 12 calls of the model, 34,000 tokens in and 5,000 out, "
    assert replace(report, cost=0.0123, currency="USD").summary.endswith(f"{told}0.0123 USD")
    assert replace(report, cost=None).summary.endswith(f"{told}cost unknown")
    unstated = replace(report, cost=None, usage=Usage(calls=12)).summary
    told = "; 12 calls of the model, of unknown length, for it states no tokens, cost unknown"
    assert unstated.endswith(told)
