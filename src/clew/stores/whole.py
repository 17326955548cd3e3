"""A document as what is derived can be made anew from it: whole, or said to be damaged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from clew.errors import NotFoundError, StoreCorruptError, StoreError
from clew.records import IndexedDocument
from clew.stores.admission import require_sound
from clew.stores.base import EmbeddingSpace

INGEST_AGAIN = (
    "Delete the document and ingest it again: `clew delete NAME`, `clew ingest PATH`; then try "
    "again"
)

Load = Callable[[str], IndexedDocument | None]


def whole_document(
    id_: str, counts: Sequence[int], load: Load, space: EmbeddingSpace | None
) -> IndexedDocument:
    """The document, without vectors where there is no ``space``. ``counts`` is how many chunks,
    units, mentions, topics and facts it says that it has.

    Raises :class:`StoreCorruptError` when it is not whole.
    """
    try:
        indexed = load(id_)
        assert indexed is not None, "one transaction lists what it holds"
        if space is None:
            indexed = replace(indexed, chunk_vectors=None, unit_vectors=None)
        require_sound([indexed], space)
    except StoreCorruptError:  # with what to do about it
        raise
    except (NotFoundError, StoreError) as error:
        raise damaged(id_, str(error)) from error
    there = [
        len(getattr(indexed, layer)) for layer in ("chunks", "units", "mentions", "topics", "facts")
    ]
    if there != list(counts):
        why = f"it has {there} records and counts {list(counts)}"
        raise damaged(indexed.document.doc_id, why)
    return indexed


def damaged(name: str, why: str, remedy: str = INGEST_AGAIN) -> StoreCorruptError:
    return StoreCorruptError(
        f"the records of {name} are damaged ({why}); nothing was changed. {remedy}"
    )
