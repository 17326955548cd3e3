"""``clew demo``: it is right, it is offline, and it would notice if it were wrong."""

from __future__ import annotations

import io
import json
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from clew import KnowledgeBase
from clew.demo import run_demo
from clew.demo.offline import NetworkBlockedError, network_blocked
from clew.demo.questions import Question, faults, load_questions, normalise
from clew.results import Answer, Citation


def test_every_answer_of_the_demonstration_is_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = run_demo(tmp_path / "demo.clew", console=Console(file=io.StringIO()), as_json=True)
    report = json.loads(capsys.readouterr().out)
    wrong = {item["id"]: item["faults"] for item in report["questions"] if item["faults"]}
    assert wrong == {}
    assert status == 0
    assert report["right"] == len(load_questions())
    assert report["indexed"]["exit_status"] == 0


def test_people_see_question_answer_source_and_thread() -> None:
    out = io.StringIO()
    run_demo(console=Console(file=out, width=10_000))
    told = out.getvalue()
    for question in load_questions():
        assert question.question in told
        assert all(any(name in told for name in piece) for piece in question.evidence)
    assert "the thread:" in told
    assert f"{len(load_questions())} of {len(load_questions())} right" in told


def test_the_network_is_blocked_inside_and_free_again_outside() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with (
            network_blocked(),
            socket.socket() as client,
            pytest.raises(NetworkBlockedError, match="blocked"),
        ):
            client.connect(address)
        with socket.socket() as client:
            client.connect(address)


class TestFaults:
    """One document, one question, and what can be wrong with an answer to it."""

    text = "The mouse was built by Claude Shannon in 1950."
    question = Question(
        id="mouse",
        kind="bridge",
        question="Who built the mouse?",
        answers=("Claude Shannon",),
        evidence=({"mouse.txt": ["Claude Shannon in 1950"]},),
    )
    right = Answer(
        question="Who built the mouse?",
        answer="Claude Shannon",
        citations=(Citation(number=1, doc_id="mouse.txt", start=0, end=46, text=text),),
    )
    unanswerable = Question(
        id="cat", kind="unanswerable", question="Who built the cat?", missing=("cat",)
    )

    @pytest.fixture
    def kb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KnowledgeBase:
        monkeypatch.chdir(tmp_path)
        Path("mouse.txt").write_text(self.text, encoding="utf-8")
        kb = KnowledgeBase.in_memory()
        kb.ingest("mouse.txt")
        return kb

    def test_a_right_answer_has_none(self, kb: KnowledgeBase) -> None:
        assert faults(self.question, self.right, kb) == ()

    def test_another_answer(self, kb: KnowledgeBase) -> None:
        assert "Claude Shannon" in faults(self.question, replace(self.right, answer="1950"), kb)[0]

    def test_abstaining_from_what_is_known(self, kb: KnowledgeBase) -> None:
        answer = Answer(question="Who built the mouse?", answer="", abstained=True)
        assert "abstains" in faults(self.question, answer, kb)[0]

    def test_answering_what_nothing_says(self, kb: KnowledgeBase) -> None:
        assert "no document says it" in faults(self.unanswerable, self.right, kb)[0]

    def test_abstaining_for_the_right_and_for_a_wrong_reason(self, kb: KnowledgeBase) -> None:
        answer = Answer(question="", answer="", abstained=True, missing=("built", "Cat"))
        assert faults(self.unanswerable, answer, kb) == ()
        wrong = replace(answer, missing=("mouse",))
        assert "'cat'" in faults(self.unanswerable, wrong, kb)[0]

    def test_a_document_that_is_not_cited(self, kb: KnowledgeBase) -> None:
        question = replace(self.question, evidence=({"maze.txt": ["maze"]},))
        assert faults(question, self.right, kb) == ("maze.txt with 'maze' is not cited",)

    def test_a_citation_that_does_not_hold_the_evidence(self, kb: KnowledgeBase) -> None:
        question = replace(self.question, evidence=({"mouse.txt": ["Betty"]},))
        assert "'Betty'" in faults(question, self.right, kb)[0]

    def test_a_citation_that_is_one_character_off(self, kb: KnowledgeBase) -> None:
        citation = replace(self.right.citations[0], start=1)
        answer = replace(self.right, citations=(citation,))
        assert "[1]" in faults(self.question, answer, kb)[0]


@pytest.mark.parametrize(
    ("written", "same_as"),
    [
        ("The MIT Museum.", "mit museum"),
        ("“Akaroa”", "Akaroa"),
        ("7  December 1817", "7 december 1817"),
    ],
)
def test_small_differences_do_not_make_an_answer_wrong(written: str, same_as: str) -> None:
    assert normalise(written) == normalise(same_as)


def test_other_differences_do() -> None:
    assert normalise("C++") != normalise("C")
    assert normalise("1817") != normalise("7 December 1817")
