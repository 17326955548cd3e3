"""A conversation about one knowledge base: it remembers what was asked and answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from clew.conversation.following import readings
from clew.conversation.referents import referents_of
from clew.results import Answer

REMEMBERED = 3
"""How many turns back a pronoun may reach."""


class Askable(Protocol):
    """What answers: a :class:`clew.KnowledgeBase`, or what has this method of it."""

    @property
    def ask_stream(self) -> Callable[..., Iterator[str | Answer]]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """``asked`` is the question as it was typed, ``question`` as it was read."""

    asked: str
    question: str
    answer: Answer


class Conversation:
    """Asks one question after another, where "and her husband?" is a question too.

    A question that leans on the last turns is made whole by rules; where it can be read in several
    ways, the next is tried when the first has no answer (with a language model, each costs a call).
    ``answer.question`` is the question as it was read.

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

    def readings(self, question: str) -> tuple[str, ...]:
        """What ``question`` may ask after what was said, the likeliest first."""
        recent = self._turns[-REMEMBERED:]
        things = [referents_of(turn.question, turn.answer) for turn in recent]
        return readings(question, recent[-1].question if recent else "", things)

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
        for reading in self.readings(question):
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
            Turn(asked=question, question=answer.question or question, answer=answer)
        )
        yield answer
