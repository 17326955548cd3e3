"""What indexing costs: seconds by stage, memory, disk, and how it grows.

::

    python -m benchmarks.multihop.index eval/2wiki                   # into memory
    python -m benchmarks.multihop.index eval/2wiki --backend sqlite    # into a folder
    python -m benchmarks.multihop.index eval/2wiki --scaling         # 1, 2, 4, 8 thousand passages

``--scaling`` takes the embedder out of the measurement: vectors are random, made beforehand, and
passages of several sets are put together, so that what is left is the cost of clew itself.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.multihop.environment import environment

from clew.config import ClewConfig
from clew.evaluation.corpora import Corpus
from clew.evaluation.datasets import Dataset, Passage, load_dataset
from clew.evaluation.indexed import documents_of, index_corpus
from clew.models.base import Span, SpanEmbedder, TextKind, Vectors
from clew.models.local import LocalEmbedder
from clew.stores.base import Store

__all__ = ["Indexed", "RandomVectors", "build", "documents_of"]

SCALES = (1_000, 2_000, 4_000, 8_000)
SCALING_SETS = ("eval/2wiki", "eval/musique", "eval/hotpotqa")


@dataclass
class RandomVectors:
    """A span embedder that costs nothing: rows of one random table, taken in turn."""

    dimensions: int = 384
    fingerprint: str = "random/384"
    _table: Vectors = field(default_factory=lambda: _random_rows(4096, 384))
    _next: int = 0

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:  # noqa: ARG002
        return self._rows(len(texts))

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        return self._rows(len(texts)), self._rows(sum(len(own) for own in spans))

    def _rows(self, count: int) -> Vectors:
        at = (self._next + np.arange(count)) % len(self._table)
        self._next += count
        return self._table[at]


@dataclass(frozen=True)
class Indexed:
    """A store and what it took to fill it."""

    store: Store
    figures: dict[str, Any]


def build(
    passages: Sequence[Passage],
    *,
    embedder: SpanEmbedder,
    config: ClewConfig | None = None,
    folder: Path | None = None,
    by_stage: bool = True,
) -> Indexed:
    """Index ``passages`` into memory, or into a new store in ``folder``."""
    corpus = Corpus(dataset=Dataset(name="", passages=tuple(passages), questions=()))
    made = index_corpus(
        corpus,
        config=config or ClewConfig(),
        embedder=embedder,
        folder=folder,
        by_stage=by_stage,
    )
    return Indexed(store=made.store, figures=made.figures)


def scaling(folder: Path | None) -> list[dict[str, Any]]:
    """Figures for 1, 2, 4 and 8 thousand passages, each in a fresh store: by stage in one process,
    and the seconds with documents read in other processes too, as clew does by itself.
    """
    passages = [passage for name in SCALING_SETS for passage in _unique(load_dataset(name))]
    rows = []
    for count in SCALES:
        figures = build(
            passages[:count], embedder=RandomVectors(), folder=_below(folder, f"scale-{count}")
        ).figures
        whole = build(
            passages[:count],
            embedder=RandomVectors(),
            folder=_below(folder, f"processes-{count}"),
            by_stage=False,
        ).figures
        rows.append({**figures, "seconds_in_processes": whole["seconds"]})
        print(json.dumps(rows[-1]), flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", help="such as eval/2wiki")
    parser.add_argument("--backend", choices=("memory", "sqlite"), default="memory")
    parser.add_argument("--threads", type=int, default=None, help="of the embedder")
    parser.add_argument("--scaling", action="store_true")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) if options.backend == "sqlite" else None
        report: dict[str, Any] = {"environment": environment(), "store": options.backend}
        report["sets"] = {}
        for name in options.sets:
            dataset = load_dataset(name)
            figures = build(
                dataset.passages,
                embedder=LocalEmbedder(threads=options.threads),
                folder=_below(folder, name.replace("/", "-")),
            ).figures
            print(name, json.dumps(figures), flush=True)
            report["sets"][name] = figures
        if options.scaling:
            report["scaling"] = scaling(folder)
    if options.out is not None:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _below(folder: Path | None, name: str) -> Path | None:
    return None if folder is None else folder / name


def _unique(dataset: Dataset) -> Iterator[Passage]:
    """The passages under names that no other set uses."""
    for passage in dataset.passages:
        yield Passage(id=f"{dataset.name}/{passage.id}", title=passage.title, text=passage.text)


def _random_rows(rows: int, dimensions: int) -> Vectors:
    raw = np.random.default_rng(7).standard_normal((rows, dimensions)).astype(np.float32)
    scaled: Vectors = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return scaled


if __name__ == "__main__":
    main()
