"""What is compared: question → names of pieces, best first; and the systems by name.

A *maker* takes an :class:`~clew.evaluation.indexed.IndexedCorpus` and gives a :class:`System`. A
table of makers by name is all that a benchmark needs; whoever has more systems to compare puts them
beside :data:`MAKERS`::

    makers = {**MAKERS, "mine": lambda indexed: Mine(indexed.pieces)}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, Self

from clew.config import ClewConfig
from clew.errors import ModelError
from clew.evaluation.clocks import ClockedEmbedder, ClockedMethod, StageClock
from clew.evaluation.compared import DenseUnits, ReciprocalRanks
from clew.evaluation.indexed import IndexedCorpus
from clew.retrieval.base import Method
from clew.retrieval.config import METHODS
from clew.retrieval.methods import make_method
from clew.retrieval.pipeline import RetrievePipeline

RESULTS = 20
_CHUNKS = 30


class System(Protocol):
    @property
    def name(self) -> str: ...

    def search(self, question: str) -> list[str]:
        """The ids of the first twenty pieces (or fewer), best first, none twice."""
        ...


Maker = Callable[[IndexedCorpus], System]


@dataclass(frozen=True, kw_only=True, slots=True)
class ClewMethod:
    """A retrieval method behind clew's pipeline; of several chunks of a passage the best counts."""

    name: str
    pipeline: RetrievePipeline
    clock: StageClock
    by_chunk: bool

    @classmethod
    def over(
        cls,
        indexed: IndexedCorpus,
        method: Method,
        *,
        name: str = "",
        config: ClewConfig | None = None,
    ) -> Self:
        asking = indexed.asking
        pipeline = RetrievePipeline(
            indexed.store,
            embedding=asking and ClockedEmbedder(inner=asking, clock=indexed.clock),
            config=config or indexed.config,
            method=ClockedMethod(inner=method, clock=indexed.clock),
        )
        return cls(
            name=name or method.name,
            pipeline=pipeline,
            clock=indexed.clock,
            by_chunk=bool(indexed.corpus.spans),
        )

    def search(self, question: str) -> list[str]:
        result = self.pipeline.search(question, top_n=_CHUNKS)
        if self.pipeline.reranker is not None and not result.reranker:
            raise ModelError(f"{self.name}: {'; '.join(result.notes)}")  # never measured as if well
        names = (item.source_chunk_id if self.by_chunk else item.doc_id for item in result.items)
        found = list(dict.fromkeys(names))[:RESULTS]
        self.clock.mark("rank")
        return found


def of_method(method: Callable[[], Method]) -> Maker:
    """The maker of a system that is a retrieval method."""
    return lambda indexed: ClewMethod.over(indexed, method())


def _by_setting(name: str) -> Maker:
    return lambda indexed: ClewMethod.over(indexed, make_method(name))


MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        **{name: _by_setting(name) for name in METHODS},
        "dense-units": of_method(DenseUnits),
        "reciprocal-ranks": of_method(ReciprocalRanks),
    }
)
"""The methods that users can choose, and the plain ones to compare them with."""

NEED_VECTORS = frozenset({"dense", "dense-units", "reciprocal-ranks"})
"""What is left out where there are words alone."""
