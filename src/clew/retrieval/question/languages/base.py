"""What the reading of a question knows of a language: word lists, and nothing else.

A language is a module of this package that makes one :class:`Language`; adding it to
``languages.LANGUAGES`` is all that a further one needs. All words are folded
(:func:`clew.retrieval.question.tokens.fold`), whole words. The relations themselves, with their
English words, are language-free (:mod:`clew.retrieval.question.relations`); other languages give
their words by the relation's name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from clew.retrieval.question.records import AnswerType, Slot, TimeKind
from clew.retrieval.question.tokens import fold, stem_of

Words = frozenset[str]


def words(text: str) -> Words:
    """The folded words of a blank-separated list."""
    return frozenset(fold(word) for word in text.split())


def by_type(lists: Mapping[AnswerType, str]) -> dict[str, tuple[AnswerType, ...]]:
    """Nouns to the kinds of thing that they name; a form behind a slash is a plural."""
    found: dict[str, tuple[AnswerType, ...]] = {}
    for kind, text in lists.items():
        for entry in text.split():
            noun = fold(entry.split("/")[0])
            found[noun] = (*found.get(noun, ()), kind)
    return found


def plurals_of(*lists: str) -> dict[str, str]:
    """Plural forms, written behind slashes, to their singulars."""
    entries = (entry.split("/") for text in lists for entry in text.split())
    return {fold(form): fold(forms[0]) for forms in entries for form in forms[1:]}


@dataclass(frozen=True, kw_only=True, eq=False)
class Language:
    """``wh`` maps question words to slots; ``how`` with ``many``, ``much`` or one of ``measures``
    behind it asks for a number. ``leads`` are words before a time. ``appositions`` are nouns that
    stand before a name without being part of it, where nouns are written with capitals.
    """

    code: str
    wh: Mapping[str, Slot]
    how: Words
    many: Words
    much: Words
    measures: Words
    be: Words
    plural_be: Words
    do: Words = frozenset()
    have: Words
    modals: Words
    naming_verbs: Words = frozenset()
    commands: Words
    listing_commands: Words
    lead_ins: Words
    openings: tuple[str, ...] = ()
    prepositions: Words
    determiners: Words
    pronouns: Words
    conjunctions: Words
    fillers: Words
    negations: Words
    present_marks: Words
    present_phrases: tuple[str, ...]
    present_auxiliaries: Words
    present_verbs: Words
    past_verbs: Words
    past_endings: tuple[str, ...] = ()
    history_phrases: tuple[str, ...] = ()
    number_words: Mapping[str, int]
    empty_heads: Words
    noun_types: Mapping[str, tuple[AnswerType, ...]]
    plurals: Mapping[str, str]
    plural_endings: tuple[tuple[str, str], ...] = ()
    not_plural_endings: tuple[str, ...] = ()
    common_nouns: Words = frozenset()
    noun_endings: tuple[str, ...] = ()
    appositions: Words = frozenset()
    nouns_are_capital: bool = False
    verbs: Words
    verb_endings: tuple[str, ...] = ()
    plural_verbs: Words = frozenset()
    prices: Words
    superlative_least: Words
    superlative_most: Words
    comparative_least: Words
    comparative_most: Words
    age_order: Words
    amounts: Words
    recent: Words
    date_order: Words
    same: Words
    both: Words
    longer: Words
    living: Words
    and_words: Words
    or_words: Words
    than_words: Words
    option_ends: Words
    leads: Mapping[str, TimeKind]
    loose_leads: Words
    no_events: Words = frozenset()
    relatives: tuple[tuple[str, str, int], ...] = ()
    """Patterns of times relative to today: (pattern, unit, offset); a group ``n`` multiplies."""
    date_patterns: tuple[str, ...] = ()
    months: Mapping[str, int] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)
    ambiguous: Words = frozenset()
    """Words that are common in another language too, and do not tell this one from it."""

    @cached_property
    def auxiliaries(self) -> Words:
        return self.be | self.do | self.have | self.modals | self.naming_verbs

    @cached_property
    def function_words(self) -> Words:
        return (
            self.auxiliaries
            | self.prepositions
            | self.determiners
            | self.pronouns
            | self.conjunctions
            | frozenset(self.wh)
            | self.fillers
        )

    @cached_property
    def superlatives(self) -> Words:
        return self.superlative_least | self.superlative_most

    @cached_property
    def order_words(self) -> Words:
        return self.superlatives | self.comparative_least | self.comparative_most

    @cached_property
    def relation_words(self) -> dict[str, tuple[str, ...]]:
        """Folded words to the relations that they say, for languages other than English."""
        found: dict[str, tuple[str, ...]] = {}
        for name, text in self.relations.items():
            for word in text.split():
                found[fold(word)] = (*found.get(fold(word), ()), name)
        return found

    @cached_property
    def relation_stems(self) -> dict[str, frozenset[str]]:
        """The stems, as an index holds them, of the words of each relation."""
        return {
            name: frozenset(stem_of(word) for word in text.split()) - {""}
            for name, text in self.relations.items()
        }

    @cached_property
    def marks(self) -> Words:
        """The words by which the language is recognised."""
        verbs = (self.verbs | frozenset(self.relation_words)) if self.relations else frozenset()
        amounts = self.many | self.much
        return (self.function_words | self.commands | amounts | verbs) - self.ambiguous
