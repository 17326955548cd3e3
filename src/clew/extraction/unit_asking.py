"""Asking a model for the statements of chunks: as few calls as possible, none of them twice.

Chunks are asked for in batches. What a batch leaves open (the call failed, the reply was cut off, a
chunk got nothing) is asked for again, one chunk a call, so one poisoned chunk costs the others
nothing. A good reply is remembered by its chunk, not by its batch, as soon as it is there; a later
run asks only for chunks without one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clew.extraction.calls import ModelCalls, Question
from clew.extraction.config import ExtractionConfig
from clew.extraction.grounding import Grounds
from clew.extraction.prompts import UNITS_SCHEMA, filled, units_prompt
from clew.extraction.replies import UnitReply, read_units
from clew.ids import content_id
from clew.models.base import Completion, Usage
from clew.records import Chunk, Document

Remember = Callable[[str, Mapping[str, str]], None]
Remembered = Callable[[Sequence[str]], dict[str, str]]

_SMALL_CONTEXT = "; a model with a small context may need a smaller chunk_size, or ku_batch_size=1"


@dataclass(frozen=True, slots=True)
class Told:
    """What the model said of a chunk, and what was wrong with it."""

    units: tuple[UnitReply, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A chunk to ask for. Equal keys, equal questions."""

    document: Document
    chunk: Chunk
    key: str


class UnitAsking:
    """Knows the prompt, the batches and the memory."""

    def __init__(
        self,
        calls: ModelCalls,
        config: ExtractionConfig,
        remember: Remember | None,
        remembered: Remembered | None,
    ) -> None:
        self._calls = calls
        self._config = config
        self._remember = remember
        self._remembered = remembered
        self.usage: dict[str, Usage] = {}

    def passage(self, document: Document, chunk: Chunk) -> Passage:
        prompt = self._prompt([(document, chunk)])
        return Passage(document, chunk, content_id("r", self._calls.fingerprint, prompt))

    def ask(self, passages: Sequence[Passage]) -> dict[str, Told]:
        """Return what was told by the key of each passage. ``usage`` is by document id, that of a
        batch under its first document.
        """
        self.usage = {}
        by_key: dict[str, list[Passage]] = {}
        for passage in passages:
            by_key.setdefault(passage.key, []).append(passage)
        told = self._known(list(by_key))
        missing = [of_key[0] for key, of_key in by_key.items() if key not in told]
        size = 1 if self._config.ku_extraction_prompt else self._config.ku_batch_size
        batches = [missing[at : at + size] for at in range(0, len(missing), size)]
        self._ask(batches, by_key, told)
        again = [
            [passage]
            for batch in batches
            if len(batch) > 1
            for passage in batch
            if told[passage.key].problem
        ]
        self._ask(again, by_key, told)
        return told

    def _known(self, keys: Sequence[str]) -> dict[str, Told]:
        replies = self._remembered(keys) if self._remembered else {}
        return {key: _told(read_units(reply).units) for key, reply in replies.items()}

    def _ask(
        self,
        batches: Sequence[Sequence[Passage]],
        by_key: Mapping[str, Sequence[Passage]],
        told: dict[str, Told],
    ) -> None:
        for number, outcome in self._calls.ask([self._question(batch) for batch in batches]):
            batch = batches[number]
            if isinstance(outcome, Completion):
                document = batch[0].document.id
                self.usage[document] = self.usage.get(document, Usage()) + outcome.usage
            for passage, answer in zip(batch, _answers(outcome, batch), strict=True):
                if passage.key not in told or len(answer.units) >= len(told[passage.key].units):
                    told[passage.key] = answer
                if not answer.problem or (answer == _told(()) and len(batch) == 1):
                    self._keep(by_key[passage.key], answer)

    def _keep(self, passages: Iterable[Passage], answer: Told) -> None:
        if self._remember is None:
            return
        for passage in passages:
            self._remember(passage.document.id, {passage.key: _reply_of(answer.units)})

    def _question(self, batch: Sequence[Passage]) -> Question:
        prompt = self._prompt([(passage.document, passage.chunk) for passage in batch])
        own = self._config.ku_extraction_prompt is not None
        return Question(prompt=prompt, schema=None if own else UNITS_SCHEMA)

    def _prompt(self, passages: Sequence[tuple[Document, Chunk]]) -> str:
        template = self._config.ku_extraction_prompt
        if template is None:
            return units_prompt(passages, max_units=self._config.ku_max_units_per_chunk)
        return filled(template, "text_chunk", passages[0][1].text)


def _answers(outcome: Completion | Exception, batch: Sequence[Passage]) -> list[Told]:
    if isinstance(outcome, Exception):
        return [Told(problem=_said(outcome))] * len(batch)
    replies = read_units(outcome.text)
    if not replies.readable:
        reason = "is empty" if not outcome.text.strip() else "holds no JSON"
        return [Told(problem=f"the reply {reason}{_SMALL_CONTEXT}")] * len(batch)
    dealt = _dealt(replies.units, batch)
    if replies.whole:
        return [_told(units) for units in dealt]
    last = max((place for place, units in enumerate(dealt) if units), default=0)
    return [
        _told(units) if place < last else Told(units, _cut_off(len(units)))
        for place, units in enumerate(dealt)
    ]


def _told(units: tuple[UnitReply, ...]) -> Told:
    return Told(units, "" if units else f"the reply holds no statement{_SMALL_CONTEXT}")


def _cut_off(whole: int) -> str:
    return f"the reply was cut off; {whole} whole statements were kept{_SMALL_CONTEXT}"


def _said(error: Exception) -> str:
    return f"{error}" or type(error).__name__


def _dealt(units: Sequence[UnitReply], batch: Sequence[Passage]) -> list[tuple[UnitReply, ...]]:
    """Give each passage its statements: by the number that the model gave, else by the words."""
    if len(batch) == 1:
        return [tuple(units)]
    dealt: list[list[UnitReply]] = [[] for _ in batch]
    grounds: list[Grounds] = []
    for unit in units:
        if unit.passage is not None and 1 <= unit.passage <= len(batch):
            dealt[unit.passage - 1].append(unit)
            continue
        grounds = grounds or [Grounds(passage.chunk.text) for passage in batch]
        shares = [ground.share(unit.text) for ground in grounds]
        dealt[shares.index(max(shares))].append(unit)
    return [tuple(found) for found in dealt]


def _reply_of(units: Iterable[UnitReply]) -> str:
    """The reply that would have told just this."""
    listed = [
        {
            "text": unit.text,
            "entities": [{"name": entity.name, "type": entity.type} for entity in unit.entities],
        }
        for unit in units
    ]
    return json.dumps({"units": listed}, ensure_ascii=False)
