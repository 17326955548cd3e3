"""An answer read from the evidence, without a model: cited to the character, or not given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from clew.answering.clauses import explain
from clew.answering.comparison import compare, in_common
from clew.answering.config import AnsweringConfig
from clew.answering.converse import converse_of
from clew.answering.evidence import Evidence, Sentence, read_evidence
from clew.answering.judging import Judgement, judge
from clew.answering.listing import count_members, enumerate_members, several_doers
from clew.answering.nested import answer_nested
from clew.answering.options import may_be_chosen
from clew.answering.phrasing import (
    citations_of,
    path_of,
    sentence_of,
    sources_of,
    unknown_sentence,
)
from clew.answering.polarity import decide
from clew.answering.pronouns import kin_behind, name_behind
from clew.answering.ranking import Ranker
from clew.answering.renaming import as_written
from clew.answering.rewording import reworded
from clew.answering.rows import extreme_row
from clew.answering.spans import best_span
from clew.answering.stated import state
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.answering.tables import look_up
from clew.answering.time_history import past_holders
from clew.records import Fact
from clew.results import Answer, Citation, RetrievalResult
from clew.retrieval.question import Question, Slot, analyse_question
from clew.stores.base import GraphReader

SURE = 0.6
"""How strongly each of two questions must be answered, where one question is read as two."""
READS = {"cheap": 5, "balanced": 10, "quality": 15}


class ExtractiveAnswerer:
    """Answers from retrieved passages by rule and by a ranker of spans.

    Ways of answering are tried in the order in which they are sure of themselves: a comparison, yes
    or no, a reason or a definition, a table, a list or a count; a span of the kind asked for is the
    last resort and the common case.
    """

    def __init__(self, config: AnsweringConfig) -> None:
        self.config = config

    @property
    def reads(self) -> int:
        """How many results are read for an answer."""
        return READS[self.config.quality_mode]

    def stream(
        self, question: str, result: RetrievalResult, reader: GraphReader
    ) -> Iterator[str | Answer]:
        """Yield the answer: nothing is written before it is whole."""
        yield self.answer(question, result, reader)

    def answer(self, question: str, result: RetrievalResult, reader: GraphReader) -> Answer:
        """Answer ``question`` from ``result``; ``reader`` is the store that was searched."""
        evidence = read_evidence(result, reader, self.reads)
        written = as_written(question, result, evidence, reader)
        parts = parts_of(analyse_question(reworded(written)))
        answers = [self._answer_one(part, evidence, reader) for part in parts]
        if len(answers) == 1:
            return replace(answers[0], question=question)
        return _joined(question, answers)

    def _answer_one(self, question: Question, evidence: Evidence, reader: GraphReader) -> Answer:
        study = Study(question, evidence, reader)
        if not evidence.sentences:
            return _unknown(question, judge(study, None))
        finding, judgement = judged(study)
        threshold = self.config.abstention_threshold
        if judgement.strength < threshold:
            for text in converse_of(question.text):
                other = Study(analyse_question(text), evidence, reader)
                found, verdict = judged(other)
                if found is not None and verdict.strength >= threshold:
                    return self._known(other, found, verdict, reader)
        if finding is None or judgement.strength < threshold:
            return _unknown(question, judgement)
        return self._known(study, finding, judgement, reader)

    def _known(
        self, study: Study, finding: Finding, judgement: Judgement, reader: GraphReader
    ) -> Answer:
        sentences = (*finding.sentences, *finding.rivals)
        max_chars = self.config.max_source_chars if self.config.include_source_text else 0
        evidence = study.evidence
        return Answer(
            question=study.question.text,
            answer=" ".join(finding.text.split()),
            sentence=sentence_of(finding),
            citations=citations_of(evidence, sentences),
            sources=sources_of(evidence, sentences, max_chars=max_chars),
            facts=_facts(sentences, reader),
            path=path_of(evidence, finding.sentences, _covers(study, finding.sentences)),
            confidence=round(judgement.strength, 4),
            missing=(),
            has_contradictions=bool(finding.rivals),
            trace={
                "method": finding.method,
                "covered": round(judgement.covered, 3),
                "names_known": round(judgement.names_known, 3),
                "certainty": round(finding.certainty, 3),
                "uncovered": judgement.missing,
                "rivals": finding.rival_texts,
                **finding.trace,
            },
        )


def judged(study: Study) -> tuple[Finding | None, Judgement]:
    """What is found and how well it is supported: of a question with a description in it, by two
    questions where both have a sure answer.
    """
    finding = answer_nested(study, _find_nested, _is_sure) or find(study)
    return finding, judge(study, finding)


def _find_nested(study: Study) -> Finding | None:
    return answer_nested(study, find, _is_sure) or find(study)


def _is_sure(study: Study, finding: Finding) -> bool:
    return judge(study, finding).strength >= SURE


def find(study: Study) -> Finding | None:
    """The first way of answering that finds something."""
    question = study.question
    if question.history and (found := past_holders(study, Ranker(study))):
        return found
    if found := state(study, study.reader) or in_common(study):
        return found
    if question.slot == Slot.COMPARISON and (found := compare(study)):
        return found
    is_claim = question.comparison is not None and question.comparison.is_claim
    if question.slot == Slot.YES_NO or is_claim:
        return decide(study)
    found = _read(study)
    if found is None or may_be_chosen(study, found.text):
        return found
    return replace(found, is_beside=True)


def _read(study: Study) -> Finding | None:
    """What tables, lists or passages say: the first way that finds something; for a reason, only
    what gives one.
    """
    if study.question.slot == Slot.WHY:
        return explain(study)
    ranker = Ranker(study)
    ways: tuple[Callable[[], Finding | None], ...] = (
        lambda: explain(study),
        lambda: extreme_row(study),
        lambda: look_up(study),
        lambda: count_members(study, ranker),
        lambda: enumerate_members(study, ranker),
        lambda: several_doers(study, ranker),
        lambda: name_behind(study),
        lambda: kin_behind(study) if not any(t for _, t in study.trails) else None,
        lambda: best_span(study, ranker),
    )
    first = next((found for way in ways if (found := way()) is not None), None)
    if first is None or first.method not in {"table", "extreme"} or _is_sure(study, first):
        return first
    if study.question.slot == Slot.LIST:
        return first
    return _stronger(study, first, best_span(study, ranker))


def _stronger(study: Study, one: Finding, other: Finding | None) -> Finding:
    if other is None or judge(study, one).strength >= judge(study, other).strength:
        return one
    return other


_SECOND = re.compile(
    r",?\s+and\s+(?=(?:who|whom|whose|when|where|why|how (?:many|much|long|old|tall)|in which|"
    r"what|which)\s)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(it|he|she|they|his|her|its|their)\b", re.IGNORECASE)


def parts_of(question: Question) -> list[Question]:
    """ "Who built it, and when was it opened?" as two questions; the second's pronoun is named."""
    text = question.text
    match = _SECOND.search(text)
    if match is None or question.wh_start < 0 or question.wh_start > match.start():
        return [question]
    first = analyse_question(text[: match.start()].rstrip() + "?")
    if not first.wh or not first.terms:
        return [question]
    rest = text[match.end() :]
    names = [name.text for name in first.names]
    second = analyse_question(rest)
    if names and not second.names:
        rest = _PRONOUN.sub(
            lambda m: names[0] + ("'s" if m[0].lower() in {"his", "its", "their"} else ""), rest, 1
        )
        second = analyse_question(rest)
    return [first, second]


