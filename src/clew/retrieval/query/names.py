"""Which names a question may hold: spans of up to ten words, longest first.

Whether a span *is* a name is for the store to say (it knows the names of the corpus). What this
module decides is which spans are worth asking for, and which of the answers count:

* several words match in any case, so that "the great dictator" finds the film;
* a single word must be written as a name, or behave like one in the corpus: "Paris" is a name in
  nearly every passage that has the word, "film" is not, even where one document is titled "Film";
* longer names win over the names inside them.

Runs of scripts without spaces or case (Han, Kana, Thai, …) are taken character by character.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import regex

from clew.text.names import name_key
from clew.text.words import STOP_WORDS

LONGEST_NAME_WORDS = 10
MOST_WORDS = 200
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_TOKEN = regex.compile(rf"[{_UNSPACED}]|[[^\s]--[{_UNSPACED}]]+", regex.V1)
_EDGE = regex.compile(r"^[^\p{L}\p{N}\p{M}.]+|[^\p{L}\p{N}\p{M}+#]+$")
_CONNECTORS = frozenset(
    "of the and de la le du von van der den di da del al ibn bin y e for".split()
)
_OPENERS = STOP_WORDS | frozenset(
    "did does do has have had was were is are name which who whose whom what when where why how "
    "if in on at the a an tell list give find show could would should may might".split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question by offset. ``unspaced`` marks a single character of a long run."""

    start: int
    end: int
    text: str
    unspaced: bool = False

    @property
    def capitalised(self) -> bool:
        return any(char.isupper() for char in self.text)

    @property
    def opener(self) -> bool:
        return self.text.casefold() in _OPENERS


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A candidate: words ``first`` to ``last`` (exclusive), its offsets, text and key."""

    first: int
    last: int
    start: int
    end: int
    text: str
    key: str

    @property
    def length(self) -> int:
        return self.last - self.first


def words_of(question: str) -> list[Word]:
    """The words of ``question`` without the punctuation around them."""
    words = []
    for match in _TOKEN.finditer(question):
        token = match[0]
        unspaced = regex.match(rf"[{_UNSPACED}]", token) is not None
        trimmed = token if unspaced else _EDGE.sub("", token)
        if trimmed:
            start = match.start() + token.index(trimmed)
            words.append(Word(start, start + len(trimmed), trimmed, unspaced))
        if len(words) == MOST_WORDS:
            break
    return words


def name_spans(question: str, words: list[Word]) -> Iterator[NameSpan]:
    """Yield every span that may be a name."""
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST_NAME_WORDS, len(words)) + 1):
            span = _span(question, words, first, last)
            if span.key and _may_be_a_name(words[first:last], first):
                yield span


def longest_first(spans: Iterable[NameSpan]) -> list[NameSpan]:
    """Choose spans that do not overlap, the longest first, then the leftmost; in text order."""
    taken: set[int] = set()
    chosen = []
    for span in sorted(spans, key=lambda span: (-span.length, span.first)):
        covered = range(span.first, span.last)
        if taken.isdisjoint(covered):
            taken.update(covered)
            chosen.append(span)
    return sorted(chosen, key=lambda span: span.first)


def capitalised_runs(question: str, words: list[Word]) -> Iterator[NameSpan]:
    """Yield the longest runs of capitalised words, lower-case connectors inside allowed."""
    first = 0
    while first < len(words):
        if not words[first].capitalised or (first == 0 and words[first].opener):
            first += 1
            continue
        last = _end_of_run(words, first)
        yield _span(question, words, first, last)
        first = last


def _end_of_run(words: list[Word], first: int) -> int:
    last = ahead = first + 1
    while ahead < len(words) and ahead - first < LONGEST_NAME_WORDS:
        if words[ahead].capitalised:
            last = ahead + 1
        elif words[ahead].text not in _CONNECTORS:
            break
        ahead += 1
    return last


def _may_be_a_name(words: list[Word], first: int) -> bool:
    """A content word, or a small word with a capital that the beginning does not explain."""
    if len(words) == 1:
        return not words[0].unspaced and not words[0].opener
    return any(
        not word.opener or (word.capitalised and at > 0)
        for at, word in enumerate(words, start=first)
    )


def _span(question: str, words: list[Word], first: int, last: int) -> NameSpan:
    start, end = words[first].start, words[last - 1].end
    text = question[start:end]
    return NameSpan(first, last, start, end, text, name_key(text))
