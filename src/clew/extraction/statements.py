"""What of a model's statements about one document is kept: supported, placed, each once.

Every statement keeps the span that it came from. A chunk of which nothing can be taken falls back
to its sentences, marked *degraded*; so are the statements of a reply that was cut off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from clew.extraction.config import ExtractionConfig
from clew.extraction.facts.making import Drafted, drafted, facts_of, stated_at
from clew.extraction.grounding import Grounds
from clew.extraction.matching import Homes, Origin, Sentences
from clew.extraction.model_types import plain_type
from clew.extraction.named_things import NamedThing
from clew.extraction.passages import Passage
from clew.extraction.telling import NOT_BORNE_OUT, NOTHING, Told
from clew.extraction.unit_replies import UnitReply
from clew.extraction.units import units_of
from clew.ids import occurrences, unit_id
from clew.records import Chunk, Document, Fact, KnowledgeUnit
from clew.text.words import terms

ORIGIN = "llm"
ASKED_ANEW = "; this reply is kept, --set llm_cache=false asks anew"
"""Of a chunk that a whole reply says nothing of: the next run would be told the same."""
LEAST_SAID = 0.25
"""Of the words of a sentence that statements must have for the model to have read it."""
MOST_SILENT = 2 / 3
"""Of the sentences of a chunk: where the model passes over more, what it left out is kept."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A unit, what the model named in it, and the facts it reads in it."""

    unit: KnowledgeUnit
    entities: tuple[NamedThing, ...] = ()
    facts: tuple[Drafted, ...] = ()


class DocumentReading:
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
        self._read: set[str] = set()
        self._statements: list[Statement] = []

    def chunks_with_text(self) -> list[Chunk]:
        """The chunks in which a statement begins or ends: not headings, rules and overlap alone."""
        return [chunk for chunk in self.chunks if chunk.id in self._of_chunk]

    def take(self, passage: Passage, told: Told) -> None:
        """Keep what ``passage`` bears out of what the model said of it."""
        chunk, problem = passage.chunk, told.problem
        grounds = passage.grounds
        supported = 0
        for reply in told.units[: self._most]:
            if not grounds.support(reply.text, reply.entities):
                self.ungrounded += 1
                continue
            if _repeats_context(reply.text, passage):
                continue
            supported += 1
            self._place(reply, chunk, grounds, degraded=bool(problem))
        if not supported:
            self._fall_back(chunk)
            settled = told == NOTHING or not problem
            problem = (problem or NOT_BORNE_OUT) + (ASKED_ANEW if settled else "")
        if problem:
            self.problems.append(f"chunk {chunk.index}: {problem}")
        elif len(told.units) < self._most:
            self._read.add(chunk.id)

    def leave(self, chunk: Chunk) -> None:
        """Keep the sentences of a chunk that no model is asked about."""
        self._statements += [Statement(unit) for unit in self._of_chunk.get(chunk.id, ())]

    def statements(self) -> list[Statement]:
        """All of them in the order of the text, each once, with their ids."""
        placed = sorted(
            [*self._statements, *self._passed_over()],
            key=lambda one: (one.unit.start, one.unit.end),
        )
        once: dict[tuple[int, int, str], Statement] = {}
        for one in placed:
            place = (one.unit.start, one.unit.end, one.unit.text)
            first = once.setdefault(place, one)
            if first is not one:
                once[place] = replace(first, facts=(*first.facts, *one.facts))
        texts = occurrences(one.unit.text for one in once.values())
        return [
            replace(one, unit=replace(one.unit, id=unit_id(self.document.id, text, count)))
            for one, (text, count) in zip(once.values(), texts, strict=True)
        ]

    def facts(self, statements: Iterable[Statement]) -> tuple[Fact, ...]:
        """The facts of ``statements``, in their order."""
        day = stated_at(self.document)
        return tuple(fact for one in statements for fact in facts_of(one.unit, one.facts, day))

    def _place(self, reply: UnitReply, chunk: Chunk, grounds: Grounds, *, degraded: bool) -> None:
        origin = self.sentences.origin(reply.text, chunk)
        if not self._is_new(origin, chunk):
            return
        entities = [one for one in reply.entities if grounds.support_name(one.name)]
        facts, ungrounded = drafted(
            reply.facts,
            reply.text,
            [(name, plain_type(kind)) for name, kind in entities],
            origin=origin,
            grounds=grounds,
            sentences=self.sentences,
        )
        self.ungrounded += ungrounded
        unit = replace(self._unit(reply.text, origin), degraded=degraded)
        self._statements.append(Statement(unit, tuple(entities), tuple(facts)))

    def _passed_over(self) -> Iterator[Statement]:
        """The sentences of which the model said nothing, in chunks of which it said little."""
        said: dict[int, set[str]] = {}
        for one in self._statements:
            for place in range(*self.sentences.between(one.unit.start, one.unit.end)):
                said.setdefault(place, set()).update(terms(one.unit.text))
        silent: dict[str, list[KnowledgeUnit]] = {}
        for place, unit in enumerate(self.sentences.units):
            own = frozenset(terms(unit.text))
            if len(own & said.get(place, set())) < LEAST_SAID * len(own):
                silent.setdefault(unit.chunk_id, []).append(unit)
        for chunk, units in silent.items():
            if chunk in self._read and len(units) > MOST_SILENT * len(self._of_chunk[chunk]):
                yield from map(Statement, units)

    def _is_new(self, origin: Origin, chunk: Chunk) -> bool:
        """Whether no earlier chunk, overlapping this one, was already read for these sentences."""
        readers = [
            self._taken.setdefault(sentence, chunk.index)
            for sentence in range(origin.first, origin.last)
        ]
        return not readers or chunk.index in readers

    def _unit(self, text: str, origin: Origin) -> KnowledgeUnit:
        start, end, first, last = origin
        source = self.document.text[start:end]
        verbatim = " ".join(source.split()) == text
        sentence = self.sentences.units[first] if last - first == 1 else None
        return KnowledgeUnit(
            id="",
            document_id=self.document.id,
            chunk_id=self._homes.of(start, end).id,
            start=start,
            end=end,
            text=source if verbatim else text,
            context=sentence.context if sentence and verbatim else "",
            verbatim=verbatim,
            origin=ORIGIN,
        )

    def _fall_back(self, chunk: Chunk) -> None:
        self._statements += [
            Statement(replace(unit, degraded=True)) for unit in self._of_chunk.get(chunk.id, ())
        ]


def _repeats_context(text: str, passage: Passage) -> bool:
    """Whether ``text`` says what a sentence before the passage says, with nothing of its own."""
    if not passage.before:
        return False
    said = frozenset(terms(text))
    own = said & frozenset(terms(passage.chunk.text))
    before = [said & frozenset(terms(sentence)) for sentence in passage.before]
    return any(len(shared) > len(own) and own <= shared for shared in before)
