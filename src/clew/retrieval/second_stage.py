"""The second stage: a reranker reads the best results again, together with how they were reached.

A passage that was reached over a link often does not answer the question by itself ("It was founded
by Berit Lind."): what makes it an answer stands in the unit that led there ("Norr Bridge was built
by Sund Ironworks."). So the reranker reads both, the units of the path in hop order and then the
passage, each under its title and headings where it does not say them itself.

The score is ``(1 − w) · first + w · reranker``, both in 0–1. A result that was not read counts as
if the reranker had given it nothing, ``(1 − w) · first``, so none of them passes one that was read.
Equal scores keep the order of the first stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clew.models.base import Reranker
from clew.records import Document
from clew.retrieval.base import Evidence, Search
from clew.retrieval.config import RetrievalConfig
from clew.retrieval.rank import Ranked, rank
from clew.stores.base import GraphReader, Numbers

_DIGITS = 6


def rank_and_rerank(
    search: Search,
    evidence: Evidence,
    reranker: Reranker,
    config: RetrievalConfig,
    top_n: int,
) -> list[Ranked]:
    """The ``top_n`` best after ``reranker`` has read the ``config.rerank_top_n`` best of the first
    stage. ``min_score_threshold`` holds for the last scores.

    Raises :class:`clew.errors.ModelError` when the reranker fails.
    """
    most = config.rerank_top_n
    of_any_score = replace(config, min_score_threshold=0.0)
    first = rank(search.reader, evidence, of_any_score, top_n=max(top_n, most))
    texts = read_texts(search.reader, evidence, first[:most])
    given = reranker.score(search.query.question, texts) if texts else []
    places = reordered(first, given, weight=config.rerank_weight)
    return [place for place in places if place.score >= config.min_score_threshold][:top_n]


def reordered(places: Sequence[Ranked], given: Sequence[float], *, weight: float) -> list[Ranked]:
    """``places``, best first, after a reranker has ``given`` the first of them its scores."""
    read = [
        _with_score(
            place,
            (1.0 - weight) * place.score + weight * score,
            {"first": place.score, "rerank": round(score, _DIGITS)},
        )
        for place, score in zip(places, given, strict=False)
    ]
    unread = [
        _with_score(place, (1.0 - weight) * place.score, {"first": place.score})
        for place in places[len(given) :]
    ]
    return [*sorted(read, key=lambda place: -place.score), *unread]


def read_texts(reader: GraphReader, evidence: Evidence, places: Sequence[Ranked]) -> list[str]:
    """What the reranker reads of each place: the units that led there, then the passage."""
    bridges = [
        [step.unit for step in evidence.trail(place.chunk, place.unit)[:-1] if step.unit >= 0]
        for place in places
    ]
    chunks = _chunk_texts(reader, [place.chunk for place in places if place.unit < 0])
    units = _unit_texts(
        reader,
        [
            *(unit for bridge in bridges for unit in bridge),
            *(place.unit for place in places if place.unit >= 0),
        ],
    )
    return [
        "\n".join(
            [
                *(units[unit] for unit in bridge),
                chunks[place.chunk] if place.unit < 0 else units[place.unit],
            ]
        )
        for place, bridge in zip(places, bridges, strict=True)
    ]


def _with_score(place: Ranked, score: float, parts: dict[str, float]) -> Ranked:
    return replace(place, score=round(score, _DIGITS), parts=parts)


def _chunk_texts(reader: GraphReader, chunks: Sequence[int]) -> dict[int, str]:
    numbers = _numbers(chunks)
    owners = _owners(reader, numbers)
    return {
        number: _under(
            (owners[chunk.document_id].title, *chunk.heading_path, chunk.context), chunk.text
        )
        for number, chunk in zip(numbers.tolist(), reader.get_chunks(numbers), strict=True)
    }


def _unit_texts(reader: GraphReader, units: Sequence[int]) -> dict[int, str]:
    numbers = _numbers(units)
    owners = _owners(reader, np.unique(reader.chunks_of_units(numbers)))
    return {
        number: _under((owners[unit.document_id].title, unit.context), unit.text)
        for number, unit in zip(numbers.tolist(), reader.get_units(numbers), strict=True)
    }


def _under(labels: Sequence[str], text: str) -> str:
    """``text`` below those of its labels that it does not hold, each once."""
    new = dict.fromkeys(label for label in labels if label and label not in text)
    return "\n".join([*new, text])


def _owners(reader: GraphReader, chunks: Numbers) -> dict[str, Document]:
    """The documents of ``chunks``, without their texts, by id."""
    numbers = np.unique(reader.documents_of_chunks(chunks))
    return {document.id: document for document in reader.list_documents(documents=numbers)}


def _numbers(values: Sequence[int]) -> Numbers:
    return np.array(sorted(set(values)), dtype=np.int64)
