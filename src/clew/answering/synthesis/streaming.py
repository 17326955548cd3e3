"""A reply while it is written, without what the model thinks aloud."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from clew.models.base import Completion

_TAGS = ("think", "thinking", "thought", "reasoning")
_OPEN = re.compile(rf"<({'|'.join(_TAGS)})>", re.IGNORECASE)
_LONGEST_TAG = max(map(len, _TAGS)) + 3


def visible(reply: Iterable[str | Completion]) -> Iterator[str | Completion]:
    """Yield what people should see of the pieces, as soon as it is clear that they should; the
    :class:`Completion` at the end is passed on as it is.

    >>> "".join(visible(["<thi", "nk>hm", "</think>", "Oslo", " [1]"]))
    'Oslo [1]'
    """
    held, closing, begun = "", "", False
    for item in reply:
        if isinstance(item, Completion):
            yield from _rest(held, closing)
            held, closing = "", ""
            yield item
            continue
        held += item
        shown, held, closing = _cut(held, closing)
        shown = shown if begun else shown.lstrip()  # blanks behind a thought
        if shown:
            begun = True
            yield shown
    yield from _rest(held, closing)


def _cut(text: str, closing: str) -> tuple[str, str, str]:
    """(what can be shown, what must wait, the tag that ends a thought, if one is open)."""
    shown = ""
    while True:
        if closing:
            at = text.lower().find(closing)
            if at < 0:
                return shown, text[-len(closing) :], closing
            text, closing = text[at + len(closing) :], ""
        match = _OPEN.search(text)
        if match is None:
            break
        shown += text[: match.start()]
        text, closing = text[match.end() :], f"</{match[1].lower()}>"
    begun = text.rfind("<")
    if begun >= 0 and len(text) - begun < _LONGEST_TAG and ">" not in text[begun:]:
        return shown + text[:begun], text[begun:], ""
    return shown + text, "", ""


def _rest(held: str, closing: str) -> Iterator[str]:
    if held and not closing:
        yield held
