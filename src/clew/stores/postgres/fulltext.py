"""Full text: one row per term and document, with its postings packed; scored here.

The formula is that of every store (:mod:`clew.stores.scoring`), and PostgreSQL's own ranking is
another one. So the database finds the postings of the terms asked for, filtered and joined to one
value a term, and the arrays are scored at once. What is sent grows with the postings of those
terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from clew.stores.base import Layer, Numbers, Ranking
from clew.stores.postgres.connections import Session, sayable
from clew.stores.postgres.statements import Statements
from clew.stores.scoring import TermPostings, best, bm25_of_holders

_SQL = Statements("search")
_POSTING = np.dtype([("number", "<i8"), ("count", "<i4"), ("length", "<i4")])
_LONGEST = 200
_SHORT = "\x01"


def indexed_term(term: str) -> str:
    """A term as the table keeps it: an index entry has a limit, so a long one is a hash."""
    if len(term) <= _LONGEST:
        return term
    return _SHORT + sha256(term.encode("utf-8", "surrogatepass")).hexdigest()


def term_rows(
    document: int, first: int, records: Sequence[Sequence[str]]
) -> Iterator[tuple[str, int, bytes]]:
    """(term, document, postings) of the records that have the numbers from ``first`` on."""
    found: dict[str, list[tuple[int, int, int]]] = {}
    for number, terms in enumerate(records, first):
        for term, count in Counter(terms).items():
            found.setdefault(term, []).append((number, count, len(terms)))
    for term in sorted(found):
        yield indexed_term(term), document, np.array(found[term], _POSTING).tobytes()


def unpacked(data: bytes) -> NDArray[np.void]:
    """The postings of a term, ascending by ``number``."""
    return np.sort(np.frombuffer(data, _POSTING), order="number")


class FullText:
    """Searches texts on one connection, inside the transaction that it is in."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def frequencies(self, layer: Layer, terms: Sequence[str], documents: Numbers | None) -> Numbers:
        statement = _SQL.named("frequencies", layer=layer, width=_POSTING.itemsize)
        found = dict(
            self._session.rows(statement, {"terms": _asked(terms), "documents": documents})
        )
        return np.array([int(found.get(indexed_term(term), 0)) for term in terms], np.int64)

    def search(
        self,
        layer: Layer,
        terms: Sequence[str],
        k: int,
        *,
        documents: Numbers | None,
        population: Numbers | None,
        records: int,
        total_length: int,
    ) -> Ranking:
        """``records`` and ``total_length`` are those of ``population``."""
        asked = _asked(terms)
        statement = _SQL.named("postings", layer=layer, width=_POSTING.itemsize)
        parameters = {"terms": asked, "documents": documents, "population": population}
        rows = self._session.rows(statement, parameters)
        found = {term: (int(holding), data) for term, holding, data in rows if data}
        parts = [
            (holding, unpacked(data))
            for holding, data in (found[term] for term in asked if term in found)
        ]
        numbers, first_rows = np.unique(
            np.concatenate([part["number"] for _, part in parts] or [np.empty(0, np.int64)]),
            return_index=True,
        )
        lengths = np.concatenate([part["length"] for _, part in parts] or [np.empty(0, np.int64)])
        postings = [
            TermPostings(np.searchsorted(numbers, part["number"]), part["count"].astype(np.int64))
            for _, part in parts
        ]
        rows_found, scores = bm25_of_holders(
            postings,
            lengths[first_rows].astype(np.int64),
            records,
            total_length,
            holding=[holding for holding, _ in parts],
        )
        return best(numbers[rows_found].astype(np.int64), scores, k)


def _asked(terms: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(indexed_term(term) for term in terms if sayable(term)))
