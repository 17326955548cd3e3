"""What answers to a user's questions are measured by, on answers that are given by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser

import pytest

from clew.errors import ModelUnavailableError, NotFoundError
from clew.evaluation.abstaining import area_under_roc
from clew.evaluation.answer_page import page
from clew.evaluation.answer_report import AnswerReport, compare, evaluate_answers
from clew.evaluation.answer_table import answer_rows
from clew.evaluation.own_questions import OwnQuestion
from clew.models.base import Usage
from clew.records import Document, IndexedDocument
from clew.results import Answer, Citation, RetrievalItem, RetrievalResult

TEXTS = {"light": "Oda Krog lit the lamp. <b>It</b> burned.", "rock": "The rock is wet."}


class ByHand:
    """Answers that were written down; what is not there fails."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self.answers = answers

    def ask(self, question: str) -> Answer:
        if question not in self.answers:
            raise ModelUnavailableError("the model is away")
        return self.answers[question]

    def search(self, query: str, *, top_n: int | None = None) -> RetrievalResult:
        assert top_n is not None
        items = [_item("rock"), _item("rock"), _item("light")]
        return RetrievalResult(query=query, items=tuple(items[:top_n]))

    def document(self, doc_id: str) -> IndexedDocument:
        if doc_id not in TEXTS:
            raise NotFoundError(doc_id)
        document = Document(id=doc_id, doc_id=doc_id, text=TEXTS[doc_id])
        return IndexedDocument(document=document, chunks=(), units=())


def _item(name: str) -> RetrievalItem:
    return RetrievalItem(
        content="", score=1.0, source_chunk_id="", document_id=name, doc_id=name, start=0, end=0
    )


def _cited(doc_id: str, start: int, end: int, text: str = "") -> Citation:
    text = text or TEXTS[doc_id][start:end]
    return Citation(number=1, doc_id=doc_id, start=start, end=end, text=text)


QUESTIONS = (
    OwnQuestion(id="1", question="Who lit it?", answers=("Oda Krog",), doc_ids=("light",)),
    OwnQuestion(id="2", question="Who swam?", answers=("Bo Munk",)),
    OwnQuestion(id="3", question="Who sang?", answerable=False),
    OwnQuestion(id="4", question="Who ran?", answers=("Eva",)),
    OwnQuestion(id="5", question="Who fell?", answers=("Liv",), place="q: line 5"),
    OwnQuestion(id="6", question="Which one?", doc_ids=("rock",)),
)
GIVEN = {
    "Who lit it?": Answer(
        question="",
        answer="the Oda Krog",
        sentence="Oda Krog lit the lamp [1].",
        citations=(_cited("light", 0, 22), _cited("light", 0, 5, "forged")),
        confidence=0.9,
        usage=Usage(calls=1, input_tokens=100, output_tokens=10),
    ),
    "Who swam?": Answer(
        question="", answer="Munk", confidence=0.6, citations=(_cited("rock", 0, 16),)
    ),
    "Who sang?": Answer(question="", answer="", abstained=True, confidence=0.1),
    "Who ran?": Answer(question="", answer="", abstained=True, confidence=0.2, missing=("ran",)),
    "Which one?": Answer(question="", answer="the wet one", confidence=0.5),
}


@pytest.fixture
def report() -> AnswerReport:
    return evaluate_answers(
        ByHand(GIVEN),
        QUESTIONS,
        name="first",
        cost=lambda usage: usage.input_tokens / 1000,
        currency="EUR",
    )


def test_each_question_has_its_verdict(report: AnswerReport) -> None:
    assert [one.verdict for one in report.results] == [
        "right", "nearly", "right", "refused", "failed", "unscored",
    ]  # fmt: skip
    assert report.failed[0].error == "q: line 5: ModelUnavailableError: the model is away"


def test_figures(report: AnswerReport) -> None:
    figures = report.figures
    assert figures["em"] == pytest.approx(1 / 4)
    assert figures["f1"] == pytest.approx((1 + 2 / 3) / 4)
    assert figures["recall@1"] == pytest.approx(1 / 2)
    assert figures["recall@5"] == 1.0
    assert figures["citation_precision"] == pytest.approx(1 / 2)  # all of one, none of the other
    assert figures["citations_exact"] == pytest.approx((1 / 2 + 1) / 2)
    assert figures["right"] == pytest.approx(2 / 5)
    assert figures["answered"] == pytest.approx(3 / 5)
    assert figures["right_when_answered"] == pytest.approx(1 / 2)
    assert figures["abstention_precision"] == pytest.approx(1 / 2)
    assert figures["abstention_recall"] == 1.0
    assert figures["auroc"] == 1.0
    assert report.usage == Usage(calls=1, input_tokens=100, output_tokens=10)
    assert report.cost == pytest.approx(0.1)
    assert set(report.latency_ms) == {"p50", "p95"}


