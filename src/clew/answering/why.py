"""How an answer was come by, in plain text: for a terminal, a log, or a person who doubts it."""

from __future__ import annotations

from collections.abc import Iterator

from clew.results import Answer, Citation, PathStep

_HOW = {
    "anchor": "the question names {entity}",
    "similar": "close to the question",
    "mentions": "shares {entity} with the step before",
    "about": "is about {entity}, which the step before names",
}


def explain_answer(answer: Answer) -> str:
    """The path, the evidence and what is missing, a line or two for each."""
    return "\n".join(
        [
            answer.question,
            *_verdict(answer),
            *_path(answer.path),
            *_evidence(answer.citations),
            *_missing(answer),
            *_rivals(answer),
        ]
    )


def _verdict(answer: Answer) -> Iterator[str]:
    method = answer.trace.get("method")
    by = f", found by {method}" if method else ""
    if answer.abstained:
        yield f"no answer (strength of the evidence {answer.confidence:.2f}{by})"
        if answer.sentence:
            yield answer.sentence
    else:
        yield f"{answer.answer} (confidence {answer.confidence:.2f}{by})"


def _path(steps: tuple[PathStep, ...]) -> Iterator[str]:
    if steps:
        yield "the path:"
    for number, step in enumerate(steps, start=1):
        how = _HOW.get(step.relation, step.relation).format(entity=step.entity or "it")
        yield f"  {number}. {step.doc_id} [{step.start}:{step.end}], {how}"
        yield f"     “{_line(step.text)}”"
        if step.covers:
            yield f"     says of the question: {', '.join(step.covers)}"


def _evidence(citations: tuple[Citation, ...]) -> Iterator[str]:
    if citations:
        yield "the evidence:"
    for citation in citations:
        place = [citation.doc_id]
        if citation.page is not None:
            place.append(f"page {citation.page}")
        if citation.heading_path:
            place.append(" › ".join(citation.heading_path))
        span = f"[{citation.start}:{citation.end}]"
        yield f"  [{citation.number}] {', '.join(place)} {span}: “{_line(citation.text)}”"


def _missing(answer: Answer) -> Iterator[str]:
    uncovered = tuple(answer.trace.get("uncovered", ()))
    if answer.missing:
        yield f"no document says: {', '.join(answer.missing)}"
    elif uncovered:
        yield f"words of the question that the evidence does not have: {', '.join(uncovered)}"
    else:
        yield "nothing is missing: every part of the question is covered"


def _rivals(answer: Answer) -> Iterator[str]:
    rivals = tuple(answer.trace.get("rivals", ()))
    if answer.has_contradictions:
        said = f": {'; '.join(map(str, rivals))}" if rivals else ""
        yield f"the sources contradict each other; others say{said}"


def _line(text: str) -> str:
    return " ".join(text.split())
