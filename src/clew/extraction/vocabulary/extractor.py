"""The extraction method that asks a model about words, not about texts.

Units are sentences, as without a model. What the model decides, in a few calls for a whole batch of
documents, is which of the terms that come back in them name something, and what kind of thing. A
term is asked about once a run; names too rare to ask about are left to the rules. Where a call
fails, the names that rules found stand, and the problem is named.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.calls import ModelCalls, Question
from clew.extraction.config import ExtractionConfig
from clew.extraction.model_types import plain_type
from clew.extraction.prompts import VOCABULARY_PROMPT, VOCABULARY_SCHEMA, filled
from clew.extraction.replies import read_names
from clew.extraction.sentence import recogniser_of
from clew.extraction.terms import Candidate, TermCounts, phrases_in
from clew.extraction.units import units_of
from clew.models.base import LLM, Completion, Usage
from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.names import Name, name_key


class VocabularyExtractor:
    """Extracts with a vocabulary that a model has looked through. One object serves one run: what
    was decided in one batch of documents holds in the next.
    """

    method = "vocabulary"

    def __init__(self, llm: LLM, config: ExtractionConfig) -> None:
        self._config = config
        self._calls = ModelCalls(llm, config.ku_concurrency)
        self._recogniser = recogniser_of(config)
        self._counts = TermCounts()
        self._types: dict[str, str] = {}
        self._refused: set[str] = set()
        self._phrases: set[str] = set()

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        read = [self._read(document, chunks) for document, chunks in documents]
        for one in read:
            self._counts.add(one.units, one.names)
        problems, usage = self._decide()
        extractions = [replace(self._extraction(one), problems=problems) for one in read]
        return [
            replace(extraction, usage=usage if place == 0 else Usage())
            for place, extraction in enumerate(extractions)
        ]

    def _read(self, document: Document, chunks: Sequence[Chunk]) -> _Read:
        units = units_of(document, chunks, max_units_per_chunk=self._config.ku_max_units_per_chunk)
        units = tuple(replace(unit, origin=self.method) for unit in units)
        return _Read(document, chunks, units, self._recogniser.names(document, units))

    def _decide(self) -> tuple[tuple[str, ...], Usage]:
        """Ask about the terms that were not asked about before."""
        candidates = [
            candidate
            for candidate in self._counts.candidates(least=self._config.vocab_min_term_freq)
            if candidate.key not in self._types and candidate.key not in self._refused
        ]
        most = self._config.vocab_max_terms_per_llm_call
        batches = [candidates[at : at + most] for at in range(0, len(candidates), most)]
        problems: dict[int, str] = {}
        usage = Usage()
        for number, outcome in self._calls.ask([_question(batch) for batch in batches]):
            kept, problem = _kept(outcome, batches[number])
            if isinstance(outcome, Completion):
                usage += outcome.usage
            if problem:
                problems[number] = problem
            self._learn(kept, batches[number])
        return tuple(problems[number] for number in sorted(problems)), usage

    def _extraction(self, read: _Read) -> Extraction:
        names = [
            self._names(unit, found) for unit, found in zip(read.units, read.names, strict=True)
        ]
        return assemble(read.document, read.chunks, read.units, names, config=self._config)

    def _learn(self, kept: Mapping[str, str], candidates: Iterable[Candidate]) -> None:
        for candidate in candidates:
            if candidate.key not in kept:
                self._refused.add(candidate.key)
                continue
            self._types[candidate.key] = kept[candidate.key]
            if not candidate.is_name:
                self._phrases.add(candidate.surface)

    def _names(self, unit: KnowledgeUnit, found: Iterable[Name]) -> list[Name]:
        """The names of ``unit`` that were not turned down, and the phrases that were kept."""
        names = []
        for name in found:
            key = name_key(name.surface)
            if key not in self._refused:
                names.append(name._replace(type=self._types.get(key) or name.type))
        for start, end, surface in _longest_first(phrases_in(unit.text)):
            if surface in self._phrases:
                kind = self._types[name_key(surface)]
                phrase = Name(unit.start + start, unit.start + end, surface, kind)
                if not any(
                    phrase.start < other.end and other.start < phrase.end for other in names
                ):
                    names.append(phrase)
        return names


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    document: Document
    chunks: Sequence[Chunk]
    units: tuple[KnowledgeUnit, ...]
    names: list[list[Name]]


def _question(candidates: Iterable[Candidate]) -> Question:
    listed = "\n".join(" ".join(candidate.surface.split()) for candidate in candidates)
    return Question(prompt=filled(VOCABULARY_PROMPT, "terms", listed), schema=VOCABULARY_SCHEMA)


def _kept(
    outcome: Completion | Exception, candidates: Sequence[Candidate]
) -> tuple[Mapping[str, str], str]:
    """The types of the terms to keep, by key, and what was wrong with the reply."""
    by_rule = {one.key: one.type for one in candidates if one.is_name}
    if isinstance(outcome, Exception):
        reason = f"{outcome}" or type(outcome).__name__
        return by_rule, _problem(candidates, reason)
    replies = read_names(outcome.text)
    if replies is None or not replies.names:
        return by_rule, _problem(candidates, "the reply names no term")
    asked = {one.key: one.type for one in candidates}
    kept = {
        key: plain_type(thing.type) or asked[key]
        for thing in replies.names
        if (key := name_key(thing.name)) in asked
    }
    if not kept:
        return by_rule, _problem(candidates, "the reply names no term of the list")
    if not replies.whole:
        return by_rule | kept, _problem(candidates, "the reply was cut off")
    return kept, ""


def _problem(candidates: Sequence[Candidate], reason: str) -> str:
    return (
        f"vocabulary: {len(candidates)} terms were judged by rule: {reason}; a lower "
        "vocab_max_terms_per_llm_call makes shorter replies"
    )


def _longest_first(phrases: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    return sorted(phrases, key=lambda phrase: (phrase[0] - phrase[1], phrase[0]))


def _overlap(one: Name, other: Name) -> bool:
    return one.start < other.end and other.start < one.end
