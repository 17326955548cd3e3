"""What must hold of every document in every store, whatever the store is made of."""

from __future__ import annotations

from collections.abc import Iterator

from clew.errors import EmbeddingError, StoreError
from clew.records import IndexedDocument
from clew.stores.admission import require_sound
from clew.stores.base import EmbeddingSpace, Problem


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


def _span_problem(kind: str, id_: str, doc_id: str) -> Problem:
    return Problem(
        kind="span",
        where=id_,
        message=f"the {kind} is not the text between its offsets in {doc_id!r}",
    )
