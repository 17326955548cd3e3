"""Thoughts that a model writes into its reply, between tags: no part of what it says."""

from __future__ import annotations

import re

_TAGS = "think|thinking|thought|reasoning"
_OPEN = re.compile(rf"<({_TAGS})>", re.IGNORECASE)
_CLOSED = re.compile(rf"<({_TAGS})>.*?</\1>", re.DOTALL | re.IGNORECASE)


class ThoughtFilter:
    """Lets the pieces of a reply through as soon as it is clear that they are no thoughts: those at
    its beginning and, with ``anywhere``, those further on. A reply may speak of tags, so the latter
    is for replies to people. Blanks between a thought and the beginning belong to neither.

    >>> filter = ThoughtFilter()
    >>> [filter.take(piece) for piece in ("<thi", "nk>Hm.</think>", " Oslo")], filter.rest()
    (['', '', 'Oslo'], '')
    """

    def __init__(self, *, anywhere: bool = False) -> None:
        self._anywhere = anywhere
        self._held = ""
        self._closing = ""
        self._begun = False
        self._thought = False

    def take(self, piece: str) -> str:
        """Return what of ``piece``, and of what was held back, belongs to the reply."""
        self._held += piece
        shown = ""
        while self._held:
            if self._closing and not self._closed():
                break
            if not self._begun and not self._begins():
                if self._closing:
                    continue
                break
            match = _OPEN.search(self._held) if self._anywhere else None
            end = match.start() if match else self._safe_end()
            shown, self._held = shown + self._held[:end], self._held[end:]
            if match is None:
                break
            self._open(match)
        return shown

    def rest(self) -> str:
        """Return what was held back to the end: no thought. One that never closed is dropped."""
        held, self._held = self._held, ""
        if self._closing:
            return ""
        return held.lstrip() if self._thought and not self._begun else held

    def _begins(self) -> bool:
        """Whether it is clear that the reply begins here; a thought is opened instead."""
        text = self._held.lstrip()
        match = _OPEN.match(text)
        if match is not None:
            self._held = text
            self._open(match)
        elif text and not _may_become_a_tag(text):
            self._held = text if self._thought else self._held
            self._begun = True
        return self._begun

    def _open(self, match: re.Match[str]) -> None:
        self._held = self._held[match.end() - match.start() :]
        self._closing, self._thought = f"</{match[1].lower()}>", True

    def _closed(self) -> bool:
        """Drop what belongs to the open thought; whether its end was there."""
        at = self._held.lower().find(self._closing)
        if at < 0:
            self._held = self._held[-len(self._closing) :]
            return False
        self._held, self._closing = self._held[at + len(self._closing) :], ""
        return True

    def _safe_end(self) -> int:
        """Up to where nothing that comes can make a tag of what is there."""
        at = self._held.rfind("<") if self._anywhere else -1
        return at if at >= 0 and _may_become_a_tag(self._held[at:]) else len(self._held)


def without_thoughts(reply: str, *, anywhere: bool = False) -> str:
    """Return ``reply`` without the thoughts at its beginning, or anywhere; one that never closes
    goes to the end.
    """
    through = ThoughtFilter(anywhere=anywhere)
    return through.take(reply) + through.rest()


def without_closed_thoughts(reply: str) -> str:
    """Return ``reply`` without those of its thoughts that close: behind the others may stand what
    was asked for.
    """
    return _CLOSED.sub(" ", reply)


def _may_become_a_tag(text: str) -> bool:
    return any(f"<{tag}>".startswith(text.lower()) for tag in _TAGS.split("|"))
