"""Fresh vectors for everything that a store holds, by another embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from clew.indexing.embedding import NOTHING_KNOWN, embed_documents
from clew.models.base import Embedder
from clew.stores.base import GraphReader, Scores

_TOGETHER = 64


def fresh_vectors(
    store: GraphReader, embedder: Embedder, tell: Callable[[int, int, str], None]
) -> Iterator[tuple[str, Scores, Scores]]:
    """Yield (document id, chunk vectors, unit vectors) for every document, a few at a time.
    ``tell`` is called with (done, documents, stage).
    """
    listed = store.list_documents()
    ids = iter([document.id for document in listed])
    done = 0
    while group := list(islice(ids, _TOGETHER)):
        loaded = [store.load_document(name) for name in group]
        indexed = [document for document in loaded if document is not None]
        for fresh in embed_documents(embedder, indexed, [NOTHING_KNOWN] * len(indexed)):
            assert fresh.chunk_vectors is not None
            assert fresh.unit_vectors is not None
            yield fresh.document.id, fresh.chunk_vectors, fresh.unit_vectors
        done += len(group)
        tell(done, len(listed), "embed")
