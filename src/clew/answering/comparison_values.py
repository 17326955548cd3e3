"""The value by which a comparison weighs a thing: a birth, a death, the length of a life, the date
when it came to be, an amount.

Each is read with the sentence that says it: from a row of a table that the thing names, from a
step of a chain, or from the number or date that stands nearest to the words asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.answering.amounts import amount_of
from clew.answering.candidates import Form
from clew.answering.degrees import measure_stems, noun_stems
from clew.answering.dimensions import dimension_fit
from clew.answering.evidence import Sentence
from clew.answering.frames import Role
from clew.answering.hops import Hop
from clew.answering.plans import Step
from clew.answering.rows import row_value
from clew.answering.study import Study
from clew.answering.things import Subject, Thing, plain
from clew.answering.weighing import DATE_WORDS, as_size, date_score, listed
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS, relations_of_word, stems_of
from clew.retrieval.question.tokens import Token

PERSON_RELATIONS = frozenset(
    name for name, relation in RELATIONS.items() if AnswerType.PERSON in relation.answers
)
_MORE = frozenset("more most fewer less least fewest larger largest bigger".split())


@dataclass(frozen=True, slots=True)
class Option:
    """One of the things compared: as written, what it is, and the hops taken from it."""

    text: str
    thing: Thing
    hops: tuple[Hop, ...] = ()

    @property
    def end(self) -> Thing:
        return self.thing


@dataclass(frozen=True, slots=True)
class Value:
    """What an option weighs, and the sentence that says so."""

    size: tuple[float, ...]
    sentence: Sentence
    names: frozenset[str] = frozenset()


class Valuer:
    """Reads values of one measure; ``outside`` are the question's words but for the options."""

    def __init__(self, study: Study, measure: str, outside: Sequence[Token]) -> None:
        self.study = study
        self.measure = measure
        self.outside = outside
        self.hopper = study.hopper

    def value(self, option: Option) -> Value | None:
        measure = self.measure
        dated = measure in {"date", "birth", "death"}
        if dated and (row := row_value(self.study, option.thing, self.outside, dated=True)):
            return Value(row.size, row.row)
        if measure == "birth":
            return self._birth(option)
        if measure == "death":
            return self._dated(option.thing, "death")
        if measure == "span":
            return self._lifetime(option.thing)
        if measure == "date":
            return self._date(option.thing)
        return self.number(option.thing) if measure == "number" else None

    def _birth(self, option: Option) -> Value | None:
        """A birth, or of what is no person, when it came to be."""
        is_person = bool(option.hops) or self._is_person(option.thing)
        made = None if is_person else self._date(option.thing)
        return made or self._dated(option.thing, "birth")

    def _is_person(self, thing: Thing) -> bool:
        kinds = {self.hopper.known.get(name) for name in (plain(thing.name), thing.name.casefold())}
        if AnswerType.PERSON in kinds:
            return True
        return self._dated(thing, "birth") is not None

    def _dated(self, thing: Thing, relation: str) -> Value | None:
        step = plain_step(relation, (AnswerType.DATE,))
        for hop in self.hopper.take(thing, step):
            if hop.candidate.day[0]:
                return Value(as_size(hop.candidate.day), hop.sentence)
        return None

    def _lifetime(self, thing: Thing) -> Value | None:
        birth, death = self._dated(thing, "birth"), self._dated(thing, "death")
        if birth is None or death is None:
            return None
        size = tuple(d - b for d, b in zip(death.size, birth.size, strict=True))
        return Value(size, death.sentence)

    def _date(self, thing: Thing) -> Value | None:
        """A date beside a word of making or opening, else the first year of the definition."""
        asked = {t.stem for t in self.outside if t.stem} & DATE_WORDS
        best: tuple[float, Value] | None = None
        for sentence, surety in Subject(self.study.directory, thing).sentences:
            for candidate in self.hopper.candidates(sentence):
                if candidate.form not in {Form.DATE, Form.YEAR} or not candidate.day[0]:
                    continue
                score = surety * date_score(sentence, candidate, asked)
                if best is None or score > best[0] + 1e-9:
                    best = (score, Value(as_size(candidate.day), sentence))
        return best[1] if best else None

    def number(self, thing: Thing) -> Value | None:
        """How many, or how much: a number beside the words asked for; else names counted."""
        focus = {t.stem for t in self.outside if t.stem and t.lower not in _MORE}
        words = [token.lower for token in self.outside]
        focus |= measure_stems(words) | noun_stems(words)
        row = row_value(self.study, thing, self.outside, dated=False)
        if row is not None:
            return Value(row.size, row.row)
        best: tuple[float, Value] | None = None
        for sentence, surety in Subject(self.study.directory, thing).sentences:
            for candidate in self.hopper.candidates(sentence):
                amount = amount_of(candidate)
                if amount is None:
                    continue
                near = sentence.tokens[max(0, candidate.first - 6) : candidate.last + 6]
                measured = dimension_fit(candidate, self.study.question) > 0
                score = surety * (0.2 + measured + sum(token.stem in focus for token in near))
                if best is None or score > best[0] + 1e-9:
                    best = (score, Value((amount,), sentence))
        named = self._counted(thing)
        if named is not None:
            return named
        return best[1] if best and best[0] > 0.5 else None

    def _counted(self, thing: Thing) -> Value | None:
        """ "more directors": how many names stand in the relation to the thing."""
        for token in self.outside:
            for name in relations_of_word(token.lower)[:1]:
                if name in PERSON_RELATIONS:
                    step = plain_step(name, RELATIONS[name].answers)
                    hops = self.hopper.take(thing, step, most=12)
                    if hops:
                        count = listed(hops)
                        return Value((float(count),), hops[0].sentence)
        return None


def plain_step(relation: str, kinds: tuple[AnswerType, ...]) -> Step:
    return Step(relation, stems_of(RELATIONS[relation].words), relation, Role.NONE, kinds)
