"""A language model for tests that gives its reply word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from clew.models.base import Completion, Message
from clew.testing.scripted_llm import ScriptedLLM


class StreamingScriptedLLM(ScriptedLLM):
    """A :class:`ScriptedLLM` that streams too. After ``breaks_after`` words it raises ``breaks``,
    where that is given, instead of going on.
    """

    breaks: Exception | None = None
    breaks_after: int = 1

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None
    ) -> Iterator[str | Completion]:
        completion = self.complete(messages, max_tokens=max_tokens)
        words = completion.text.split(" ")
        for place, word in enumerate(words):
            if self.breaks is not None and place == self.breaks_after:
                raise self.breaks
            yield f" {word}" if place else word
        yield completion
