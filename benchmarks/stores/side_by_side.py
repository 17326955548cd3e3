"""clew and AtomicRAG 0.1.0 on the same chunks with the same vectors: what each step costs.

::

    python -m benchmarks.stores.side_by_side --chunks 1000,10000

Chunks are those of :mod:`benchmarks.stores.made_world`, each given as a document; vectors are given
by the text (:mod:`benchmarks.stores.text_vectors`), and what they take is subtracted. Every phase
runs in a fresh process on one core, and times are the processor's.

* **index**: texts into a graph in memory. clew finds sentences and names by itself; AtomicRAG does
  by its method ``sentence``, and with ``--ready`` or where that takes longer than ``--longest``, by
  its method ``llm`` with the replies ready: then it extracts nothing.
* **save**: AtomicRAG writes JSON; clew commits all to a store on disk, full text and links too.
* **load**: AtomicRAG reads JSON; clew opens the store and begins to read.
* **query**: the median of 50 questions whose names are given to AtomicRAG and found by clew.
* **memory**: private memory that a process needs more after loading and those questions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.multihop.environment import environment, with_one_blas_thread
from benchmarks.multihop.peers.atomic_rag import cache_folder, installed
from benchmarks.stores.made_world import UNITS_PER_CHUNK, MadeWorld
from benchmarks.stores.measure import private_mb
from benchmarks.stores.text_vectors import TextVectors

from clew.config import ClewConfig
from clew.evaluation.environment import folder_mb, one_core
from clew.indexing.pipeline import IndexPipeline
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import EmbeddingSpace
from clew.stores.sqlite import SQLiteStore

QUESTIONS = 50
CHILD = Path(__file__).with_name("atomic_rag_child.py")
MEASURES = ("index_s", "save_s", "load_s", "query_ms", "disk_mb", "memory_mb")


def make_corpus(chunks: int, folder: Path) -> None:
    """Write the texts, what a model would reply to each, and questions with their names."""
    world = MadeWorld(chunks * UNITS_PER_CHUNK)
    texts, replies = {}, {}
    for made in (made for batch in world.batches() for made in batch):
        named: dict[str, list[str]] = {}
        for mention in made.mentions:
            named.setdefault(mention.unit_id, []).append(mention.surface)
        for chunk in made.chunks:
            texts[f"{made.document.doc_id}/{chunk.index}"] = chunk.text
            units = [
                {"content": unit.text, "entities": named.get(unit.id, [])}
                for unit in made.units
                if unit.chunk_id == chunk.id
            ]
            replies[chunk.text] = json.dumps({"knowledge_units": units})
    questions = [
        {"text": question.text, "names": [question.text.partition(" of ")[2].partition(" was ")[0]]}
        for question in world.questions(QUESTIONS)
    ]
    corpus = {"texts": texts, "replies": replies, "questions": questions}
    (folder / "corpus.json").write_text(json.dumps(corpus), encoding="utf-8")


def run_clew(phase: str, folder: Path) -> dict[str, Any]:
    """One phase in this process."""
    corpus = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
    texts, questions = corpus["texts"], corpus["questions"]
    del corpus
    vectors, config = TextVectors(), ClewConfig(chunk_size=100_000, executor="inline")
    place = folder / "store"
    if phase == "index":
        documents = [{"text": text, "doc_id": name} for name, text in texts.items()]
        began = time.process_time()
        graph = IndexPipeline(embedding=vectors, config=config).run(documents)
        spent = time.process_time() - began - vectors.cpu_s
        listed = [document.id for document in graph.list_documents()]
        indexed = [item for item in map(graph.load_document, listed) if item is not None]
        space = EmbeddingSpace(fingerprint=vectors.fingerprint, dimensions=vectors.dimensions)
        with SQLiteStore.open(place) as store:
            began = time.process_time()
            store.commit(indexed, embedding=space)
            saved = time.process_time() - began
        counts = graph.stats()
        return {
            "index_s": spent,
            "save_s": saved,
            "disk_mb": folder_mb(place),
            "counts": {name: counts[name] for name in ("chunks", "knowledge_units", "entities")},
        }
    del texts
    before = private_mb()
    began = time.process_time()
    with SQLiteStore.open(place) as store:
        with store.reading() as reader:
            reader.stats()
        loaded = time.process_time() - began
        searching = RetrievePipeline(store, embedding=vectors, config=config)
        searching.search(questions[0]["text"])
        took = []
        for question in questions:
            began = time.process_time()
            searching.search(question["text"])
            took.append(time.process_time() - began)
        return {
            "load_s": loaded,
            "query_ms": 1000 * sorted(took)[len(took) // 2],
            "memory_mb": private_mb() - before,
        }


def run(command: Sequence[str], *, longest_s: float) -> dict[str, Any] | None:
    """What a phase printed last; None when it took too long. The peer must not see our packages."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if command[0] == sys.executable:
        kept["PYTHONPATH"] = os.pathsep.join(sys.path)
    try:
        done = subprocess.run(
            command, stdout=subprocess.PIPE, text=True, check=True, timeout=longest_s, env=kept
        )
    except subprocess.TimeoutExpired:
        return None
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def compare(chunks: int, folder: Path, *, longest_s: float, ready: bool) -> dict[str, Any]:
    """All phases of both systems."""
    make_corpus(chunks, folder)
    python = str(installed(cache_folder()))
    found: dict[str, Any] = {"chunks": chunks, "clew": {}, "atomicrag": {}, "notes": []}
    mine = [sys.executable, "-m", "benchmarks.stores.side_by_side", "--folder", str(folder)]
    for phase in ("index", "load"):
        found["clew"] |= run([*mine, "--phase", phase], longest_s=longest_s) or {}
    child = [python, str(CHILD)]
    for method in ("llm",) if ready else ("sentence", "llm"):
        indexed = run([*child, "index", str(folder), method], longest_s=longest_s)
        if indexed is not None:
            break
        found["notes"].append(f"`{method}` was stopped after {longest_s:.0f} s")
    found["atomicrag"] |= {"method": method} | (indexed or {})
    found["atomicrag"] |= run([*child, "load", str(folder), method], longest_s=longest_s) or {}
    return found


