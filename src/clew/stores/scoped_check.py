"""What an integrity check tells to a tenant: what is wrong with its own documents, and of those of
others no more than that something is.
"""

from __future__ import annotations

from collections.abc import Iterator

from clew.errors import NotFoundError, StoreCorruptError, StoreError
from clew.stores.base import Problem, Store


def check_scope(store: Store, scope: str) -> list[Problem]:
    """Check the whole of ``store``, and tell it to ``scope``."""
    problems = list(store.check())
    if not problems:
        return []
    try:
        if len(store.select_documents(scope=scope)) == len(store.select_documents()):
            return problems
        places = set(_places(store, scope))
    except StoreCorruptError as error:  # nobody can say what belongs to whom
        return [Problem(kind="damage", where="the store", message=str(error))]
    told = [problem for problem in problems if problem.where in places]
    if len(told) < len(problems):
        message = "there are problems in the store that are not of documents of this scope"
        told.append(Problem(kind="store", where="outside of the scope", message=message))
    return told


def _places(store: Store, scope: str) -> Iterator[str]:
    """What problems of the documents of a scope may name."""
    for document in store.list_documents(documents=store.select_documents(scope=scope)):
        yield from (document.id, document.doc_id)
        try:
            indexed = store.load_document(document.id)
        except (StoreError, NotFoundError):
            continue
        if indexed is not None:
            yield from (chunk.id for chunk in indexed.chunks)
            yield from (unit.id for unit in indexed.units)
            yield from (entity.id for entity in indexed.entities)
