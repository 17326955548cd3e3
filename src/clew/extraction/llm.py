"""The extraction method that asks a language model for the statements of each chunk.

What the model says is taken only where the chunk bears it out, and every statement keeps the span
that it came from. A chunk that the model fails on falls back to its sentences, marked *degraded*,
and is named in the problems; extraction itself never fails with the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.calls import ModelCalls
from clew.extraction.config import ExtractionConfig
from clew.extraction.grounding import Grounds
from clew.extraction.matching import Homes, Origin, Sentences
from clew.extraction.model_names import NameReader
from clew.extraction.replies import NamedThing
from clew.extraction.unit_asking import Passage, Remember, Remembered, Told, UnitAsking
from clew.extraction.units import units_of
from clew.ids import occurrences, unit_id
from clew.models.base import LLM, Usage
from clew.records import Chunk, Document, KnowledgeUnit


class LLMExtractor:
    """Extracts with a model. ``remember`` and ``remembered`` are those of a store: replies that
    were paid for survive a crash, and are not paid for again. One object serves one run.
    """

    method = "llm"

    def __init__(
        self,
        llm: LLM,
        config: ExtractionConfig,
        remember: Remember | None = None,
        remembered: Remembered | None = None,
    ) -> None:
        self._config = config
        calls = ModelCalls(llm, config.ku_concurrency)
        self._asking = UnitAsking(calls, config, remember, remembered)
        self._names = NameReader(calls, config, remember, remembered)

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        readings = [_Reading(document, chunks, self._config) for document, chunks in documents]
        passages = [
            [self._asking.passage(reading.document, chunk) for chunk in reading.chunks_with_text()]
            for reading in readings
        ]
        told = self._asking.ask([passage for own in passages for passage in own])
        usage = self._asking.usage
        for reading, own in zip(readings, passages, strict=True):
            for passage in own:
                reading.take(passage, told[passage.key])
        return [
            self._finished(reading, own, usage.get(reading.document.id, Usage()))
            for reading, own in zip(readings, passages, strict=True)
        ]

    def _finished(self, reading: _Reading, passages: Iterable[Passage], usage: Usage) -> Extraction:
        statements = reading.statements()
        units = [statement.unit for statement in statements]
        found = self._names.read(
            reading.sentences, reading.chunks, units, [one.entities for one in statements]
        )
        extraction = assemble(
            reading.document, reading.chunks, units, found.names, config=self._config
        )
        return replace(
            extraction,
            reply_keys=tuple(dict.fromkeys([*(one.key for one in passages), *found.reply_keys])),
            problems=(*reading.problems, *found.problems),
            ungrounded=reading.ungrounded,
            usage=usage + found.usage,
        )


@dataclass(frozen=True, slots=True)
class _Statement:
    unit: KnowledgeUnit
    entities: tuple[NamedThing, ...] = ()


class _Reading:
    """One document while its chunks are taken, in order."""

    def __init__(
        self, document: Document, chunks: Sequence[Chunk], config: ExtractionConfig
    ) -> None:
        self.document = document
        self.chunks = chunks
        self.problems: list[str] = []
        self.ungrounded = 0
        self._most = config.ku_max_units_per_chunk
        self.sentences = Sentences(
            document, units_of(document, chunks, max_units_per_chunk=self._most)
        )
        self._of_chunk: dict[str, list[KnowledgeUnit]] = {}
        for unit in self.sentences.units:
            self._of_chunk.setdefault(unit.chunk_id, []).append(unit)
        self._homes = Homes(chunks)
        self._taken: dict[int, int] = {}
        self._statements: list[_Statement] = []

    def chunks_with_text(self) -> list[Chunk]:
        """The chunks in which a statement begins or ends: not headings, rules and overlap alone."""
        return [chunk for chunk in self.chunks if chunk.id in self._of_chunk]

    def take(self, passage: Passage, told: Told) -> None:
        chunk = passage.chunk
        problem = told.problem
        grounds = Grounds(self.document.title, *chunk.heading_path, chunk.context, chunk.text)
        supported = 0
        for reply in told.units[: self._most]:
            if not grounds.support(reply.text, reply.entities):
                self.ungrounded += 1
                continue
            supported += 1
            origin = self.sentences.origin(reply.text, chunk)
            if self._is_new(origin, chunk):
                entities = [one for one in reply.entities if grounds.support_name(one.name)]
                self._add(reply.text, origin, tuple(entities))
        if not supported:
            self._fall_back(chunk)
            problem = problem or "the passage bears out nothing of what the model said"
        if problem:
            self.problems.append(f"chunk {chunk.index}: {problem}")

    def _is_new(self, origin: Origin, chunk: Chunk) -> bool:
        """Whether no earlier chunk, overlapping this one, was already read for these sentences."""
        readers = [
            self._taken.setdefault(sentence, chunk.index)
            for sentence in range(origin.first, origin.last)
        ]
        return not readers or chunk.index in readers

    def _add(self, text: str, origin: Origin, entities: tuple[NamedThing, ...]) -> None:
        start, end, first, last = origin
        source = self.document.text[start:end]
        verbatim = " ".join(source.split()) == text
        sentence = self.sentences.units[first] if last - first == 1 else None
        unit = KnowledgeUnit(
            id="",
            document_id=self.document.id,
            chunk_id=self._homes.of(start, end).id,
            start=start,
            end=end,
            text=source if verbatim else text,
            context=sentence.context if sentence and verbatim else "",
            verbatim=verbatim,
            origin=LLMExtractor.method,
        )
        self._statements.append(_Statement(unit, entities))

    def _fall_back(self, chunk: Chunk) -> None:
        self._statements += [
            _Statement(replace(unit, degraded=True)) for unit in self._of_chunk.get(chunk.id, ())
        ]

    def statements(self) -> list[_Statement]:
        """All of them in the order of the text, each once, with their ids."""
        placed = sorted(self._statements, key=lambda one: (one.unit.start, one.unit.end))
        once: dict[tuple[int, int, str], _Statement] = {}
        for one in placed:
            once.setdefault((one.unit.start, one.unit.end, one.unit.text), one)
        texts = occurrences(one.unit.text for one in once.values())
        return [
            replace(one, unit=replace(one.unit, id=unit_id(self.document.id, text, count)))
            for one, (text, count) in zip(once.values(), texts, strict=True)
        ]
