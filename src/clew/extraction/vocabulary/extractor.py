"""Extraction with a vocabulary that a model has looked through.

Units are sentences, as without a model. What the model decides, in a few calls for the whole
collection, is which of the terms that come back in it name something, and what kind of thing.
All documents are looked at before the first is extracted, so nothing depends on their order; names
too rare to ask about are left to the rules. A document in which a term is not decided, because a
call failed, is extracted by rule and named in the problems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.calls import ModelCalls
from clew.extraction.config import ExtractionConfig
from clew.extraction.lexicon import is_common
from clew.extraction.sentence import recogniser_of
from clew.extraction.units import units_of
from clew.extraction.vocabulary.asking import Keep, Remembered, VocabularyAsking
from clew.extraction.vocabulary.matching import TermMatcher
from clew.extraction.vocabulary.phrases import is_technical
from clew.extraction.vocabulary.terms import Candidate, TermCounts
from clew.models.base import LLM, Usage
from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.names import Name, name_key

Documents = Sequence[tuple[Document, Sequence[Chunk]]]


class VocabularyExtractor:
    """One object serves one run. ``keep`` and ``remembered`` are those of a store: what was decided
    in earlier runs holds, and is not paid for again.
    """

    method = "vocabulary"

    def __init__(
        self,
        llm: LLM,
        config: ExtractionConfig,
        keep: Keep | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        self._config = config
        calls = ModelCalls(llm, config.ku_concurrency)
        most = config.vocab_max_terms_per_llm_call
        self._asking = VocabularyAsking(calls, most, keep, remembered)
        self._recogniser = recogniser_of(config)
        self._counts = TermCounts()
        self._read: dict[str, _Read] = {}
        self._new = False
        self._matcher = TermMatcher({}, {})

    def look_ahead(self, documents: Documents) -> None:
        """Count the terms of documents that will be extracted later."""
        for document, chunks in documents:
            if document.id not in self._read:
                read = self._reading(document, chunks)
                self._counts.add(read.units, read.names)
                self._read[document.id] = read
                self._new = True

    def extract(self, documents: Documents) -> list[Extraction]:
        self.look_ahead(documents)
        usage = self._decide() if self._new else Usage()
        extractions = [self._extraction(self._read.pop(document.id)) for document, _ in documents]
        return [
            replace(extraction, usage=usage if place == 0 else Usage())
            for place, extraction in enumerate(extractions)
        ]

    def _reading(self, document: Document, chunks: Sequence[Chunk]) -> _Read:
        units = units_of(document, chunks, max_units_per_chunk=self._config.ku_max_units_per_chunk)
        units = tuple(replace(unit, origin=self.method) for unit in units)
        return _Read(document, chunks, units, self._recogniser.names(document, units))

    def _decide(self) -> Usage:
        self._new = False
        candidates = self._counts.candidates(least=self._config.vocab_min_term_freq)
        usage = self._asking.ask(candidates)
        self._matcher = self._matcher_of(candidates)
        return usage

    def _matcher_of(self, candidates: Iterable[Candidate]) -> TermMatcher:
        """What was kept, as it is written. A name that is an everyday word too is left to the
        rules, which look at what stands around it.
        """
        vocabulary = self._asking.vocabulary
        kept = vocabulary.kept
        names = {
            surface: kept[one.key]
            for one in candidates
            if one.is_name and one.key in kept
            for surface in self._counts.surfaces(one.key)
            if " " in surface or is_technical(surface) or not is_common(surface.lower())
        }
        phrases = {surface: kept[key] for surface, key in vocabulary.phrases.items()}
        return TermMatcher(phrases, names)

    def _extraction(self, read: _Read) -> Extraction:
        matched = _by_unit(read.units, self._matcher.find(read.document.text))
        names = [self._names(found, own) for found, own in zip(read.names, matched, strict=True)]
        extraction = assemble(read.document, read.chunks, read.units, names, config=self._config)
        return replace(extraction, problems=self._problems(read))

    def _names(self, found: Iterable[Name], matched: Iterable[Name]) -> list[Name]:
        """The names by rule that were not turned down, and the terms that were kept."""
        vocabulary = self._asking.vocabulary
        names = []
        for name in found:
            key = name_key(name.surface)
            if key not in vocabulary.refused:
                names.append(name._replace(type=vocabulary.kept.get(key) or name.type))
        names += [
            term
            for term in matched
            if not any(term.start < name.end and name.start < term.end for name in names)
        ]
        return names

    def _problems(self, read: _Read) -> tuple[str, ...]:
        """Why terms of this document are not decided."""
        undecided = self._asking.vocabulary.open
        if not undecided:
            return ()
        keys = {name_key(name.surface) for names in read.names for name in names}
        told = {undecided[key] for key in keys & undecided.keys()}
        text = read.document.text
        told |= {why for key, why in undecided.items() if why not in told and key in text}
        return tuple(sorted(told))


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    document: Document
    chunks: Sequence[Chunk]
    units: tuple[KnowledgeUnit, ...]
    names: list[list[Name]]


def _by_unit(units: Sequence[KnowledgeUnit], terms: Iterable[Name]) -> list[list[Name]]:
    """The terms that lie inside each unit; units are in order and do not overlap."""
    dealt: list[list[Name]] = [[] for _ in units]
    at = 0
    for term in terms:
        while at < len(units) and units[at].end < term.end:
            at += 1
        if at < len(units) and units[at].start <= term.start:
            dealt[at].append(term)
    return dealt
