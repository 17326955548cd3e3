"""Which strategy serves multi-hop questions best, where equally much text is read?

Data: the sets of ``$CLEW_DATA/tune``, their passages concatenated to long documents, forty to each
(:mod:`clew.evaluation.corpora`), in their order or shuffled. Each strategy cuts them, all else as
it comes; each method ranks the chunks for each question, and they are read best first until 2,500
or 5,000 characters were read, the last one cut there. A cell is the share of the passages needed of
which half was read. The same number of chunks instead of characters would favour large chunks.

``difference`` is from the first strategy, over the questions of all sets and all methods at both
lengths, with the 95 % interval of the paired bootstrap.

Run ``python -m benchmarks.chunking.long_documents [--shuffle] [--sets …] [--strategies …]``.
Results: ``docs/explanation/decisions.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import mean

from benchmarks.multihop.environment import with_one_blas_thread
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig
from clew.evaluation.bootstrap import paired_bootstrap
from clew.evaluation.corpora import TextSpan
from clew.evaluation.datasets import load_dataset
from clew.evaluation.indexed import IndexedCorpus, index_corpus
from clew.evaluation.multihop import Form, choose
from clew.evaluation.systems import System
from clew.models.local import LocalEmbedder

SETS = ("tune/2wiki", "tune/musique", "tune/hotpotqa")
STRATEGIES = ("recursive", "split-then-merge", "adaptive", "section-aware", "markdown", "paragraph")
METHODS = ("linked", "hybrid", "dense", "bm25")
LENGTHS = (2_500, 5_000)


@dataclass
class Found:
    """Of each question, the share that was found: by method and length."""

    chunks: int
    shares: dict[tuple[str, int], list[float]] = field(default_factory=dict)

    def each(self) -> list[float]:
        """The mean over methods and lengths for each question."""
        return [mean(row) for row in zip(*self.shares.values(), strict=True)]


def measure(name: str, strategy: str, *, shuffled: bool, embedder: LocalEmbedder) -> Found:
    form = Form(shuffled=shuffled, concatenated=True)
    indexed = index_corpus(
        form.corpus(load_dataset(name)),
        config=ClewConfig(chunk_strategy=strategy),
        embedder=cached(embedder),
        asking=embedder,
    )
    found = Found(chunks=len(indexed.pieces))
    for method, make in choose(METHODS).items():
        for length, shares in zip(LENGTHS, asked(make(indexed), indexed), strict=True):
            found.shares[method, length] = shares
    return found


def asked(system: System, indexed: IndexedCorpus) -> list[list[float]]:
    """Return for each length what was found of each question."""
    spans = {piece.id: piece.span for piece in indexed.pieces}
    corpus = indexed.corpus
    shares: list[list[float]] = [[] for _ in LENGTHS]
    for question in corpus.dataset.questions:
        ranked = [spans[name] for name in system.search(question.question)]
        for length, found in zip(LENGTHS, shares, strict=True):
            places = corpus.found_at(question, list(read(ranked, length)))
            found.append(mean(place is not None for place in places))
    return shares


def read(ranked: Sequence[TextSpan], length: int) -> Iterator[TextSpan]:
    left = length
    for span in ranked:
        if left <= 0:
            return
        end = min(span.end, span.start + left)
        yield TextSpan(doc_id=span.doc_id, start=span.start, end=end)
        left -= end - span.start


def report(name: str, found: dict[str, Found]) -> None:
    columns = [(method, length) for length in LENGTHS for method in METHODS]
    heads = " | ".join(f"{method} {length:,}" for method, length in columns)
    print(f"\n{name}\n\n| | chunks | {heads} | mean |\n|---|{'---:|' * (len(columns) + 2)}")
    for strategy, one in found.items():
        cells = [100 * mean(one.shares[column]) for column in columns]
        shown = " | ".join(f"{cell:.1f}" for cell in cells)
        print(f"| {strategy} | {one.chunks:,} | {shown} | {mean(cells):.1f} |", flush=True)


def compare(found: dict[str, list[float]]) -> None:
    """Print how far each strategy is from the first, question by question."""
    first, *others = found
    print(f"\n| | all sets | difference from {first} |\n|---|---:|---:|")
    print(f"| {first} | {100 * mean(found[first]):.1f} | |")
    for name in others:
        gap = paired_bootstrap(found[name], found[first])
        between = f"{100 * gap.low:+.1f} to {100 * gap.high:+.1f}"
        print(f"| {name} | {100 * mean(found[name]):.1f} | {100 * gap.mean:+.1f} ({between}) |")


def main() -> None:
    with_one_blas_thread("benchmarks.chunking.long_documents")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", nargs="+", default=SETS)
    parser.add_argument("--strategies", nargs="+", default=STRATEGIES)
    parser.add_argument("--shuffle", action="store_true", help="passages in another order")
    options = parser.parse_args()
    embedder = LocalEmbedder()
    together: dict[str, list[float]] = {name: [] for name in options.strategies}
    for name in options.sets:
        found = {
            strategy: measure(name, strategy, shuffled=options.shuffle, embedder=embedder)
            for strategy in options.strategies
        }
        report(name, found)
        for strategy, one in found.items():
            together[strategy] += one.each()
    compare(together)


if __name__ == "__main__":
    main()
