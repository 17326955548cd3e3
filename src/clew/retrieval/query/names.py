"""Which names a question may hold: spans of up to ten words, longest first.

Whether a span *is* a name is for the store to say (it knows the names of the corpus). What this
module decides is which spans are worth asking for, and which of the answers count:

* several words match in any case, so that "the great dictator" finds the film;
* a single word must be written as a name, or behave like one in the corpus: "Paris" is a name in
  nearly every passage that has the word, "film" is not, even where one document is titled "Film";
* what stands in quotation marks is a name, whatever it consists of;
* longer names win over the names inside them.

Runs of scripts without spaces or case (Han, Kana, Thai, …) are taken character by character. Where
all words have capitals ("WHO DIRECTED IT", "Who Directed It"), capitals say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from clew.text.names import name_key
from clew.text.words import STOP_WORDS

LONGEST_NAME_WORDS = 12
LONGEST_NAME_CHARACTERS = 24
MOST_WORDS = 200
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_TOKEN = regex.compile(rf"[{_UNSPACED}]|[[^\s]--[{_UNSPACED}]]+", regex.V1)
_JOINT = regex.compile(r"(?<=[\p{L}\p{N}])[-‐‑–—/]+(?=[\p{L}\p{N}])")
_EDGE = regex.compile(r"^[^\p{L}\p{N}\p{M}.]+|[^\p{L}\p{N}\p{M}+#]+$")
_POSSESSIVE = regex.compile(r"(?<=[^\s'’])['’]s?\p{Po}*$")
_QUOTED = regex.compile(
    r"[\"“„«](?P<in>[^\"”»“„«]{1,120})[\"”»]|(?<!\w)[‘'](?P<in>[^'‘’]{2,120})['’](?!\w)"
)
_CONNECTORS = frozenset(
    "of the and de la le du von van der den di da del al ibn bin y e for".split()
)
_JOINERS = frozenset("and y e und et for".split())
_CLOSE = regex.compile(r"(?:['’]s?)?[\s.·・‐‑–—/-]*")
_LEAST_WORDS_TO_TELL = 3
_OPENERS = STOP_WORDS | frozenset(
    "did does do has have had was were is are name which who whose whom what when where why how "
    "if in on at the a an tell list give find show could would should may might between both "
    "among besides during before after while since under over about against through until upon "
    "within without via".split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question by offset. ``unspaced`` marks a single character of a long run;
    ``capitalised`` words have a capital that says something.
    """

    start: int
    end: int
    text: str
    unspaced: bool = False
    capitalised: bool = False

    @property
    def opener(self) -> bool:
        return self.text.casefold() in _OPENERS


@dataclass(frozen=True, slots=True, order=True)
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
    """The words of ``question`` without the punctuation around them and the possessive behind
    them; what a hyphen or a stroke joins are several words.
    """
    words: list[Word] = []
    for match in _TOKEN.finditer(question):
        unspaced = regex.match(rf"[{_UNSPACED}]", match[0]) is not None
        at = match.start()
        for piece in _JOINT.splititer(match[0]):
            trimmed = piece if unspaced else _EDGE.sub("", _POSSESSIVE.sub("", piece))
            if trimmed:
                start = question.index(trimmed, at)
                at = start + len(trimmed)
                words.append(Word(start, at, trimmed, unspaced, any(map(str.isupper, trimmed))))
        if len(words) >= MOST_WORDS:
            break
    return words[:MOST_WORDS] if _case_tells(words) else [_small(word) for word in words]


def _case_tells(words: list[Word]) -> bool:
    """Whether capitals set names apart: not in a question that has nothing but capitals."""
    return (
        len(words) < _LEAST_WORDS_TO_TELL
        or not words[0].opener
        or any(not word.capitalised and not word.unspaced for word in words)
    )


def _small(word: Word) -> Word:
    return Word(word.start, word.end, word.text, word.unspaced)


def name_spans(question: str, words: list[Word]) -> Iterator[NameSpan]:
    """Yield every span that may be a name."""
    for first, word in enumerate(words):
        longest = LONGEST_NAME_CHARACTERS if word.unspaced else LONGEST_NAME_WORDS
        for last in range(first + 1, min(first + longest, len(words)) + 1):
            if _may_be_a_name(words[first:last], first):
                span = span_of(question, words, first, last)
                if span.key:
                    yield span


def quoted_spans(question: str, words: list[Word]) -> Iterator[NameSpan]:
    """Yield what stands in quotation marks."""
    for match in _QUOTED.finditer(question):
        inside = [
            at
            for at, word in enumerate(words)
            if match.start("in") <= word.start and word.end <= match.end("in")
        ]
        if inside:
            span = span_of(question, words, inside[0], inside[-1] + 1)
            if span.key:
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


def parts_of_run(question: str, words: Sequence[Word], run: NameSpan) -> list[NameSpan]:
    """A run, and the names that it may be put together from: "A and B", "A, B"."""
    parts, first = [], run.first
    for at in range(run.first + 1, run.last):
        gap = question[words[at - 1].end : words[at].start]
        between = words[at].text in _JOINERS
        if (between or not _CLOSE.fullmatch(gap)) and at > first:
            parts.append(span_of(question, words, first, at))
        if between or not _CLOSE.fullmatch(gap):
            first = at + between
    if first == run.first:
        return [run]
    return [run, *parts, span_of(question, words, first, run.last)]


def capitalised_runs(question: str, words: list[Word]) -> Iterator[NameSpan]:
    """Yield the longest runs of capitalised words, lower-case connectors inside allowed."""
    first = 0
    while first < len(words):
        if not words[first].capitalised or (first == 0 and words[first].opener):
            first += 1
            continue
        last = _end_of_run(words, first)
        yield span_of(question, words, first, last)
        first = last


def _end_of_run(words: list[Word], first: int) -> int:
    last = ahead = first + 1
    while ahead < len(words) and ahead - first < LONGEST_NAME_WORDS:
        if words[ahead].capitalised or words[ahead].text[0].isdigit():
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


def span_of(question: str, words: Sequence[Word], first: int, last: int) -> NameSpan:
    """The words from ``first`` to ``last`` (exclusive) as a candidate."""
    start, end = words[first].start, words[last - 1].end
    text = question[start:end]
    return NameSpan(first, last, start, end, text, name_key(text))
