"""The things that a question and its evidence name: where each is mentioned, which passage is
about it, and what else it is called.

A name is compared by its plain words (folded, without marks), so that *Boden'S Boy* is *Boden's
Boy*. A passage is about a thing when its title is the name, or nearly; where titles say nothing
(one document about many things), mentions and pronouns carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from clew.answering.evidence import Evidence, Passage, Sentence, cached_tokens
from clew.retrieval.question.lexicon import FUNCTION_WORDS, PRONOUNS
from clew.retrieval.question.records import Question
from clew.retrieval.question.tokens import fold

SAME_TITLE = 2.0
LEAST_FIT = 0.5
_OPENING_CHARS = 150
_LEAD_CHARS = 25


@dataclass(frozen=True, slots=True)
class Thing:
    """``name`` as written; ``key`` its plain words; ``about`` the passages about it, best first."""

    name: str
    key: str
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A thing that the question names, at ``text[start:end]`` of the question."""

    thing: Thing
    start: int
    end: int
    is_known: bool


class Directory:
    """Looks names up in the evidence."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._found: dict[str, Thing] = {}
        self._names: dict[str, frozenset[tuple[str, ...]]] = {}
        self._mentions: dict[tuple[int, str], tuple[tuple[int, int], ...]] = {}

    def thing(self, name: str) -> Thing:
        """The thing of this name, with the passages about it."""
        key = plain(name)
        if key not in self._found:
            fits = [(fit_of(key, passage), passage.number) for passage in self.evidence.passages]
            good = sorted((-fit, number) for fit, number in fits if fit >= LEAST_FIT)
            top = -good[0][0] if good else 0.0
            about = tuple(number for fit, number in good if -fit >= min(top, SAME_TITLE) - 0.35)
            self._found[key] = Thing(name=name, key=key, about=about)
        return self._found[key]

    def anchors(self, question: Question) -> list[Anchor]:
        """The things that the question names: titles found in it, then its own names."""
        spans = sorted(self._titles_in(question.text), key=lambda span: span[0] - span[1])
        spans += [(name.start, name.end) for name in question.names]
        kept: list[tuple[int, int]] = []
        for start, end in spans:
            if all(end <= other or start >= stop for other, stop in kept):
                kept.append((start, end))
        found = []
        for start, end in sorted(kept):
            thing = self.thing(question.text[start:end])
            known = bool(thing.about) or self.is_mentioned(thing.key)
            found.append(Anchor(thing=thing, start=start, end=end, is_known=known))
        return found

    def is_mentioned(self, key: str) -> bool:
        return any(key in sentence_key(sentence) for sentence in self.evidence.sentences)

    def mentions(self, sentence: Sentence, thing: Thing) -> tuple[tuple[int, int], ...]:
        """Token ranges that name the thing: its full name, or a part of it where the passage or
        the sentence before makes that clear, or the document has no other of that name.
        """
        cached = self._mentions.get((sentence.number, thing.key))
        if cached is None:
            cached = tuple(self._find_mentions(sentence, thing))
            self._mentions[sentence.number, thing.key] = cached
        return cached

    def _find_mentions(self, sentence: Sentence, thing: Thing) -> Iterator[tuple[int, int]]:
        words = thing.key.split()
        full = list(_matches(sentence.text, words))
        yield from full
        if full or len(words) < 2:
            return
        close = sentence.passage in thing.about or self.is_implied(sentence, thing)
        for short in dict.fromkeys((words[-1], words[0])):
            is_short = len(short) > 2 and short not in FUNCTION_WORDS
            if is_short and (close or self._is_short_for(short, words, sentence)):
                yield from _capital_runs(sentence, short)

    def is_implied(self, sentence: Sentence, thing: Thing) -> bool:
        """Whether the thing, or a part of its name that can mean no other, is what the sentence is
        about without saying it.
        """
        implied = implied_key(sentence)
        if thing.key in implied:
            return True
        words = thing.key.split()
        parts = {part.strip() for part in implied.split("|")}
        return len(words) > 1 and any(
            short in parts and self._is_short_for(short, words, sentence)
            for short in (words[-1], words[0])
        )

    def _is_short_for(self, short: str, words: Sequence[str], sentence: Sentence) -> bool:
        """Whether the document of a sentence says the whole name, and no other with this word."""
        document_id = self.evidence.passage_of(sentence).item.document_id
        names = self._names_of(document_id)
        return tuple(words) in names and not any(
            short in name and len(name) > 1 and not set(name) <= set(words) for name in names
        )

    def _names_of(self, document_id: str) -> frozenset[tuple[str, ...]]:
        """The plain words of each name that the passages of a document say."""
        found = self._names.get(document_id)
        if found is None:
            found = self._names[document_id] = frozenset(
                tuple(plain(sentence.text[_span(sentence, first, end)]).split())
                for passage in self.evidence.passages
                if passage.item.document_id == document_id
                for sentence in passage.sentences
                for first, end in sentence.names
            )
        return found

    def _titles_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of the question that are the name of a passage's topic."""
        tokens = cached_tokens(text)
        for passage in self.evidence.passages:
            for name in passage.names:
                wanted = plain(name).split()
                for first, end in _matches(text, wanted):
                    single = sum(token.is_word for token in tokens[first:end]) == 1
                    marked = tokens[first].is_capital or tokens[first].is_number
                    if not single or (marked and first > 0):
                        yield tokens[first].start, tokens[end - 1].end


