"""Statements of several sentences, taken apart.

Small models give a whole paragraph back as one statement. Each of its sentences is a statement of
its own, with those of its names and facts that it speaks of.
"""

from __future__ import annotations

from dataclasses import replace

from clew.extraction.unit_replies import UnitReply
from clew.text.sentences import sentence_spans
from clew.text.words import terms

_LEAST_TERMS = 2


def apart(unit: UnitReply) -> list[UnitReply]:
    """Return ``unit`` by its sentences, in order; a single sentence stays as it is."""
    texts = [unit.text[start:end] for start, end in sentence_spans(unit.text, 0, len(unit.text))]
    words = [frozenset(terms(text)) for text in texts]
    if len(texts) < 2 or any(len(own) < _LEAST_TERMS for own in words):
        return [unit]
    parts = [
        replace(
            unit,
            text=text,
            entities=tuple(one for one in unit.entities if one.name.casefold() in text.casefold()),
            facts=(),
        )
        for text in texts
    ]
    for fact in unit.facts:
        said = frozenset(terms(f"{fact.subject} {fact.predicate} {fact.object}"))
        shared = [len(said & own) for own in words]
        place = shared.index(max(shared))
        parts[place] = replace(parts[place], facts=(*parts[place].facts, fact))
    return parts
