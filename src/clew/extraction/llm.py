"""The extraction method that asks a language model for the statements of each chunk.

What the model says is taken only where the chunk bears it out, and every statement and fact keeps
the span that it came from. A chunk that the model fails on falls back to its sentences, marked
*degraded*, and is named in the problems; extraction itself never fails with the model.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.calls import ModelCalls
from clew.extraction.config import ExtractionConfig
from clew.extraction.effort import EFFORTS
from clew.extraction.model_names import NameReader
from clew.extraction.passages import Passage
from clew.extraction.statements import ORIGIN, DocumentReading
from clew.extraction.telling import Told
from clew.extraction.unit_asking import Remember, Remembered, UnitAsking
from clew.extraction.widening import first_context, is_clearer, widened
from clew.models.base import LLM, Usage
from clew.records import Chunk, Document


class LLMExtractor:
    """Extracts with a model. ``remember`` and ``remembered`` are those of a store: replies that
    were paid for survive a crash, and are not paid for again. ``quality_mode`` says how much is
    spent (:mod:`clew.extraction.effort`), ``most_reply_tokens`` what one reply may hold at most,
    so that no batch asks for more. ``only`` are the chunks to ask about; the others keep
    their sentences. One object serves one run.
    """

    method = ORIGIN

    def __init__(
        self,
        llm: LLM,
        config: ExtractionConfig,
        remember: Remember | None = None,
        remembered: Remembered | None = None,
        *,
        quality_mode: str = "balanced",
        most_reply_tokens: int | None = None,
        only: Container[Chunk] | None = None,
    ) -> None:
        self._only = only
        self._config = config
        self._effort = EFFORTS[quality_mode].within(most_reply_tokens)
        calls = ModelCalls(llm, config.ku_concurrency)
        self._asking = UnitAsking(calls, config, self._effort, remember, remembered)
        self._names = NameReader(calls, config, remember, remembered)

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        work = [self._begun(document, chunks) for document, chunks in documents]
        told = self._asking.ask([passage for one in work for passage in one.passages])
        for one in work:
            one.told = {passage.key: told[passage.key] for passage in one.passages}
        for turn in range(1, self._effort.expansions + 1):
            self._widen(work, turn)
        return [self._finished(one) for one in work]

    def _begun(self, document: Document, chunks: Sequence[Chunk]) -> _Work:
        reading = DocumentReading(document, chunks, self._config)
        sentences = reading.sentences
        own = self._asking.has_own_prompt  # it has a place for the chunk and for nothing else
        asked = []
        for chunk in reading.chunks_with_text():
            if self._only is None or chunk in self._only:
                asked.append(chunk)
            else:
                reading.leave(chunk)
        passages = [
            self._asking.passage(document, chunk, () if own else first_context(sentences, chunk))
            for chunk in asked
        ]
        return _Work(reading, passages, [passage.key for passage in passages])

    def _widen(self, work: Sequence[_Work], turn: int) -> None:
        """Ask again for what is unclear, with more context, and take the clearer replies."""
        if self._asking.has_own_prompt:
            return
        wider = [
            list(widened(one.passages, one.told, one.reading.sentences, self._effort, turn))
            for one in work
        ]
        told = self._asking.ask_once([passage for pairs in wider for _, passage in pairs])
        for one, pairs in zip(work, wider, strict=True):
            for first, second in pairs:
                one.reply_keys.append(second.key)
                answer = told[second.key]
                if answer.failed:
                    one.reading.problems.append(
                        f"chunk {first.chunk.index}: not read again with more context: "
                        f"{answer.problem}"
                    )
                elif is_clearer(answer, one.told[first.key]):
                    one.told[second.key] = answer
                    one.passages[one.passages.index(first)] = second

    def _finished(self, work: _Work) -> Extraction:
        reading = work.reading
        for passage in work.passages:
            reading.take(passage, work.told[passage.key])
        statements = reading.statements()
        units = [statement.unit for statement in statements]
        found = self._names.read(
            reading.sentences, reading.chunks, units, [one.entities for one in statements]
        )
        extraction = assemble(
            reading.document, reading.chunks, units, found.names, config=self._config
        )
        usage = self._asking.usage.get(reading.document.id, Usage())
        return replace(
            extraction,
            facts=reading.facts(statements),
            reply_keys=tuple(dict.fromkeys([*work.reply_keys, *found.reply_keys])),
            problems=(*reading.problems, *found.problems),
            ungrounded=reading.ungrounded,
            usage=usage + found.usage,
        )


@dataclass(slots=True)
class _Work:
    """A document while it is asked about: its passages, and what was told of each by its key."""

    reading: DocumentReading
    passages: list[Passage]
    reply_keys: list[str]
    told: dict[str, Told] = field(default_factory=dict)
