"""The integrity check of a SQLite store: what is derived is made anew and compared.

Documents are read in batches, in the order in which they lie, so the cost grows with the store and
the memory with a batch. Seals are compared by whoever reads (:mod:`clew.stores.sqlite.seals`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from clew.errors import ClewError, StoreCorruptError
from clew.records import IndexedDocument
from clew.stores.base import GraphReader, Layer, Numbers, Problem, Scores
from clew.stores.checking import check_document, check_entities
from clew.stores.naming import Ballot, ballots_of, trigrams
from clew.stores.rows import Row
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.derived import SegmentCheck
from clew.stores.sqlite.orphans import ownerless_merges
from clew.stores.sqlite.seals import unsealed
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.whole_documents import Spans, Whole, WholeDocuments

_SQL = statements("checks")
_BATCH_DOCUMENTS = 256
_BATCH_RECORDS = 20_000


def check_store(
    connection: sqlite3.Connection, arrays: GenerationArrays, reader: GraphReader
) -> Iterator[Problem]:
    """Yield what does not hold; nothing when all is well."""
    yield from _guarded(_check_pages(connection))
    yield from _guarded(_check_rows(connection))
    yield from _guarded(_check_segments(connection, arrays))
    votes: dict[str, Ballot] = {}
    damaged = False
    for problem in _guarded(_check_documents(connection, arrays, reader, votes)):
        damaged = damaged or problem.kind in {"damage", "vectors"}
        yield problem
    if not damaged:
        yield from _guarded(_check_entities(connection, votes))


def _guarded(problems: Iterable[Problem]) -> Iterator[Problem]:
    """What cannot be read any more is a problem too, and the check goes on behind it."""
    try:
        yield from problems
    except (sqlite3.Error, ClewError) as error:
        yield Problem(kind="damage", where="main.db", message=str(error))


def _check_pages(connection: sqlite3.Connection) -> Iterator[Problem]:
    for (said,) in connection.execute("PRAGMA integrity_check"):
        if said != "ok":
            yield Problem(kind="database", where="main.db", message=said)


def _check_rows(connection: sqlite3.Connection) -> Iterator[Problem]:
    """The records of each kind are those that the documents count, and merged names, which they do
    not count, are of a document that is there.
    """
    counted = connection.execute(_SQL["counted"]).fetchone()
    there = connection.execute(_SQL["there"]).fetchone()
    kinds = ("bodies", "chunks", "units", "mentions", "topics", "facts")
    for kind, expected, found in zip(kinds, counted, there, strict=True):
        if expected != found:
            yield Problem(
                kind="rows", where=kind, message=f"{found} rows where documents count {expected}"
            )

    if lost := ownerless_merges(connection):
        yield Problem(kind="rows", where="merges", message=f"{lost} rows belong to no document")


def _check_segments(connection: sqlite3.Connection, arrays: GenerationArrays) -> Iterator[Problem]:
    numbers = [row[0] for row in connection.execute(_SQL["document_numbers"])]
    if arrays.document_numbers.tolist() != numbers:
        yield Problem(
            kind="index",
            where="segments",
            message=f"segments hold {len(arrays.cards)} living documents, not the {len(numbers)} "
            "that are there",
        )
    if arrays.space is None:
        return
    for layer in (arrays.chunks, arrays.units):
        assert layer.vectors is not None
        rows = layer.vector_rows
        if rows is not None and len(rows) and int(rows.max()) >= len(layer.vectors):
            yield Problem(
                kind="vectors",
                where=layer.name,
                message=f"row {int(rows.max())} of {len(layer.vectors)} is referred to",
            )
        signs = layer.vectors.signs
        if signs is not None and (wrong := signs.differing(layer.vectors.parts)):
            yield Problem(
                kind="vectors",
                where=layer.name,
                message=f"{wrong} of {signs.rows} vectors have other signs, so that searches miss "
                "them; compacting the store makes the signs anew",
            )


def _check_documents(
    connection: sqlite3.Connection,
    arrays: GenerationArrays,
    reader: GraphReader,
    votes: dict[str, Ballot],
) -> Iterator[Problem]:
    """Check the documents and the segments over them; add what they say of names to ``votes``."""
    entities = dict(connection.execute(_SQL["entity_numbers"]).fetchall())
    lines = {line.number: line for line in WholeDocuments(connection).spans_in_turn()}
    for loaded in arrays.loaded:
        check = SegmentCheck(connection, loaded, arrays.dead, entities)
        mine = [lines.pop(number) for number in check.numbers if number in lines]
        for batch in _batches(mine):
            whole = yield from _load(connection, reader, batch)
            for _, indexed in whole:
                yield from check_document(indexed, reader.embedding)
                _count(indexed, votes)
            yield from check.compare(whole)
        yield from check.finish()
    for line in lines.values():
        for _, indexed in (yield from _load(connection, reader, [line])):
            _count(indexed, votes)


def _count(indexed: IndexedDocument, votes: dict[str, Ballot]) -> None:
    for entity_id, ballot in ballots_of(indexed).items():
        votes.setdefault(entity_id, Ballot()).count(ballot)


def _batches(lines: Sequence[Spans]) -> Iterator[list[Spans]]:
    batch: list[Spans] = []
    records = 0
    for line in lines:
        batch.append(line)
        records += line.units
        if len(batch) == _BATCH_DOCUMENTS or records >= _BATCH_RECORDS:
            yield batch
            batch, records = [], 0
    if batch:
        yield batch


def _load(
    connection: sqlite3.Connection, reader: GraphReader, lines: list[Spans]
) -> Generator[Problem, None, list[Whole]]:
    """Return those that can be read; name the others."""
    try:
        return _with_vectors(WholeDocuments(connection).in_turn(lines), reader)
    except (sqlite3.Error, ClewError) as error:
        if len(lines) == 1:
            named = type(error) is StoreCorruptError  # by the vectors; main.db raises its own kind
            kind = "vectors" if named else "damage"
            yield Problem(kind=kind, where=lines[0].id, message=str(error))
            return []
    found: list[Whole] = []
    for line in lines:
        found += yield from _load(connection, reader, [line])
    return found


def _with_vectors(whole: list[Whole], reader: GraphReader) -> list[Whole]:
    if reader.embedding is None:
        return whole
    chunks = _split(reader, "chunk", [line.numbers("chunks") for line, _ in whole])
    units = _split(reader, "unit", [line.numbers("units") for line, _ in whole])
    return [
        (line, replace(indexed, chunk_vectors=mine, unit_vectors=theirs))
        for (line, indexed), mine, theirs in zip(whole, chunks, units, strict=True)
    ]


def _split(reader: GraphReader, layer: Layer, numbers: Sequence[Numbers]) -> list[Scores]:
    vectors = reader.vectors(layer, np.concatenate(numbers))
    return np.split(vectors, np.cumsum([len(part) for part in numbers])[:-1])


def _check_entities(connection: sqlite3.Connection, votes: dict[str, Ballot]) -> Iterator[Problem]:
    grams = 0

    def keys() -> Iterator[Row]:
        nonlocal grams
        for row, key, entity, _ in unsealed(connection.execute(_SQL["keys"]), "entity_keys"):
            grams += sum(hash((row, gram)) for gram in trigrams(key))
            yield entity, key

    yield from check_entities(
        votes,
        forms=connection.execute(_SQL["forms"]),
        types=connection.execute(_SQL["types"]),
        keys=keys(),
        entities=unsealed(connection.execute(_SQL["entities"]), "entities"),
    )
    if sum(map(hash, spellings(connection))) != grams:
        message = "names are not found by the spellings that they have"
        yield Problem(kind="entity", where="entity_trigrams", message=message)


def spellings(connection: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """(row of ``entity_keys``, run of three characters) as the index of spellings has them."""
    connection.execute("PRAGMA query_only = OFF")
    try:
        connection.execute(_SQL["make_spellings"])
        yield from connection.execute(_SQL["spellings"])
        connection.execute(_SQL["drop_spellings"])
    finally:
        connection.execute("PRAGMA query_only = ON")
