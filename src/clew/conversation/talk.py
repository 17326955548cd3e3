"""A conversation about one knowledge base: it remembers what was asked and answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from clew.conversation.following import readings
from clew.conversation.referents import referents_of
from clew.results import Answer
from clew.stores.filters import canonical_where

REMEMBERED = 3
"""How many turns back a pronoun may reach."""


class Askable(Protocol):
    """What answers: a :class:`clew.KnowledgeBase`, or what has this method of it."""

    @property
    def ask_stream(self) -> Callable[..., Iterator[str | Answer]]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """``asked`` is the question as it was typed, ``question`` as it was read; ``where`` tells apart
    the documents that it was put to.
    """

    asked: str
    question: str
    answer: Answer
    where: str = ""


class Conversation:
    """Asks one question after another, where "and her husband?" is a question too.

    A question that leans on the last turns is made whole by rules; where it can be read in several
    ways, the next is tried when the first has no answer (with a language model, each costs a call).
    ``answer.question`` is the question as it was read. Of a turn that was put to other documents
    (``where``) only what was typed is remembered: what they say of a thing is not told to the next.

    >>> from clew import KnowledgeBase
    >>> kb = KnowledgeBase.in_memory()
    >>> report = kb.ingest_text("Norr Bridge was built by Berit Lind in 1931.", name="bridge")
    >>> talk = kb.conversation()
    >>> talk.ask("Who built Norr Bridge?").answer
    'Berit Lind'
    >>> talk.ask("When did she build it?").question
    'When did Berit Lind build Norr Bridge?'
    """

    def __init__(self, kb: Askable) -> None:
        self._kb = kb
        self._turns: list[Turn] = []

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was asked and answered since the beginning, or since :meth:`clear`."""
        return tuple(self._turns)

    @property
    def last(self) -> Answer | None:
        """The last answer."""
        return self._turns[-1].answer if self._turns else None

    def clear(self) -> None:
        """Forget what was said."""
        self._turns.clear()

    def readings(self, question: str, *, where: Mapping[str, Any] | None = None) -> tuple[str, ...]:
        """What ``question`` may ask after what was said, the likeliest first."""
        asked_of = canonical_where(where)
        recent = self._turns[-REMEMBERED:]
        known = [turn.where == asked_of for turn in recent]
        said = [
            turn.question if same else turn.asked for turn, same in zip(recent, known, strict=True)
        ]
        things = [
            referents_of(text, turn.answer if same else None)
            for turn, text, same in zip(recent, said, known, strict=True)
        ]
        return readings(question, said[-1] if said else "", things)

    def ask(self, question: str, **options: Any) -> Answer:
        """Answer ``question``; options are those of :meth:`clew.KnowledgeBase.ask`."""
        *_, answer = self.ask_stream(question, **options)
        assert isinstance(answer, Answer), "a stream ends with the answer"
        return answer

    def ask_stream(self, question: str, **options: Any) -> Iterator[str | Answer]:
        """Yield what a model writes of the first reading while it does, not checked yet; then the
        answer.
        """
        first: Answer | None = None
        where = options.get("where")
        for reading in self.readings(question, where=where):
            for item in self._kb.ask_stream(reading, **options):
                if isinstance(item, Answer):
                    answer = item
                elif first is None:
                    yield item
            first = first or answer
            if not answer.abstained:
                break
        else:
            assert first is not None, "there is always a reading"
            answer = first
        self._turns.append(
            Turn(
                asked=question,
                question=answer.question or question,
                answer=answer,
                where=canonical_where(where),
            )
        )
        yield answer
