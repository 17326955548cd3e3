"""Which facts of a model the passage bears out, in what is left of them.

Subject and object must occur, and so must every number, name and date that a fact has: the
predicate alone is free. Bounds in ISO form are the model's own reading of the time that the text
gives; where the text has no such year they are dropped, and the fact stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.extraction.facts.pronouns import is_pronoun, with_names
from clew.extraction.facts.reading import FactReply
from clew.extraction.facts.times import Period, is_reversed, iso_date, period_of, time_in
from clew.extraction.grounding import Grounds


def grounded(
    fact: FactReply, named: Sequence[tuple[str, str]], grounds: Grounds
) -> FactReply | None:
    """Return ``fact`` with names in place of pronouns and only such bounds of time as the text
    gives; None where it does not rest on the passage. ``named`` are (name, type) in its statement.
    """
    fact = with_names(fact, named)
    ends = [end for end in (fact.subject, fact.object) if end]
    if any(map(is_pronoun, ends)) or not all(map(grounds.support_phrase, ends)):
        return None
    if not all(map(grounds.support_time, (fact.time_as_said, fact.condition, fact.quantifier))):
        return None
    return replace(
        fact,
        time_start=_supported(fact.time_start, grounds),
        time_end=_supported(fact.time_end, grounds),
    )


def period_and_words(fact: FactReply, statement: str) -> tuple[Period, str]:
    """When ``fact`` holds and how the text puts it, going by the fact itself, else by what its
    ``statement`` says (``""`` where that says more than this fact).
    """
    said = fact.time_as_said or time_in(f"{fact.predicate} {fact.object}") or time_in(statement)
    period = period_of(said)
    if not any(period):
        ends = (fact.time_start, fact.time_end)
        period = Period(*(reversed(ends) if is_reversed(*ends) else ends))
    if not any(period) and iso_date(fact.object) and _is_only_time(fact.object):
        return period_of(fact.object), fact.object
    return period, said


def _supported(date: str, grounds: Grounds) -> str:
    """As much of an ISO date as has its numbers in the passage: the year, with month and day."""
    parts = iso_date(date).split("-")
    while parts and not grounds.support_time("-".join(parts)):
        parts.pop()
    return "-".join(parts)


def _is_only_time(text: str) -> bool:
    """Whether all of ``text`` is a date: "May 1931", not "12 men of 1931"."""
    words = text.split()
    return (
        len(words) <= _LONGEST_DATE
        and bool(iso_date(text))
        and not any(
            word.isalpha() and not iso_date(f"{word} 1900").startswith("1900-") and word != "the"
            for word in words
        )
    )


_LONGEST_DATE = 4
