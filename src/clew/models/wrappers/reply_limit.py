"""How long replies may be, whatever a step asks for."""

from __future__ import annotations

from dataclasses import replace

from clew.models.wrappers.layers import Proceed, Reply, Request


class ReplyLimitLayer:
    """No reply of more than ``most_tokens``."""

    def __init__(self, most_tokens: int) -> None:
        self._most = most_tokens

    def answer(self, request: Request, proceed: Proceed) -> Reply:
        most = self._most if request.max_tokens is None else min(request.max_tokens, self._most)
        yield from proceed(replace(request, max_tokens=most))
