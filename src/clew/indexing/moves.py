"""Files that were moved: one is gone, or says something else, and another holds the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from clew.config import ClewConfig
from clew.documents import source_hash
from clew.indexing.renaming import renamed
from clew.indexing.run import is_named_by_file, stamp
from clew.records import Document
from clew.stores.base import Store

_TOGETHER = 256


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """A document whose file is called ``source`` now."""

    document: Document
    source: str

    @property
    def doc_id(self) -> str:
        """Its name there; a record with a name of its own keeps it."""
        document = self.document
        if not is_named_by_file(document):
            return document.doc_id
        return self.source + document.doc_id.removeprefix(document.source)


class Stamps:
    """The hashes of files, each read once, together with the settings that they are read under."""

    def __init__(self, settings: str) -> None:
        self._settings = settings
        self._of: dict[Path, str] = {}

    def of(self, file: Path) -> str:
        """What :attr:`Document.source_hash` is of what the file holds; ``""`` if it cannot be
        opened, which reading it for real will say.
        """
        if file not in self._of:
            try:
                self._of[file] = stamp(source_hash(file.read_bytes()), self._settings)
            except OSError:
                self._of[file] = ""
        return self._of[file]


def find_moves(lost: Iterable[Document], fresh: Mapping[str, Path], stamps: Stamps) -> list[Move]:
    """Say which documents of files that are gone are in one of the ``fresh`` files (by their names)
    now: one of the same bytes and the same kind, that was read under the same settings. Of several
    the one with the same last name is taken, then the first.
    """
    by_source: dict[str, list[Document]] = {}
    for document in sorted(lost, key=lambda one: (one.source, one.doc_id)):
        by_source.setdefault(document.source, []).append(document)
    if not by_source or not fresh:
        return []
    waiting: dict[tuple[str, str], list[str]] = {}
    kinds = {_kind(source) for source in by_source}
    for name in sorted(fresh):
        if _kind(name) in kinds and (stamped := stamps.of(fresh[name])):
            waiting.setdefault((_kind(name), stamped), []).append(name)
    moves = []
    for source, documents in by_source.items():
        names = waiting.get((_kind(source), documents[0].source_hash), [])
        if not names or any(one.source_hash != documents[0].source_hash for one in documents):
            continue
        best = min(names, key=lambda name: (_last(name) != _last(source), name))
        names.remove(best)
        moves += [Move(document=document, source=best) for document in documents]
    return moves


def carry_out(moves: Sequence[Move], store: Store, config: ClewConfig) -> dict[str, str]:
    """Move the documents in the store, some together in one commit; nothing is read, asked about
    or embedded. Return what each was called before, by its ``doc_id`` now.

    A move onto a name that the store has already is left to indexing, unless what has it moves too.
    """
    decisions = store.decisions()
    followed: dict[str, str] = {}
    for together in _together(_possible(moves, store, config.scope)):
        documents, renamings = [], []
        for move in together:
            indexed = store.load_document(move.document.id)
            if indexed is None:  # another process was faster
                continue
            moved, renaming = renamed(
                indexed,
                doc_id=move.doc_id,
                source=move.source,
                config=config,
                decisions=decisions,
            )
            documents.append(moved)
            renamings.append(renaming)
            followed[move.doc_id] = _before(move)
        _follow(store, config.scope, together, drop=False)
        store.commit(documents, renamed=renamings, embedding=store.embedding)
        _follow(store, config.scope, together, drop=True)
    return followed


def _possible(moves: Sequence[Move], store: Store, scope: str) -> list[Move]:
    chosen = store.select_documents(scope=scope)
    taken = {document.doc_id for document in store.list_documents(documents=chosen)}
    possible = list(moves)
    while True:
        blocked = taken - {move.document.doc_id for move in possible}
        left = [
            move
            for move in possible
            if move.doc_id == move.document.doc_id or move.doc_id not in blocked
        ]
        if len(left) == len(possible):
            return left
        possible = left


def _together(moves: Sequence[Move]) -> Iterator[Sequence[Move]]:
    """What is committed together: first all that take each other's names, then some at a time."""
    named = [move for move in moves if move.doc_id != move.document.doc_id]
    left = {move.document.doc_id for move in named}
    came = {move.doc_id for move in named}
    chained = [move for move in moves if move.doc_id in left or move.document.doc_id in came]
    if chained:
        yield chained
    others = [move for move in moves if move not in chained]
    for start in range(0, len(others), _TOGETHER):
        yield others[start : start + _TOGETHER]


def _follow(store: Store, scope: str, moves: Sequence[Move], *, drop: bool) -> None:
    """Let decisions about names in some documents hold for the new names of those that had the old;
    at last no more for the old ones.
    """
    names = {
        move.document.doc_id: move.doc_id for move in moves if move.doc_id != move.document.doc_id
    }
    for decision in store.decisions():
        concerned = set(decision.doc_ids) & names.keys()
        if decision.scope != scope or not concerned:
            continue
        came = {names[name] for name in concerned}
        doc_ids = (set(decision.doc_ids) - concerned if drop else set(decision.doc_ids)) | came
        if sorted(doc_ids) != sorted(decision.doc_ids):
            store.decide(replace(decision, doc_ids=tuple(sorted(doc_ids))))


def _before(move: Move) -> str:
    named = move.doc_id != move.document.doc_id
    return move.document.doc_id if named else move.document.source


def _kind(source: str) -> str:
    """The suffix decides how a file is read."""
    return PurePosixPath(source).suffix.lower()


def _last(source: str) -> str:
    return PurePosixPath(source).name
