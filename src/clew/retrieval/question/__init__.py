"""Reading a question: what it asks for, of what, when; words only, no model.

Everything works on whole words: *Is the airport paid?* holds no "or", and *Will Smith* is a name.
English and German; a language is a file of word lists (``languages/``).
"""

from __future__ import annotations

from clew.retrieval.question.analyse import analyse_question
from clew.retrieval.question.asking_words import only_asks
from clew.retrieval.question.records import (
    AnswerType,
    Comparison,
    ContentTerm,
    NameSpan,
    Order,
    Question,
    RelationCue,
    Slot,
    TimeEvent,
    TimeExpression,
    TimeKind,
)

__all__ = [
    "AnswerType",
    "Comparison",
    "ContentTerm",
    "NameSpan",
    "Order",
    "Question",
    "RelationCue",
    "Slot",
    "TimeEvent",
    "TimeExpression",
    "TimeKind",
    "analyse_question",
    "only_asks",
]
