"""Phrases that may be terms: where they stand in a text.

*Words*: one to three words in lower case between stop words, without a mark inside: *tidal gauge*,
*spring tide table*; one word alone only when it is no everyday word. *Technical words* have a sign
or a digit among their letters: *C++*, *.NET*, *x86-64*, *utf-8*; they stand alone whatever their
case. *Runs* of a script without blanks: two to six characters in a row of Han and Katakana
(Hiragana is grammar and ends a run), two to twelve of Thai, Lao, Khmer and Burmese, which are
letters with their vowels and marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import regex

from clew.extraction.lexicon import is_common
from clew.text.words import STOP_WORDS

MOST_WORDS = 3
MOST_RUN_CHARS = 6
MOST_SYLLABLES = 12
_LEAST_RUN_CHARS = 2
_MIN_WORD_CHARS = 3
_MIN_SINGLE_CHARS = 5
_MOST_WORD_CHARS = 40

_WORD = re.compile(r"(?:(?<![^\W_])\.)?[^\W_]+(?:['’.\-/+&][^\W_]+)*(?:\+\+|#)?")
_LETTER = r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*"
_MARKED_WORD = regex.compile(
    rf"(?:(?<![\p{{L}}\p{{N}}])\.)?{_LETTER}(?:['’.\-/+&]{_LETTER})*(?:\+\+|#)?"
)
_LAST_LATIN = "\u02ff"
_IDEOGRAPHS = r"\p{Han}\p{Katakana}ー"
_SYLLABIC = r"\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_RUN = regex.compile(
    rf"[{_IDEOGRAPHS}]{{{_LEAST_RUN_CHARS},}}|[{_SYLLABIC}]{{{_LEAST_RUN_CHARS},}}"
)
_SYLLABLE = regex.compile(r"[เแโใไເ-ໄ]?[^เแโใไເ-ໄ]\p{M}*[ะาำๅๆຯະາຳ]?\p{M}*|.")
_LAST_SPACED = "\u0e00"
_LAST_LETTER_OF_SYLLABLES = "\u2fff"

Phrase = tuple[int, int, str]
"""(start, end, surface): ``surface`` is ``text[start:end]``."""


def phrases_in(text: str) -> Iterator[Phrase]:
    """Yield every phrase of ``text``, those inside longer ones too.

    >>> [surface for _, _, surface in phrases_in("The tidal gauge runs C++ on x86-64.")]
    ['tidal', 'tidal gauge', 'gauge', 'C++', 'x86-64']
    """
    for run in _word_runs(text):
        for first in range(len(run)):
            for last in range(first, min(first + MOST_WORDS, len(run))):
                start, end = run[first][0], run[last][1]
                surface = text[start:end]
                if first < last or _stands_alone(surface):
                    yield start, end, surface
    if not text.isascii() and max(text) >= _LAST_SPACED:
        yield from _characters(text)


def parts_of(surface: str) -> Iterator[str]:
    """The phrases that lie inside ``surface``, without itself."""
    words = surface.split(" ")
    for size in range(1, min(len(words), MOST_WORDS + 1)):
        for at in range(len(words) - size + 1):
            if size < len(words):
                yield " ".join(words[at : at + size])
    if len(words) == 1 and _RUN.fullmatch(surface):
        yield from (part for _, _, part in _pieces(surface, 0) if part != surface)


def is_technical(word: str) -> bool:
    """Whether a sign or digit among its letters makes a word one of its kind.

    >>> [is_technical(word) for word in ("C++", ".NET", "x86-64", "well-known", "1990s", "tide")]
    [True, True, True, False, False, False]
    """
    if not any(char.isalpha() for char in word) or len(word) > _MOST_WORD_CHARS:
        return False
    if word[0] == "." or word[-1] in "+#":
        return True
    if not any(char.isdigit() for char in word):
        return False
    letter = next(char for char in word if char.isalpha() or char.isdigit())
    return letter.isalpha()


def _word_runs(text: str) -> Iterator[Sequence[tuple[int, int]]]:
    """Words in a row with nothing but one blank between them; a technical word is a run."""
    run: list[tuple[int, int]] = []
    marked = not text.isascii() and max(text) > _LAST_LATIN
    for match in (_MARKED_WORD if marked else _WORD).finditer(text):
        word = match[0]
        technical = is_technical(word)
        inside = not technical and _is_plain(word) and not _is_tail(text, match.start())
        if run and (not inside or text[run[-1][1] : match.start()] != " "):
            yield run
            run = []
        if technical:
            yield [match.span()]
        elif inside:
            run.append(match.span())
    if run:
        yield run


def _is_plain(word: str) -> bool:
    return (
        word == word.lower()
        and len(word) >= _MIN_WORD_CHARS
        and word not in STOP_WORDS
        and word[0].isalpha()
        and max(word) < _LAST_SPACED
        and "." not in word
    )


def _is_tail(text: str, start: int) -> bool:
    """Whether it is the rest of a word that something else begins: *based* in *C++-based*."""
    return start > 1 and text[start - 1] in "-'’" and not text[start - 2].isspace()


def _stands_alone(word: str) -> bool:
    return is_technical(word) or (len(word) >= _MIN_SINGLE_CHARS and not is_common(word))


def _characters(text: str) -> Iterator[Phrase]:
    for match in _RUN.finditer(text):
        yield from _pieces(match[0], match.start())


def _pieces(run: str, offset: int) -> Iterator[Phrase]:
    """What may be a word in a run, which tells no boundaries."""
    if run[0] > _LAST_LETTER_OF_SYLLABLES:
        bounds, most = list(range(len(run) + 1)), MOST_RUN_CHARS
    else:
        bounds, most = [match.start() for match in _SYLLABLE.finditer(run)], MOST_SYLLABLES
        bounds.append(len(run))
    for first, start in enumerate(bounds):
        for stop in bounds[first + 2 : first + most + 1]:
            yield offset + start, offset + stop, run[start:stop]
