"""Asking a model for the statements of chunks: as few calls as possible, none of them twice.

Chunks are asked for in batches. What a batch leaves open (the call failed, the reply was cut off, a
chunk got nothing) is asked for again, one chunk a call, so one poisoned chunk costs the others
nothing; a reply in which nothing can be read is shown to the model once, to be repaired. A good
reply is remembered by its chunk, not by its batch, as soon as it is there; a later run asks only
for chunks without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from clew.extraction.calls import ModelCalls, Question
from clew.extraction.config import ExtractionConfig
from clew.extraction.effort import Effort
from clew.extraction.passages import Passage
from clew.extraction.prompts import UNITS_SCHEMA, filled, repair_prompt, units_prompt
from clew.extraction.replies import read_units
from clew.extraction.telling import NOTHING, Told, told_of
from clew.extraction.unit_replies import reply_of
from clew.ids import content_id
from clew.models.base import Completion, Usage
from clew.records import Chunk, Document

Remember = Callable[[str, Mapping[str, str]], None]
Remembered = Callable[[Sequence[str]], dict[str, str]]
Batch = Sequence[Passage]


class UnitAsking:
    """Knows the prompt, the batches and the memory. ``usage`` is by document id, that of a batch
    under its first document; it begins anew with each :meth:`ask`.
    """

    def __init__(
        self,
        calls: ModelCalls,
        config: ExtractionConfig,
        effort: Effort,
        remember: Remember | None,
        remembered: Remembered | None,
    ) -> None:
        self._calls = calls
        self._config = config
        self._effort = effort
        self._remember = remember
        self._remembered = remembered
        self.has_own_prompt = config.ku_extraction_prompt is not None
        self.usage: dict[str, Usage] = {}

    def passage(self, document: Document, chunk: Chunk, before: tuple[str, ...] = ()) -> Passage:
        asked = Passage(document=document, chunk=chunk, key="", before=before)
        key = content_id("r", self._calls.fingerprint, self._prompt([asked]))
        return Passage(document=document, chunk=chunk, key=key, before=before)

    def ask(self, passages: Sequence[Passage]) -> dict[str, Told]:
        """Return what was told, by the key of each passage."""
        self.usage = {}
        by_key = _by_key(passages)
        told = self._known(list(by_key))
        batches = self._missing(by_key, told)
        missing = [passage for batch in batches for passage in batch]
        self._ask(batches, by_key, told)
        alone = [
            [passage]
            for batch in batches
            if len(batch) > 1
            for passage in batch
            if told[passage.key].problem
        ]
        self._ask(alone, by_key, told)
        cut = [[passage] for passage in missing if told[passage.key].cut_by_limit]
        self._ask(cut, by_key, told, max_tokens=self._effort.wider_tokens)
        unread = [[passage] for passage in missing if told[passage.key].unread is not None]
        self._ask(unread, by_key, told, repair=True)
        return told

    def ask_once(self, passages: Sequence[Passage]) -> dict[str, Told]:
        """The same with one call a batch, whatever it replies; all that was read is remembered."""
        by_key = _by_key(passages)
        told = self._known(list(by_key))
        self._ask(self._missing(by_key, told), by_key, told, keep_all=True)
        return told

    def _known(self, keys: Sequence[str]) -> dict[str, Told]:
        replies = self._remembered(keys) if self._remembered and keys else {}
        return {key: told_of(read_units(reply).units) for key, reply in replies.items()}

    def _missing(self, by_key: Mapping[str, Batch], told: Mapping[str, Told]) -> list[Batch]:
        """Batches of what is not told yet. A batch of which nothing is known is the one that a run
        before would have asked for: what was replied then, and kept, is found by its prompt.
        """
        whole, rest = [], []
        for batch in self._batches([of_key[0] for of_key in by_key.values()]):
            missing = [passage for passage in batch if passage.key not in told]
            if len(missing) == len(batch):
                whole.append(batch)
            else:
                rest += missing
        return [*whole, *self._batches(rest)]

    def _batches(self, passages: Iterable[Passage]) -> Iterator[list[Passage]]:
        """Up to ``ku_batch_size`` passages, as long as one reply can hold what they say."""
        size = 1 if self.has_own_prompt else self._config.ku_batch_size
        batch: list[Passage] = []
        for passage in passages:
            if batch and (len(batch) == size or not self._effort.fits(_texts([*batch, passage]))):
                yield batch
                batch = []
            batch.append(passage)
        if batch:
            yield batch

    def _ask(
        self,
        batches: Sequence[Batch],
        by_key: Mapping[str, Batch],
        told: dict[str, Told],
        *,
        max_tokens: Callable[[Iterable[str]], int] | None = None,
        repair: bool = False,
        keep_all: bool = False,
    ) -> None:
        """Ask, remember what is good, and put into ``told`` what is better than what is there."""
        limit = max_tokens or self._effort.max_tokens
        bad = {batch[0].key: told[batch[0].key] for batch in batches} if repair else {}
        questions = [
            self._question(batch, limit(_texts(batch)), bad.get(batch[0].key)) for batch in batches
        ]
        for number, outcome in self._calls.ask(questions):
            batch = batches[number]
            if isinstance(outcome, Completion):
                document = batch[0].document.id
                self.usage[document] = self.usage.get(document, Usage()) + outcome.usage
            paid = isinstance(outcome, Completion)
            kept = {}
            for passage, answer in zip(batch, Told.of(outcome, batch), strict=True):
                if _is_better(answer, told.get(passage.key)):
                    told[passage.key] = answer
                settled = not answer.problem or (answer == NOTHING and len(batch) == 1)
                if settled or (keep_all and paid):
                    kept[passage.key] = answer
            self._keep(kept, by_key)

    def _keep(self, answers: Mapping[str, Told], by_key: Mapping[str, Batch]) -> None:
        """Remember what was told, all that one document needs at once."""
        if self._remember is None:
            return
        of_document: dict[str, dict[str, str]] = {}
        for key, answer in answers.items():
            reply = reply_of(answer.units)
            for passage in by_key[key]:
                of_document.setdefault(passage.document.id, {})[key] = reply
        for document, replies in of_document.items():
            self._remember(document, replies)

    def _question(self, batch: Batch, max_tokens: int, bad: Told | None) -> Question:
        prompt = self._prompt(batch)
        if bad is not None and bad.unread is not None:
            prompt = repair_prompt(prompt, bad.unread, bad.reason)
        return Question(
            prompt=prompt,
            schema=None if self.has_own_prompt else UNITS_SCHEMA,
            max_tokens=max_tokens,
            stage="extraction",
            documents=tuple(passage.document.id for passage in batch),
        )

    def _prompt(self, passages: Batch) -> str:
        template = self._config.ku_extraction_prompt
        if template is None:
            return units_prompt(passages, max_units=self._config.ku_max_units_per_chunk)
        return filled(template, "text_chunk", passages[0].chunk.text)


def _is_better(answer: Told, before: Told | None) -> bool:
    return before is None or not answer.problem or len(answer.units) >= len(before.units)


def _by_key(passages: Iterable[Passage]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        found.setdefault(passage.key, []).append(passage)
    return found


def _texts(batch: Iterable[Passage]) -> list[str]:
    return [passage.chunk.text for passage in batch]