def test_a_citation_must_be_the_exact_slice_and_support(report: AnswerReport) -> None:
    real, forged = report.results[0].citations
    assert (real.resolves, real.supports) == (True, True)
    assert (forged.resolves, forged.supports) == (False, True)
    (beside,) = report.results[1].citations
    assert (beside.resolves, beside.supports) == (True, False)


def test_a_document_that_is_not_there_resolves_nothing() -> None:
    answer = Answer(question="", answer="Eva", citations=(_cited("gone", 0, 3, "Eva"),))
    report = evaluate_answers(ByHand({"Who ran?": answer}), QUESTIONS[3:4])
    assert report.figures["citations_exact"] == 0.0
    assert report.figures["citation_precision"] == 1.0


def test_an_unknown_price_is_not_nothing() -> None:
    report = evaluate_answers(ByHand(GIVEN), QUESTIONS)
    assert report.cost is None
    assert ["cost", "not known"] in answer_rows([report], {})


def test_json_holds_every_question(report: AnswerReport) -> None:
    told = json.loads(report.to_json())
    assert told["failed"] == 1
    assert [one["verdict"] for one in told["results"]][:2] == ["right", "nearly"]
    assert told["results"][0]["citations"][1]["resolves"] is False


def test_comparison_is_the_second_minus_the_first(report: AnswerReport) -> None:
    better = {**GIVEN, "Who swam?": Answer(question="", answer="Bo Munk", confidence=0.8)}
    second = evaluate_answers(ByHand(better), QUESTIONS, name="second")
    differences = compare(report, second)
    assert differences["em"].mean == pytest.approx(1 / 4)
    assert differences["em"].low == 0.0
    assert differences["recall@5"].mean == 0.0
    rows = {row[0]: row[1:] for row in answer_rows([report, second], differences)}
    assert rows["exact match"][:2] == ["25.0 %", "50.0 %"]
    assert rows["exact match"][2].startswith("+25.0 (+0.0 to ")
    assert len(rows["cost"]) == 3
    with pytest.raises(ValueError, match="different questions"):
        compare(report, evaluate_answers(ByHand(GIVEN), QUESTIONS[:2]))


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {"src", "href"} & {name for name, _ in attrs}
        if tag not in {"meta", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_needs_nothing_else(report: AnswerReport) -> None:
    second = evaluate_answers(ByHand({}), QUESTIONS, name="<second>")
    for text in (page(report), page(report, second)):
        seen = _Seen()
        seen.feed(text)
        assert seen.open == []
        assert seen.tags.count("article") == 6
        assert not {"script", "link", "img", "b"} & set(seen.tags)
        assert not re.search(r"url\(|@import", text)
    single = page(report)
    for name in ("right", "nearly", "refused", "failed", "unscored"):
        assert f'id="only-{name}"' in single
        assert f"#only-{name}:checked ~ main article:not(.{name})" in single
    assert "only-wrong" not in re.sub(r"<style>.*</style>", "", single, flags=re.DOTALL)
    assert "“Oda Krog lit the lamp.”" in single
    assert "not the text of the document" in single
    assert "&lt;second&gt;" in page(report, second)
    assert '<article class="failed worse">' in page(report, second)


@pytest.mark.parametrize(
    ("scores", "positive", "area"),
    [
        ([0.9, 0.1], [True, False], 1.0),
        ([0.1, 0.9], [True, False], 0.0),
        ([0.5, 0.5], [True, False], 0.5),
        ([0.9, 0.4, 0.6, 0.4], [True, True, False, False], 2.5 / 4),
    ],
)
def test_area_under_roc(scores: list[float], positive: list[bool], area: float) -> None:
    assert area_under_roc(scores, positive) == pytest.approx(area)


def test_an_area_needs_both_kinds() -> None:
    with pytest.raises(ValueError, match="one kind is missing"):
        area_under_roc([0.1], [True])
    with pytest.raises(ValueError, match="2 scores for 1"):
        area_under_roc([0.1, 0.2], [True])
