"""Facts looked up, by the names of what they speak of; and what contradicts what among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from clew.curation.fact_names import FactNames
from clew.graph.contradictions import Contradiction, contradictions
from clew.graph.ontology.schema import Ontology
from clew.graph.predicates import passive_of, predicate_key
from clew.records import Fact
from clew.stores.base import GraphReader, Numbers
from clew.text.names import name_key


def find_facts(
    reader: GraphReader,
    *,
    about: str | None,
    predicate: str | None,
    ontology: Ontology,
) -> Iterable[Fact]:
    """Facts that have ``about``, by any of its names, as subject or object, and say ``predicate``,
    in whatever form and from either side ("led" and "was led by").
    """
    said = None if predicate is None else _said(reader, predicate, ontology)
    if about is None:
        return reader.find_facts(predicates=said)
    meant = reader.find_entities([name_key(about)]).targets
    keys = _keys_of(reader, about, meant)
    found = reader.find_facts(keys=keys, predicates=said)
    if np.isin(reader.find_entities(keys).targets, meant).all():
        return found
    return _speaking_of(meant, reader, list(found), keys)


def find_contradictions(
    reader: GraphReader, facts: Iterable[Fact], ontology: Ontology
) -> list[Contradiction]:
    """What contradicts what among ``facts``, the names of one entity taken as one."""
    known = list(facts)
    return contradictions(known, ontology, FactNames(reader, known).key)


def _keys_of(reader: GraphReader, name: str, meant: Numbers) -> list[str]:
    """The keys of all names of the entities ``meant`` by ``name``, and its own."""
    names = [name]
    for entity in reader.get_entities(meant):
        names += [entity.name, entity.key, *entity.aliases]
    return sorted({name_key(one) for one in names} - {""})


def _speaking_of(
    meant: Numbers, reader: GraphReader, facts: Sequence[Fact], keys: Sequence[str]
) -> list[Fact]:
    """Without the facts that mean something else by one of these names."""
    names = FactNames(reader, facts)
    wanted, own = {None, *meant.tolist()}, frozenset(keys)
    return [
        fact
        for fact in facts
        if any(
            name_key(name) in own and names.meant(fact, name) in wanted
            for name in (fact.subject, fact.object)
        )
    ]


def _said(reader: GraphReader, predicate: str, ontology: Ontology) -> Sequence[str]:
    """The predicates of the store that mean this one, seen from either side."""
    wanted = _meant(predicate, ontology)
    return [known for known in reader.predicates() if wanted & _meant(known, ontology)]


def _meant(predicate: str, ontology: Ontology) -> set[str]:
    """The keys of the relation that a predicate tells of, from both sides."""
    key = predicate_key(predicate)
    meant = {key, passive_of(key)}
    for rule in ontology.predicates.get(key, ()):
        meant |= {rule.key, rule.inverse_key}
    return meant
