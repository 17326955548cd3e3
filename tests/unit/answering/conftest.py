"""Answers over a few invented documents, without retrieval: every document is one result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import pytest

from clew.answering import ExtractiveAnswerer
from clew.answering.config import AnsweringConfig
from clew.extraction.units import units_of
from clew.ids import chunk_id, document_id
from clew.records import Chunk, Document, IndexedDocument
from clew.results import Answer, RetrievalItem, RetrievalResult
from clew.stores.memory import KnowledgeGraph
from clew.text.blocks import partition

Texts = Mapping[str, str] | Sequence[str] | str


class Ask(Protocol):
    def __call__(self, question: str, texts: Texts, **settings: object) -> Answer: ...


@pytest.fixture(scope="session")
def ask() -> Ask:
    def answer(question: str, texts: Texts, **settings: object) -> Answer:
        graph, result = indexed(question, texts)
        config = AnsweringConfig(**settings)  # type: ignore[arg-type]
        return ExtractiveAnswerer(config).answer(question, result, graph)

    return answer


@pytest.fixture(scope="session")
def index() -> Callable[[str, Texts], tuple[KnowledgeGraph, RetrievalResult]]:
    return indexed


def indexed(question: str, texts: Texts) -> tuple[KnowledgeGraph, RetrievalResult]:
    """A store of the texts (by title, or untitled) and a result that holds them all, in order."""
    if isinstance(texts, str):
        texts = [texts]
    named = texts if isinstance(texts, Mapping) else {f"#{at}": t for at, t in enumerate(texts)}
    rows = [_document(name, text) for name, text in named.items()]
    graph = KnowledgeGraph()
    graph.commit(rows)
    items = tuple(_item(row, 1 / (at + 1)) for at, row in enumerate(rows))
    return graph, RetrievalResult(query=question, items=items)


def _document(name: str, text: str) -> IndexedDocument:
    key = document_id("default", name)
    document = Document(
        id=key,
        doc_id=name,
        text=text,
        title="" if name.startswith("#") else name,
        blocks=partition(text, "markdown"),
    )
    chunk = Chunk(
        id=chunk_id(key, text, 0), document_id=key, index=0, start=0, end=len(text), text=text
    )
    units = units_of(document, [chunk], max_units_per_chunk=500)
    return IndexedDocument(document=document, chunks=(chunk,), units=units)


def _item(row: IndexedDocument, score: float) -> RetrievalItem:
    document, chunk = row.document, row.chunks[0]
    return RetrievalItem(
        content=chunk.text,
        score=score,
        source_chunk_id=chunk.id,
        document_id=document.id,
        doc_id=document.doc_id,
        start=chunk.start,
        end=chunk.end,
        title=document.title,
    )
