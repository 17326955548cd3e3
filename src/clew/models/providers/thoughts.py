"""Thoughts that a model writes into its reply, between tags, before the reply itself."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class ThoughtFilter:
    """Lets the pieces of a reply through, but not the thoughts at its beginning.

    >>> filter = ThoughtFilter()
    >>> [filter.take(piece) for piece in ("<thi", "nk>Hm.</think>", " Oslo")], filter.rest()
    (['', '', 'Oslo'], '')
    """

    def __init__(self) -> None:
        self._held = ""
        self._through = False
        self._fresh = False

    def take(self, piece: str) -> str:
        """Return what of ``piece``, and of what was held back, belongs to the reply."""
        if self._through:
            return self._begun(piece)
        self._held += piece
        text = self._held.lstrip()
        if _OPEN.startswith(text) or (text.startswith(_OPEN) and _CLOSE not in text):
            return ""
        held, self._held, self._through = self._held, "", True
        if not text.startswith(_OPEN):
            return held
        self._fresh = True
        return self._begun(text.partition(_CLOSE)[2])

    def rest(self) -> str:
        """Return what was held back to the end: it was no thought, or one that never closed."""
        held, self._held = self._held, ""
        return "" if held.lstrip().startswith(_OPEN) else held

    def _begun(self, piece: str) -> str:
        """White space between thoughts and reply belongs to neither."""
        if not self._fresh:
            return piece
        text = piece.lstrip()
        self._fresh = not text
        return text


def without_thoughts(text: str) -> str:
    """Return ``text`` without the thoughts at its beginning."""
    through = ThoughtFilter()
    return through.take(text) + through.rest()
