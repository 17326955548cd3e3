"""What a model is called for: it travels beside the call, so that no protocol has to carry it.

Whoever calls says it once, ``with for_purpose(stage="extraction", documents=[…])``; wrappers that
keep replies and books read it. It is a context variable: threads that
:mod:`clew.executors.concurrently` starts inherit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace


@dataclass(frozen=True, kw_only=True, slots=True)
class Purpose:
    """``documents`` are the ids of those whose text is in the prompt: with them goes what is kept
    of the reply. ``question`` is the user's, where there is one.
    """

    stage: str = ""
    documents: tuple[str, ...] = ()
    question: str = ""


_CURRENT: ContextVar[Purpose] = ContextVar("clew_purpose", default=Purpose())  # noqa: B039 - frozen


def current_purpose() -> Purpose:
    return _CURRENT.get()


@contextmanager
def for_purpose(
    *,
    stage: str | None = None,
    documents: Sequence[str] | None = None,
    question: str | None = None,
) -> Iterator[Purpose]:
    """Say what the calls in the ``with`` block are for; what is left out stays as it was."""
    purpose = _CURRENT.get()
    if stage is not None:
        purpose = replace(purpose, stage=stage)
    if documents is not None:
        purpose = replace(purpose, documents=tuple(dict.fromkeys(documents)))
    if question is not None:
        purpose = replace(purpose, question=question)
    token = _CURRENT.set(purpose)
    try:
        yield purpose
    finally:
        _CURRENT.reset(token)
