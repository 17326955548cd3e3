"""The questions of the demonstration, and when an answer to one of them is right."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clew.knowledge_base import KnowledgeBase
    from clew.results import Answer, Citation

_LEADING_ARTICLE = re.compile(r"^(?:the|a|an)\s+")


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """``answers`` are the accepted ones. ``evidence`` is what must be cited, piece by piece: each
    piece names the files that say it, and for each the words by which one knows that they were
    cited (any of them will do). An answer that is right by luck is not right.

    Where ``answers`` is empty, no document says it. The right result is to abstain, and to name
    ``missing`` among what was not found.
    """

    id: str
    kind: str
    question: str
    answers: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, Sequence[str]], ...] = ()
    missing: tuple[str, ...] = ()


def documents_folder() -> Path:
    """Where the documents are: clew is always installed as files, so they have a path."""
    return Path(str(files("clew.demo"))) / "documents"


def load_questions(path: Path | None = None) -> tuple[Question, ...]:
    """The questions of the demonstration, or those of another file of the same form."""
    source = path or documents_folder().parent / "questions.json"
    return tuple(_read(item) for item in json.loads(source.read_text(encoding="utf-8")))


def faults(question: Question, answer: Answer, kb: KnowledgeBase) -> tuple[str, ...]:
    """Everything that is wrong with ``answer``; empty when it is right."""
    if not question.answers:
        return _faults_of_abstaining(question, answer)
    found = []
    if answer.abstained:
        found.append(f"it abstains; right is {question.answers[0]}")
    elif normalise(answer.answer) not in map(normalise, question.answers):
        found.append(f"right is {question.answers[0]}")
    sources = {document.doc_id: Path(document.source).name for document in kb.documents()}
    found += _missing_evidence(question, answer, sources)
    found += [
        f"citation [{citation.number}] is not what {citation.doc_id} says there"
        for citation in answer.citations
        if not _is_exact(citation, kb)
    ]
    return tuple(found)


def normalise(answer: str) -> str:
    """Case, width, quotes, a leading article and a final stop do not make an answer wrong.

    >>> normalise("“The  MIT Museum”."), normalise("3,000 Pounds")
    ('mit museum', '3,000 pounds')
    """
    text = unicodedata.normalize("NFKC", answer).casefold().strip(" \t\n.“”\"'‘’")
    return " ".join(_LEADING_ARTICLE.sub("", text).split())


def _read(item: Mapping[str, Any]) -> Question:
    lists = {name: tuple(item.get(name, ())) for name in ("answers", "evidence", "missing")}
    return Question(**{**item, **lists})


def _faults_of_abstaining(question: Question, answer: Answer) -> tuple[str, ...]:
    if not answer.abstained:
        return (f"no document says it, but it answers {answer.answer}",)
    named = normalise(" ".join(answer.missing))
    return tuple(
        f"it does not say that {word!r} is what is missing"
        for word in question.missing
        if normalise(word) not in named
    )


def _missing_evidence(question: Question, answer: Answer, sources: Mapping[str, str]) -> list[str]:
    cited: dict[str, str] = {}
    for citation in answer.citations:
        name = sources[citation.doc_id]
        cited[name] = f"{cited.get(name, '')} {' '.join(citation.text.split())}"
    return [
        " or ".join(f"{name} with {words[0]!r}" for name, words in piece.items()) + " is not cited"
        for piece in question.evidence
        if not any(
            any(said in cited.get(name, "") for said in words) for name, words in piece.items()
        )
    ]


def _is_exact(citation: Citation, kb: KnowledgeBase) -> bool:
    text = kb.document(citation.doc_id).document.text
    return bool(citation.text) and text[citation.start : citation.end] == citation.text