def plain(name: str) -> str:
    """Folded words without marks, articles in front dropped.

    >>> plain("The King's Command (film)"), plain("Boden'S Boy")
    ('king s command film', 'boden s boy')
    """
    return _plain(name)


@lru_cache(maxsize=65536)
def _plain(name: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in fold(name)).split()
    if len(words) > 1 and words[0] in {"the", "a", "an"}:
        words = words[1:]
    return " ".join(words)


def sentence_key(sentence: Sentence) -> str:
    return _plain(sentence.text)


def implied_key(sentence: Sentence) -> str:
    return " | ".join(_plain(part) for part in sentence.implied)


def fit_of(key: str, passage: Passage) -> float:
    """How surely a passage is about the thing of this key: 2 for its title, less for less."""
    best = 0.0
    words = set(key.split())
    if not words:
        return 0.0
    for name in passage.names:
        other = plain(name)
        if other == key:
            return SAME_TITLE
        bare = plain(name.partition(" (")[0])
        if bare == key or other == _bare(key):
            best = max(best, 1.9)
            continue
        theirs = set(other.split())
        union = len(words | theirs)
        best = max(best, len(words & theirs) / union if union else 0.0)
        shorter = min(words, theirs, key=len)
        if len(shorter) > 1 and shorter == words & theirs:
            best = max(best, 0.9)
    opening = plain(passage.item.content[:_OPENING_CHARS])
    if best < 0.8 and len(words) > 1 and 0 <= opening.find(key) <= _LEAD_CHARS:
        best = 0.8
    return best


def _bare(key: str) -> str:
    """Without the last word when it only qualifies: "king s command film"."""
    words = key.split()
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in _QUALIFIERS else key


_QUALIFIERS = frozenset("film song album novel book band series".split())


def _word(lower: str) -> str:
    return _plain(lower) if len(lower) > 1 or lower.isalnum() else ""


@lru_cache(maxsize=16384)
def _flat(text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The plain words of a text, and the token that each is in."""
    pairs = [
        (part, at)
        for at, token in enumerate(cached_tokens(text))
        for part in _word(token.lower).split()
    ]
    return tuple(part for part, _ in pairs), tuple(at for _, at in pairs)


def _matches(text: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Token ranges of ``text`` whose words, marks left out, are ``wanted``."""
    if not wanted:
        return
    parts, places = _flat(text)
    size, first = len(wanted), wanted[0]
    wanted = tuple(wanted)
    at = -1
    while first in parts[at + 1 :]:
        at = parts.index(first, at + 1)
        if parts[at : at + size] == wanted:
            yield places[at], places[at + size - 1] + 1


def _span(sentence: Sentence, first: int, end: int) -> slice:
    return slice(sentence.tokens[first].start, sentence.tokens[end - 1].end)


def _capital_runs(sentence: Sentence, word: str) -> Iterator[tuple[int, int]]:
    """Places where one word of a longer name stands for it, not inside another name."""
    for first, end in sentence.names:
        lowers = [token.lower for token in sentence.tokens[first:end]]
        if lowers == [word]:
            yield first, end


def is_pronoun(word: str) -> bool:
    return word in PRONOUNS


class Subject:
    """Lets a sentence be about a thing in three ways, the surer the stronger."""

    NAMED = 1.0
    PRONOUN = 0.9
    TOPIC = 0.75

    def __init__(self, directory: Directory, thing: Thing) -> None:
        self.directory = directory
        self.thing = thing

    @cached_property
    def sentences(self) -> list[tuple[Sentence, float]]:
        """Sentences about the thing with how surely."""
        found = []
        for sentence in self.directory.evidence.sentences:
            strength = self.strength(sentence)
            if strength:
                found.append((sentence, strength))
        return found

    def strength(self, sentence: Sentence) -> float:
        if self.directory.mentions(sentence, self.thing):
            return self.NAMED
        if sentence.leans and self.directory.is_implied(sentence, self.thing):
            return self.PRONOUN
        if sentence.passage in self.thing.about:
            return self.PRONOUN if sentence.leans else self.TOPIC
        return 0.0
