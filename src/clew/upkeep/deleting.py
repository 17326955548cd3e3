"""Documents that go, from every layer, and the receipt that says what went."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clew.curation.names import forget_idle
from clew.ids import document_id
from clew.indexing.paths import documents_named, posix_name
from clew.indexing.staging import stage_keys
from clew.records import Document
from clew.reports import DeleteReceipt
from clew.stores.base import Store
from clew.stores.powers import Erasing, Staging, Trace, Tracing, lacking
from clew.stores.queues import HasQueue


def delete(store: Store, scope: str, name: str | Path) -> DeleteReceipt:
    """Remove the document called ``name``, or all that came from that file or from below that
    folder; from the queue too, where the store has one.
    """
    queued = _withdrawn(store, scope, name)
    found = _named(store, scope, name)
    if not found and not queued:
        # a run that was killed may have left replies for it
        kept = store.commit(delete=[document_id(scope, one) for one in _spellings(name)]).removed
        note = f"no document {str(name)!r}"
        note = f"{note}; its replies were deleted" if kept else f"nothing to delete: {note}"
        return DeleteReceipt(removed=kept, note=note)
    ids = list(dict.fromkeys(document.id for document in (*found, *queued)))
    if isinstance(store, Staging) and store.stage_state() is not None:
        loaded = (store.load_document(id_) for id_ in ids)
        store.unstage([key for indexed in loaded if indexed for key in stage_keys(indexed)])
    has_vectors = store.embedding is not None
    removed = dict(store.commit(delete=ids).removed)
    forget_idle(store, scope)
    texts = removed.get("chunks", 0) + removed.get("knowledge_units", 0)
    if texts:
        removed["full_text"] = texts
    if texts and has_vectors:
        removed["vectors"] = texts
    if queued:
        removed["queued"] = len(queued)
    names = dict.fromkeys(document.doc_id for document in (*found, *queued))
    return DeleteReceipt(doc_ids=tuple(names), removed=removed)


def forget(store: Store, scope: str, names: Sequence[str | Path]) -> list[DeleteReceipt]:
    """Delete what each name says, take what is left of it off the disk, and look whether anything
    stands anywhere still: one receipt a name, with what remains.
    """
    if not isinstance(store, Erasing):
        raise lacking(store, to="erase what was deleted", instead="`clew delete` removes it")
    receipts = [delete(store, scope, name) for name in names]
    store.compact()
    return [
        DeleteReceipt(
            doc_ids=receipt.doc_ids,
            removed=receipt.removed,
            note=receipt.note,
            erased=True,
            remains=tuple(traces_of(store, scope, name)) if isinstance(store, Tracing) else (),
        )
        for name, receipt in zip(names, receipts, strict=True)
    ]


def traces_of(store: Store, scope: str, name: str | Path) -> list[Trace]:
    """Where anything stands of the document ``name``, or of the text ``name``."""
    if not isinstance(store, Tracing):
        raise lacking(store, to="look for what is left of a document")
    names = _spellings(name)
    return list(store.traces([*names, *(document_id(scope, one) for one in names)]))


def _spellings(name: str | Path) -> list[str]:
    """The name as it is, and as documents are named by files."""
    return list(dict.fromkeys((str(name), posix_name(name)))) if str(name) else []


def _withdrawn(store: Store, scope: str, name: str | Path) -> list[Document]:
    """The documents of that name that were taken out of the queue. This comes first: what a worker
    commits until then is found in the store.
    """
    if not isinstance(store, HasQueue):
        return []
    queue = store.queue()
    found = documents_named(queue.listed(scope=scope), name)
    queue.withdraw([document.id for document in found])
    return found


def _named(store: Store, scope: str, name: str | Path) -> list[Document]:
    chosen = store.select_documents(scope=scope)
    return documents_named(store.list_documents(documents=chosen), name)
