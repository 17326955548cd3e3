"""A user's questions asked of a knowledge base, and each answer held against what is right."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from clew.errors import ClewError, NotFoundError
from clew.evaluation.answers import exact_match, normalise, token_f1
from clew.evaluation.own_questions import OwnQuestion
from clew.evaluation.recall import recall_at
from clew.models.base import Usage
from clew.progress_lines import Tell
from clew.records import IndexedDocument
from clew.results import Answer, Citation, RetrievalResult

RECALL_AT = (1, 5, 10)
NEARLY_F1 = 0.5
"""From here an answer that is not right is nearly right."""

Cost = Callable[[Usage], float | None]


class Asked(Protocol):
    """What is asked: a :class:`clew.KnowledgeBase`, or what has these methods of it."""

    def ask(self, question: str) -> Answer: ...

    def search(self, query: str, *, top_n: int | None = None) -> RetrievalResult: ...

    def document(self, doc_id: str) -> IndexedDocument: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedCitation:
    """``resolves``: its text is exactly the slice of the document; ``supports``: it holds a right
    answer, or is in a document that answers the question (None where nothing says what is right).
    """

    citation: Citation
    resolves: bool
    supports: bool | None


@dataclass(frozen=True, kw_only=True, slots=True)
class AnsweredQuestion:
    """One question with its answer. What cannot be measured is None; with an ``error`` there is no
    answer, which is scored like a wrong one.
    """

    question: OwnQuestion
    answer: Answer
    em: float | None
    f1: float | None
    recall: Mapping[int, float] = field(default_factory=dict)
    citations: tuple[CheckedCitation, ...] = ()
    ms: float = 0.0
    cost: float | None = None
    error: str = ""

    @property
    def verdict(self) -> str:
        """``right``, ``nearly``, ``wrong``, ``refused`` (it could have been answered), ``failed``,
        or ``unscored`` where no right answer is known.
        """
        if self.error:
            return "failed"
        if not self.question.answerable:
            return "right" if self.answer.abstained else "wrong"
        if self.answer.abstained:
            return "refused"
        if self.em is None or self.f1 is None:
            return "unscored"
        return "right" if self.em == 1.0 else "nearly" if self.f1 >= NEARLY_F1 else "wrong"


def ask_all(
    asked: Asked,
    questions: Sequence[OwnQuestion],
    *,
    cost: Cost = lambda _usage: None,
    tell: Tell = lambda _done, _total, _stage: None,
) -> tuple[AnsweredQuestion, ...]:
    """Ask every question, one after the other. A question that raises a :class:`ClewError` is
    scored as not answered, and the others go on.
    """
    found = []
    for at, question in enumerate(questions):
        tell(at, len(questions), "ask")
        found.append(ask_one(asked, question, cost))
    tell(len(questions), len(questions), "ask")
    return tuple(found)


def ask_one(asked: Asked, question: OwnQuestion, cost: Cost) -> AnsweredQuestion:
    start = time.perf_counter()
    try:
        answer = asked.ask(question.question)
    except ClewError as error:
        return _failed(question, error)
    ms = 1000 * (time.perf_counter() - start)
    scored = question.answerable and bool(question.answers)
    return AnsweredQuestion(
        question=question,
        answer=answer,
        em=exact_match(answer.answer, question.answers) if scored else None,
        f1=token_f1(answer.answer, question.answers) if scored else None,
        recall=_recall(asked, question),
        citations=tuple(_checked(asked, question, citation) for citation in answer.citations),
        ms=ms,
        cost=cost(answer.usage),
    )


def _failed(question: OwnQuestion, error: ClewError) -> AnsweredQuestion:
    scored = 0.0 if question.answerable and question.answers else None
    return AnsweredQuestion(
        question=question,
        answer=Answer(question=question.question, answer=""),
        em=scored,
        f1=scored,
        recall=dict.fromkeys(RECALL_AT, 0.0) if question.doc_ids else {},
        error=f"{question.place}: {type(error).__name__}: {error}",
    )


def _recall(asked: Asked, question: OwnQuestion) -> dict[int, float]:
    """By document, of the search alone: how many of those that answer are among the first."""
    if not question.doc_ids:
        return {}
    result = asked.search(question.question, top_n=3 * max(RECALL_AT))
    found = list(dict.fromkeys(item.doc_id for item in result.items))
    return {k: recall_at(k, found, question.doc_ids) for k in RECALL_AT}


def _checked(asked: Asked, question: OwnQuestion, citation: Citation) -> CheckedCitation:
    try:
        text = asked.document(citation.doc_id).document.text
    except NotFoundError:
        text = ""
    return CheckedCitation(
        citation=citation,
        resolves=bool(citation.text) and text[citation.start : citation.end] == citation.text,
        supports=_supports(question, citation),
    )


def _supports(question: OwnQuestion, citation: Citation) -> bool | None:
    if not question.answerable:
        return False
    if citation.doc_id in question.doc_ids:
        return True
    said = [word for answer in question.answers if (word := normalise(answer)) not in _NO_TEXT]
    if not said:
        return False if question.doc_ids else None
    text = f" {normalise(citation.text)} "
    return any(f" {answer} " in text for answer in said)


_NO_TEXT = frozenset({"", "yes", "no"})


def to_dict(one: AnsweredQuestion) -> dict[str, Any]:
    """The result of one question for JSON."""
    return {
        "id": one.question.id,
        "question": one.question.question,
        "expected": list(one.question.answers),
        "answerable": one.question.answerable,
        "doc_ids": list(one.question.doc_ids),
        "answer": one.answer.answer,
        "sentence": one.answer.sentence,
        "abstained": one.answer.abstained,
        "confidence": one.answer.confidence,
        "verdict": one.verdict,
        "em": one.em,
        "f1": one.f1,
        "recall": {str(k): value for k, value in one.recall.items()},
        "citations": [
            {
                "doc_id": checked.citation.doc_id,
                "start": checked.citation.start,
                "end": checked.citation.end,
                "text": checked.citation.text,
                "resolves": checked.resolves,
                "supports": checked.supports,
            }
            for checked in one.citations
        ],
        "ms": round(one.ms, 1),
        "calls": one.answer.usage.calls,
        "input_tokens": one.answer.usage.input_tokens,
        "output_tokens": one.answer.usage.output_tokens,
        "cost": one.cost,
        "error": one.error,
    }
