"""What only some stores can do, each a protocol of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from clew.errors import StoreError
from clew.records import IndexedDocument
from clew.stores.base import EmbeddingSpace, Problem, Scores

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """A place in which something that should be gone was found."""

    where: str
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class BackupReceipt:
    """A copy that was made, and checked: of which generation, with what in it, how large."""

    path: str
    generation: int
    documents: int
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RebuildReceipt:
    """What a rebuilding did, in words, and how many documents it went through."""

    documents: int
    done: tuple[str, ...] = ()


@runtime_checkable
class Erasing(Protocol):
    """Keeps what was deleted until it is in the way, or until asked to take it off the disk."""

    def compact(self) -> None:
        """Rewrite everything without what was deleted, and give the room back."""
        ...


@runtime_checkable
class Tracing(Protocol):
    """Can look for a text in everything that it keeps."""

    def traces(self, texts: Sequence[str]) -> Iterator[Trace]:
        """Yield where any of ``texts`` stands, as written or in small letters: in records, replies,
        books, the log, freed room. What is left of deleted documents, and cannot be told whose it
        was, is a trace too.
        """
        ...


@runtime_checkable
class BackingUp(Protocol):
    """Can be copied while others read and write."""

    def backup(
        self, path: Path, *, force: bool = False, tell: Tell = lambda *_: None
    ) -> BackupReceipt:
        """Write a copy of one generation to ``path``, check it, and put it in place when it is
        whole; one that is there is replaced with ``force`` only.
        """
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Leftover:
    """What somebody left who was killed, or what was deleted and is there still. ``is_erasable``
    says that :meth:`Erasing.compact` takes it away.
    """

    where: str
    message: str
    remedy: str
    is_erasable: bool = False


@runtime_checkable
class Littering(Protocol):
    """May keep what nothing refers to."""

    def leftovers(self) -> Iterator[Leftover]:
        """Yield what is there and does not count."""
        ...


@runtime_checkable
class Rebuilding(Protocol):
    """Derives from its records what searches run over, and can do so anew."""

    def orphans(self) -> Iterator[Problem]:
        """Yield records, and lines of what is derived, whose owner is not there."""
        ...

    def rebuild(self) -> RebuildReceipt:
        """Make all that is derived anew from the records, in one transaction, and drop what belongs
        to no document. Raises :class:`clew.errors.StoreCorruptError`, with nothing changed, when
        records themselves are damaged.
        """
        ...


@runtime_checkable
class ComparingVectors(Protocol):
    """Compares vectors with checksums, and gives none that differs."""

    def load_without_vectors(self, document_id: str) -> IndexedDocument | None:
        """A document whose vectors may be damaged: they are not looked at."""
        ...


class VectorStage(Protocol):
    """Vectors that were made and do not count yet, by keys that say what they are vectors of."""

    def get(self, keys: Sequence[str]) -> dict[str, Scores]:
        """Those that are there: float32 ``[rows, dimensions]`` each."""
        ...

    def put(self, vectors: Mapping[str, Scores]) -> None:
        """Keep them, durably when this returns."""
        ...

    def drop(self) -> None:
        """Forget all of them."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class StageState:
    """A stage that stands there, for which embedder, and how many vectors it holds."""

    space: EmbeddingSpace
    vectors: int


@runtime_checkable
class Staging(Protocol):
    """Can keep the vectors of another embedder while the present ones serve."""

    def staged(self, space: EmbeddingSpace) -> AbstractContextManager[VectorStage]:
        """The stage for ``space``, held by one at a time; that of another space is dropped."""
        ...

    def stage_state(self) -> StageState | None:
        """What stands there of a migration that was not finished."""
        ...

    def unstage(self, keys: Iterable[str] | None = None) -> None:
        """Take these vectors off the stage, if there is one; without ``keys`` throw it away."""
        ...


def lacking(store: object, *, to: str, instead: str = "") -> StoreError:
    """What to raise where a store has not the power that is asked for."""
    remedy = f"; {instead}" if instead else ""
    return StoreError(f"a {type(store).__name__} cannot {to}{remedy}")
