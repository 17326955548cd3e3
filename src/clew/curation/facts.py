"""Facts looked up, by the names of what they speak of; and what contradicts what among them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from clew.graph.contradictions import Contradiction, contradictions
from clew.graph.ontology.schema import Ontology
from clew.graph.predicates import passive_of, predicate_key
from clew.records import Fact
from clew.stores.base import GraphReader
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
    keys = None if about is None else _keys_of(reader, about)
    said = None if predicate is None else _said(reader, predicate, ontology)
    return reader.find_facts(keys=keys, predicates=said)


def find_contradictions(
    reader: GraphReader, facts: Iterable[Fact], ontology: Ontology
) -> list[Contradiction]:
    """What contradicts what among ``facts``, the names of one entity taken as one."""
    known = list(facts)
    return contradictions(known, ontology, _key_of(reader, known))


def _keys_of(reader: GraphReader, name: str) -> list[str]:
    """The keys of all names of the entities that ``name`` may mean, and its own."""
    found = reader.find_entities([name_key(name)]).targets
    names = [name]
    for entity in reader.get_entities(found):
        names += [entity.name, entity.key, *entity.aliases]
    return sorted({name_key(one) for one in names} - {""})


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


def _key_of(reader: GraphReader, facts: Sequence[Fact]) -> Callable[[str], str]:
    """From a name to the key of the one entity that has it; to its own key where several do."""
    keys = sorted({name_key(name) for fact in facts for name in (fact.subject, fact.object)})
    found = reader.find_entities(keys)
    entities: dict[str, str] = {}
    bounds = found.indptr.tolist()
    single = [at for at in range(len(keys)) if bounds[at + 1] - bounds[at] == 1]
    targets = found.targets[found.indptr[:-1][single]]
    for at, entity in zip(single, reader.get_entities(targets), strict=True):
        entities[keys[at]] = entity.key
    return lambda name: entities.get(name_key(name), name_key(name))
