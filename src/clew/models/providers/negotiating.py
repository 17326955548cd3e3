"""Language models that find out with which form of a schema, and which parameters, their provider
can be asked: see :mod:`clew.models.providers.dialect`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from clew.models.base import Completion, Message
from clew.models.providers.calling import Generates
from clew.models.providers.dialect import Dialect, Negotiation, Sent

Reply = TypeVar("Reply")


class NegotiatingLLM(Generates):
    """An LLM whose :meth:`_once` is one call in one dialect; ``who`` names it in messages."""

    forms: ClassVar[tuple[str, ...]]
    """How a schema can be told, the strictest first; the last is the prompt alone."""

    def __init__(self, who: str) -> None:
        self._who = who
        self._negotiation = Negotiation(len(self.forms))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fingerprint!r})"

    @property
    def fingerprint(self) -> str:
        """The model and all that changes its replies; the address where it is not the usual one."""
        raise NotImplementedError

    def complete(
        self,
        messages: Sequence[Message],
        *,
        max_tokens: int | None = None,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Return one reply. A ``schema`` asks for JSON of that form, in the strictest way that the
        provider takes. Raises :class:`clew.errors.ModelError`.
        """
        return self._negotiated(
            lambda dialect: self._once(messages, max_tokens, schema, dialect), max_tokens, schema
        )

    def _negotiated(
        self,
        call: Callable[[Dialect], Reply],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        sent = self._sent_options(max_tokens)
        return self._negotiation.ask(call, who=self._who, sent=sent, schema=schema)

    def _sent_options(self, max_tokens: int | None) -> Sent:  # noqa: ARG002 - for those that concede
        """What a request holds that could be left out."""
        return Sent()

    def _once(
        self,
        messages: Sequence[Message],
        max_tokens: int | None,
        schema: Mapping[str, Any] | None,
        dialect: Dialect,
    ) -> Completion:
        raise NotImplementedError
