"""What must hold of every document in every store, whatever the store is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from clew.errors import EmbeddingError, StoreError
from clew.records import IndexedDocument
from clew.stores.admission import require_sound
from clew.stores.base import EmbeddingSpace, GraphReader, Numbers, Problem
from clew.stores.naming import Ballot, elect, keys_of
from clew.stores.rows import Row, entity_of


def check_document(indexed: IndexedDocument, space: EmbeddingSpace | None) -> Iterator[Problem]:
    """Spans give the texts back, references lead somewhere, vectors are whole."""
    document = indexed.document
    for chunk in indexed.chunks:
        if document.text[chunk.start : chunk.end] != chunk.text:
            yield _span_problem("chunk", chunk.id, document.doc_id)
    for unit in indexed.units:
        if unit.verbatim and document.text[unit.start : unit.end] != unit.text:
            yield _span_problem("unit", unit.id, document.doc_id)
    try:
        require_sound([indexed], space)
    except EmbeddingError as error:
        yield Problem(kind="vectors", where=document.doc_id, message=str(error))
    except StoreError as error:
        yield Problem(kind="reference", where=document.doc_id, message=str(error))


def check_links(indexed: IndexedDocument, reader: GraphReader) -> Iterator[Problem]:
    """The links that searches hop along are those of the records."""
    units = reader.numbers_of("unit", [unit.id for unit in indexed.units])
    chunks = reader.numbers_of("chunk", [chunk.id for chunk in indexed.chunks])
    of_chunk = {chunk.id: number for chunk, number in zip(indexed.chunks, chunks, strict=True)}
    expected = [of_chunk[unit.chunk_id] for unit in indexed.units]
    mentioned = {(item.unit_id, item.entity_id) for item in indexed.mentions}
    about = {(item.chunk_id, item.entity_id) for item in indexed.topics}
    links, topics = reader.entities_of_units(units), reader.topics_of_chunks(chunks)
    good = (
        reader.chunks_of_units(units).tolist() == expected
        and _pairs(links.indptr, links.targets, [unit.id for unit in indexed.units], reader)
        == mentioned
        and _pairs(topics.indptr, topics.targets, [chunk.id for chunk in indexed.chunks], reader)
        == about
    )
    if not good:
        yield Problem(
            kind="links",
            where=indexed.document.doc_id,
            message="the links of the index are not those of the records",
        )


def _pairs(
    indptr: Numbers, targets: Numbers, sources: Sequence[str], reader: GraphReader
) -> set[tuple[str, str]]:
    entities = [entity.id for entity in reader.get_entities(targets)]
    owners = np.repeat(np.arange(len(sources)), np.diff(indptr)).tolist()
    return {(sources[owner], entity) for owner, entity in zip(owners, entities, strict=True)}


def check_entities(
    ballots: Mapping[str, Ballot],
    *,
    forms: Iterable[Row],
    types: Iterable[Row],
    keys: Iterable[Row],
    entities: Iterable[Row],
) -> Iterator[Problem]:
    """The rows of entities are what the ``ballots`` of all documents make of them. ``forms`` and
    ``types`` are rows as in :class:`clew.stores.votes.VoteTable`, ``keys`` (entity, key).
    """
    counted: dict[int, Ballot] = {}
    for number, key, form, *counts in forms:
        counted.setdefault(number, Ballot()).forms[key, form] = counts
    for number, kind, count in types:
        counted.setdefault(number, Ballot()).types[kind] = count
    known: dict[int, set[str]] = {}
    for entity, key in keys:
        known.setdefault(entity, set()).add(key)
    listed = set()
    for row in entities:
        entity = entity_of(row)
        listed.add(entity.id)
        expected = ballots.get(entity.id, Ballot())
        if not expected or counted.get(row[0], Ballot()) != expected:
            message = "is not what the documents say of it"
        elif elect(entity.id, entity.key, entity.scope, expected) != entity:
            message = "has not the name that the documents give it"
        elif known.get(row[0], set()) != keys_of(entity.key, expected):
            message = "is not found by the keys that it has"
        else:
            continue
        yield Problem(kind="entity", where=entity.id, message=f"{entity.name!r} {message}")
    for entity_id in sorted(ballots.keys() - listed):
        yield Problem(kind="entity", where=entity_id, message="is mentioned and not listed")


def _span_problem(kind: str, id_: str, doc_id: str) -> Problem:
    return Problem(
        kind="span",
        where=id_,
        message=f"the {kind} is not the text between its offsets in {doc_id!r}",
    )
