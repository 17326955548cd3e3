"""A name is one word: what a part of it says elsewhere is something else.

"Dodge City Regional Airport" shares three of its words with Winner Regional Airport and with Fort
Dodge, and neither has to do with a question about it. So the words of a name count, for BM25 and
for coverage, only in the chunks that mention the name; and in coverage all of them together weigh
no more than one word that is as rare as the name, or a long title would make up most of a question
and hide what is asked about it.

That needs a name that is known: one with a capital, written as the documents write it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clew.retrieval.pool.named_chunks import NamedChunks
from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.reading import QueryLinks
from clew.retrieval.query.words import smooth_idf
from clew.retrieval.ragged import positions
from clew.stores.base import GraphReader, Numbers, Scores
from clew.text.words import term_spans

_EXACT = 0.999


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class WholeName:
    """``rows`` are those of the question's terms that stand in this name and nowhere else,
    ``chunks`` (ascending) the ones that mention it.
    """

    rows: Numbers
    chunks: Numbers

    def counts_in(self, chunks: Numbers, parts: Scores) -> NDArray[np.bool_]:
        """Per chunk whether the words of the name count: where it is mentioned, and where all of
        them are, for it may be written in a way that was not recognised.
        """
        counts: NDArray[np.bool_] = (positions(self.chunks, chunks) >= 0) | (
            parts[self.rows] > 0
        ).all(axis=0)
        return counts


def whole_names(query: QueryLinks, named: Sequence[NamedChunks]) -> tuple[WholeName, ...]:
    """The names of ``query`` that are known; ``named`` are their chunks, one entry a name."""
    places = {term: row for row, term in enumerate(query.words.terms)}
    spans = list(term_spans(query.question))
    found = []
    for name, where in zip(query.names, named, strict=True):
        if not _is_known(name, query.question) or not where.all_mentions:
            continue
        inside = {term for start, end, term in spans if name.start <= start and end <= name.end}
        inside -= {term for start, end, term in spans if start < name.start or name.end < end}
        rows = sorted(places[term] for term in inside if term in places)
        if rows:
            found.append(WholeName(rows=np.array(rows, dtype=np.int64), chunks=where.mentioned_in))
    return tuple(found)


def weighed_as_one(
    reader: GraphReader, terms: Sequence[str], names: Sequence[WholeName], *, chunk_count: int
) -> Scores:
    """The share of the question that each of its ``terms`` makes up, a name counting as one."""
    idf = smooth_idf(chunk_count, reader.document_frequencies("chunk", terms))
    for name in names:
        one = float(smooth_idf(chunk_count, np.array([len(name.chunks)]))[0])
        total = float(idf[name.rows].sum())
        idf[name.rows] *= min(1.0, one / max(total, 1e-9))
    share: Scores = idf / max(float(idf.sum()), 1e-9)
    return share


def drop_fragments(
    names: Sequence[WholeName],
    chunks: Numbers,
    chunk_parts: Scores,
    unit_parts: Scores,
    unit_rows: Numbers,
) -> None:
    """Set to 0 what words of names contribute where they do not count: one row a word, one column
    a chunk or unit; ``unit_rows`` is the position in ``chunks`` of each unit's chunk.
    """
    absent = [(name, ~name.counts_in(chunks, chunk_parts)) for name in names]
    for name, away in absent:
        chunk_parts[np.ix_(name.rows, away)] = 0.0
        unit_parts[np.ix_(name.rows, away[unit_rows])] = 0.0


def _is_known(name: LinkedName, question: str) -> bool:
    written = question[name.start : name.end]
    return name.similarity >= _EXACT and any(letter.isupper() for letter in written)
