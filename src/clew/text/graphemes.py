"""Where a text may be cut without breaking what a reader sees as one character.

Grapheme clusters after Unicode Annex 29: accents stay on their letter, emoji joined by zero-width
joiners stay one picture, flags stay pairs, Hangul syllables and ``\\r\\n`` stay whole. Cutting is
local: from the place asked for, go back to a character that begins a cluster whatever stands before
it, and read clusters forward from there.
"""

from __future__ import annotations

import regex

_CLUSTER = regex.compile(r"\X")
_EXTENDING = regex.compile(r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]*+")
_SURE_START = (
    r"[[\p{GCB=Other}\p{GCB=Control}\p{GCB=CR}]--[\p{Extended_Pictographic}\p{InCB=Consonant}]]"
)
_LAST_SURE_START = regex.compile(rf"(?r)(?<!\p{{GCB=Prepend}}){_SURE_START}", regex.V1)


def floor_boundary(text: str, at: int, *, lowest: int = 0) -> int:
    """Return the largest cluster boundary that is at most ``at``.

    ``lowest`` is a known boundary before ``at``: nothing before it is read, which keeps repeated
    cuts through one endless cluster linear.

    >>> floor_boundary("cafe\\u0301!", 4), floor_boundary("cafe\\u0301!", 5)
    (3, 5)
    """
    if at <= lowest:
        return lowest
    if at >= len(text):
        return len(text)
    if text[at] != "\n" and text[at - 1 : at + 1].isascii():
        return at
    return _cluster_around(text, at, lowest)[0]


def ceil_boundary(text: str, at: int, *, lowest: int = 0) -> int:
    """Return the smallest cluster boundary that is at least ``at``."""
    if at <= lowest:
        return lowest
    if at >= len(text):
        return len(text)
    if text[at] != "\n" and text[at - 1 : at + 1].isascii():
        return at
    start, end = _cluster_around(text, at, lowest)
    return at if start == at else end


def is_boundary(text: str, at: int) -> bool:
    """Whether no cluster is cut at ``at``."""
    return floor_boundary(text, at) == at


def _cluster_around(text: str, at: int, lowest: int) -> tuple[int, int]:
    """Return start and end of the cluster that begins at ``at`` or holds it inside."""
    if _is_flag_letter(text[at]) and _is_flag_letter(text[at - 1]):
        first = at - 1
        while first > lowest and _is_flag_letter(text[first - 1]):
            first -= 1
        if first < at - 1:
            return _flag_around(text, at, first)
    sure = _LAST_SURE_START.search(text, lowest, at + 1)
    place = sure.start() if sure else lowest
    if place == at:
        return at, at
    for cluster in _CLUSTER.finditer(text, place):
        if cluster.end() > at:
            return cluster.start(), cluster.end()
    raise AssertionError("clusters cover the text")


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_around(text: str, at: int, first: int) -> tuple[int, int]:
    """Flags are pairs of letters, counted from ``first``; the pattern for clusters would count them
    from the first of all for each.
    """
    if (at - first) % 2 == 0:
        return at, at
    behind = _EXTENDING.match(text, at + 1)
    return at - 1, behind.end() if behind else at + 1
