"""Flip random bits in every file of a store: what is read afterwards is the same, or named.

``python -m benchmarks.stores.damage --runs 2000`` flips one bit, byte or run of bytes in a copy of
a small store, opens it, reads all of it in every way, adds a document and runs the check. Each run
ends in one of these outcomes; the last four are faults and make the exit status 1:

* *unaffected*: the same results, and the check is clean;
* *named*: a StoreCorruptError (or StoreVersionError) that names a file of the store;
* *checked*: the same results, and the check names what is wrong;
* *missed*: a name, a near vector or the id of a document is not found that is there, and the check
  names it: an index that is asked for what is not in it any more cannot know;
* *silent*: other results and no error; the check names it;
* *unnoticed*: other results, no error, and the check is clean;
* *traceback*: an error of another kind;
* *mended wrongly*: see below.

Where something was named, what ``clew doctor --fix`` does is tried, and what ``clew reembed`` does:
*mended* says that the check is clean then and every document is there, to the bit. Where that is
refused, a record itself is damaged, and only a backup brings it back.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from benchmarks.stores.kills import small_stores_signed

from clew.errors import StoreCorruptError, StoreVersionError
from clew.records import EntityDecision
from clew.stores.base import Store
from clew.stores.sqlite import SQLiteStore
from clew.testing.made_documents import SPACE, made_documents
from clew.text.words import terms

FAULTS = ("silent", "unnoticed", "traceback", "mended wrongly")

_DOCUMENTS = made_documents(26, seed=5)
_DOCUMENT = "document "
_LOOKED_UP = {"entities", "names", "similar", "units"}
"""What :func:`look` finds by name, and by what it found so."""
_SHARE_OF_DATABASE = 0.6
_QUERIES = ("who built the old mill by the river", "a bridge in the town", "1871")


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What became of one flip, and whether that could be mended."""

    kind: str
    file: str
    place: str
    said: str = ""
    mended: bool = False


def make_store(path: Path, *, killed: bool) -> None:
    """A store with deletions, replies and decisions; ``killed``: as its writer leaves it that dies,
    with much in the log.
    """
    working = path.with_name(f"{path.name}.made")
    with SQLiteStore.open(working) as store:
        for start in range(0, 20, 5):
            store.commit(_DOCUMENTS[start : start + 5], embedding=SPACE)
        store.commit(delete=[_DOCUMENTS[3].document.id, _DOCUMENTS[11].document.id])
        store.remember(_DOCUMENTS[0].document.id, {"key": "a reply " * 20})
        store.decide(_decision())
        if killed:
            store.commit(_DOCUMENTS[20:23], embedding=SPACE)
            store.commit(_DOCUMENTS[23:25], embedding=SPACE)
            shutil.copytree(working, path)
    if not killed:
        shutil.copytree(working, path)
    shutil.rmtree(working)


def look(store: Store) -> dict[str, Any]:
    """Read everything, in every way that a search reads it."""
    seen: dict[str, Any] = {"stats": store.stats(), "generation": store.generation}
    with store.reading() as reader:
        loaded = {item.doc_id: reader.load_document(item.id) for item in reader.list_documents()}
        seen |= {f"{_DOCUMENT}{name}": indexed for name, indexed in loaded.items()}
        whole = [indexed for indexed in loaded.values() if indexed is not None]
        keys = sorted({entity.key for indexed in whole for entity in indexed.entities})
        found = reader.find_entities(keys)
        seen["entities"] = found.targets.tolist()
        seen["names"] = reader.get_entities(np.unique(found.targets))
        seen["similar"] = [
            reader.similar_entities(key, threshold=0.8, k=5).numbers.tolist() for key in keys[:40]
        ]
        seen["units"] = reader.units_of_entities(found.targets).targets.tolist()
        for layer in ("chunk", "unit"):
            for query in _QUERIES:
                ranked = reader.search_text(layer, terms(query), 20)
                seen[f"{layer} {query}"] = (ranked.numbers.tolist(), ranked.scores.tolist())
            vector = np.full(SPACE.dimensions, SPACE.dimensions**-0.5, np.float32)
            nearest = reader.search_vectors(layer, vector, 20)
            seen[layer] = (nearest.numbers.tolist(), nearest.scores.tolist())
        seen["found"] = reader.get_units(nearest.numbers)
        seen["facts"] = [fact.id for fact in reader.find_facts()]
        seen["unit facts"] = reader.facts_of_units(nearest.numbers)
    seen["replies"] = store.remembered(["key"])
    seen["decisions"] = store.decisions()
    return _plain(seen)


def undamaged(store: Path, folder: Path) -> dict[str, Any]:
    """What :func:`look` sees in a copy of ``store`` in ``folder``."""
    read = folder / "read.clew"
    shutil.copytree(store, read)
    with SQLiteStore.open(read) as opened:
        seen = look(opened)
    shutil.rmtree(read)
    return seen


