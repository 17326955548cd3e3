"""Whether a statement of a model rests on the text that it was given.

Models give back the examples of their prompt, or know better than the text. A statement counts only
when its names and numbers occur in its passage, or in what stands over the passage (title, section,
table header). Words without a capital are free: a paraphrase stays. Measured on the triples that
GPT-3.5 drew from 1,890 encyclopedia passages: half of one percent fall, and of the triples of
another passage fewer than one in a thousand stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from clew.extraction.lexicon import is_common
from clew.extraction.lexicon.german import GERMAN_SMALL_WORDS
from clew.extraction.named_things import NamedThing
from clew.text.words import terms

LEAST_SHARE = 0.4
"""How many of its words a statement without names and numbers must have from the passage."""

_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f ]\d{3}(?!\d))*(?:[.,]\d+)?")
_GROUPING = re.compile(r"(?<=\d)[,\u00a0\u202f ](?=\d{3}(?!\d))")
_DOTTED = re.compile(r"(?<=\d)\.(?=\d{3}(?!\d))")
_SENTENCE_END = re.compile(r"[.!?:;…]['\"”’)]*\s*$")
_VERB_ENDS = ("ed", "ing", "ly")
_MONTHS = "january february march april may june july august september october november december"
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty"
)
_ORDINALS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth"
_WORD_NUMBERS = {
    word: str(number)
    for words in (_UNITS, _ORDINALS, "zeroth " + _MONTHS)
    for number, word in enumerate(words.split())
}
_GERMAN = frozenset("der die das und ist ein eine einen nicht mit von zu im wurde auf".split())
_GERMAN_WORDS = 4


class Grounds:
    """What a passage gives to stand on."""

    def __init__(self, *texts: str) -> None:
        whole = "\n".join(text for text in texts if text)
        self._folded = " ".join(_fold(whole).split())
        self._words = frozenset(_words(whole))
        self._stems = frozenset(terms(whole))
        self._numbers = (
            frozenset(_numbers(whole))
            | frozenset(_numbers(_DOTTED.sub("", whole)))
            | {_WORD_NUMBERS[word] for word in self._words if word in _WORD_NUMBERS}
        )
        # German writes every noun with a capital: there, one that does not occur may be a
        # paraphrase, so the words decide.
        self._capitals_tell = len(_GERMAN & self._words) < _GERMAN_WORDS

    def support(self, text: str, entities: Iterable[NamedThing] = ()) -> bool:
        """Whether the names and numbers of the statement ``text`` occur in the passage."""
        if " ".join(_fold(text).split()) in self._folded:
            return True
        numbers, names = list(_numbers(text)), list(_capitalised(text))
        if not all(number in self._numbers for number in numbers):
            return False
        known = all(map(self._knows, names))
        if self._capitals_tell and not known:
            return False
        if not (known and (numbers or names)) and self._content_share(text) < LEAST_SHARE:
            return False
        folded = _fold(text)
        return all(
            self.support_name(entity.name)
            for entity in entities
            if not entity.name.islower() and _fold(entity.name) in folded
        )

    def support_name(self, name: str) -> bool:
        """Whether ``name`` occurs, whole or by all its words."""
        folded = " ".join(_fold(name).split())
        if not folded:
            return False
        return folded in self._folded or all(map(self._knows, _WORD.findall(name)))

    def support_phrase(self, phrase: str) -> bool:
        """Whether ``phrase``, a name or a value in a few words, occurs, or rests on what does: its
        names and numbers, and at least :data:`LEAST_SHARE` of its words.
        """
        if not all(number in self._numbers for number in _numbers(phrase)):
            return False
        if self.support_name(phrase):
            return True
        return self.support_time(phrase) and self.share(phrase) >= LEAST_SHARE

    def support_time(self, words: str) -> bool:
        """Whether the numbers and names in ``words``, which tell a time, occur."""
        names = _capitalised(f"… {words}") if self._capitals_tell else ()
        return all(number in self._numbers for number in _numbers(words)) and all(
            map(self._knows, names)
        )

    def unsupported(self, text: str) -> tuple[str, ...]:
        """The names and numbers of ``text`` that do not occur."""
        numbers = [number for number in _numbers(text) if number not in self._numbers]
        names = [name for name in _capitalised(text) if not self._knows(name)]
        return tuple(dict.fromkeys([*(names if self._capitals_tell else ()), *numbers]))

    def share(self, text: str) -> float:
        """The share of the words of ``text`` that the passage has."""
        stems = terms(text)
        return sum(stem in self._stems for stem in stems) / max(1, len(stems))

    def _content_share(self, text: str) -> float:
        """The same without the small words of German, which every German text has."""
        stems = [stem for stem in terms(text) if stem not in GERMAN_SMALL_WORDS]
        return sum(stem in self._stems for stem in stems) / max(1, len(stems))

    def _knows(self, word: str) -> bool:
        folded = _fold(word)
        if folded in self._words or _WORD_NUMBERS.get(folded, folded) in self._numbers:
            return True
        stems = terms(word)
        return not stems or all(stem in self._stems for stem in stems)


def _capitalised(text: str) -> Iterator[str]:
    """The words of ``text`` that must be names, by their capitals or digits."""
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isdigit() or not any(char.isupper() or char.isdigit() for char in word):
            continue
        if any(char.isalpha() and char.lower() == char.upper() for char in word):
            continue  # a script without capitals, and often without blanks
        initial = match.start() == 0 or _SENTENCE_END.search(text, 0, match.start())
        if initial and word[1:].islower() and (is_common(word) or word.endswith(_VERB_ENDS)):
            continue
        if len(word) > 1:
            yield word


def _words(text: str) -> Iterator[str]:
    """Folded words, and the parts of those with an apostrophe."""
    for word in _WORD.findall(text):
        folded = _fold(word)
        yield folded
        if "'" in folded:
            yield from folded.split("'")


def _numbers(text: str) -> Iterator[str]:
    """Numbers in one form: ``1,200`` and ``1 200`` are ``1200``, ``04`` is ``4``."""
    for match in _NUMBER.findall(_fold(text)):
        number = _GROUPING.sub("", match).replace(",", ".")
        whole, dot, fraction = number.partition(".")
        fraction = fraction.rstrip("0")
        yield (whole.lstrip("0") or "0") + (dot + fraction if fraction else "")


def _fold(text: str) -> str:
    """Without case, width and accents, apostrophes in one form, possessives off."""
    plain = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return re.sub(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)", "", plain)
