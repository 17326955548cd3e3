"""The examination: integrity first, then what is suspect, in one pass over the documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from clew.config import ClewConfig
from clew.curation.entities import entities_called
from clew.curation.facts import find_contradictions
from clew.errors import ModelError, NotFoundError, StoreCorruptError, StoreError
from clew.graph.ontology.schema import named_ontology
from clew.models.base import Embedder
from clew.stores.base import GraphReader, Problem, Store
from clew.stores.powers import Erasing, Littering, Rebuilding
from clew.stores.scoped_check import check_scope
from clew.upkeep.health.documents import little_in
from clew.upkeep.health.findings import Finding, HealthReport, Severity, broken, suspect
from clew.upkeep.health.names import MOST_COMPARED, doubles, hubs
from clew.upkeep.health.vectors import VectorSample

_SAMPLE = 64
_MOST_ENTITIES = 1_000_000

Tell = Callable[[int, int, str], None]


def examine(
    store: Store,
    config: ClewConfig,
    embedder: Callable[[], Embedder | None],
    *,
    sample: int = _SAMPLE,
    tell: Tell = lambda *_: None,
) -> HealthReport:
    """Look at everything; change nothing. ``sample`` chunks are embedded again (0: none)."""
    tell(0, 0, "check")
    findings = [broken(problem) for problem in _problems(store, config.scope)]
    notes: list[str] = []
    if any(one.kind == "database" for one in findings):
        notes.append("the database is damaged, so nothing else was looked at")
        return HealthReport(findings=tuple(findings), notes=tuple(notes))
    chosen = VectorSample(sample)
    checked: Mapping[str, int] = {}
    try:
        with store.reading() as reader:
            checked = reader.stats(documents=reader.select_documents(scope=config.scope))
            findings += _suspect_documents(reader, config.scope, chosen, tell)
            findings += _suspect_names(reader, store, config, notes)
            findings += _suspect_facts(reader, config)
    except StoreCorruptError as error:
        notes.append("what is damaged cannot be read, so not all was looked at")
        if not any(one.severity is Severity.BROKEN for one in findings):
            findings.append(broken(Problem(kind="damage", where="the store", message=str(error))))
    findings += _suspect_vectors(store, chosen, embedder, notes)
    if isinstance(store, Littering):
        findings += [
            Finding(
                kind="leftover",
                severity=Severity.SUSPECT,
                where=one.where,
                message=one.message,
                remedy=one.remedy,
                is_fixable=one.is_erasable,
            )
            for one in store.leftovers()
        ]
    return HealthReport(findings=tuple(findings), checked=checked, notes=tuple(notes))


def treat(
    store: Store,
    config: ClewConfig,
    embedder: Callable[[], Embedder | None],
    *,
    sample: int = _SAMPLE,
    tell: Tell = lambda *_: None,
) -> HealthReport:
    """Examine, do what is safe, and examine again: what is derived is made anew from the records,
    and what nothing refers to is taken off the disk. Records are never changed.
    """
    before = examine(store, config, embedder, sample=0, tell=tell)
    fixed: list[str] = []
    notes: list[str] = []
    fixable = [one for one in before.findings if one.is_fixable]
    if any(one.severity is Severity.BROKEN for one in fixable):
        if isinstance(store, Rebuilding):
            try:
                tell(0, 0, "rebuild")
                receipt = store.rebuild()
                fixed += [f"{receipt.documents:,} documents gone through", *receipt.done]
            except StoreCorruptError as error:
                notes.append(f"nothing was rebuilt: {error}")
    elif fixable and isinstance(store, Erasing):
        tell(0, 0, "compact")
        store.compact()
        fixed.append("the store was written anew without what nothing refers to")
    after = examine(store, config, embedder, sample=sample, tell=tell)
    return replace(after, fixed=tuple(fixed), notes=(*notes, *after.notes))


def _problems(store: Store, scope: str) -> Iterator[Problem]:
    try:
        yield from check_scope(store, scope)
    except (StoreCorruptError, NotFoundError) as error:
        yield Problem(kind="damage", where="the store", message=str(error))
    if isinstance(store, Rebuilding):
        yield from store.orphans()


def _suspect_documents(
    reader: GraphReader, scope: str, chosen: VectorSample, tell: Tell
) -> Iterator[Finding]:
    listed = reader.list_documents(documents=reader.select_documents(scope=scope))
    for at, document in enumerate(listed, start=1):
        try:
            indexed = reader.load_document(document.id)
        except StoreError:  # told by the integrity check
            continue
        except NotFoundError:
            continue
        if indexed is not None:
            yield from little_in(indexed)
            chosen.offer(indexed)
        tell(at, len(listed), "examine")


def _suspect_names(
    reader: GraphReader, store: Store, config: ClewConfig, notes: list[str]
) -> list[Finding]:
    documents = reader.select_documents(scope=config.scope)
    reader = reader.within(documents)
    entities = entities_called(reader, "", _MOST_ENTITIES)
    if not entities:
        return []
    if len(entities) > MOST_COMPARED:
        notes.append(
            f"the spelling of the {MOST_COMPARED:,} most frequent of {len(entities):,} entities "
            "was compared with the others"
        )
    numbers = reader.numbers_of("entity", [entity.id for entity in entities])
    frequencies = reader.entity_frequencies(numbers, documents=documents)
    chunks = reader.stats(documents=documents)["chunks"]
    decisions = [one for one in store.decisions() if one.scope == config.scope]
    return [
        *doubles(reader, entities, frequencies, decisions, documents),
        *hubs(entities, frequencies, chunks),
    ]


def _suspect_facts(reader: GraphReader, config: ClewConfig) -> Iterator[Finding]:
    documents = reader.select_documents(scope=config.scope)
    ontology = named_ontology(config.ontology)
    facts = list(reader.find_facts(documents=documents))
    for one in find_contradictions(reader.within(documents), facts, ontology):
        yield suspect(
            "contradiction",
            one.about,
            one.reason,
            f'`clew facts "{one.about}" --contradictions` shows the sources; correct the wrong one',
        )


def _suspect_vectors(
    store: Store,
    chosen: VectorSample,
    embedder: Callable[[], Embedder | None],
    notes: list[str],
) -> Sequence[Finding]:
    if not len(chosen):
        return ()
    model = embedder()
    space = store.embedding
    if model is None or space is None or model.fingerprint != space.fingerprint:
        name = "" if space is None else space.fingerprint
        notes.append(f"vectors were not compared with their texts: {name!r} is not the embedder")
        return ()
    try:
        return list(chosen.compare(model))
    except ModelError as error:
        notes.append(f"vectors were not compared with their texts: {error}")
        return ()
