"""Two writers and four readers of one store, in processes of their own, for as long as asked.

``python -m benchmarks.stores.together --seconds 120``. Each writer adds and deletes groups of four
documents; a group is one commit, so no reader may ever see a part of one. Readers search, hop and
load whole documents; what they see must belong together, and generations never go back. At the end
the check is clean and what is there is what the writers committed last.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from random import Random

import numpy as np
from benchmarks.stores.kills import small_stores_signed

from clew.records import IndexedDocument
from clew.stores.base import GraphReader
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
from clew.text.words import terms

GROUP = 4
_GROUPS = 12
_COMPACT_EVERY = 40


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What a process did: ``turns`` commits or looks; ``groups`` that a writer left there."""

    who: str
    turns: int
    groups: frozenset[tuple[int, int]] = frozenset()
    error: str = ""


def run_together(path: Path, seconds: float, writers: int = 2, readers: int = 4) -> list[Told]:
    """Raises AssertionError when what is left is not what was committed."""
    SQLiteStore.open(path).close()
    spawn = multiprocessing.get_context("spawn")
    told: Queue[Told] = spawn.Queue()
    roles = [(_write, f"writer {number}", number) for number in range(writers)]
    roles += [(_read, f"reader {number}", number) for number in range(readers)]
    children = [
        spawn.Process(target=_play, args=(role, who, number, path, seconds, told))
        for role, who, number in roles
    ]
    for child in children:
        child.start()
    found = [told.get(timeout=seconds + 300) for _ in children]
    for child in children:
        child.join()
    with SQLiteStore.open(path) as store:
        assert not list(store.check())
        expected = {
            indexed.document.id
            for one in found
            for seed, group in one.groups
            for indexed in _group(seed, group)
        }
        assert {document.id for document in store.list_documents()} == expected
    return sorted(found, key=lambda one: one.who)


def look(reader: GraphReader, random: Random) -> None:
    """Read in several ways; everything must belong to one state."""
    stats = reader.stats()
    assert stats["documents"] % GROUP == 0, stats
    documents = reader.list_documents()
    assert len(documents) == stats["documents"]
    query = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
    assert len(reader.search_vectors("unit", query, 1 << 20).numbers) == stats["knowledge_units"]
    units = reader.search_text("unit", terms("the old mill by the river"), 50).numbers
    assert len(reader.get_chunks(reader.chunks_of_units(units))) == len(units)
    entities = np.unique(reader.entities_of_units(units).targets)
    assert len(reader.get_entities(entities)) == len(entities)
    reader.units_of_entities(entities)
    for document in random.sample(documents, min(3, len(documents))):
        indexed = reader.load_document(document.id)
        assert indexed is not None
        assert indexed.unit_vectors is not None
        assert len(indexed.unit_vectors) == len(indexed.units)


Role = Callable[[SQLiteStore, int, Callable[[], bool]], tuple[int, frozenset[tuple[int, int]]]]


def _play(role: Role, who: str, number: int, path: Path, seconds: float, told: Queue[Told]) -> None:
    until = time.monotonic() + seconds
    try:
        with small_stores_signed(), SQLiteStore.open(path, timeout_s=120) as store:
            turns, groups = role(store, number, lambda: time.monotonic() < until)
        told.put(Told(who=who, turns=turns, groups=groups))
    except BaseException:
        told.put(Told(who=who, turns=0, error=traceback.format_exc()))


def _group(seed: int, group: int) -> list[IndexedDocument]:
    return made_documents(GROUP, seed=1000 * (seed + 1) + group)


def _write(
    store: SQLiteStore, seed: int, going: Callable[[], bool]
) -> tuple[int, frozenset[tuple[int, int]]]:
    random = Random(seed)
    there: set[tuple[int, int]] = set()
    turns, generation = 0, 0
    while going() or not turns:
        group = (seed, random.randrange(_GROUPS))
        documents = _group(*group)
        if group in there and random.random() < 0.5:
            receipt = store.commit(delete=[item.document.id for item in documents])
            there.discard(group)
        else:
            receipt = store.commit(documents, embedding=SPACE)
            there.add(group)
        assert receipt.generation > generation
        generation = receipt.generation
        turns += 1
        if turns % _COMPACT_EVERY == 0:
            store.compact()
    return turns, frozenset(there)


def _read(
    store: SQLiteStore, seed: int, going: Callable[[], bool]
) -> tuple[int, frozenset[tuple[int, int]]]:
    random = Random(seed)
    turns, generation = 0, 0
    while going() or not turns:
        with store.reading() as reader:
            assert reader.generation >= generation, (reader.generation, generation)
            generation = reader.generation
            look(reader, random)
            look(reader, random)
            assert reader.generation == generation
        turns += 1
    return turns, frozenset()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=120)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = run_together(Path(name) / "s.clew", options.seconds)
    for one in found:
        print(f"{one.who}: {one.turns} turns {one.error}")
    errors = sum(bool(one.error) for one in found)
    print(f"{errors} errors")
    return int(errors > 0)


if __name__ == "__main__":
    sys.exit(main())
