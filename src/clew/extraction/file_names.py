"""What the name of a file says that its text is about: ``norr-bridge.txt`` is about Norr Bridge."""

from __future__ import annotations

import re

from clew.records import Document

MAX_FILE_WORDS = 6
_LEAST_WORD_CHARS = 3

_SEPARATORS = re.compile(r"[\s_+-]+|(?<=[a-z])(?=[A-Z])")
_ANY_FILE = frozenset(
    "readme index notes note document doc untitled new copy draft final report text file data main "
    "page chapter part section appendix scan img image output input test tmp temp export download "
    "the and for of minutes meeting version summary letter memo".split()
)


def name_of_file(document: Document) -> str:
    """The words of the file that ``document`` was read from; ``""`` where it was read from none,
    is one of several in it, or where the name says no more than a date, a number, or what every
    file could be called.
    """
    if not document.source or not document.source.endswith(document.doc_id):
        return ""
    stem = document.doc_id.rpartition("/")[2].partition(".")[0]
    words = _SEPARATORS.sub(" ", stem).split()
    telling = {word.lower() for word in words if len(word) >= _LEAST_WORD_CHARS and word.isalpha()}
    if len(words) > MAX_FILE_WORDS or telling <= _ANY_FILE:
        return ""
    return " ".join(words)
