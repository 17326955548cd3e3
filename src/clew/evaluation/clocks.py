"""Where time goes: a clock that is told whenever a stage ends.

Each :meth:`StageClock.mark` gives the time since the last one to the stage that just ended, so that
the stages add up to the whole. The wrappers below mark the ends of stages from outside; nothing is
measured inside a pipeline.

Of a search: ``embed`` (the question), ``link`` (words and names of the question), ``find`` (the
method), ``rank`` (order, records, paths). Of indexing: ``chunk`` (documents and their chunks),
``extract`` (units, entities, topics), ``embed``, ``store``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from clew.executors.inline import InlineExecutor
from clew.extraction.base import Extraction, Extractor
from clew.indexing.pipeline import IndexPipeline
from clew.models.base import Embedder, TextKind, Vectors
from clew.records import Chunk, Document
from clew.retrieval.base import Evidence, Method, Search
from clew.stores.base import Store


class Spent(NamedTuple):
    """Seconds by the clock on the wall, and by the processor's."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0

    def plus(self, other: Spent) -> Spent:
        return Spent(self.seconds + other.seconds, self.cpu_seconds + other.cpu_seconds)


class StageClock:
    """Adds up time by stage; ``wall`` and ``cpu`` are the clocks it reads."""

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.perf_counter,
        cpu: Callable[[], float] = time.process_time,
    ) -> None:
        self._wall, self._cpu = wall, cpu
        self._last = self._now()
        self._stages: dict[str, Spent] = {}

    def start(self) -> None:
        """Forget what was counted and begin anew."""
        self._stages = {}
        self._last = self._now()

    def mark(self, stage: str) -> None:
        """``stage`` ended now."""
        now = self._now()
        passed = Spent(now.seconds - self._last.seconds, now.cpu_seconds - self._last.cpu_seconds)
        self._stages[stage] = self._stages.get(stage, Spent()).plus(passed)
        self._last = now

    def stages(self) -> dict[str, Spent]:
        """What each stage took since the start, in the order in which they first ended."""
        return dict(self._stages)

    def _now(self) -> Spent:
        return Spent(self._wall(), self._cpu())


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockedEmbedder:
    """Embeds questions; what came before is ``link``."""

    inner: Embedder
    clock: StageClock

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        self.clock.mark("link")
        vectors = self.inner.embed(texts, kind=kind)
        self.clock.mark("embed")
        return vectors


@dataclass(frozen=True, kw_only=True, slots=True)
class ClockedMethod:
    """Finds evidence; what came before is ``link``, what comes after ``rank``."""

    inner: Method
    clock: StageClock

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def uses_vectors(self) -> bool:
        return self.inner.uses_vectors

    def find(self, search: Search) -> Evidence:
        self.clock.mark("link")
        evidence = self.inner.find(search)
        self.clock.mark("find")
        return evidence


class ClockedIndexPipeline(IndexPipeline):
    """Indexing that marks ``chunk``, ``extract``, ``embed`` and ``store``, in one process: side by
    side, stages could not be told apart.
    """

    def __init__(self, *, clock: StageClock, store: Store, **options: Any) -> None:
        self.clocked = cast("Store", _ClockedCommits(store, clock))
        super().__init__(store=self.clocked, executor=InlineExecutor(), **options)
        self._clock = clock

    def _extractor(self, store: Store) -> Extractor:
        return _ClockedExtractor(inner=super()._extractor(store), clock=self._clock)


@dataclass(frozen=True, kw_only=True, slots=True)
class _ClockedExtractor:
    inner: Extractor
    clock: StageClock

    @property
    def method(self) -> str:
        return self.inner.method

    def extract(self, documents: Sequence[tuple[Document, Sequence[Chunk]]]) -> list[Extraction]:
        self.clock.mark("chunk")
        extractions = self.inner.extract(documents)
        self.clock.mark("extract")
        return extractions


class _ClockedCommits:
    """A store whose commits are timed; all else goes straight to ``inner``. What came between the
    extraction and the commit is ``embed``.
    """

    def __init__(self, inner: Store, clock: StageClock) -> None:
        self._inner = inner
        self._clock = clock

    def commit(self, *arguments: Any, **options: Any) -> Any:
        self._clock.mark("embed")
        receipt = self._inner.commit(*arguments, **options)
        self._clock.mark("store")
        return receipt

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
