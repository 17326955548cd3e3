"""What a question asks for, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Slot(StrEnum):
    """The gap that an answer fills."""

    WHO = "who"
    WHOM = "whom"
    WHOSE = "whose"
    WHAT = "what"
    WHICH = "which"
    WHEN = "when"
    WHERE = "where"
    WHY = "why"
    HOW = "how"
    HOW_MANY = "how_many"
    HOW_MUCH = "how_much"
    MEASURE = "measure"
    YES_NO = "yes_no"
    COMPARISON = "comparison"
    SUPERLATIVE = "superlative"
    LIST = "list"


class AnswerType(StrEnum):
    PERSON = "person"
    PLACE = "place"
    ORG = "org"
    DATE = "date"
    NUMBER = "number"
    WORK = "work"
    OTHER = "other"


class TimeKind(StrEnum):
    AT = "at"
    BEFORE = "before"
    AFTER = "after"
    SINCE = "since"
    UNTIL = "until"
    BETWEEN = "between"
    NOW = "now"


Day = tuple[int, int, int]
"""Year, month, day; 0 for a part that is not said."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeExpression:
    """A time that the question names: ``text[start:end]``. ``first`` and ``last`` are equal but for
    ``BETWEEN``, decades and centuries; both are ``(0, 0, 0)`` for ``NOW``.
    """

    kind: TimeKind
    first: Day
    last: Day
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeEvent:
    """A time told by something that happened: *before the merger*. ``text`` names the event,
    ``question.text[start:end]`` holds the preposition too.
    """

    kind: TimeKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class ContentTerm:
    """A word that carries meaning. ``alternatives`` are stems that say the same; ``distance``
    counts words to the wh-word; ``in_name`` when the word is part of a name.
    """

    text: str
    term: str
    stem: str
    start: int
    end: int
    distance: int
    alternatives: frozenset[str]
    in_name: bool
    is_focus: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class NameSpan:
    """A name as written in the question."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RelationCue:
    """A word of the question that names a relation (:mod:`clew.retrieval.question.relations`)."""

    relation: str
    text: str
    start: int
    end: int


class Order(StrEnum):
    """Which end of a scale a comparison asks for."""

    LEAST = "least"
    MOST = "most"
    NONE = "none"


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """What is compared: ``options`` as written, ``measure`` names the value (``birth``, ``death``,
    ``date``, ``span``, ``number``, ``same``, ``both`` or empty), ``order`` the end asked for.
    ``is_claim`` when the question asks whether the first option is that one: "Is A larger than B?".
    """

    options: tuple[str, ...]
    measure: str = ""
    order: Order = Order.NONE
    is_claim: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """A question, read. ``wh`` is the question word (empty for yes/no and commands), ``focus`` the
    noun that it asks for, ``count`` how many things are asked for ("which three"), 0 if not said.
    ``present`` when it asks how things are now, ``history`` when it asks for all that have held
    ("Who has led it?"). ``language`` is the code of the word lists that it was read by.
    """

    text: str
    slot: Slot
    types: tuple[AnswerType, ...]
    wh: str = ""
    wh_start: int = -1
    focus: str = ""
    count: int = 0
    terms: tuple[ContentTerm, ...] = ()
    names: tuple[NameSpan, ...] = ()
    relations: tuple[RelationCue, ...] = ()
    times: tuple[TimeExpression, ...] = ()
    events: tuple[TimeEvent, ...] = ()
    negated: bool = False
    present: bool = False
    history: bool = False
    language: str = "en"
    comparison: Comparison | None = None
    superlative: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        return self.comparison.options if self.comparison else ()
