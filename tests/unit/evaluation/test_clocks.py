"""Time by stage, on clocks that tick when they are read."""

from __future__ import annotations

from itertools import accumulate, count

from clew.config import ClewConfig
from clew.evaluation.clocks import ClockedEmbedder, ClockedIndexPipeline, Spent, StageClock
from clew.stores.memory import KnowledgeGraph
from clew.testing import FakeEmbedder


def _ticking() -> StageClock:
    """Reads 0, 1, 3, 6, 10 … on the wall, and whole numbers of the processor."""
    wall, cpu = accumulate(count()), count()
    return StageClock(wall=lambda: float(next(wall)), cpu=lambda: float(next(cpu)))


def test_each_stage_gets_the_time_since_the_last_mark() -> None:
    clock = _ticking()
    clock.start()
    clock.mark("link")
    clock.mark("find")
    clock.mark("link")
    assert clock.stages() == {"link": Spent(6.0, 2.0), "find": Spent(3.0, 1.0)}
    assert list(clock.stages()) == ["link", "find"]


def test_a_start_forgets_what_was_counted() -> None:
    clock = _ticking()
    clock.mark("find")
    clock.start()
    assert clock.stages() == {}


def test_an_embedder_on_the_clock_is_the_embedder() -> None:
    inner, clock = FakeEmbedder(), _ticking()
    clock.start()
    embedder = ClockedEmbedder(inner=inner, clock=clock)
    vectors = embedder.embed(["a harbour"], kind="query")
    assert (vectors == inner.embed(["a harbour"])).all()
    assert (embedder.dimensions, embedder.fingerprint) == (inner.dimensions, inner.fingerprint)
    assert list(clock.stages()) == ["link", "embed"]


def test_indexing_on_the_clock_indexes_and_names_its_stages() -> None:
    clock, store = _ticking(), KnowledgeGraph()
    clock.start()
    pipeline = ClockedIndexPipeline(
        clock=clock, store=store, embedding=FakeEmbedder(), config=ClewConfig()
    )
    pipeline.run(["Vik is a town.", "Arlo is a harbour."])
    assert list(clock.stages()) == ["chunk", "extract", "embed", "store"]
    assert store.stats()["documents"] == 2
    assert store.embedding is not None
