"""Every span that could be an answer, with its exact offsets and the kinds of thing it may be.

Generous on purpose: choosing is the ranker's work (:mod:`clew.answering.ranking`). Boundaries
follow how people answer: a date as written and its year alone; a number with and without its unit;
a city with and without its state ("Canton, Massachusetts"); a name with and without the title
before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from clew.answering.evidence import Sentence
from clew.answering.kinds import Kinds, kinds_of_name
from clew.answering.lexicon.people import TITLES
from clew.answering.lexicon.places import demonyms, known_places
from clew.answering.lexicon.things import CURRENCY_MARKS, UNITS
from clew.answering.name_ends import end_with_category, end_with_region, end_with_suffix
from clew.answering.nameless import nameless_in
from clew.answering.noun_phrases import is_noun_like, literals_in, numbered_in, phrases_in
from clew.extraction.lexicon import common_words, is_common
from clew.graph.given_names import is_given_name
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.lexicon import (
    DETERMINERS,
    NUMBER_WORDS,
    SCALE_WORDS,
    TIMES_WORDS,
)
from clew.retrieval.question.names import quoted_spans
from clew.retrieval.question.records import AnswerType, Day
from clew.retrieval.question.tokens import Token, fold


class Form(StrEnum):
    """What a span looks like."""

    DATE = "date"
    YEAR = "year"
    NUMBER = "number"
    QUANTITY = "quantity"
    NAME = "name"
    PAIR = "pair"
    QUOTED = "quoted"
    CHUNK = "chunk"


VALUE_FORMS = frozenset({Form.DATE, Form.YEAR, Form.NUMBER, Form.QUANTITY})


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """``text`` is ``sentence.text[start:end]``; its tokens are ``first`` to ``last``, exclusive."""

    sentence: Sentence
    start: int
    end: int
    first: int
    last: int
    form: Form
    kinds: Kinds
    key: str
    day: Day = (0, 0, 0)

    @property
    def text(self) -> str:
        return self.sentence.text[self.start : self.end]

    @property
    def stems(self) -> set[str]:
        return {token.stem for token in self.sentence.tokens[self.first : self.last]}


def find_candidates(
    sentence: Sentence, known: Mapping[str, AnswerType], *, chunks: bool = True
) -> list[Candidate]:
    """Return the candidates of a sentence, each span once, in order of place; without ``chunks``
    only dates, numbers, names, quotations and people without a name.
    """
    found: dict[tuple[int, int], Candidate] = {}
    for candidate in (
        *_dates(sentence),
        *_moments(sentence),
        *_numbers(sentence),
        *_frequencies(sentence),
        *_quoted(sentence, known),
        *_names(sentence, known),
        *_literals(sentence),
        *(_chunks(sentence) if chunks else _nameless(sentence)),
    ):
        found.setdefault((candidate.start, candidate.end), candidate)
    return [found[span] for span in sorted(found)]


@lru_cache(maxsize=65536)
def answer_key(text: str) -> str:
    """What two spellings of the same answer share: folded words without articles."""
    words = "".join(c if c.isalnum() else " " for c in fold(text)).split()
    return " ".join(word for word in words if word not in {"the", "a", "an"})


def _make(
    sentence: Sentence,
    first: int,
    last: int,
    form: Form,
    kinds: Kinds,
    span: tuple[int, int] | None = None,
    day: Day = (0, 0, 0),
) -> Candidate:
    tokens = sentence.tokens
    start, end = span or (tokens[first].start, tokens[last - 1].end)
    key = answer_key(sentence.text[start:end])
    return Candidate(sentence, start, end, first, last, form, kinds, key, day)


def _dates(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for span in find_dates(sentence.text):
        first, last = token_range(tokens, span.start, span.end)
        if first >= last:
            continue
        strength = 0.85 if span.is_bare else 1.0
        yield _make(
            sentence,
            first,
            last,
            Form.YEAR if span.is_bare else Form.DATE,
            {AnswerType.DATE: strength},
            (span.start, span.end),
            span.day,
        )
        year = str(abs(span.day[0]))
        if not span.is_bare and span.day[1]:
            for at in range(first, last):
                if tokens[at].text == year:
                    day = (span.day[0], 0, 0)
                    yield _make(sentence, at, at + 1, Form.YEAR, {AnswerType.DATE: 0.7}, day=day)


_TIME_UNIT = r"(?:second|minute|hour|day|night|week|month|year|decade)s?"
_MOMENT = re.compile(
    r"\b(?:after|within|before|until|every|by)\s+(?:the\s+)?(?:first\s+|last\s+|next\s+)?"
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|several)\s+"
    rf"(?:working\s+|full\s+)?{_TIME_UNIT}\b"
    r"|\b(?:(?:before|after|at|until|by|from)\s+)?\d{1,2}(?:[:.]\d{2})?\s?(?:[ap]\.m\.|[ap]m\b|o.clock)"
    r"|\b(?:[01]?\d|2[0-3]):[0-5]\d\b"
    r"|\b(?:next|last|this|every|in|early|late)\s+(?:spring|summer|autumn|winter)\b(?:\s+\d{4})?"
    r"|\b(?:Next|Last|This|Every|In)\s+(?:spring|summer|autumn|winter)\b(?:\s+\d{4})?"
    r"|\b(?:the\s+)?(?:next|same|following|previous)\s+(?:day|morning|evening|week|month|year)\b"
    r"|\b(?:(?:at|before|by|until|from)\s+)?(?:noon|midday|midnight|dawn|dusk)\b"
    r"|\b(?:(?:by|at|until)\s+)?(?:the\s+)?(?:end|beginning|middle)\s+of\s+(?:the\s+)?"
    rf"(?:{_TIME_UNIT}|[A-Z][a-z]+)\b(?:\s+\d{{4}})?"
    r"|\b(?:on\s+)?(?:the\s+)?(?:first|second|third|fourth|last)\s+"
    r"(?:day|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\s+(?:of|in)\s+(?:the|each|every)\s+"
    r"(?:month|week|quarter|year)\b"
    r"|\b(?:on\s+|every\s+)?(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b",
)


def _moments(sentence: Sentence) -> Iterator[Candidate]:
    """ "after three days", "before 9 a.m.", "on Mondays": when, without a date."""
    tokens = sentence.tokens
    for match in _MOMENT.finditer(sentence.text):
        first, last = token_range(tokens, *match.span())
        if first < last:
            kinds = {AnswerType.DATE: 0.8}
            if tokens[first].lower == "every":
                kinds[AnswerType.NUMBER] = 0.8
            yield _make(sentence, first, last, Form.DATE, kinds)


def token_range(tokens: tuple[Token, ...], start: int, end: int) -> tuple[int, int]:
    """The tokens that lie in ``[start, end)``."""
    inside = [at for at, token in enumerate(tokens) if start <= token.start and token.end <= end]
    return (inside[0], inside[-1] + 1) if inside else (0, 0)


def _numbers(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    dated = [(span.start, span.end) for span in find_dates(sentence.text)]
    for at, token in enumerate(tokens):
        is_word = token.lower in NUMBER_WORDS or token.lower in TIMES_WORDS
        if not (token.is_number or is_word) or _is_pronoun(tokens, at):
            continue
        if any(start <= token.start < end for start, end in dated):
            if token.is_number and len(token.text) == 4:
                yield _make(sentence, at, at + 1, Form.NUMBER, {AnswerType.NUMBER: 0.2})
            continue
        yield from _amounts(sentence, at)


def _is_pronoun(tokens: tuple[Token, ...], at: int) -> bool:
    """ "The younger ONE wants", "this one is"."""
    if tokens[at].lower != "one" or at == 0 or is_noun_like(tokens, at + 1):
        return False
    return tokens[at - 1].lower in DETERMINERS or is_noun_like(tokens, at - 1)


def _amounts(sentence: Sentence, at: int) -> Iterator[Candidate]:
    """The number with its scale, then the same with its unit."""
    tokens = sentence.tokens
    last = at + 1
    while last < len(tokens) and tokens[last].lower in SCALE_WORDS:
        last += 1
    strength = {AnswerType.NUMBER: 1.0 if tokens[at].is_number else 0.8}
    if tokens[at].text[-1].isalpha() and tokens[at].is_number:
        strength = {AnswerType.NUMBER: 0.3}
    first = at
    if at and tokens[at - 1].text in CURRENCY_MARKS:
        first = at - 1
        yield _make(sentence, first, last, Form.QUANTITY, strength)
    else:
        yield _make(sentence, at, last, Form.NUMBER, strength)
    end = last
    if end < len(tokens) and tokens[end].text == "-" and end + 1 < len(tokens):
        end += 1
    if end < len(tokens) and (tokens[end].lower in UNITS or tokens[end].text in CURRENCY_MARKS):
        end += 1
        if end + 1 < len(tokens) and tokens[end].text in {"/", "per"}:
            end += 2
        yield _make(sentence, first, end, Form.QUANTITY, strength)
    elif (
        end + 1 < len(tokens)
        and tokens[end].lower in _KINDS_OF_UNIT
        and (tokens[end + 1].lower in UNITS)
    ):
        yield _make(sentence, first, end + 2, Form.QUANTITY, strength)
    elif end == last and is_noun_like(tokens, end):
        yield _make(sentence, first, end + 1, Form.QUANTITY, {AnswerType.NUMBER: 0.6})


def _frequencies(sentence: Sentence) -> Iterator[Candidate]:
    """Amounts in words: "twice a day", "every two hours", "daily", "nothing", "free"."""
    tokens = sentence.tokens
    strength = {AnswerType.NUMBER: 0.9}
    for at, token in enumerate(tokens):
        word = token.lower
        counted = word == "times" and at > 0 and bool(tokens[at - 1].stem)
        first, end = (at - 1, at + 1) if counted else (at, at + 1)
        follows = tokens[end].lower if end + 1 < len(tokens) else ""
        if (counted or word in TIMES_WORDS) and follows in {"a", "an", "per", "each", "every"}:
            yield _make(sentence, first, end + 2, Form.QUANTITY, strength)
        elif word == "every" and at + 1 < len(tokens):
            last = at + 2
            while last < len(tokens) and last < at + 4 and tokens[last].lower in UNITS:
                last += 1
            yield _make(sentence, at, last, Form.QUANTITY, strength)
        elif word in _PERIODIC or word in _NOTHING:
            yield _make(sentence, at, at + 1, Form.QUANTITY, strength)


_KINDS_OF_UNIT = frozenset("working full whole calendar business consecutive square cubic".split())
_NOTHING = frozenset("nothing free none".split())
_PERIODIC = frozenset("daily weekly monthly yearly annually hourly nightly fortnightly".split())


def _quoted(sentence: Sentence, known: Mapping[str, AnswerType]) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for opening, end in quoted_spans(sentence.text):
        inner = sentence.text[opening:end]
        start = end - len(inner.lstrip())
        first, last = token_range(tokens, start, end)
        if first < last:
            key = fold(sentence.text[start:end])
            kinds = {AnswerType.WORK: 0.7, AnswerType.OTHER: 0.4}
            if key in known:
                kinds[known[key]] = 0.8
            yield _make(sentence, first, last, Form.QUOTED, kinds, (start, end))


def _names(sentence: Sentence, known: Mapping[str, AnswerType]) -> Iterator[Candidate]:
    tokens = sentence.tokens
    dated = [(span.start, span.end) for span in find_dates(sentence.text)]
    for run_first, last in sentence.names:
        first = run_first
        if any(a < tokens[last - 1].end and tokens[first].start < b for a, b in dated):
            continue
        is_speaker = last - first == 1 and tokens[first].text == "I"
        if is_speaker or (first == 0 and last == 1 and _is_no_name(tokens[0].lower)):
            continue
        if tokens[first].lower == "the" and last - first > 1:
            first += 1
        yield from _readings(sentence, first, last, known)
        if first == 0 and last - first > 1 and _leads(tokens[0]):
            yield from _readings(sentence, first + 1, last, known)
        pair = end_with_region(tokens, last)
        if pair:
            yield _make(sentence, first, pair, Form.PAIR, {AnswerType.PLACE: 0.9})


def _is_no_name(word: str) -> bool:
    """Whether a word has its capital from the beginning of the sentence alone. Of names that look
    like a plural ("Paris", "Wales") it is not to be thought.
    """
    is_known = is_given_name(word) or word in known_places()
    return word in common_words() or (is_common(word) and not is_known)


def _leads(token: Token) -> bool:
    return is_common(token.lower) and token.lower not in TITLES


def _readings(
    sentence: Sentence, first: int, last: int, known: Mapping[str, AnswerType]
) -> Iterator[Candidate]:
    """The run, and what is left of it without a lead: "Senator", "Danish", "University of"."""
    tokens = sentence.tokens
    starts = dict.fromkeys((first, *_inner_starts(tokens, first, last)))
    for start in starts:
        kinds = kinds_of_name(sentence, start, last, known)
        yield _make(sentence, start, last, Form.NAME, kinds)
    lead = _after_demonyms(tokens, first, last)
    if lead > first:
        yield _make(sentence, first, lead, Form.NAME, {AnswerType.PLACE: 0.5})
    for at in range(first + 2, last - 1):
        if tokens[at].lower == "of":
            yield _make(sentence, first, at, Form.NAME, kinds_of_name(sentence, first, at, known))
            break
    category = end_with_category(tokens, first, last)
    if category:
        yield _make(sentence, first, category, Form.NAME, {AnswerType.OTHER: 0.8})
    end = end_with_suffix(tokens, last)
    if end:
        yield _make(sentence, first, end, Form.NAME, {AnswerType.PERSON: 0.9})


def _inner_starts(tokens: tuple[Token, ...], first: int, last: int) -> Iterator[int]:
    yield _after_demonyms(tokens, first, last)
    titles = [at for at in range(first, last - 1) if tokens[at].lower in TITLES]
    if titles and tokens[titles[-1] + 1].is_capital:
        yield titles[-1] + 1
    for at in range(first + 1, last - 1):
        if tokens[at].lower == "of":
            yield at + 1 if tokens[at + 1].is_capital else at + 2


def _after_demonyms(tokens: tuple[Token, ...], first: int, last: int) -> int:
    while first < last - 1 and tokens[first].lower in demonyms() and tokens[first + 1].is_word:
        first += 1
    return first


def _literals(sentence: Sentence) -> Iterator[Candidate]:
    tokens = sentence.tokens
    for span in literals_in(sentence.text):
        first, last = token_range(tokens, *span)
        if first < last:
            kinds = {AnswerType.OTHER: 0.7, AnswerType.PLACE: 0.5}
            yield _make(sentence, first, last, Form.QUOTED, kinds, span)


def _nameless(sentence: Sentence) -> Iterator[Candidate]:
    for first, end in nameless_in(sentence.tokens):
        kinds = {AnswerType.PERSON: 0.4, AnswerType.ORG: 0.4}
        yield _make(sentence, first, end, Form.CHUNK, kinds)


def _chunks(sentence: Sentence) -> Iterator[Candidate]:
    for at in numbered_in(sentence.tokens):
        yield _make(sentence, at, at + 2, Form.CHUNK, {AnswerType.OTHER: 0.6})
    for first, end, strength in phrases_in(sentence.tokens):
        yield _make(sentence, first, end, Form.CHUNK, {AnswerType.OTHER: strength})
