"""One call of a model, and what is left of its reply when it is held against what it cites."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.answering.config import AnsweringConfig
from clew.answering.evidence import read_evidence
from clew.answering.extractive import ExtractiveAnswerer
from clew.answering.judging import held_by, missing_of
from clew.answering.phrasing import citations_of, path_of, sources_of, unknown_sentence
from clew.answering.study import Study
from clew.answering.synthesis.checking import CheckedSentence, Checker
from clew.answering.synthesis.disputes import disputes_among
from clew.answering.synthesis.entailing import hold_against
from clew.answering.synthesis.pieces import Piece, choose_pieces
from clew.answering.synthesis.prompt import answer_prompt
from clew.answering.synthesis.reading import SaidAnswer, read_answer
from clew.answering.synthesis.streaming import visible
from clew.errors import ModelError
from clew.graph.ontology.schema import Ontology
from clew.models.base import LLM, Completion, EntailmentModel, Message, StreamingLLM
from clew.models.purpose import for_purpose
from clew.models.token_counting import token_counter
from clew.results import Answer, Doubt, RetrievalResult
from clew.retrieval.question import analyse_question
from clew.stores.base import GraphReader


@dataclass(frozen=True, slots=True)
class Effort:
    """Results that are read, tokens of evidence that are shown, tokens of the reply."""

    reads: int
    evidence_tokens: int
    reply_tokens: int


EFFORTS = {
    "cheap": Effort(4, 1000, 256),
    "balanced": Effort(8, 2500, 512),
    "quality": Effort(16, 6000, 1024),
}


ENTAILMENT_FAILED = "the entailment model failed, so only words, names and numbers were checked: {}"

SURE = 0.7
"""The confidence from which an answer that was read from the text stands against a model that does
not know.
"""


class SynthesisAnswerer:
    """Has a model write the answer. Where the model fails, or does not know what can be read from
    the text, the answer is read from the text, and a note says so.
    """

    def __init__(
        self,
        llm: LLM,
        config: AnsweringConfig,
        ontology: Ontology | None = None,
        entailment: EntailmentModel | None = None,
    ) -> None:
        """``ontology`` says what cannot be true together; without one, only what is denied.
        ``entailment`` reads each sentence together with what it cites, after the other checks.
        """
        self.config = config
        self._llm = llm
        self._entailment = entailment
        self._ontology = ontology or Ontology()
        self._effort = EFFORTS[config.quality_mode]
        self._count = token_counter(llm.fingerprint)
        self._extractive = ExtractiveAnswerer(config)

    @property
    def reads(self) -> int:
        """How many results are read for an answer."""
        return max(self._effort.reads, self._extractive.reads)

    def answer(self, question: str, result: RetrievalResult, reader: GraphReader) -> Answer:
        """Answer ``question`` from ``result``; ``reader`` is the store that was searched."""
        *_, answer = self.stream(question, result, reader)
        assert isinstance(answer, Answer), "a stream ends with the answer"
        return answer

    def stream(
        self, question: str, result: RetrievalResult, reader: GraphReader
    ) -> Iterator[str | Answer]:
        """Yield what the model writes, as it comes and not checked; then the checked answer."""
        evidence = read_evidence(result, reader, self._effort.reads)
        if not evidence.sentences:
            yield self._extractive.answer(question, result, reader)
            return
        study = Study(analyse_question(question), evidence, reader)
        pieces = choose_pieces(
            study, reader, most_tokens=self._effort.evidence_tokens, count=self._count
        )
        disputes = disputes_among(pieces, self._ontology)
        prompt = answer_prompt(
            question,
            pieces,
            sources=self._sources(study, pieces),
            disagreements=[dispute.told for dispute in disputes],
        )
        documents = sorted({piece.item.document_id for piece in pieces})
        try:
            with for_purpose(stage="answer", documents=documents, question=question):
                completion = yield from self._asked(prompt)
        except ModelError as error:
            answer = self._extractive.answer(question, result, reader)
            note = f"the model failed, so the answer was read from the text: {error}"
            yield replace(answer, notes=(*answer.notes, note))
            return
        said = read_answer(completion.text)
        answer = self._checked(study, pieces, said)
        if any(dispute.concerns(answer.facts) for dispute in disputes):
            answer = replace(answer, has_contradictions=True)
        if answer.abstained:
            answer = self._read_instead(answer, question, result, reader)
        yield replace(answer, usage=completion.usage)

    def _asked(self, prompt: str) -> Generator[str, None, Completion]:
        messages = [Message(role="user", content=prompt)]
        most = self._effort.reply_tokens
        if not isinstance(self._llm, StreamingLLM):
            return self._llm.complete(messages, max_tokens=most)
        whole = Completion(text="")
        for item in visible(self._llm.stream(messages, max_tokens=most)):
            if isinstance(item, Completion):
                whole = item
            else:
                yield item
        return whole

    def _sources(self, study: Study, pieces: Sequence[Piece]) -> list[tuple[str, str]]:
        """The text around the pieces, where the settings want it."""
        if not self.config.include_source_text:
            return []
        sentences = [piece.sentence for piece in pieces]
        most = self.config.max_source_chars
        sources = sources_of(study.evidence, sentences, max_chars=most)
        return [(source.doc_id, source.text) for source in sources if source.text]

    def _checked(self, study: Study, pieces: Sequence[Piece], said: SaidAnswer) -> Answer:
        if said.is_unknown:
            return self._unknown(study, said.missing)
        checker = Checker(pieces)
        checked = [checker.check(sentence) for sentence in said.sentences]
        checked, notes = self._entailed(checked, pieces)
        doubts = tuple(doubt for one in checked for doubt in one.doubts)
        supported = [one for one in checked if one.is_supported]
        if not supported:
            return replace(self._unknown(study, ""), doubts=doubts, notes=notes)
        kept = checked if self.config.unsupported_sentences == "flag" else supported
        by_number = {piece.number: piece for piece in pieces}
        numbers = list(dict.fromkeys(number for one in supported for number in one.cites))
        sentences = [by_number[number].sentence for number in numbers]
        limit = self.config.max_source_chars if self.config.include_source_text else 0
        short = said.short
        if short and not checker.holds(short, numbers):
            reason = "the cited text does not have the answer itself"
            doubts = (*doubts, Doubt(sentence=short, reason=reason))
            short = ""
        facts = {fact.id: fact for number in numbers for fact in by_number[number].facts}
        return Answer(
            question=study.question.text,
            answer=short or supported[0].text,
            sentence=_numbered(kept, numbers),
            citations=citations_of(study.evidence, sentences),
            sources=sources_of(study.evidence, sentences, max_chars=limit),
            facts=tuple(facts.values()),
            path=path_of(study.evidence, sentences, [()] * len(sentences)),
            confidence=self._confidence(study, checked, pieces),
            doubts=doubts,
            notes=notes,
            trace={
                "method": "llm",
                "pieces": len(pieces),
                "sentences": len(checked),
                "supported": len(supported),
            },
        )

    def _entailed(
        self, checked: list[CheckedSentence], pieces: Sequence[Piece]
    ) -> tuple[list[CheckedSentence], tuple[str, ...]]:
        """The sentences after the entailment model, where there is one, and a note if it failed."""
        if self._entailment is None:
            return checked, ()
        threshold = self.config.entailment_threshold
        try:
            return hold_against(checked, pieces, self._entailment, threshold=threshold), ()
        except ModelError as error:
            return checked, (ENTAILMENT_FAILED.format(error),)

    def _confidence(
        self, study: Study, checked: Sequence[CheckedSentence], pieces: Sequence[Piece]
    ) -> float:
        """The share of sentences that are borne out, by how much of the question they cover."""
        cited = {number for one in checked for number in one.cites}
        held = held_by(study, [piece.sentence for piece in pieces if piece.number in cited])
        share = sum(one.is_supported for one in checked) / len(checked)
        return round(share * (0.5 + 0.5 * float(study.matching.share(held))), 4)

    def _unknown(self, study: Study, missing: str) -> Answer:
        words = missing_of(study, held_by(study, study.evidence.sentences))
        told = (missing,) if missing else words
        return Answer(
            question=study.question.text,
            answer="",
            sentence=unknown_sentence(study.question, told),
            abstained=True,
            missing=told,
            trace={"method": "llm"},
        )

    def _read_instead(
        self, unknown: Answer, question: str, result: RetrievalResult, reader: GraphReader
    ) -> Answer:
        """What can be read from the text, where the model did not know: never "I do not know" when
        the evidence is there.
        """
        read = self._extractive.answer(question, result, reader)
        if read.abstained or read.confidence < SURE:
            return unknown
        note = "the model did not know; the answer was read from the text"
        return replace(read, notes=(*read.notes, note), doubts=unknown.doubts)


def _numbered(sentences: Sequence[CheckedSentence], numbers: Sequence[int]) -> str:
    """The sentences with marks, numbered in the order of the citations."""
    place = {number: at for at, number in enumerate(numbers, 1)}
    parts = []
    for one in sentences:
        marks = "".join(f"[{place[number]}]" for number in one.cites)
        end = one.text[-1:] if one.text[-1:] in ".!?…。" else ""
        text = one.text.removesuffix(end) if end else one.text
        parts.append(f"{text} {marks}{end or '.'}" if marks else f"{text}{end or '.'}")
    return " ".join(parts)
