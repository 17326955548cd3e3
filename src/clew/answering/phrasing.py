"""Saying it: the answer in full with its citation marks, or that it is not known, and what is
missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.answering.cells import cells_of
from clew.answering.evidence import Evidence, Sentence
from clew.answering.support import Finding
from clew.results import Citation, PathStep, Source
from clew.retrieval.question.lexicon import AUXILIARIES, DO
from clew.retrieval.question.records import Question, Slot
from clew.retrieval.question.tokens import tokenise

MAX_SENTENCE_CHARS = 400
_BLANKS = re.compile(r"\s+")
_CONTRARY = "but also"


def citations_of(evidence: Evidence, sentences: Sequence[Sentence]) -> tuple[Citation, ...]:
    """One citation per sentence, numbered from 1; ``text`` is the exact slice."""
    found = []
    for number, sentence in enumerate(sentences, start=1):
        item = evidence.passage_of(sentence).item
        found.append(
            Citation(
                number=number,
                doc_id=item.doc_id,
                start=sentence.start,
                end=sentence.end,
                text=sentence.text,
                title=item.title,
                page=item.page,
                heading_path=item.heading_path,
            )
        )
    return tuple(found)


def sources_of(
    evidence: Evidence, sentences: Sequence[Sentence], *, max_chars: int
) -> tuple[Source, ...]:
    """The documents of the sentences, each once; with the text around the sentences when
    ``max_chars`` allows, shared out in order of relevance.
    """
    found: dict[str, Source] = {}
    left = max_chars
    for sentence in sentences:
        item = evidence.passage_of(sentence).item
        if item.doc_id in found:
            continue
        text = ""
        if left > 0:
            text = _window(
                item.content, sentence.start - item.start, sentence.end - item.start, left
            )
            left -= len(text)
        found[item.doc_id] = Source(doc_id=item.doc_id, title=item.title, text=text)
    return tuple(found.values())


def path_of(
    evidence: Evidence, sentences: Sequence[Sentence], covers: Sequence[tuple[str, ...]]
) -> tuple[PathStep, ...]:
    """The sentences as steps: each says what it was reached by and what it answers."""
    steps = []
    for at, (sentence, words) in enumerate(zip(sentences, covers, strict=True)):
        passage = evidence.passage_of(sentence)
        steps.append(
            PathStep(
                unit_id=sentence.unit_id,
                doc_id=passage.item.doc_id,
                text=sentence.text,
                start=sentence.start,
                end=sentence.end,
                entity=passage.item.title or (passage.names[0] if passage.names else ""),
                relation="anchor" if at == 0 else "mentions",
                score=passage.item.score,
                covers=words,
            )
        )
    return tuple(steps)


def sentence_of(finding: Finding) -> str:
    """ "Jane Roe founded Norr Works [1]; Norr Works bought Orm [2]." """
    parts = [f"{spoken(s)} [{n}]" for n, s in enumerate(finding.sentences, start=1)]
    text = "; ".join(parts)
    offset = len(finding.sentences)
    contrary = [f"{spoken(s)} [{offset + n}]" for n, s in enumerate(finding.rivals, start=1)]
    if contrary:
        text += f"; {_CONTRARY}: " + "; ".join(contrary)
    if not finding.is_span:
        text = f"{finding.text[:1].upper()}{finding.text[1:]}: {text}"
    return text + "."


def unknown_sentence(question: Question, missing: Sequence[str]) -> str:
    """ "I do not know: nothing here says who built the Norr Bridge." """
    asked = _indirect(question)
    says = f"says {asked}" if asked else f"answers “{question.text.strip()}”"
    text = f"I do not know: nothing here {says}" + ("." if asked else "")
    if missing:
        text += f" Not found: {', '.join(missing)}."
    return text


def spoken(sentence: Sentence) -> str:
    """The sentence on one line without its stop; a table row as "header: cell"."""
    cells = cells_of(sentence)
    if cells:
        said = [f"{c.header}: {c.text}" if c.header else c.text for c in cells if c.text]
        return ", ".join(said)
    text = _BLANKS.sub(" ", sentence.text).strip().rstrip(".;")
    if len(text) > MAX_SENTENCE_CHARS:
        text = text[:MAX_SENTENCE_CHARS].rsplit(" ", 1)[0] + " …"
    return text


def _indirect(question: Question) -> str:
    """The question as a clause: "When was it built?" → "when it was built"."""
    text = question.text.strip().rstrip("?!. ")
    tokens = tokenise(text)
    lowered = text[:1].lower() + text[1:]
    auxiliary = next((i for i, token in enumerate(tokens) if token.lower in AUXILIARIES), -1)
    if not question.wh or question.wh_start > 3:
        return ""
    if auxiliary < 0:
        return lowered
    if tokens[auxiliary].lower in DO:
        return ""
    is_subject = question.slot == Slot.WHO and auxiliary == 1
    return lowered if is_subject else _inverted(lowered, auxiliary)


def _inverted(text: str, at: int) -> str:
    """Put the auxiliary behind a subject that is a run of names; ``""`` when unsure."""
    words = tokenise(text)
    end = at + 1
    while end < len(words) and (words[end].is_capital or words[end].lower in {"the", "of", "'s"}):
        end += 1
    if not words[end - 1].is_capital or end == at + 1:
        return ""
    subject = text[words[at + 1].start : words[end - 1].end]
    rest = text[words[end - 1].end :].strip()
    head = text[: words[at].start].strip()
    return f"{head} {subject} {words[at].text} {rest}".strip()


def _window(content: str, start: int, end: int, most: int) -> str:
    """At most ``most`` characters of the content around ``[start, end)``."""
    if len(content) <= most:
        return content
    spare = max(0, most - (end - start))
    first = max(0, min(start - spare // 2, len(content) - most))
    return content[first : first + most]
