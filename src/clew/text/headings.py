"""The words of a heading without the marks that make it one."""

from __future__ import annotations

import re

_LONGEST_HEADING = 300
_ATX = re.compile(r"#{1,6}(?=[ \t]|$)")
_CLOSING_MARKS = re.compile(r"[ \t]+(?:#+|\{[#.][^{}]*\})[ \t]*$")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_EMPHASIS_MARKS = frozenset("*_`")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")


def heading_text(block_text: str) -> str:
    """Return what a heading says, in one line of at most 300 characters.

    >>> heading_text("## The *Norr* Bridge ##\\n"), heading_text("=====\\nNorr\\n=====")
    ('The Norr Bridge', 'Norr')
    """
    lines = [line.strip() for line in block_text[: 4 * _LONGEST_HEADING].splitlines()]
    words = [line for line in lines if line]
    if len(words) > 1:
        words = [line for line in words if not _ADORNMENT.match(line)] or words
    elif words and (mark := _ATX.match(words[0])):
        words = [_CLOSING_MARKS.sub("", words[0][mark.end() :])]
    said = " ".join(" ".join(words).split())
    if "](" in said:
        said = _LINK.sub(r"\1", said)
    if not _EMPHASIS_MARKS.isdisjoint(said):
        said = _EMPHASIS.sub(r"\2", said)
    return said[:_LONGEST_HEADING].rstrip()
