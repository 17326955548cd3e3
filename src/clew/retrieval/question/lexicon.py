"""The English word lists by name, for what reads English text, and what only answers need.

The lists themselves stand in :mod:`clew.retrieval.question.languages.english`.
"""

from __future__ import annotations

from clew.retrieval.question.languages.english import ENGLISH

WH_SLOTS = ENGLISH.wh
COMMANDS = ENGLISH.commands
BE = ENGLISH.be
DO = ENGLISH.do
HAVE = ENGLISH.have
AUXILIARIES = ENGLISH.auxiliaries
PREPOSITIONS = ENGLISH.prepositions
DETERMINERS = ENGLISH.determiners
PRONOUNS = ENGLISH.pronouns
FUNCTION_WORDS = ENGLISH.function_words
NEGATIONS = ENGLISH.negations
NUMBER_WORDS = ENGLISH.number_words
NOUN_TYPES = ENGLISH.noun_types
COMPARATIVE_LEAST = ENGLISH.comparative_least
COMPARATIVE_MOST = ENGLISH.comparative_most
SUPERLATIVES = ENGLISH.superlatives
ORDER_WORDS = ENGLISH.order_words
AGE_WORDS = ENGLISH.age_order
DATE_ORDER_WORDS = ENGLISH.date_order
EMPTY_HEADS = ENGLISH.empty_heads
MEASURES = ENGLISH.measures

PERSONAL_PRONOUNS = frozenset("he she him her his hers himself herself".split())
MALE_PRONOUNS = frozenset("he him his himself".split())
FEMALE_PRONOUNS = frozenset("she her hers herself".split())
THING_PRONOUNS = frozenset("it its itself".split())
PLURAL_PRONOUNS = frozenset("they them their theirs themselves".split())

SCALE_WORDS = {
    "dozen": 12,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
    "trillion": 1_000_000_000_000,
}
TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}
NATIONALITY_NOUNS = frozenset("nationality citizenship ethnicity".split())
COUNTRY_NOUNS = frozenset("country nation nationality citizenship homeland".split())