def flip(path: Path, random: Random) -> tuple[str, str]:
    """Damage one file; return its name and where."""
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.stat().st_size)
    database = path / "main.db"
    file = database if random.random() < _SHARE_OF_DATABASE else random.choice(files)
    data = bytearray(file.read_bytes())
    at = random.randrange(len(data))
    how = random.random()
    if how < 0.6:
        data[at] ^= 1 << random.randrange(8)
    elif how < 0.9:
        data[at] ^= random.randrange(1, 256)
    else:
        data[at : at + 64] = random.randbytes(len(data[at : at + 64]))
    file.write_bytes(bytes(data))
    return str(file.relative_to(path)), f"byte {at} of {len(data)}"


def try_one(store: Path, expected: Mapping[str, Any], random: Random, folder: Path) -> Outcome:
    """Flip something in a copy of ``store`` in ``folder``, and see what becomes of it."""
    copy, other = folder / "damaged.clew", folder / "mended.clew"
    for made in (copy, other):
        shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(store, copy)
    file, place = flip(copy, random)
    shutil.copytree(copy, other)
    mended: bool | None = None
    try:
        kind, said = _outcome(copy, expected)
        if kind in {"named", "checked", "missed"}:
            mended = _mended(other, expected)
    except Exception:
        kind, said = "traceback", traceback.format_exc(limit=-4)
    if mended is False:
        kind = "mended wrongly"
    return Outcome(kind=kind, file=file, place=place, said=said, mended=mended is not None)


def _outcome(copy: Path, expected: Mapping[str, Any]) -> tuple[str, str]:
    try:
        with SQLiteStore.open(copy) as opened:
            seen = look(opened)
            differing = {name for name in expected if seen.get(name) != expected[name]}
            missed = {name for name in differing if name.startswith(_DOCUMENT)}
            missed = {name for name in missed if seen.get(name) == repr(None)}
            problems = [f"{item.kind} {item.where} {item.message}" for item in opened.check()]
            opened.commit([_DOCUMENTS[25]], delete=[_DOCUMENTS[0].document.id], embedding=SPACE)
    except (StoreCorruptError, StoreVersionError) as error:
        return ("named" if str(copy) in str(error) else "traceback"), str(error)
    if differing:
        kind = "missed" if differing <= missed | _LOOKED_UP else "silent"
        return (kind if problems else "unnoticed"), f"{sorted(differing)} {problems[:2]}"
    return ("checked", problems[0]) if problems else ("unaffected", "")


def _mended(copy: Path, expected: Mapping[str, Any]) -> bool | None:
    """Whether a store has all documents after it was mended; None where that is refused."""
    for mend in (_rebuild, _embed_anew):
        try:
            with SQLiteStore.open(copy) as opened:
                mend(opened)
                seen, problems = look(opened), list(opened.check())
                names = [name for name in {*seen, *expected} if name.startswith(_DOCUMENT)]
                if not problems:
                    return all(seen.get(name) == expected.get(name) for name in names)
        except (StoreCorruptError, StoreVersionError):
            continue
    return None


def _rebuild(store: SQLiteStore) -> None:
    store.rebuild()
    if store.embedding is None:  # where its vectors are was lost
        _embed_anew(store)


def _embed_anew(store: SQLiteStore) -> None:
    made = {indexed.document.id: indexed for indexed in _DOCUMENTS}
    given = []
    for document in store.list_documents():
        chunks, units = made[document.id].chunk_vectors, made[document.id].unit_vectors
        assert chunks is not None
        assert units is not None
        given.append((document.id, chunks, units))
    store.replace_vectors(SPACE, given)


def _plain(seen: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): repr(value) for name, value in seen.items()}


def _decision() -> EntityDecision:
    return EntityDecision(
        id="d", key="a", name="A", into_key="b", into_name="B", type="", doc_ids=("x",), scope="s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    random = Random(options.seed)
    np.set_printoptions(threshold=sys.maxsize)
    counts: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = []
        for signed, killed in product((False, True), repeat=2):
            with small_stores_signed() if signed else nullcontext():
                store = folder / f"{signed}-{killed}.clew"
                make_store(store, killed=killed)
                cases.append((store, signed, undamaged(store, folder)))
        for run in range(options.runs):
            store, signed, expected = cases[run % len(cases)]
            with small_stores_signed() if signed else nullcontext():
                outcome = try_one(store, expected, random, folder)
            kind = f"{outcome.kind}, mended" if outcome.mended else outcome.kind
            counts[outcome.file.split("-0")[0], kind] += 1
            if outcome.kind in FAULTS:
                print(f"run {run}: {outcome.kind}: {outcome.file} {outcome.place}")
                print(outcome.said, flush=True)
    for (file, kind), count in sorted(counts.items()):
        print(f"{file:16} {kind:16} {count:6}")
    return int(any(kind in FAULTS for _, kind in counts))


if __name__ == "__main__":
    sys.exit(main())
