"""A chain of relations as it is read from a question: steps from a thing that it names."""

from __future__ import annotations

from dataclasses import dataclass

from clew.answering.frames import Role
from clew.answering.things import Anchor
from clew.retrieval.question.records import AnswerType


@dataclass(frozen=True, slots=True)
class Step:
    """From a thing to another: ``stems`` say the relation; ``role`` is the answer's part in it;
    ``noun`` and ``kinds`` say what the answer is.
    """

    relation: str
    stems: frozenset[str]
    word: str
    role: Role = Role.NONE
    kinds: tuple[AnswerType, ...] = ()
    noun: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """The tokens ``first`` to ``end`` of a question say the anchor and the first ``steps`` from it;
    ``unexplained`` words among them say something else.
    """

    first: int
    end: int
    steps: tuple[Step, ...]
    unexplained: int


@dataclass(frozen=True, slots=True)
class Plan:
    """``unexplained`` counts the question's content words that no step takes up; ``first`` is what
    the first step is read from.
    """

    anchor: Anchor
    steps: tuple[Step, ...]
    unexplained: int
    first: Described | None = None
