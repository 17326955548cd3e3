"""Words broken at the end of a line: which hyphens the typesetter put there, and which are real.

The text itself is the dictionary. "exam-/ple" becomes "example", and "well-/known" stays
"well-known" where the text has that form elsewhere or both halves are words of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from clew.documents.readers.pdf_lines import Line

_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LAST = re.compile(r"((?:[^\W_]+[-\u2010])*[^\W_]+)[-\u2010\u00ad]*$")
_FIRST = re.compile(r"[^\W_]+(?:[-\u2010][^\W_]+)*")
_HYPHENS = "-\u2010"
_SOFT_HYPHEN = "\u00ad"
_MIN_HALF = 4
_COMPOUNDING = frozenset("well self half cross quasi high low long short ex all multi".split())
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60]")
_HANGUL = re.compile("[\uac00-\ud7a3]")


def is_unspaced(character: str) -> bool:
    """Tell whether a character is of a script that writes no blanks between words."""
    return bool(_UNSPACED.match(character))


class LineJoiner:
    """Joins the lines of a paragraph by what the words of the whole document say."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._known: Counter[str] = Counter()
        self._blanks_at_ends = 0
        after_break = False
        for line in lines:
            words = [word.lower() for word in _WORD.findall(line.text)]
            self._blanks_at_ends += line.ends_blank
            self._known.update(words[after_break : len(words) - line.breaks_word])
            after_break = line.breaks_word

    def join(self, text: str, line: Line, next_text: str) -> str:
        """Return ``text``, whose last line is ``line``, with what goes between it and the next."""
        if not text:
            return ""
        if line.breaks_word:
            return self._join_word(text, next_text)
        if is_unspaced(text[-1]) and is_unspaced(next_text[:1]):
            return text
        both = _HANGUL.match(text[-1]) and _HANGUL.match(next_text[:1] or " ")
        if both and self._blanks_at_ends and not line.ends_blank:
            return text
        return text + " "

    def _join_word(self, text: str, next_text: str) -> str:
        if text.endswith(_SOFT_HYPHEN):
            return text[:-1]
        first, last = _FIRST.match(next_text), _LAST.search(text)
        stem = text.rstrip(_HYPHENS)
        if first is None or last is None:
            return text + " "
        if self._is_real(last[1].lower(), first[0]):
            return stem + "-"
        return stem

    def _is_real(self, last: str, first: str) -> bool:
        if not first[0].islower() or last[-1].isdigit():
            return first[0].isupper() or first[0].isdigit() or last[-1].isdigit()
        following = first.lower()
        joined, kept = self._known[last + following], self._known[f"{last}-{following}"]
        if joined or kept:
            return kept > joined
        half = last.rpartition("-")[2]
        if "-" in last:
            return not self._known[half + following] and bool(self._known[following])
        if half in _COMPOUNDING and self._known[following]:
            return True
        long_enough = min(len(half), len(following)) >= _MIN_HALF
        return long_enough and bool(self._known[half]) and bool(self._known[following])
