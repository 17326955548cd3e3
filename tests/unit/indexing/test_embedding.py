"""Vectors of chunks and units: each row belongs to its record, and nothing is read twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from clew.ids import chunk_id, document_id, unit_id
from clew.indexing.embedding import (
    NOTHING_KNOWN,
    embed_documents,
    known_vectors,
    passage_text,
    passages_of,
)
from clew.models.base import Span, Vectors
from clew.records import Chunk, Document, IndexedDocument, KnowledgeUnit

TEXT = "Arlo has a mill. Birk has a mint. Cann has neither."
SENTENCES = [(0, 16), (17, 33), (34, 51)]


class _Lengths:
    """Says where it was asked to look: [length of the text or span, its first letter, 1]."""

    fingerprint = "lengths"
    dimensions = 3

    def __init__(self) -> None:
        self.read: list[str] = []

    def embed(self, texts: Sequence[str], *, kind: str = "document") -> Vectors:
        self.read += texts
        rows = [[len(text), ord(text[0]), 1.0] for text in texts]
        return np.array(rows, np.float32).reshape(-1, 3)


class _Spans(_Lengths):
    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        pieces = [
            text[start:end] for text, own in zip(texts, spans, strict=True) for start, end in own
        ]
        whole = self.embed(texts)
        before = list(self.read)
        parts = self.embed(pieces)
        self.read = before
        return whole, parts


def _document(*, title: str = "", cut: int = 33, rewritten: bool = False) -> IndexedDocument:
    document = Document(id=document_id("default", "d"), doc_id="d", text=TEXT, title=title)
    chunks = tuple(
        Chunk(
            id=chunk_id(document.id, TEXT[start:end], 0),
            document_id=document.id,
            index=index,
            start=start,
            end=end,
            text=TEXT[start:end],
        )
        for index, (start, end) in enumerate([(0, cut), (cut + 1, len(TEXT))])
    )
    units = [
        KnowledgeUnit(
            id=unit_id(document.id, TEXT[start:end], 0),
            document_id=document.id,
            chunk_id=chunks[0 if start < cut else 1].id,
            start=start,
            end=end,
            text=TEXT[start:end],
        )
        for start, end in SENTENCES
    ]
    if rewritten:
        units[1] = replace(units[1], text="Zero mints are in Birk.", verbatim=False)
    return IndexedDocument(document=document, chunks=chunks, units=tuple(units))


@pytest.mark.parametrize("embedder", [_Lengths(), _Spans()])
def test_each_row_is_of_its_own_record(embedder: _Lengths) -> None:
    [indexed] = embed_documents(embedder, [_document()], [NOTHING_KNOWN])
    assert indexed.chunk_vectors is not None
    assert indexed.unit_vectors is not None
    assert indexed.chunk_vectors[:, 0].tolist() == [33, 17]
    assert indexed.unit_vectors[:, 0].tolist() == [16, 16, 17]
    assert [chr(int(row[1])) for row in indexed.unit_vectors] == ["A", "B", "C"]


def test_a_rewritten_unit_is_embedded_by_its_own_text() -> None:
    [indexed] = embed_documents(_Spans(), [_document(rewritten=True)], [NOTHING_KNOWN])
    assert indexed.unit_vectors is not None
    assert [chr(int(row[1])) for row in indexed.unit_vectors] == ["A", "Z", "C"]


def test_a_unit_that_runs_into_the_next_chunk_is_read_up_to_the_edge() -> None:
    [indexed] = embed_documents(_Spans(), [_document(cut=25)], [NOTHING_KNOWN])
    assert indexed.unit_vectors is not None
    assert indexed.unit_vectors[1, 0] == 25 - 17


def test_what_the_passage_is_about_is_read_before_it_and_never_inside_a_span() -> None:
    embedder = _Spans()
    [indexed] = embed_documents(embedder, [_document(title="Towns")], [NOTHING_KNOWN])
    assert indexed.chunk_vectors is not None
    assert indexed.unit_vectors is not None
    assert all(text.startswith("Towns\n") for text in embedder.read)
    assert indexed.unit_vectors[:, 0].tolist() == [16, 16, 17]
    text, offset = passage_text(indexed.document, indexed.chunks[0])
    assert text[offset:] == indexed.chunks[0].text


def test_known_vectors_are_not_made_again() -> None:
    embedder = _Spans()
    [first] = embed_documents(embedder, [_document()], [NOTHING_KNOWN])
    read = len(embedder.read)
    [second] = embed_documents(embedder, [_document()], [known_vectors(first)])
    assert len(embedder.read) == read
    assert first.unit_vectors is not None
    assert second.unit_vectors is not None
    np.testing.assert_array_equal(first.unit_vectors, second.unit_vectors)


def test_a_changed_title_is_another_context() -> None:
    embedder = _Spans()
    [first] = embed_documents(embedder, [_document()], [NOTHING_KNOWN])
    read = len(embedder.read)
    embed_documents(embedder, [_document(title="Towns")], [known_vectors(first)])
    assert len(embedder.read) == read + 2


def test_of_an_edited_chunk_only_the_texts_that_are_new_are_read_again() -> None:
    embedder = _Lengths()
    [first] = embed_documents(embedder, [_document(rewritten=True)], [NOTHING_KNOWN])
    edited = _document(rewritten=True)
    edited = replace(
        edited, units=(replace(edited.units[0], text="Arlo had a mill."), *edited.units[1:])
    )
    read = len(embedder.read)
    [second] = embed_documents(embedder, [edited], [known_vectors(first)])
    assert embedder.read[read:] == ["Arlo had a mill."]
    assert first.unit_vectors is not None
    np.testing.assert_array_equal(first.unit_vectors, second.unit_vectors)


def test_a_text_that_stands_in_many_places_is_read_once() -> None:
    embedder = _Lengths()
    documents = [_document(), replace(_document(), document=replace(_document().document, id="x"))]
    [first] = embed_documents(embedder, documents[:1], [NOTHING_KNOWN])
    read = len(embedder.read)
    [second, third] = embed_documents(embedder, documents, [NOTHING_KNOWN, known_vectors(first)])
    assert len(embedder.read) == read, "another document of the run has these texts"
    np.testing.assert_array_equal(second.unit_vectors, third.unit_vectors)


def test_documents_without_chunks_have_empty_vectors() -> None:
    empty = replace(_document(), chunks=(), units=())
    [indexed] = embed_documents(_Lengths(), [empty], [NOTHING_KNOWN])
    assert indexed.chunk_vectors is not None
    assert indexed.chunk_vectors.shape == (0, 3)
    assert passages_of(empty) == []
    assert known_vectors(None) is NOTHING_KNOWN


def test_slices_change_no_vector_and_may_be_given_up_between() -> None:
    documents = [_document(), replace(_document(), document=replace(_document().document, id="x"))]
    whole = embed_documents(_Spans(), documents, [NOTHING_KNOWN] * 2)
    embedder, seen = _Spans(), []
    sliced = embed_documents(
        embedder,
        documents,
        [NOTHING_KNOWN] * 2,
        slice_passages=1,
        watch=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(1, 4), (2, 4), (3, 4)]
    for one, other in zip(whole, sliced, strict=True):
        np.testing.assert_array_equal(one.unit_vectors, other.unit_vectors)
        np.testing.assert_array_equal(one.chunk_vectors, other.chunk_vectors)

    def stop(done: int, total: int) -> None:
        raise StopIteration(done, total)

    embedder = _Spans()
    with pytest.raises(StopIteration):
        embed_documents(embedder, documents, [NOTHING_KNOWN] * 2, slice_passages=3, watch=stop)
    assert len(embedder.read) == 3
