"""Words as full-text search counts them: normalised, without stop words, stemmed.

Scripts without spaces (Han, Kana, Thai, …) give overlapping pairs of characters instead of words,
so that a search for a part of a run finds the run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

import regex
import Stemmer

STOP_WORDS = frozenset(
    "a an and are as at be been being but by can could did do does for from had has have he her "
    "hers him his how i if in into is it its me my no nor not of on or our she should so than that "
    "the their them then there these they this those to too us was we were what when where which "
    "who whom whose why will with would you your".split()
)

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<word>(?:\.(?=[A-Za-z]))?[[\p{{L}}\p{{N}}\p{{M}}_]--[{_UNSPACED}]]+(?:\+\+|\#)?)",
    regex.V1,
)
_ASCII_WORD = re.compile(r"(?:\.(?=[A-Za-z]))?[A-Za-z0-9_]+(?:\+\+|#)?")
_STEMMER = Stemmer.Stemmer("english", 0)


def terms(text: str) -> list[str]:
    """Return the search terms of ``text`` in order, repeated as often as they occur.

    >>> terms("The founders of Norr Bridge's company, 食べ物")
    ['founder', 'norr', 'bridg', 'compani', '食べ', 'べ物']
    """
    if text.isascii():
        return [term for word in _ASCII_WORD.findall(text) if (term := _term(word))]
    found: list[str] = []
    for run, word in _WORD.findall(text):
        if word:
            term = _term(word)
            if term:
                found.append(term)
        else:
            found += (term for _, _, term in term_spans(run))
    return found


def term_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, term) for each search term, offsets into ``text``."""
    for match in _WORD.finditer(text):
        start, end = match.span()
        if match["run"] is None:
            term = _term(match[0])
            if term:
                yield start, end, term
        elif end - start == 1:
            yield start, end, match[0]
        else:
            for at in range(start, end - 1):
                yield at, at + 2, unicodedata.normalize("NFKC", text[at : at + 2])


@cache
def _term(word: str) -> str:
    normal = unicodedata.normalize("NFKC", word).casefold()
    if normal in STOP_WORDS or (len(normal) == 1 and normal == "s"):
        return ""
    stem: str = _STEMMER.stemWord(normal)
    return stem
