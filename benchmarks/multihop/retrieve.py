"""How much of what a multi-hop question needs is found, by each method, and in what time.

::

    python -m benchmarks.multihop.retrieve eval/2wiki
    python -m benchmarks.multihop.retrieve tune/musique --methods linked,hybrid --embedder none
    python -m benchmarks.multihop.retrieve eval/musique --distractors --store sqlite
    python -m benchmarks.multihop.retrieve eval/2wiki --hide-titles

recall@k is the share of a question's supporting passages among the first k, averaged; all@5 the
share of questions with all of them among the first five. Latencies are of whole searches on one
core, the embedding of the question included, after 20 searches to warm up; *CPU* is the median of
the processor's time, which does not depend on what else the machine does. Differences to BM25 and
to dense vectors carry a 95 % interval from the paired bootstrap. Nothing is tuned here.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.multihop.environment import environment, on_one_core, with_one_blas_thread
from benchmarks.multihop.index import build
from benchmarks.multihop.systems import Bm25s, ClewMethod, System
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig
from clew.evaluation.bootstrap import paired_bootstrap
from clew.evaluation.datasets import Dataset, load_dataset
from clew.evaluation.recall import all_recall_at, mean, recall_at, reciprocal_rank
from clew.indexing.pipeline import IndexPipeline
from clew.models.local import LocalEmbedder
from clew.retrieval.config import METHODS
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore

RESULTS = Path(__file__).parent / "results"
BASELINES = ("bm25s", "dense")
_WARM_UP = 20
_COLUMNS = (
    *("method", "recall@2", "recall@5", "recall@10", "all@5", "MRR", "p50 ms", "p95 ms", "CPU ms"),
    *("recall@5 − bm25s", "− dense"),
)


@dataclass(frozen=True)
class Run:
    """What one system found for each question, and how long each search took."""

    found: list[list[str]]
    seconds: list[float]
    cpu_seconds: list[float]


def run(system: System, questions: Sequence[str]) -> Run:
    for question in questions[:_WARM_UP]:
        system.search(question)
    result = Run([], [], [])
    for question in questions:
        began, cpu = time.perf_counter(), time.process_time()
        result.found.append(system.search(question))
        result.cpu_seconds.append(time.process_time() - cpu)
        result.seconds.append(time.perf_counter() - began)
    return result


def figures(dataset: Dataset, result: Run) -> dict[str, Any]:
    """Recall in percent, latencies in milliseconds, recall@5 by type of question."""
    pairs = [
        (found, question.supporting_ids)
        for found, question in zip(result.found, dataset.questions, strict=True)
    ]
    by_kind = defaultdict(list)
    for question, value in zip(dataset.questions, recalls(dataset, result), strict=True):
        by_kind[question.kind or "all"].append(value)
    p50, p95 = np.quantile(result.seconds, [0.5, 0.95])
    return {
        **{f"recall@{k}": _percent(recall_at(k, *pair) for pair in pairs) for k in (2, 5, 10)},
        "all@5": _percent(all_recall_at(5, *pair) for pair in pairs),
        "mrr": _percent(reciprocal_rank(*pair) for pair in pairs),
        "p50_ms": round(1000 * float(p50), 1),
        "p95_ms": round(1000 * float(p95), 1),
        "cpu_ms": round(1000 * float(np.median(result.cpu_seconds)), 1),
        "recall@5_by_kind": {kind: _percent(values) for kind, values in sorted(by_kind.items())},
    }


def recalls(dataset: Dataset, result: Run) -> list[float]:
    """recall@5 of each question."""
    return [
        recall_at(5, found, question.supporting_ids)
        for found, question in zip(result.found, dataset.questions, strict=True)
    ]


def compare(dataset: Dataset, runs: dict[str, Run]) -> dict[str, dict[str, Any]]:
    """How far each system is from each baseline in recall@5."""
    values = {name: recalls(dataset, result) for name, result in runs.items()}
    table: dict[str, dict[str, Any]] = {}
    for name, own in values.items():
        for baseline in BASELINES:
            if baseline in values and baseline != name:
                difference = paired_bootstrap(own, values[baseline])
                table.setdefault(name, {})[baseline] = {
                    "mean": round(100 * difference.mean, 1),
                    "low": round(100 * difference.low, 1),
                    "high": round(100 * difference.high, 1),
                }
    return table


def markdown(name: str, report: dict[str, Any]) -> str:
    """The figures as a table."""
    lines = [
        f"### {name}: {report['questions']} questions, {report['index']['passages']} passages",
        "",
        f"| {' | '.join(_COLUMNS)} |",
        f"|{'---|' * len(_COLUMNS)}",
    ]
    for system, row in report["systems"].items():
        cells = [row[key] for key in ("recall@2", "recall@5", "recall@10", "all@5", "mrr")]
        cells += [row["p50_ms"], row["p95_ms"], row["cpu_ms"]]
        gaps = [_gap(report["differences"].get(system, {}).get(other)) for other in BASELINES]
        lines.append(f"| {system} | {' | '.join(map(str, cells))} | {' | '.join(gaps)} |")
    return "\n".join(lines) + "\n"


def measure(dataset: Dataset, options: argparse.Namespace, folder: Path | None) -> dict[str, Any]:
    config = ClewConfig(chunk_size=options.chunk_size)
    embedder = (
        None if options.embedder == "none" else cached(LocalEmbedder(threads=options.threads))
    )
    place = folder / dataset.name.replace("/", "-") if folder is not None else None
    if embedder is not None:
        indexed = build(dataset.passages, embedder=embedder, config=config, folder=place)
        store, index = indexed.store, indexed.figures
    else:
        store, index = _by_words(dataset, config, place)
    on_one_core()
    asking = None if options.embedder == "none" else LocalEmbedder(threads=1)
    systems: list[System] = [Bm25s(dataset.passages)]
    systems += [
        ClewMethod.of(name, store, asking, config)
        for name in options.methods.split(",")
        if not (name == "dense" and asking is None)
    ]
    questions = [question.question for question in dataset.questions]
    runs = {}
    for system in systems:
        runs[system.name] = run(system, questions)
        print(dataset.name, system.name, figures(dataset, runs[system.name]), flush=True)
    return {
        "questions": len(questions),
        "index": index,
        "systems": {name: figures(dataset, result) for name, result in runs.items()},
        "differences": compare(dataset, runs),
    }


def main() -> None:
    with_one_blas_thread("benchmarks.multihop.retrieve")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", help="such as eval/2wiki")
    parser.add_argument("--methods", default=",".join(METHODS), help="also method:depth")
    parser.add_argument("--embedder", choices=("local", "none"), default="local")
    parser.add_argument("--store", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--hide-titles", action="store_true", help="give the texts alone")
    parser.add_argument("--distractors", action="store_true", help="add the extra passages")
    parser.add_argument("--chunk-size", type=int, default=ClewConfig().chunk_size)
    parser.add_argument("--threads", type=int, default=None, help="of the embedder, to index")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    dataset = load_dataset(options.set, distractors=options.distractors)
    if options.hide_titles:
        passages = tuple(replace(passage, title="") for passage in dataset.passages)
        dataset = replace(dataset, passages=passages)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if options.store == "sqlite" else None
        report = measure(dataset, options, folder)
    name = "-".join(
        [
            options.set.replace("/", "-"),
            *(["distractors"] if options.distractors else []),
            *(["no-titles"] if options.hide_titles else []),
            *(["words"] if options.embedder == "none" else []),
            *(["sqlite"] if options.store == "sqlite" else []),
        ]
    )
    whole = {"set": options.set, "environment": environment(), **report}
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    table = markdown(name, report)
    (options.out / f"{name}.md").write_text(table, encoding="utf-8")
    print(table)


def _by_words(
    dataset: Dataset, config: ClewConfig, folder: Path | None
) -> tuple[Store, dict[str, Any]]:
    store: Store = KnowledgeGraph() if folder is None else SQLiteStore.open(folder)
    pipeline = IndexPipeline(config=config.replace(embedding_model="none"), store=store)
    documents = [
        {"text": passage.text, "doc_id": passage.id, "title": passage.title}
        for passage in dataset.passages
    ]
    pipeline.run(documents)
    return store, {"passages": len(documents), **store.stats()}


def _percent(values: Any) -> float:
    return round(100 * mean(values), 1)


def _gap(difference: dict[str, float] | None) -> str:
    if difference is None:
        return "–"
    return f"{difference['mean']:+.1f} ({difference['low']:+.1f} to {difference['high']:+.1f})"


if __name__ == "__main__":
    main()
