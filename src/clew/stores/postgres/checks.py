"""The integrity check of a PostgreSQL store: what is derived is made anew and compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields

from clew.errors import NotFoundError, StoreCorruptError
from clew.stores.base import GraphReader, Layer, Problem
from clew.stores.checking import check_document, check_entities, check_links
from clew.stores.naming import Ballot, ballots_of, total, trigrams
from clew.stores.postgres.connections import Session
from clew.stores.postgres.fulltext import indexed_term, unpacked
from clew.stores.postgres.records import Found, RecordReader
from clew.stores.postgres.state import State, Totals
from clew.stores.postgres.statements import Statements
from clew.stores.postgres.vectors import VectorReader
from clew.stores.spelling import initials_of
from clew.stores.wording import terms_of_document

_SQL = Statements("checks")
_LAYERS: tuple[Layer, Layer] = ("chunk", "unit")
_OWNED = (
    *("chunks", "mentions", "topics", "facts", "merges", "bodies"),
    *("chunk_terms", "unit_terms", "chunk_vectors", "unit_vectors"),
)


def check_store(session: Session, state: State, reader: GraphReader) -> Iterator[Problem]:
    """Yield what does not hold; nothing when all is well."""
    yield from _check_rows(session)
    yield from _check_totals(session, state)
    yield from _check_vectors(session, state)
    records = RecordReader(session)
    vectors = VectorReader(session, state, exact_up_to=0)
    ballots: list[dict[str, Ballot]] = []
    whole = True
    for (document_id,) in session.rows(_SQL["document_ids"]):
        try:
            found = records.indexed(document_id)
            assert found is not None, "one transaction lists what it holds"
            indexed = vectors.with_vectors(found)
            yield from check_document(indexed, reader.embedding)
            yield from check_links(indexed, reader)
        except (NotFoundError, StoreCorruptError) as error:
            whole = False
            yield Problem(kind="reference", where=document_id, message=str(error))
            continue
        yield from _check_words(session, found)
        ballots.append(ballots_of(indexed))
    if whole:
        keys = session.rows(_SQL["keys"])
        yield from check_entities(
            total(ballots),
            forms=session.rows(_SQL["forms"]),
            types=session.rows(_SQL["types"]),
            keys=[(entity, key) for entity, key, *_ in keys],
            entities=session.rows(_SQL["entities"]),
        )
        for entity, key, initials, content, grams in keys:
            if (initials, content) != initials_of(key) or set(grams) != trigrams(key):
                yield Problem(
                    kind="entity",
                    where=str(entity),
                    message=f"the key {key!r} is not found by its letters",
                )


def _check_rows(session: Session) -> Iterator[Problem]:
    """The records of each kind are those that the documents count."""
    counted, there = session.row(_SQL["counted"]), session.row(_SQL["there"])
    kinds = ("bodies", "chunks", "units", "mentions", "topics", "facts")
    for kind, expected, found in zip(kinds, counted, there, strict=True):
        if expected != found:
            yield Problem(
                kind="rows", where=kind, message=f"{found} rows where documents count {expected}"
            )
    for table in _OWNED:
        (strangers,) = session.row(_SQL.named("strangers", table=table))
        if strangers:
            yield Problem(
                kind="rows", where=table, message=f"{strangers} rows of documents that are gone"
            )


def _check_totals(session: Session, state: State) -> Iterator[Problem]:
    names = [item.name for item in fields(Totals)]
    counted = dict(zip(names, map(int, session.row(_SQL["totals"])), strict=True))
    for name, count in counted.items():
        if getattr(state, name) != count:
            yield Problem(
                kind="rows",
                where=name,
                message=f"{count} are there, and the state says {getattr(state, name)}",
            )


def _check_vectors(session: Session, state: State) -> Iterator[Problem]:
    for layer in _LAYERS:
        records = state.chunks if layer == "chunk" else state.units
        found = dict(session.rows(_SQL.named("vectors", layer=layer)))
        expected = {state.space: records} if state.embedding is not None and records else {}
        if found != expected:
            yield Problem(
                kind="vectors",
                where=layer,
                message=f"{sum(found.values())} vectors where {sum(expected.values())} are due",
            )


def _check_words(session: Session, found: Found) -> Iterator[Problem]:
    """Full text holds each record with the words that it has."""
    chunks, units = terms_of_document(found.indexed)
    firsts = (found.chunks, found.units)
    lengths = (found.totals.chunk_terms, found.totals.unit_terms)
    for layer, words, numbers, length in zip(
        _LAYERS, (chunks, units), firsts, lengths, strict=True
    ):
        there: dict[str, list[tuple[int, int, int]]] = {}
        asked = {"document": found.number}
        for term, data in session.rows(_SQL.named("terms", layer=layer), asked):
            there.setdefault(term, []).extend(map(tuple, unpacked(data).tolist()))
        if there != _postings(words, numbers.tolist()) or length != sum(map(len, words)):
            yield Problem(
                kind="full text",
                where=found.indexed.document.doc_id,
                message=f"the words of its {layer}s are not those that are searched",
            )


def _postings(
    records: Sequence[Sequence[str]], numbers: Sequence[int]
) -> dict[str, list[tuple[int, int, int]]]:
    expected: dict[str, list[tuple[int, int, int]]] = {}
    for number, terms in zip(numbers, records, strict=True):
        for term, count in Counter(terms).items():
            expected.setdefault(indexed_term(term), []).append((number, count, len(terms)))
    return expected
