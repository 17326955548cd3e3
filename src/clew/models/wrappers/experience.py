"""What the books of a store tell of a model: how tokens count, how long replies are, and calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.models.base import Usage, UsageEntry

FIRST_TOKEN_S = 1.0
TOKENS_A_SECOND = 80.0
"""What a call takes where there is no experience: a wait, and then as fast as hosted models of
medium size write."""


@dataclass(slots=True)
class _Stage:
    usage: Usage = field(default_factory=Usage)
    estimated: int = 0
    seconds: float = 0.0


class Experience:
    """Of one model. ``calls`` is how many calls it rests on."""

    def __init__(self, entries: Iterable[UsageEntry], model: str) -> None:
        self._stages: dict[str, _Stage] = {}
        for entry in entries:
            if entry.model == model and entry.estimated_tokens:
                stage = self._stages.setdefault(entry.stage, _Stage())
                stage.usage += entry.usage
                stage.estimated += entry.estimated_tokens
                stage.seconds += entry.seconds
        self.calls = sum(stage.usage.calls for stage in self._stages.values())

    def read_tokens(self, counted: int) -> int:
        """What the provider will make of a prompt that clew takes for ``counted`` tokens."""
        estimated = sum(stage.estimated for stage in self._stages.values())
        read = sum(stage.usage.input_tokens for stage in self._stages.values())
        return round(counted * read / estimated) if estimated else counted

    def written_tokens(self, stage: str, read: int, expected: int) -> int:
        """How long a reply to ``read`` tokens will be; ``expected`` where nothing tells."""
        usage = self._stages[stage].usage if stage in self._stages else Usage()
        if not usage.input_tokens:
            return expected
        return round(read * usage.output_tokens / usage.input_tokens)

    def seconds(self, calls: int, written: int) -> float:
        """How long ``calls``, one after the other, will take."""
        if not self.calls:
            return calls * FIRST_TOKEN_S + written / TOKENS_A_SECOND
        return calls * sum(stage.seconds for stage in self._stages.values()) / self.calls
