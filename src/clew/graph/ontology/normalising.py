"""Facts in the terms of an ontology: predicates by their one name, and what breaks its rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from clew.graph.fact_identity import identified
from clew.graph.ontology.schema import Ontology, PredicateRule
from clew.graph.predicates import plain_predicate
from clew.records import Fact, FactKind
from clew.text.names import name_key


@dataclass(frozen=True, kw_only=True, slots=True)
class Violation:
    """A fact that breaks a rule; it is kept all the same."""

    fact_id: str
    message: str


def normalised(
    facts: Iterable[Fact], types: Mapping[str, str], ontology: Ontology
) -> tuple[tuple[Fact, ...], tuple[Violation, ...]]:
    """Return the facts with normalised predicates, each once, and what breaks the rules.

    ``types`` are the entity types by the key of a name. A predicate that the ontology does not know
    gets its plain form; ``predicate_as_said`` keeps what the text had.
    """
    done: dict[str, Fact] = {}
    violations: dict[str, list[str]] = {}
    for fact in facts:
        found = normalised_fact(fact, ontology)
        done.setdefault(found.id, found)
        violations.setdefault(found.id, _broken(found, types, ontology))
    return tuple(done.values()), tuple(
        Violation(fact_id=id_, message=message)
        for id_, messages in violations.items()
        for message in messages
    )


def normalised_fact(fact: Fact, ontology: Ontology) -> Fact:
    """The fact with its predicate in the ontology's words; what it says beside (that it is not so,
    may be so, will be so) goes into fields of its own.
    """
    said = fact.predicate_as_said or fact.predicate
    plain = plain_predicate(said)
    rule = ontology.rule(said, fact.object)
    predicate = (rule.name if rule else "") or plain.text or fact.predicate
    found = replace(
        fact,
        predicate=predicate,
        predicate_as_said=said,
        negated=fact.negated or plain.negated,
        modality=fact.modality or plain.modal,
        tense=fact.tense or ("future" if plain.future else ""),
    )
    return fact if found == fact else identified(found)


def _broken(fact: Fact, types: Mapping[str, str], ontology: Ontology) -> list[str]:
    rule = ontology.rule(fact.predicate, fact.object)
    if rule is None:
        known = not ontology.closed or fact.kind is FactKind.EVENT
        return [] if known else [f"{_shown(fact)}: the ontology has no such predicate"]
    return [*_misfits(fact, rule, types, ontology), *_strangers(fact, types, ontology)]


def _misfits(
    fact: Fact, rule: PredicateRule, types: Mapping[str, str], ontology: Ontology
) -> list[str]:
    """Ends of the fact that are known to be of another type than the rule has there."""
    ends = (("subject", fact.subject, rule.domain), ("object", fact.object, rule.range))
    broken = []
    for end, name, wanted in ends:
        kind = types.get(name_key(name), "").upper()
        if kind and wanted and not ontology.is_a(kind, wanted):
            broken.append(
                f"{_shown(fact)}: the {end} {name!r} is a {kind}, not a {' or '.join(wanted)}"
            )
    return broken


def _strangers(fact: Fact, types: Mapping[str, str], ontology: Ontology) -> list[str]:
    if not ontology.closed or not ontology.parents:
        return []
    kinds = {name: types.get(name_key(name), "").upper() for name in (fact.subject, fact.object)}
    return [
        f"{_shown(fact)}: {name!r} is a {kind}, a type that the ontology does not have"
        for name, kind in kinds.items()
        if kind and kind not in ontology.parents
    ]


def _shown(fact: Fact) -> str:
    return f"{fact.subject} – {fact.predicate} – {fact.object or '…'}"