def _joined(question: str, answers: list[Answer]) -> Answer:
    """Two answers as one; what one of them lacks, the whole lacks."""
    if any(answer.abstained for answer in answers):
        missing = tuple(dict.fromkeys(word for a in answers if a.abstained for word in a.missing))
        sentences = [answer.sentence for answer in answers]
        return Answer(
            question=question,
            answer="",
            sentence=" ".join(sentences),
            confidence=min(answer.confidence for answer in answers),
            abstained=True,
            missing=missing,
            trace={"parts": [answer.question for answer in answers]},
        )
    citations: list[Citation] = []
    sentences = []
    for answer in answers:
        numbers = {}
        for citation in answer.citations:
            same = [c.number for c in citations if _place(c) == _place(citation)]
            numbers[citation.number] = same[0] if same else len(citations) + 1
            if not same:
                citations.append(replace(citation, number=len(citations) + 1))
        sentences.append(_renumbered(answer.sentence, numbers))
    return Answer(
        question=question,
        answer="; ".join(answer.answer for answer in answers),
        sentence=" ".join(sentences),
        citations=tuple(citations),
        sources=tuple({s.doc_id: s for a in answers for s in a.sources}.values()),
        facts=tuple({f.id: f for a in answers for f in a.facts}.values()),
        path=tuple(step for a in answers for step in a.path),
        confidence=min(answer.confidence for answer in answers),
        has_contradictions=any(answer.has_contradictions for answer in answers),
        trace={"parts": [dict(answer.trace) for answer in answers]},
    )


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.doc_id, citation.start, citation.end


