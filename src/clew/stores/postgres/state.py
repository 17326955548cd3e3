"""The one row that says what a store holds: its generation, its embedder, its totals.

Totals are kept because counting takes a scan; a check counts. Writers change the row at the very
end of a commit, so it is also what makes a commit visible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace

from clew.stores.base import EmbeddingSpace
from clew.stores.postgres.connections import Session
from clew.stores.postgres.statements import Statements

_SQL = Statements("state")


@dataclass(frozen=True, kw_only=True, slots=True)
class Totals:
    """What one document, or all, bring to the totals. ``chunk_terms`` and ``unit_terms`` are the
    lengths of their search texts, added up.
    """

    documents: int = 0
    chunks: int = 0
    units: int = 0
    facts: int = 0
    mentions: int = 0
    topics: int = 0
    edges: int = 0
    entities: int = 0
    chunk_terms: int = 0
    unit_terms: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class State(Totals):
    """``space`` is the number of the vectors that count: it grows when the embedder changes."""

    generation: int
    space: int
    fingerprint: str | None
    dimensions: int | None
    next_entity: int

    @property
    def embedding(self) -> EmbeddingSpace | None:
        if self.fingerprint is None or self.dimensions is None:
            return None
        return EmbeddingSpace(fingerprint=self.fingerprint, dimensions=self.dimensions)

    def with_embedding(self, embedding: EmbeddingSpace | None) -> State:
        """The state with another embedder; the vectors of the old one do not count any more."""
        if embedding == self.embedding:
            return self
        return replace(
            self,
            space=self.space + 1,
            fingerprint=embedding.fingerprint if embedding else None,
            dimensions=embedding.dimensions if embedding else None,
        )

    def changed_by(self, added: Iterable[Totals], removed: Iterable[Totals]) -> State:
        sums = {item.name: getattr(self, item.name) for item in fields(Totals)}
        for sign, parts in ((1, added), (-1, removed)):
            for part in parts:
                for name in sums:
                    sums[name] += sign * getattr(part, name)
        return replace(self, **sums)


_COLUMNS = (
    "generation",
    "space",
    "fingerprint",
    "dimensions",
    "next_entity",
    *(item.name for item in fields(Totals)),
)


def read_state(session: Session) -> State:
    return State(**dict(zip(_COLUMNS, session.row(_SQL["state"]), strict=True)))


def write_state(session: Session, state: State) -> None:
    session.run(_SQL["set_state"], asdict(state))
