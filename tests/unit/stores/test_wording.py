from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from clew.records import Chunk, Document, IndexedDocument, KnowledgeUnit
from clew.stores.base import search_text_of_chunk, search_text_of_unit
from clew.stores.wording import terms_of_document
from clew.testing.made_documents import made_documents
from clew.text.words import terms

_TEXTS = st.text(alphabet="ab.C+#' \nß食べ物é\u0301", max_size=60)


def _assert_terms(indexed: IndexedDocument) -> None:
    chunks, units = terms_of_document(indexed)
    document = indexed.document
    assert chunks == [terms(search_text_of_chunk(document, chunk)) for chunk in indexed.chunks]
    assert units == [terms(search_text_of_unit(document, unit)) for unit in indexed.units]


@given(text=_TEXTS, cuts=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8))
def test_terms_are_those_of_the_search_text(text: str, cuts: list[tuple[int, int]]) -> None:
    """Wherever chunks and units are cut, even inside words, and however they overlap."""
    spans = [tuple(sorted((min(one, len(text)), min(other, len(text))))) for one, other in cuts]
    middle = len(spans) // 2
    document = Document(id="d", doc_id="d", text=text, title="C++ and a")
    chunks = tuple(
        Chunk(id=f"c{at}", document_id="d", index=at, start=start, end=end, text=text[start:end])
        for at, (start, end) in enumerate([(0, len(text)), *spans[:middle]])
    )
    units = tuple(
        KnowledgeUnit(
            id=f"u{at}", document_id="d", chunk_id="c0", start=start, end=end, text=text[start:end]
        )
        for at, (start, end) in enumerate(spans[middle:])
    )
    _assert_terms(IndexedDocument(document=document, chunks=chunks, units=units))


def test_terms_of_whole_documents() -> None:
    for indexed in made_documents(10, seed=5):
        _assert_terms(indexed)


def test_a_rewritten_unit_lends_its_terms_to_no_chunk() -> None:
    indexed = made_documents(1, seed=6)[0]
    rewritten = replace(indexed.units[0], text="Something else.", verbatim=False)
    _assert_terms(replace(indexed, units=(rewritten, *indexed.units[1:])))
