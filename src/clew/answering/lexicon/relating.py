"""Words that a chain of relations turns on: nouns of values, words that say nothing by themselves,
what a place clause is made of.
"""

from __future__ import annotations

from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS

VALUE_NOUNS = {
    "place": AnswerType.PLACE,
    "city": AnswerType.PLACE,
    "town": AnswerType.PLACE,
    "country": AnswerType.PLACE,
    "date": AnswerType.DATE,
    "day": AnswerType.DATE,
    "year": AnswerType.DATE,
    "time": AnswerType.DATE,
    "cause": AnswerType.OTHER,
    "manner": AnswerType.OTHER,
}
VALUE_RELATIONS = frozenset("birth death burial origin nationality founder".split())
COMPLEMENTS = frozenset({AnswerType.DATE, AnswerType.PLACE, AnswerType.NUMBER})
RELATIVE = frozenset("that which who whom where when".split())
HAPPENS = frozenset("occur occurs occurred happen happens happened".split())
APPOSED = frozenset(
    "city town village state island county province country district region municipality parish "
    "township republic kingdom borough".split()
)
SILENT = frozenset(
    "name person people one called also currently now did does do film movie song album book novel "
    "series show there much many".split()
)
MEASURES = {
    "tall": "height",
    "high": "height",
    "long": "length",
    "wide": "width",
    "deep": "depth",
    "heavy": "weight",
    "old": "age",
    "big": "area",
    "large": "area",
    "fast": "speed",
}
REGIONS = frozenset(
    "country state province county district region area continent municipality territory city town "
    "nation prefecture borough part".split()
)
MADE = frozenset("producer release maker publisher".split())
PEOPLE_ONLY = frozenset(
    name for name, relation in RELATIONS.items() if relation.answers == (AnswerType.PERSON,)
)
