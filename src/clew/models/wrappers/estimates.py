"""What a call will use, before it is made; each call that was made corrects the next estimate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from threading import Lock

from clew.models.base import Message, Usage
from clew.models.token_counting import Count
from clew.models.wrappers.layers import Request

OUTPUT_RATIO = 0.6
"""Tokens of a reply for each of its prompt, before any reply was seen."""

LEAST_OUTPUT = 16


@dataclass(frozen=True, kw_only=True, slots=True)
class Estimate:
    """``counted`` is what our own counting makes of the prompt."""

    counted: int
    input_tokens: int
    output_tokens: int


class Estimates:
    """Counts prompts with ``count``. Of the length of replies it expects the worst that it has
    seen: the longest for its prompt.
    """

    def __init__(self, count: Count, ratio: float = OUTPUT_RATIO) -> None:
        self._count = count
        self._counted_in = lru_cache(maxsize=64)(self._tokens_in)
        self._ratio = ratio
        self._seen = False
        self._counted = 0
        self._read = 0
        self._lock = Lock()

    def of(self, request: Request) -> Estimate:
        counted = self._counted_in(request.messages)
        with self._lock:
            read = counted * self._read / self._counted if self._counted else counted
            written = max(LEAST_OUTPUT, round(read * self._ratio))
        most = written if request.max_tokens is None else min(written, request.max_tokens)
        return Estimate(counted=counted, input_tokens=round(read), output_tokens=most)

    def worst_of(self, request: Request) -> Estimate:
        """The same where no reply was seen yet: one as long as it may be."""
        estimate = self.of(request)
        if self._seen or request.max_tokens is None:
            return estimate
        return replace(estimate, output_tokens=max(estimate.output_tokens, request.max_tokens))

    def told(self, estimate: Estimate, text: str, usage: Usage) -> Usage:
        """Learn from what a call used, and return it; tokens that the provider does not state are
        estimated.
        """
        if usage.input_tokens and estimate.counted:
            self._learn(estimate, usage)
        return Usage(
            calls=usage.calls,
            cached_calls=usage.cached_calls,
            input_tokens=usage.input_tokens or estimate.input_tokens,
            output_tokens=usage.output_tokens or self._count(text),
        )

    def _tokens_in(self, messages: tuple[Message, ...]) -> int:
        return sum(self._count(message.content) for message in messages)

    def _learn(self, estimate: Estimate, usage: Usage) -> None:
        ratio = usage.output_tokens / usage.input_tokens
        with self._lock:
            self._counted += estimate.counted
            self._read += usage.input_tokens
            self._ratio = max(self._ratio, ratio) if self._seen else ratio
            self._seen = True
