"""Names that are given by a part, or by their first letters.

A part is taken for the whole where one name has it, or one is spoken of far more often than the
others; else it stays open: all of a few are meant, and none of many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clew.records import Entity
from clew.retrieval.query.linked_name import How, LinkedName
from clew.retrieval.query.meanings import meanings_of
from clew.retrieval.query.name_lookup import NameLookup
from clew.retrieval.query.names import NameSpan
from clew.retrieval.query.written_names import is_acronym
from clew.stores.base import Numbers
from clew.text.names import SMALL_WORDS, without_accents

MOST_MEANINGS = 4
_LOOKED_AT = 40
_LEAST_PART = 3
_FAR_MORE_OFTEN = 4
_LEAST_ACRONYM = 3
_SURE_OF_A_PART = 0.9
_OF_PERSONS = ("PERSON", "")
_LONGEST_PERSON = 3
_NO_GIVEN_NAMES = frozenset(
    "new old north south east west upper lower great little saint san santa los las el la lake "
    "mount fort port cape royal first second".split()
)


def link_partial(lookup: NameLookup, span: NameSpan) -> LinkedName | None:
    """The entity of whose name ``span`` is a part; several where it is open which."""
    phrase = without_accents(span.key)
    if len(phrase) < _LEAST_PART or not any(map(str.isalpha, phrase)):
        return None
    numbers = lookup.holding(phrase, k=_LOOKED_AT)
    if not 0 < len(numbers) < _LOOKED_AT:
        return None
    return _resolved(lookup, span, np.sort(numbers), "partial")


def link_surname(lookup: NameLookup, span: NameSpan, named: LinkedName) -> LinkedName | None:
    """What a single word may mean beside what is called by it, where no document is about that:
    the person whose last name it is.
    """
    if is_acronym(span.text) or len(lookup.about(named.entities).targets):
        return None
    key = without_accents(span.key)
    holding = np.setdiff1d(lookup.holding(key, k=_LOOKED_AT), named.entities)
    about = np.diff(lookup.about(holding).indptr)
    persons = [
        number
        for number, entity, chunks in zip(
            holding.tolist(), lookup.entities(holding), about.tolist(), strict=True
        )
        if chunks and _may_be_surname(key, entity)
    ]
    if not 0 < len(persons) < _LOOKED_AT:
        return None
    found = _resolved(lookup, span, np.array(persons, np.int64), "partial")
    if found is None:
        return None
    both = np.concatenate((found.entities, named.entities))
    order = np.argsort(both, kind="stable")
    meanings = (*found.meanings, *named.meanings)
    return replace(
        found, entities=both[order], meanings=tuple(meanings[place] for place in order.tolist())
    )


def link_acronym(lookup: NameLookup, span: NameSpan) -> LinkedName | None:
    """The entity whose words begin with the letters of ``span``; or, of a name in several words,
    the one that is called by their first letters.
    """
    if is_acronym(span.text):
        if len(span.key) < _LEAST_ACRONYM:
            return None
        numbers = lookup.abbreviated(without_accents(span.key), k=_LOOKED_AT)
        return _resolved(lookup, span, numbers, "acronym") if len(numbers) else None
    for letters in _first_letters(span.key):
        found = lookup.find([letters]).get(letters)
        if found is not None:
            meant = [
                (number, entity.name)
                for number, entity in zip(found.tolist(), lookup.entities(found), strict=True)
                if is_acronym(entity.name)
            ]
            if meant:
                return _linked(span, meant, "acronym")
    return None


def _resolved(lookup: NameLookup, span: NameSpan, numbers: Numbers, how: How) -> LinkedName | None:
    """Choose among the entities that a short form may stand for."""
    meanings = meanings_of(lookup, numbers)
    if len(meanings) > 1:
        often = sorted(meanings, key=lambda meaning: -meaning.count)
        if often[0].count >= _FAR_MORE_OFTEN * max(often[1].count, 1):
            meanings = often[:1]
    if len(meanings) > MOST_MEANINGS:
        return None
    meant = sorted((number, meaning.name) for meaning in meanings for number in meaning.entities)
    return _linked(span, meant, how)


def _may_be_surname(word: str, entity: Entity) -> bool:
    """Whether ``word`` ends a name that may be a person's."""
    words = without_accents(entity.key).split(" ")
    return (
        entity.type in _OF_PERSONS
        and 1 < len(words) <= _LONGEST_PERSON
        and words[-1] == word
        and SMALL_WORDS.isdisjoint(words)
        and words[0] not in _NO_GIVEN_NAMES
        and all(map(str.isalpha, words))
    )


def _first_letters(key: str) -> list[str]:
    words = key.split(" ")
    ways = (words, [word for word in words if word not in SMALL_WORDS])
    letters = ("".join(word[0] for word in way) for way in ways if len(way) >= _LEAST_ACRONYM)
    return list(dict.fromkeys(letters))


def _linked(span: NameSpan, meant: Sequence[tuple[int, str]], how: How) -> LinkedName:
    return LinkedName(
        text=span.text,
        start=span.start,
        end=span.end,
        entities=np.array([number for number, _ in meant], np.int64),
        similarity=_SURE_OF_A_PART,
        how=how,
        meanings=tuple(name for _, name in meant),
    )
