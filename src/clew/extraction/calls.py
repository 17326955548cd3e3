"""Calls of a language model during extraction: failures are results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clew.errors import StoreError
from clew.executors.concurrently import as_they_finish
from clew.models.base import LLM, Completion, Message
from clew.models.purpose import for_purpose


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A prompt, the JSON schema that its reply should follow, and how long that may be. ``stage``
    says what it is asked for, and ``documents`` are the ids of those whose text is in the prompt:
    both are for the books, and left out they are what :mod:`clew.models.purpose` says.
    """

    prompt: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    stage: str | None = None
    documents: tuple[str, ...] | None = None


class ModelCalls:
    """Asks ``llm``, ``concurrency`` questions at a time. One object for one run of indexing."""

    def __init__(self, llm: LLM, concurrency: int) -> None:
        self.fingerprint: str = llm.fingerprint
        self._llm = llm
        self._concurrency = concurrency

    def ask(self, questions: Sequence[Question]) -> Iterator[tuple[int, Completion | Exception]]:
        """Yield (number of the question, reply or what was raised) as soon as each call ends.
        Errors of the store, where a reply that was paid for could not be kept, are raised.
        """
        return as_they_finish(self._ask_one, questions, self._concurrency)

    def _ask_one(self, question: Question) -> Completion | Exception:
        message = Message(role="user", content=question.prompt)
        try:
            with for_purpose(stage=question.stage, documents=question.documents):
                return self._llm.complete(
                    [message], max_tokens=question.max_tokens, schema=question.schema
                )
        except StoreError:
            raise
        except Exception as error:  # whatever a model raises is a result: its chunk falls back
            return error
