"""A language model for tests that says what it was told to say, and remembers what it was asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from clew.models.base import Completion, Message, Usage

Reply = str | Exception | Callable[[str], str]
Rule = tuple[str | Callable[[str], bool], Reply | Sequence[Reply]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Call:
    """One call: what was asked and what was said (the error's text when it raised)."""

    prompt: str
    reply: str
    max_tokens: int | None = None
    schema: Mapping[str, Any] | None = None


class ScriptedLLM:
    """Replies by rules: ``(pattern, reply)`` pairs, of which the first that fits the prompt counts.

    A pattern is a regular expression, searched for in the prompt with ``.`` matching line ends, or
    a predicate over it. A reply is a text, a function from the prompt to a text, an exception to
    raise, or a list of these: one for each call in turn, the last for all calls after it. A prompt
    that no rule fits raises ``AssertionError``, so no test passes by accident.

    It is a :class:`clew.models.base.LLM` and a :class:`clew.models.base.BaseLLM`; tokens are
    counted in words.

    >>> llm = ScriptedLLM([("capital of Norway", "Oslo"), (".*", ["first", "then"])])
    >>> llm.generate("What is the capital of Norway?"), llm.generate("a"), llm.generate("b")
    ('Oslo', 'first', 'then')
    """

    def __init__(self, rules: Sequence[Rule], *, fingerprint: str = "scripted-llm") -> None:
        self.fingerprint: str = fingerprint
        self.calls: list[Call] = []
        self._rules = list(rules)
        self._used = [0] * len(self._rules)
        self._lock = Lock()

    @property
    def prompts(self) -> list[str]:
        return [call.prompt for call in self.calls]

    def generate(self, prompt: str) -> str:
        return self._reply(prompt, None, None)

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        prompt = "\n\n".join(message.content for message in messages)
        text = self._reply(prompt, max_tokens, schema)
        usage = Usage(calls=1, input_tokens=len(prompt.split()), output_tokens=len(text.split()))
        return Completion(text=text, usage=usage, model=self.fingerprint)

    def _reply(self, prompt: str, max_tokens: int | None, schema: Mapping[str, Any] | None) -> str:
        reply = self._next(prompt)
        if callable(reply):
            reply = reply(prompt)
        call = Call(prompt=prompt, reply=str(reply), max_tokens=max_tokens, schema=schema)
        with self._lock:
            self.calls.append(call)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _next(self, prompt: str) -> Reply:
        for number, (fits, reply) in enumerate(self._rules):
            found = re.search(fits, prompt, re.DOTALL) if isinstance(fits, str) else fits(prompt)
            if not found:
                continue
            if isinstance(reply, str) or not isinstance(reply, Sequence):
                return reply
            with self._lock:
                at = min(self._used[number], len(reply) - 1)
                self._used[number] += 1
            return reply[at]
        raise AssertionError(f"no rule fits the prompt {prompt[:200]!r}")
