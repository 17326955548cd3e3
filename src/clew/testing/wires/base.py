"""What tests must be able to say, and to read, in the words of any provider."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from clew.testing.scripted_server import Reply, Request

INPUT_TOKENS = 11
OUTPUT_TOKENS = 7
"""What every reply of every wire says that it cost."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """What a request asks, whatever its form: ``system`` and ``user`` are all texts of that role,
    joined by line ends; ``schema`` whether the server is told to keep to one.
    """

    model: str
    system: str
    user: str
    max_tokens: int | None
    temperature: float | None
    key: str
    schema: bool
    stream: bool


class Wire(Protocol):
    """One provider's protocol. Replies cost :data:`INPUT_TOKENS` and :data:`OUTPUT_TOKENS`."""

    def reply(self, text: str, *, truncated: bool = False) -> Reply:
        """One whole reply; ``truncated`` at the limit of tokens."""
        ...

    def streamed(self, pieces: Sequence[str], *, broken: bool = False) -> Reply:
        """One reply in pieces; ``broken`` hangs up after the last of them, before it is told that
        the reply ends.
        """
        ...

    def failure(
        self, status: int, message: str, *, headers: Mapping[str, str] | None = None
    ) -> Reply:
        """An error."""
        ...

    def asked(self, request: Request) -> Asked:
        """Read a request."""
        ...
