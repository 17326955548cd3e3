"""What makes a fact the one that it is: what is said, of what unit, of what time."""

from __future__ import annotations

from dataclasses import replace

from clew.ids import fact_id
from clew.records import Fact


def identified(fact: Fact) -> Fact:
    """``fact`` with the id that it should have. What is said of two times, or under two conditions,
    is two facts.
    """
    bounds = (fact.time_start, fact.time_end)
    limits = ("/".join(bounds) if any(bounds) else fact.time_as_said, fact.condition)
    told = fact_id(
        fact.unit_id,
        fact.subject,
        fact.predicate,
        fact.object,
        negated=fact.negated,
        limits=limits if any(limits) else (),
    )
    return replace(fact, id=told)
