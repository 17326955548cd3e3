"""Names joined and things told apart by hand, in every document that speaks of them.

A decision is kept first, then carried out on the documents, in one commit; documents that come
later follow it too. Taking it back needs no model: the names of a document are resolved anew from
the mentions that are there, as they were when it was indexed, and the decisions that are left are
carried out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from clew.config import ClewConfig
from clew.errors import ConfigError, NotFoundError
from clew.extraction.assemble import assemble
from clew.extraction.config import ExtractionConfig
from clew.graph.decisions import carried_out
from clew.ids import content_id, document_id, entity_id
from clew.records import Entity, EntityDecision, IndexedDocument
from clew.stores.base import GraphReader, Numbers, Store
from clew.text.names import Name, name_key

_LIKENESS = 0.6


@dataclass(frozen=True, kw_only=True, slots=True)
class NamingReceipt:
    """What was decided, or taken back, and how many documents changed."""

    decision: EntityDecision
    documents: int


def join_names(
    store: Store, names: Iterable[str], into: str, config: ClewConfig
) -> list[NamingReceipt]:
    """Read all of ``names`` as ``into``, everywhere in the scope.

    Raises :class:`clew.errors.NotFoundError` for a name that no entity has.
    """
    with store.reading() as reader:
        target = _find(reader, into, config.scope) or _new(into, config.scope)
        sources = [_require(reader, name, config.scope) for name in names]
    decisions = [
        _decision(source, target, config.scope)
        for source in {source.id: source for source in sources}.values()
        if source.id != target.id
    ]
    if not decisions:
        raise ConfigError(f"nothing to join: {into!r} is the only entity that was named")
    return [_decide(store, decision, config) for decision in decisions]


def split_name(
    store: Store, name: str, into: str, doc_ids: Sequence[str], config: ClewConfig
) -> NamingReceipt:
    """In the documents ``doc_ids``, read ``name`` as another thing, called ``into``; of an entity
    that has several names there, this one alone.

    Raises :class:`clew.errors.NotFoundError` for an unknown name or document.
    """
    if not doc_ids:
        raise ConfigError("name the documents in which the name means something else")
    with store.reading() as reader:
        source = _require(reader, name, config.scope)
        target = _find(reader, into, config.scope) or _new(into, config.scope)
        documents = {doc_id: _document(reader, doc_id, config.scope) for doc_id in doc_ids}
    key = name_key(name)
    written = {mention.key for one in documents.values() for mention in one.mentions}
    if source.key != key and key in written:
        source = replace(source, id=entity_id(config.scope, key), key=key, name=name)
    if source.id == target.id:
        raise ConfigError(f"{into!r} is {source.name!r} itself; give the other thing another name")
    decision = _decision(source, target, config.scope, tuple(sorted(set(doc_ids))))
    return _decide(store, decision, config)


def take_back(store: Store, decision_id: str, config: ClewConfig) -> NamingReceipt:
    """Undo a decision. Raises :class:`NotFoundError` for one that was never made."""
    decisions = {one.id: one for one in store.decisions() if one.scope == config.scope}
    if decision_id not in decisions:
        raise NotFoundError(f"no decision {decision_id!r}; `clew entities --merges` lists them")
    decision = decisions.pop(decision_id)
    changed = _carry_out(store, decision, list(decisions.values()), config)
    store.withdraw(decision_id)
    return NamingReceipt(decision=decision, documents=changed)


def forget_idle(store: Store, scope: str) -> None:
    """Withdraw decisions about names that no document has any more."""
    documents = store.select_documents(scope=scope)
    for decision in store.decisions():
        keys = [decision.key, decision.into_key]
        if decision.scope == scope and not len(
            store.find_entities(keys, documents=documents).targets
        ):
            store.withdraw(decision.id)


def _decide(store: Store, decision: EntityDecision, config: ClewConfig) -> NamingReceipt:
    store.decide(decision)
    decisions = [one for one in store.decisions() if one.scope == config.scope]
    changed = _carry_out(store, decision, decisions, config)
    return NamingReceipt(decision=decision, documents=changed)


def _carry_out(
    store: Store,
    decision: EntityDecision,
    decisions: Sequence[EntityDecision],
    config: ClewConfig,
) -> int:
    """Bring the documents that speak of the decision's entities into the state that ``decisions``
    ask for; return how many changed.
    """
    with store.reading() as reader:
        keys = [decision.key, decision.into_key]
        numbers = _documents_speaking_of(reader, keys, config)
        ids = [document.id for document in reader.list_documents(documents=numbers)]
        loaded = [reader.load_document(id_) for id_ in ids]
        space = reader.embedding
    changed = []
    for indexed in loaded:
        assert indexed is not None, "one generation lists what it holds"
        anew = carried_out(resolved_anew(indexed, config), decisions)
        if anew.mentions != indexed.mentions or anew.topics != indexed.topics:
            changed.append(anew)
    if changed:
        store.commit(changed, embedding=space)
    return len(changed)


def resolved_anew(indexed: IndexedDocument, config: ExtractionConfig) -> IndexedDocument:
    """The document with its names resolved among themselves, and no decision carried out."""
    names: dict[str, list[Name]] = {unit.id: [] for unit in indexed.units}
    for mention in indexed.mentions:
        found = Name(mention.start, mention.end, mention.surface, mention.type)
        names[mention.unit_id].append(found)
    extraction = assemble(
        indexed.document, indexed.chunks, indexed.units, list(names.values()), config=config
    )
    return replace(
        indexed,
        mentions=extraction.mentions,
        entities=extraction.entities,
        topics=extraction.topics,
        merges=extraction.merges,
    )


def _documents_speaking_of(reader: GraphReader, keys: Sequence[str], config: ClewConfig) -> Numbers:
    documents = _scope(reader, config)
    entities = np.unique(reader.find_entities(keys, documents=documents).targets)
    units = np.unique(reader.units_of_entities(entities, documents=documents).targets)
    about = np.unique(reader.chunks_about(entities, documents=documents).targets)
    chunks = np.union1d(reader.chunks_of_units(units), about)
    return np.unique(reader.documents_of_chunks(chunks))


def _decision(
    source: Entity, target: Entity, scope: str, doc_ids: tuple[str, ...] = ()
) -> EntityDecision:
    return EntityDecision(
        id=content_id("n", scope, source.key, target.key, *doc_ids),
        key=source.key,
        name=source.name,
        into_key=target.key,
        into_name=target.name,
        type=target.type,
        doc_ids=doc_ids,
        scope=scope,
    )


def _new(name: str, scope: str) -> Entity:
    key = name_key(name)
    if not key:
        raise ConfigError(f"{name!r} names nothing: there is no letter or digit in it")
    return Entity(id=content_id("e", scope, key), name=name, key=key, scope=scope)


def _document(reader: GraphReader, doc_id: str, scope: str) -> IndexedDocument:
    found = reader.load_document(document_id(scope, doc_id))
    if found is None:
        raise NotFoundError(f"no document {doc_id!r}; `clew show` lists them all")
    return found


def _require(reader: GraphReader, name: str, scope: str) -> Entity:
    found = _find(reader, name, scope)
    if found is not None:
        return found
    documents = reader.select_documents(scope=scope)
    like = reader.similar_entities(
        name_key(name), threshold=_LIKENESS, k=3, documents=documents
    ).numbers
    names = ", ".join(repr(entity.name) for entity in reader.get_entities(like))
    raise NotFoundError(f"no entity {name!r}" + (f"; there is {names}" if names else ""))


def _find(reader: GraphReader, name: str, scope: str) -> Entity | None:
    """The entity of this name: the one whose own key it is before those that have it as an alias,
    of which there must be one.
    """
    documents = reader.select_documents(scope=scope)
    key = name_key(name)
    found = reader.get_entities(reader.find_entities([key], documents=documents).targets)
    own = [entity for entity in found if entity.key == key]
    if own or len(found) < 2:
        return next(iter(own or found), None)
    names = ", ".join(sorted(repr(entity.name) for entity in found))
    raise NotFoundError(f"{name!r} may mean {names}; write the whole name")


def _scope(reader: GraphReader, config: ClewConfig) -> Numbers:
    return reader.select_documents(scope=config.scope)
