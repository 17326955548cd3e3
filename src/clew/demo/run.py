"""Index the documents, ask the questions, print the thread to each answer, and check it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.markup import escape

from clew.cli.render import print_answer, print_json, print_path
from clew.demo.offline import network_blocked
from clew.demo.questions import Question, documents_folder, faults, load_questions
from clew.knowledge_base import KnowledgeBase
from clew.reports import IngestReport
from clew.results import Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """A question, what clew answered, and what is wrong with it (nothing, it is hoped)."""

    question: Question
    answer: Answer
    faults: tuple[str, ...]
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.question.id,
            "kind": self.question.kind,
            "accepted": list(self.question.answers),
            "must_cite": [dict(piece) for piece in self.question.evidence],
            "right": not self.faults,
            "faults": list(self.faults),
            "seconds": round(self.seconds, 4),
            **self.answer.to_dict(),
        }


def run_demo(
    store_path: str | Path | None = None, *, console: Console, as_json: bool = False
) -> int:
    """Run the demonstration, with the network blocked; 0 when every answer is right, else 1.

    The store is made at ``store_path`` and kept, or in a temporary folder and thrown away.
    """
    with ExitStack() as stack:
        path = store_path or Path(stack.enter_context(TemporaryDirectory())) / "demo.clew"
        stack.enter_context(network_blocked())
        kb = stack.enter_context(KnowledgeBase.open(path))
        report = kb.ingest(documents_folder())
        if not as_json:
            _print_report(console, report)
        outcomes = []
        for number, question in enumerate(load_questions(), start=1):
            outcomes.append(_ask(kb, question))
            if not as_json:
                _print_outcome(console, number, outcomes[-1])
    wrong = sum(bool(outcome.faults) for outcome in outcomes)
    if as_json:
        print_json(_as_dict(report, outcomes))
    else:
        _print_verdict(console, outcomes)
    return 1 if wrong or report.trouble else 0


def _ask(kb: KnowledgeBase, question: Question) -> Outcome:
    began = time.perf_counter()
    answer = kb.ask(question.question)
    seconds = time.perf_counter() - began
    return Outcome(
        question=question,
        answer=_with_file_names(answer, kb),
        faults=faults(question, answer, kb),
        seconds=seconds,
    )


def _with_file_names(answer: Answer, kb: KnowledgeBase) -> Answer:
    """The same answer, its documents named by file instead of by the whole path."""
    names: Mapping[str, str] = {
        document.doc_id: Path(document.source).name for document in kb.documents()
    }
    return replace(
        answer,
        citations=tuple(replace(item, doc_id=names[item.doc_id]) for item in answer.citations),
        sources=tuple(replace(item, doc_id=names[item.doc_id]) for item in answer.sources),
        path=tuple(replace(step, doc_id=names[step.doc_id]) for step in answer.path),
    )


def _formats() -> list[str]:
    return sorted({path.suffix.lstrip(".") for path in documents_folder().iterdir()})


def _as_dict(report: IngestReport, outcomes: list[Outcome]) -> dict[str, Any]:
    wrong = sum(bool(outcome.faults) for outcome in outcomes)
    return {
        "indexed": report.to_dict(),
        "formats": _formats(),
        "network": "blocked",
        "right": len(outcomes) - wrong,
        "wrong": wrong,
        "questions": [outcome.to_dict() for outcome in outcomes],
    }


def _print_report(console: Console, report: IngestReport) -> None:
    formats = _formats()
    units = sum(document.knowledge_units for document in report.documents)
    console.print(
        f"{len(report.documents)} documents in {len(formats)} formats ({', '.join(formats)}), "
        f"{units:,} knowledge units, indexed in {report.seconds:.1f} s; "
        "no key, and the network is blocked"
    )
    for document in report.trouble:
        console.print(f"[red]{document.status}[/red] {escape(document.source)}: {document.reason}")


def _print_outcome(console: Console, number: int, outcome: Outcome) -> None:
    console.print(f"\n[bold]{number}. {escape(outcome.question.question)}[/bold]")
    print_answer(console, outcome.answer)
    if outcome.answer.path and not outcome.answer.abstained:
        console.print("  [dim]the thread:[/dim]")
        print_path(console, outcome.answer.path)
    for fault in outcome.faults:
        console.print(f"  [red]✗ {escape(fault)}[/red]")
    if not outcome.faults:
        console.print(f"  [green]✓[/green] [dim]{outcome.seconds * 1000:.0f} ms[/dim]")


def _print_verdict(console: Console, outcomes: list[Outcome]) -> None:
    right = sum(not outcome.faults for outcome in outcomes)
    citations = sum(len(outcome.answer.citations) for outcome in outcomes)
    console.print(
        f"\n[bold]{right} of {len(outcomes)} right[/bold]; {citations} citations compared with "
        "the text of their documents, character by character"
    )
    for outcome in outcomes:
        if outcome.faults:
            console.print(
                f"[red]✗[/red] {outcome.question.id}: {escape('; '.join(outcome.faults))}"
            )
