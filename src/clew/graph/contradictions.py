"""Facts that cannot all be true, kept side by side with their sources.

Three rules, none of which decides who is right:

* *polarity*: the same is said and denied of one time;
* *single value*: two objects for a subject whose predicate has but one (at one time, where it is
  bound to time), seen from either side: "Paris is the capital of France" and "Lyon is the capital
  of France" share the object;
* *measure*: two numbers or dates for one attribute at one time.

What is no plain assertion (a question, an order, what may or should be, what holds on a condition)
contradicts nothing, and neither do two parts of one whole: some are, some are not. A value that
only says less ("1879" beside "14 March 1879") contradicts nothing. Times that only
touch (until 2015, since 2015) do not meet. Of a predicate bound to time, facts without any time
meet only facts without any, said on the same day or on days unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from clew.graph.ontology.schema import Ontology, PredicateRule
from clew.graph.predicates import passive_of, predicate_key
from clew.graph.values import say_the_same, value_kind
from clew.ids import content_id
from clew.records import Fact, FactKind
from clew.text.names import name_key

KeyOf = Callable[[Fact, str], str]
"""From a fact and a name in it to the key of what it means by that."""

_MOST_PAIRED = 200
_OF_ALL = frozenset("all every each any both no none always never whole entire alle jeder".split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Contradiction:
    """``facts`` disagree about ``about`` (what the subject, or the shared object, is called)."""

    id: str
    kind: str
    about: str
    predicate: str
    facts: tuple[Fact, ...]

    @property
    def reason(self) -> str:
        said = " / ".join(dict.fromkeys(map(_said, self.facts)))
        return f"{_REASONS[self.kind]}: {said}"


def contradictions(
    facts: Iterable[Fact], ontology: Ontology, key_of: KeyOf = lambda _, name: name_key(name)
) -> list[Contradiction]:
    """Return what contradicts what, ordered by what it is about. ``key_of`` leads names of one
    entity to one key. Linear in the facts but for those that share a subject and predicate.
    """
    same: dict[tuple[str, str, str], list[Fact]] = {}
    valued: dict[tuple[str, str, str], list[_Side]] = {}
    for fact in sorted(filter(_is_asserted, facts), key=lambda one: one.id):
        rule = _rule_of(fact, ontology)
        for side in _sides(fact, rule, key_of):
            if side.asks:
                valued.setdefault((side.asks, side.end, side.predicate), []).append(side)
        own, passive = _stated(fact, rule, key_of)
        same.setdefault(min(own, passive), []).append(fact)
    found = [*_denied(same.values()), *_many_valued(valued)]
    return sorted(found, key=lambda one: (name_key(one.about), one.predicate, one.kind, one.id))


def _rule_of(fact: Fact, ontology: Ontology) -> PredicateRule | None:
    """Its predicate may be in the words of another ontology."""
    rule = ontology.rule(fact.predicate, fact.object)
    return rule or ontology.rule(fact.predicate_as_said, fact.object)


def _is_asserted(fact: Fact) -> bool:
    return not (fact.speech_act or fact.modality or fact.condition)


class _Side(NamedTuple):
    """A fact seen from one end: what the end has, and by what rule it should have but one."""

    fact: Fact
    asks: str
    end: str
    name: str
    predicate: str
    value: str
    time_bound: bool


def _sides(fact: Fact, rule: PredicateRule | None, key_of: KeyOf) -> Iterator[_Side]:
    subject, key = key_of(fact, fact.subject), rule.key if rule else predicate_key(fact.predicate)
    bound = rule.time_bound if rule else True
    asks = ""
    if rule and rule.single_valued:
        asks = "single value"
    elif fact.kind is FactKind.ATTRIBUTE and value_kind(fact.object) != "name":
        asks = "measure"
    yield _Side(fact, asks, subject, fact.subject, key, fact.object, bound)
    if rule and rule.inverse_single_valued:
        end = key_of(fact, fact.object)
        yield _Side(fact, "single value", end, fact.object, rule.inverse_key, fact.subject, bound)


def _stated(
    fact: Fact, rule: PredicateRule | None, key_of: KeyOf
) -> tuple[tuple[str, str, str], tuple[str, str, str]]:
    """What is stated, from either side."""
    subject, value = key_of(fact, fact.subject), key_of(fact, fact.object)
    key = rule.key if rule else predicate_key(fact.predicate)
    inverse = rule.inverse_key if rule else passive_of(key)
    return (subject, key, value), (value, inverse, subject)


def _denied(groups: Iterable[Sequence[Fact]]) -> Iterator[Contradiction]:
    for group in groups:
        if len({fact.negated for fact in group}) < 2:
            continue
        said = [fact for fact in group if not fact.negated]
        denied = [fact for fact in group if fact.negated]
        facing = {
            one.id: one
            for fact in said[:_MOST_PAIRED]
            for other in denied[:_MOST_PAIRED]
            if _meet(fact, other, time_bound=True) and not (_of_a_part(fact) and _of_a_part(other))
            for one in (fact, other)
        }
        if facing:
            first = group[0]
            yield _contradiction("polarity", first.subject, first.predicate, facing.values())


def _of_a_part(fact: Fact) -> bool:
    """Whether it is said of some only, not of all or of the thing itself."""
    words = set(fact.quantifier.casefold().split())
    return bool(words) and words.isdisjoint(_OF_ALL)


def _many_valued(
    groups: dict[tuple[str, str, str], list[_Side]],
) -> Iterator[Contradiction]:
    for (kind, _, predicate), sides in groups.items():
        positive = [side for side in sides if not side.fact.negated and side.value]
        facing = {
            side.fact.id: side.fact
            for one, other in combinations(_each_value(positive), 2)
            if not say_the_same(one.value, other.value)
            and _meet(one.fact, other.fact, time_bound=one.time_bound)
            for side in (one, other)
        }
        if facing:
            yield _contradiction(kind, positive[0].name, predicate, facing.values())


def _each_value(sides: Sequence[_Side]) -> list[_Side]:
    """One side for each value and time, so that a fact told a thousand times is compared once."""
    first: dict[tuple[str, str, str, str], _Side] = {}
    for side in sides:
        fact = side.fact
        place = (name_key(side.value), fact.time_start, fact.time_end, fact.stated_at)
        first.setdefault(place, side)
    return list(first.values())[:_MOST_PAIRED]


def _meet(one: Fact, other: Fact, *, time_bound: bool) -> bool:
    """Whether both are said of one time: what was, is or will be goes by their tense where neither
    says when.
    """
    timed = [bool(fact.time_start or fact.time_end) for fact in (one, other)]
    if all(timed):
        return _overlap(one, other)
    if any(timed):
        return not time_bound
    if time_bound and one.tense and other.tense and one.tense != other.tense:
        return False
    days = {fact.stated_at for fact in (one, other)} - {""}
    return not time_bound or len(days) < 2


def _overlap(one: Fact, other: Fact) -> bool:
    """Whether the times share more than an end. A missing end is open."""
    first, second = _bounds(one), _bounds(other)
    if first == second:
        return True
    if _is_point(first) or _is_point(second):
        return _reaches(first, second) and _reaches(second, first)
    return _before(first[0], second[1]) and _before(second[0], first[1])


def _bounds(fact: Fact) -> tuple[str, str]:
    return fact.time_start, fact.time_end


def _is_point(bounds: tuple[str, str]) -> bool:
    return bool(bounds[0]) and bounds[0] == bounds[1]


def _reaches(one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether ``one`` does not begin after ``other`` ends."""
    return not one[0] or not other[1] or _cut(one[0], other[1]) <= _cut(other[1], one[0])


def _before(start: str, end: str) -> bool:
    return not start or not end or _cut(start, end) < _cut(end, start)


def _cut(time: str, other: str) -> str:
    """As exact as the less exact of the two."""
    return time[: min(len(time), len(other))]


def _contradiction(kind: str, about: str, predicate: str, facts: Iterable[Fact]) -> Contradiction:
    ordered = tuple(sorted(facts, key=lambda fact: (fact.document_id, fact.start, fact.id)))
    return Contradiction(
        id=content_id("x", kind, *(fact.id for fact in ordered)),
        kind=kind,
        about=about,
        predicate=predicate,
        facts=ordered,
    )


def _said(fact: Fact) -> str:
    said = fact.predicate_as_said or fact.predicate
    denied = " (denied)" if fact.negated else ""
    when = f" ({fact.time_as_said})" if fact.time_as_said else ""
    return f"{fact.subject} {said} {fact.object}{denied}{when}".strip()


_REASONS = {
    "polarity": "said and denied",
    "single value": "only one can be right",
    "measure": "two values of one attribute",
}