def table(found: Sequence[dict[str, Any]]) -> str:
    lines = ["| chunks | | " + " | ".join(MEASURES) + " |", "|---:|---|" + "---:|" * len(MEASURES)]
    for one in found:
        for name in ("clew", "atomicrag"):
            cells = [f"{one[name][key]:.3g}" if key in one[name] else "–" for key in MEASURES]
            lines.append(f"| {one['chunks']} | {name} | {' | '.join(cells)} |")
        times = [
            f"{one['atomicrag'][key] / max(one['clew'][key], 1e-9):.0f} ×"
            if key in one["atomicrag"]
            else "–"
            for key in MEASURES
        ]
        lines.append(f"| | better | {' | '.join(times)} |")
    return "\n".join(lines)


def main() -> None:
    with_one_blas_thread("benchmarks.stores.side_by_side")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chunks", default="1000,10000")
    parser.add_argument("--longest", type=float, default=3600.0, help="seconds for one phase")
    parser.add_argument("--ready", action="store_true", help="AtomicRAG need not extract")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    parser.add_argument("--phase", choices=("index", "load"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    with one_core():
        if options.phase:
            print(json.dumps(run_clew(options.phase, options.folder)))
            return
        found = []
        for chunks in map(int, options.chunks.split(",")):
            with tempfile.TemporaryDirectory() as folder:
                found.append(
                    compare(chunks, Path(folder), longest_s=options.longest, ready=options.ready)
                )
            print(json.dumps(found[-1]), file=sys.stderr)
    print(table(found))
    if options.out is not None:
        report = {"sizes": found, "environment": environment()}
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
