"""What was spoken of, and which of it a pronoun may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.extraction.lexicon.types import PERSON, type_of
from clew.graph.given_names import gender_of
from clew.results import Answer
from clew.retrieval.question import AnswerType, Question, Slot, analyse_question

MALE = frozenset({"he", "him", "his"})
FEMALE = frozenset({"she", "her", "hers"})
THING = frozenset({"it", "its", "there"})
MANY = frozenset({"they", "them", "their", "theirs"})

_MOST_WORDS = 7
_MALE_WORDS = re.compile(
    r"\b(?:husband|father|son|brother|uncle|nephew|grandfather|grandson|king|prince)\b",
    re.IGNORECASE,
)
_FEMALE_WORDS = re.compile(
    r"\b(?:wife|mother|daughter|sister|aunt|niece|grandmother|granddaughter|queen|princess)\b",
    re.IGNORECASE,
)
_OF_PERSONS = re.compile(
    r"['’]s\s+(?:husband|wife|spouse|father|mother|son|daughter|brother|sister|uncle|aunt|parents?|"
    r"child|children|birthday|career)\b|\b(?:born|die|died|marry|married|study|studied|graduate)\b|"
    r"\bhow old\b",
    re.IGNORECASE,
)
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})


@dataclass(frozen=True, kw_only=True, slots=True)
class Referent:
    """A thing by its name. ``kind`` is ``person``, ``thing`` or empty where neither is sure;
    ``gender`` is ``m``, ``f`` or empty. ``focus`` is the noun that was asked for, of an answer.
    """

    name: str
    kind: str = ""
    gender: str = ""
    focus: str = ""
    is_answer: bool = False

    def may_be(self, pronoun: str) -> bool:
        """Whether a pronoun may stand for it.

        >>> Referent(name="Oda Krog", kind="person", gender="f").may_be("his")
        False
        """
        if pronoun in MALE:
            return self.kind != "thing" and self.gender != "f"
        if pronoun in FEMALE:
            return self.kind != "thing" and self.gender != "m"
        return pronoun not in THING or self.kind != "person"


def referents_of(question: str, answer: Answer | None) -> tuple[Referent, ...]:
    """The things of one turn, the likeliest to be meant by "it" first: what was asked for by a noun
    ("which company …"), else what was asked about. Without an ``answer``, those of the question.
    """
    asked = analyse_question(question)
    about = tuple(_asked_about(asked))
    given = None if answer is None else _answered(asked, answer)
    if given is None:
        return about
    first = asked.slot in {Slot.WHAT, Slot.WHICH, Slot.SUPERLATIVE} and bool(asked.focus)
    return (given, *about) if first else (*about, given)


def fitting(turns: Sequence[tuple[Referent, ...]], pronoun: str) -> list[Referent]:
    """What ``pronoun`` may mean, the likeliest first; ``turns`` are the newest last. Of a person
    the answer comes before what was asked about.
    """
    found: dict[str, Referent] = {}
    for referents in reversed(turns):
        fits = [one for one in referents if one.may_be(pronoun)]
        if pronoun not in THING:
            fits.sort(key=lambda one: (one.kind != "person", not one.is_answer))
        for one in fits:
            found.setdefault(one.name.casefold(), one)
    return list(found.values())


def kind_of_name(name: str) -> tuple[str, str]:
    """Kind and gender as far as the words of the name tell them."""
    words = name.split()
    kind = type_of(words)
    if kind == PERSON:
        return "person", gender_of(words[0].casefold())
    return ("thing" if kind else ""), ""


def _asked_about(asked: Question) -> Iterator[Referent]:
    for name in asked.names:
        if name.text[:1].isdigit():
            continue
        kind, gender = kind_of_name(name.text)
        if not kind and len(asked.names) == 1 and _OF_PERSONS.search(asked.text):
            kind = "person"
        yield Referent(name=name.text, kind=kind, gender=gender)


def _answered(asked: Question, answer: Answer) -> Referent | None:
    """The answer where it is a name."""
    text = answer.answer.strip().rstrip(".")
    of_value = bool(asked.types) and asked.types[0] in _VALUES
    if answer.abstained or not text[:1].isupper() or of_value or asked.slot == Slot.YES_NO:
        return None
    if ";" in text or len(text.split()) > _MOST_WORDS:
        return None
    kind, gender = kind_of_name(text)
    if asked.types == (AnswerType.PERSON,):
        kind = "person"
        words = asked.text.rpartition("'s ")[2] or asked.text
        gender = (
            "m" if _MALE_WORDS.search(words) else "f" if _FEMALE_WORDS.search(words) else gender
        )
    elif (
        asked.types and AnswerType.PERSON not in asked.types and AnswerType.OTHER not in asked.types
    ):
        kind, gender = "thing", ""
    return Referent(name=text, kind=kind, gender=gender, focus=asked.focus, is_answer=True)