def _renumbered(sentence: str, numbers: Mapping[int, int]) -> str:
    """Change the citation marks; a bracketed number that is no mark stays."""
    return re.sub(
        r"\[(\d+)\]", lambda mark: f"[{numbers.get(int(mark[1]), int(mark[1]))}]", sentence
    )


def _unknown(question: Question, judgement: Judgement) -> Answer:
    missing = judgement.missing or _asked_for(question)
    return Answer(
        question=question.text,
        answer="",
        sentence=unknown_sentence(question, missing),
        confidence=round(judgement.strength, 4),
        abstained=True,
        missing=missing,
        trace={
            "covered": round(judgement.covered, 3),
            "names_known": round(judgement.names_known, 3),
        },
    )


def _asked_for(question: Question) -> tuple[str, ...]:
    """What is missing when every word is covered and no answer stands there: the measure or noun
    that is asked for, else what a "when" or "who" stands for, else the word that says most.
    """
    if question.slot == Slot.MEASURE:
        return (" ".join(question.text[question.wh_start :].split()[:2]).casefold().rstrip("?"),)
    if question.focus:
        return (question.focus,)
    if question.slot in _MEANT:
        return (_MEANT[question.slot],)
    plain = [term.text for term in question.terms if not term.in_name]
    return tuple((plain or question.text.casefold().rstrip(" ?").split())[-1:])


_MEANT = {
    Slot.WHO: "a person",
    Slot.WHOM: "a person",
    Slot.WHOSE: "an owner",
    Slot.WHEN: "a date",
    Slot.WHERE: "a place",
    Slot.WHY: "a reason",
}


def _facts(sentences: tuple[Sentence, ...], reader: GraphReader) -> tuple[Fact, ...]:
    ids = [sentence.unit_id for sentence in sentences if sentence.unit_id]
    numbers = reader.numbers_of("unit", ids)
    found = reader.facts_of_units(numbers[np.flatnonzero(numbers >= 0)])
    return tuple({fact.id: fact for facts in found for fact in facts}.values())


def _covers(study: Study, sentences: tuple[Sentence, ...]) -> list[tuple[str, ...]]:
    """For each sentence the words of the question that it is the first to say."""
    done: set[int] = set()
    covers = []
    for sentence in sentences:
        held = study.matching.held(sentence)
        new = [at for at in range(len(held)) if held[at] > 0 and at not in done]
        done |= set(new)
        covers.append(tuple(study.matching.terms[at].text for at in new))
    return covers
