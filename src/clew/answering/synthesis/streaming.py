"""A reply while it is written, without what the model thinks aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clew.models.base import Completion
from clew.models.thoughts import ThoughtFilter


def visible(reply: Iterable[str | Completion]) -> Iterator[str | Completion]:
    """Yield what people should see of the pieces, as soon as it is clear that they should; the
    :class:`Completion` at the end is passed on as it is.

    >>> "".join(visible(["<thi", "nk>hm", "</think>", "Oslo", " [1]"]))
    'Oslo [1]'
    """
    thoughts = ThoughtFilter(anywhere=True)
    for item in reply:
        if isinstance(item, Completion):
            if rest := thoughts.rest():
                yield rest
            yield item
        elif shown := thoughts.take(item):
            yield shown
    if rest := thoughts.rest():
        yield rest
