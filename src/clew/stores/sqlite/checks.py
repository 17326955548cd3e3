"""The integrity check of a SQLite store: what is derived is made anew and compared."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence

from clew.errors import NotFoundError, StoreCorruptError
from clew.stores.base import GraphReader, Layer, Problem
from clew.stores.checking import check_document, check_entities, check_links
from clew.stores.naming import Ballot, ballots_of, total
from clew.stores.sqlite.arrays import GenerationArrays
from clew.stores.sqlite.fulltext import find_postings
from clew.stores.sqlite.statements import statements
from clew.stores.wording import terms_of_document

_SQL = statements("checks")


def check_store(
    connection: sqlite3.Connection, arrays: GenerationArrays, reader: GraphReader
) -> Iterator[Problem]:
    """Yield what does not hold; nothing when all is well."""
    try:
        for (said,) in connection.execute("PRAGMA integrity_check"):
            if said != "ok":
                yield Problem(kind="database", where="main.db", message=said)
        yield from _check_rows(connection)
        yield from _check_segments(connection, arrays)
        yield from _check_documents(connection, arrays, reader)
    except (sqlite3.DatabaseError, StoreCorruptError) as error:
        yield Problem(kind="database", where="main.db", message=str(error))


def _check_documents(
    connection: sqlite3.Connection, arrays: GenerationArrays, reader: GraphReader
) -> Iterator[Problem]:
    words: dict[Layer, list[list[str]]] = {"chunk": [], "unit": []}
    ballots: list[dict[str, Ballot]] = []
    whole = True
    for document_id in _document_ids(connection):
        try:
            indexed = reader.load_document(document_id)
            assert indexed is not None, "one transaction lists what it holds"
            yield from check_document(indexed, reader.embedding)
            yield from check_links(indexed, reader)
        except NotFoundError as error:
            whole = False
            yield Problem(kind="reference", where=document_id, message=str(error))
            continue
        chunks, units = terms_of_document(indexed)
        words["chunk"] += chunks
        words["unit"] += units
        ballots.append(ballots_of(indexed))
    if whole:
        for layer, rows in words.items():
            yield from _check_words(connection, arrays, layer, rows)
        yield from check_entities(
            total(ballots),
            forms=connection.execute(_SQL["forms"]),
            types=connection.execute(_SQL["types"]),
            keys=connection.execute(_SQL["keys"]),
            entities=connection.execute(_SQL["entities"]),
        )


def _document_ids(connection: sqlite3.Connection) -> list[str]:
    return [row[0] for row in connection.execute(_SQL["document_ids"])]


def _check_rows(connection: sqlite3.Connection) -> Iterator[Problem]:
    """The records of each kind are those that the documents count."""
    counted = connection.execute(_SQL["counted"]).fetchone()
    there = connection.execute(_SQL["there"]).fetchone()
    kinds = ("bodies", "chunks", "units", "mentions", "topics", "facts")
    for kind, expected, found in zip(kinds, counted, there, strict=True):
        if expected != found:
            yield Problem(
                kind="rows", where=kind, message=f"{found} rows where documents count {expected}"
            )


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


def _check_words(
    connection: sqlite3.Connection,
    arrays: GenerationArrays,
    layer: Layer,
    words: Sequence[Sequence[str]],
) -> Iterator[Problem]:
    """Full text holds each record with the words that it has."""
    lengths = arrays.layer(layer).lengths.tolist()
    if lengths != [len(row) for row in words]:
        yield Problem(kind="full text", where=layer, message="lengths are not those of the records")
        return
    rows_of: dict[str, Counter[int]] = {}
    for row, terms in enumerate(words):
        for term in terms:
            rows_of.setdefault(term, Counter())[row] += 1
    terms = sorted(rows_of)
    for start in range(0, len(terms), 1000):
        batch = terms[start : start + 1000]
        found = find_postings(connection, arrays, layer, batch)
        for term, posting in zip(batch, found, strict=True):
            there = dict(zip(posting.rows.tolist(), posting.counts.tolist(), strict=True))
            if there != rows_of[term]:
                yield Problem(
                    kind="full text",
                    where=layer,
                    message=f"{term!r} is found in {len(there)} records and stands in "
                    f"{len(rows_of[term])}",
                )
