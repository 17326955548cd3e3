"""Which lines of plain text are headings, though nothing marks them.

Layout tells: a heading is short, stands at the beginning of a block, has no stop, and what follows
is text that fills its lines. So the line was broken on purpose: the next word would have fitted.
What is short beside other short lines (verse, addresses, lists) is none, nor is what looks like
code, a table, or a form ("Date: 3 May").

A wrong heading takes a statement out of the text, a missed one only loses a name for its section;
so in doubt a line is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

MAX_HEADING_CHARS = 80
MAX_HEADING_WORDS = 12
MAX_IN_A_ROW = 2
LEAST_TEXT_CHARS = 60
LEAST_SENTENCE_CHARS = 24
LEAST_RATIO = 1.6

_BEGINS = re.compile(r"[\"'“‘„«¿¡]?[^\W_a-z]")
_ENDS = re.compile(r"(?:[\w)\]\"”’»'?!+#%°]|\b(?:[A-Z]|Jr|Sr|Inc|Ltd|Corp|Co|St|etc|v|vs)\.)$")
_NO_HEADING = re.compile(
    r"[{}<>=|\\@_~^$]|;(?<!&amp;)(?<!&quot;)|://|\S\s{2,}\S|\t|^\W*\d[\d\W]*$|[.!?]\s[A-Z][a-z]+\s[a-z]"
    r"|^(?i:date|from|to|cc|bcc|re|subject|sent|author|by|tel|phone|fax|e-?mail|note|warning|tip"
    r"|example|figure|fig|table|source|answer|question|q|a|page|id|status|name|address)\s?:"
    r"|^[A-Z][A-Z .'-]*:\s|:.*[?!]$"  # who speaks, and what
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|will|would|can|could|must|should|shall|may|do"
    r"|does|did|don't|not|it|he|she|they|we|i|you|them|him|this|that|there)\b"
)
_SMALL = frozenset(
    "a an the of and or in on at to for from with by as vs v de la le du der die das von van und y "
    "e el los las del di da et per über für im am into nor but up out off over".split()
)


def heading_lines(lines: Sequence[str]) -> dict[int, int]:
    """Return the numbers of the lines that are headings, each with its level.

    The level is 2, or 1 for the first of them where it is the title of the whole: the only one, or
    followed by another.
    """
    shaped = [number for number in _first_lines(lines) if _has_shape(lines[number])]
    found: list[int] = []
    in_a_row = 0
    followers = {number: _following(lines, number) for number in shaped}
    confirmed: set[int] = set()
    for number in reversed(shaped):
        following = followers[number]
        if following in confirmed:
            in_a_row += 1
        elif following >= 0 and _fills(lines[number], lines[following]):
            in_a_row = 1
        else:
            in_a_row = 0
        if 0 < in_a_row <= MAX_IN_A_ROW:
            confirmed.add(number)
            found.append(number)
    found.reverse()
    return dict.fromkeys(found, 2) | _title(lines, found, followers)


def _first_lines(lines: Sequence[str]) -> Iterator[int]:
    """The lines that begin a block."""
    blank = True
    for number, line in enumerate(lines):
        empty = not line or line.isspace()
        if blank and not empty and len(line) <= MAX_HEADING_CHARS:
            yield number
        blank = empty


def _has_shape(line: str) -> bool:
    said = line.strip()
    words = said.split()
    if len(words) > MAX_HEADING_WORDS or not _BEGINS.match(said) or not _ENDS.search(said):
        return False
    if _NO_HEADING.search(said) or not any(map(str.isalpha, said)):
        return False
    return _is_title_case(words) or (said[-1] not in "?!" and not _VERB.search(said))


def _is_title_case(words: Sequence[str]) -> bool:
    return all(not word[0].islower() or word in _SMALL for word in words)


def _following(lines: Sequence[str], number: int) -> int:
    """The next line that is not blank; -1 for none."""
    for behind in range(number + 1, min(number + 4, len(lines))):
        if lines[behind] and not lines[behind].isspace():
            return behind
    return -1


def _fills(line: str, following: str) -> bool:
    """Whether ``following`` is text beside which ``line`` was broken early."""
    said, text = line.strip(), following.strip()
    if len(text) < LEAST_RATIO * len(said):
        return False
    if len(text) >= LEAST_TEXT_CHARS:
        return True
    return len(text) >= LEAST_SENTENCE_CHARS and text[-1] in ".:" and _is_title_case(said.split())


def _title(lines: Sequence[str], found: Sequence[int], followers: dict[int, int]) -> dict[int, int]:
    if not found or any(line.strip() for line in lines[: found[0]]):
        return {}
    is_title = len(found) == 1 or followers[found[0]] == found[1]
    return {found[0]: 1} if is_title else {}
