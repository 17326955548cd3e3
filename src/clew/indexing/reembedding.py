"""Fresh vectors for everything that a store holds, by another embedder, while the old ones serve.

The vectors are made beside the store, on a stage where it has one (:mod:`clew.stores.powers`):
nobody waits, others may read and write meanwhile, and whoever is killed goes on where he was. When
all are there they are put in the place of the old ones at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import islice

from clew.indexing.embedding import NOTHING_KNOWN, embed_documents
from clew.indexing.run import space_of
from clew.indexing.staging import staged_embedder
from clew.models.base import Embedder
from clew.records import IndexedDocument
from clew.stores.base import CommitReceipt, Scores, Store
from clew.stores.powers import ComparingVectors, Staging

_TOGETHER = 64
_PASSES = 5

Tell = Callable[[int, int, str], None]


def reembed(
    store: Store, embedder: Embedder | None, tell: Tell, *, together: int = 256
) -> CommitReceipt:
    """Replace all vectors by those of ``embedder`` (None: words alone from now on), which gets at
    most ``together`` texts at once.

    Raises :class:`clew.errors.ModelError` when it fails, and :class:`clew.errors.StoreLockedError`
    when another process is at it; the old vectors stay then, and the next run goes on.
    """
    if embedder is None:
        return store.replace_vectors(None, ())
    space = space_of(embedder)
    with store.staged(space) if isinstance(store, Staging) else nullcontext() as stage:
        if stage is not None:
            embedder = staged_embedder(embedder, stage, together=together)
            _fill(store, embedder, tell)
            tell = _quiet
        receipt = store.replace_vectors(space, fresh_vectors(store, embedder, tell))
        if stage is not None:
            stage.drop()
    return receipt


def _fill(store: Store, embedder: Embedder, tell: Tell) -> None:
    """Have the vectors of all documents made, those too that others commit meanwhile: so little is
    left to do when writers have to wait.
    """
    load = _loader(store)
    seen: set[tuple[str, str]] = set()
    for _ in range(_PASSES):
        listed = {(one.id, one.content_hash) for one in store.list_documents()}
        left = sorted(listed - seen)
        if not left:
            return
        for start in range(0, len(left), _TOGETHER):
            group = [name for name, _ in left[start : start + _TOGETHER]]
            indexed = [document for document in map(load, group) if document is not None]
            embed_documents(embedder, indexed, [NOTHING_KNOWN] * len(indexed))
            tell(min(start + _TOGETHER, len(left)), len(left), "embed")
        seen |= listed


def _loader(store: Store) -> Callable[[str], IndexedDocument | None]:
    """The old vectors are of no use here, and may be damaged."""
    if isinstance(store, ComparingVectors):
        return store.load_without_vectors
    return store.load_document


def fresh_vectors(
    store: Store, embedder: Embedder, tell: Tell
) -> Iterator[tuple[str, Scores, Scores]]:
    """Yield (document id, chunk vectors, unit vectors) for every document, a few at a time.
    ``tell`` is called with (done, documents, stage).
    """
    listed, load = store.list_documents(), _loader(store)
    ids = iter([document.id for document in listed])
    done = 0
    while group := list(islice(ids, _TOGETHER)):
        indexed = [document for document in map(load, group) if document is not None]
        for fresh in embed_documents(embedder, indexed, [NOTHING_KNOWN] * len(indexed)):
            assert fresh.chunk_vectors is not None
            assert fresh.unit_vectors is not None
            yield fresh.document.id, fresh.chunk_vectors, fresh.unit_vectors
        done += len(group)
        tell(done, len(listed), "embed")


def _quiet(_done: int, _total: int, _stage: str) -> None:
    """All was told while the stage was filled."""
