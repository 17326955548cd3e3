"""Where a text may be cut without breaking what a reader sees as one character.

Grapheme clusters after Unicode Annex 29: accents stay on their letter, emoji joined by zero-width
joiners stay one picture, flags stay pairs, Hangul syllables and ``\\r\\n`` stay whole. Cutting is
local: from the place asked for, go back to a character that begins a cluster whatever stands before
it, and read clusters forward from there. Flags alone need more than their cluster: they are pairs,
counted from the first letter of their run.
"""

from __future__ import annotations

import regex

_CLUSTER = regex.compile(r"\X")
_EXTENDING = regex.compile(r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+")
_SURE_START = (
    r"[[\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}]--[\p{Extended_Pictographic}\p{InCB=Consonant}]]"
)
_LAST_SURE_START = regex.compile(rf"(?r)(?<!\p{{GCB=Prepend}}){_SURE_START}", regex.V1)


class Graphemes:
    """The boundaries of one ``text``, for who cuts it from its start on.

    ``lowest`` is the last cut before the place asked for: nothing before it is read, which keeps
    repeated cuts through one endless cluster linear. It may lie inside a cluster that was larger
    than what it had to fit into; the clusters behind that one are found all the same.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._run = 0, 0
        """Where the run of flag letters that was met last begins, and how far it is known."""

    def floor(self, at: int, *, lowest: int = 0) -> int:
        """Return the largest cluster boundary that is at most ``at``, at least ``lowest``."""
        return self._around(at, lowest)[0]

    def ceil(self, at: int, *, lowest: int = 0) -> int:
        """Return the smallest cluster boundary that is at least ``at``."""
        start, end = self._around(at, lowest)
        return at if start == at else end

    def _around(self, at: int, lowest: int) -> tuple[int, int]:
        """Return the boundaries next to ``at``, from ``lowest`` on: ``at`` twice if it is one."""
        text = self._text
        if at <= lowest:
            return lowest, lowest
        if at >= len(text):
            return len(text), len(text)
        if text[at] != "\n" and text[at - 1 : at + 1].isascii():
            return at, at
        return self._cluster_around(at, lowest)

    def _cluster_around(self, at: int, lowest: int) -> tuple[int, int]:
        """Return start and end of the cluster that begins at ``at`` or holds it inside."""
        text = self._text
        letters = self._flag_letters_before(at)
        if letters > 1:
            if letters % 2 == 0:
                return at, at
            behind = _EXTENDING.match(text, at + 1)
            return at - 1, behind.end() if behind else at + 1
        sure = _LAST_SURE_START.search(text, lowest, at + 1)
        place = sure.start() if sure else lowest
        if place == lowest and self._flag_letters_before(lowest) % 2 == 1:
            place += 1  # the rest of a flag that was cut begins no other
        if place == at:
            return at, at
        for cluster in _CLUSTER.finditer(text, place):
            if cluster.end() > at:
                return cluster.start(), cluster.end()
        raise AssertionError("clusters cover the text")

    def _flag_letters_before(self, at: int) -> int:
        """How many letters of its run stand before the flag letter at ``at``; 0 if it is none."""
        text = self._text
        if not _is_flag_letter(text[at]):
            return 0
        begin, known = self._run
        first = at
        while first > 0 and _is_flag_letter(text[first - 1]):
            if begin < first <= known:
                first = begin
                break
            first -= 1
        self._run = first, max(at, known) if first == begin else at
        return at - first


def floor_boundary(text: str, at: int, *, lowest: int = 0) -> int:
    """Return the largest cluster boundary that is at most ``at``, at least ``lowest``.

    >>> floor_boundary("cafe\\u0301!", 4), floor_boundary("cafe\\u0301!", 5)
    (3, 5)
    """
    return Graphemes(text).floor(at, lowest=lowest)


def is_boundary(text: str, at: int) -> bool:
    """Whether no cluster is cut at ``at``."""
    return floor_boundary(text, at) == at


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"
