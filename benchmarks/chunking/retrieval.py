"""Does choosing a strategy per document find more than always taking the same one?

Data: ``$CLEW_DATA/chunking/chroma``: three documents with questions whose answers are marked to the
character. Each document is cut by every strategy at 400 and at 800 characters without overlap;
each question retrieves chunks of its document, by BM25 or by the local embedder, until they hold
2,000 characters, the last one cut there. A cell is the share of the marked characters found,
averaged over the questions of a document. Below the strategies stands what choosing one per
document and size by a score would find.

Run ``python benchmarks/chunking/retrieval.py [--dense] [--langchain PYTHON]``, where PYTHON is an
interpreter with ``langchain-text-splitters``. Results: ``benchmarks/chunking/README.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import numpy as np

from clew.chunking import STRATEGIES, ChunkingConfig, Span, make_chunker
from clew.chunking.metrics import (
    IntrinsicMetricEvaluator,
    MetricConfig,
    MetricScore,
    MetricWeights,
)
from clew.chunking.outline import Outline
from clew.chunking.selector import AdaptiveSelector
from clew.models.base import Vectors
from clew.text.blocks import partition
from clew.text.words import terms

DATA = Path(os.environ.get("CLEW_DATA", Path(__file__).parents[3] / "shared" / "data"))
SIZES = (400, 800)
BUDGET = 2000
LEFT_OUT = {"single", "adaptive", "html", "json", "code"}
"""Without a size, or for other kinds of documents."""

Plan = list[Span]
Rank = Callable[[list[str], list[str]], list[list[int]]]
"""Chunks, questions → for each question all chunks, best first."""

LANGCHAIN = """
import json, sys
from langchain_text_splitters import RecursiveCharacterTextSplitter
text, size = json.load(sys.stdin)
splitter = RecursiveCharacterTextSplitter(chunk_size=size, chunk_overlap=0, add_start_index=True)
found = splitter.create_documents([text])
print(json.dumps([(d.metadata["start_index"], len(d.page_content)) for d in found]))
"""


@dataclass(frozen=True)
class Question:
    text: str
    gold: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Case:
    """One document at one size, cut by each strategy."""

    name: str
    size: int
    outline: Outline
    questions: list[Question]
    plans: dict[str, Plan]


def load(langchain: str | None) -> list[Case]:
    folder = DATA / "chunking" / "chroma"
    asked: dict[str, list[Question]] = {}
    for line in (folder / "questions.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        gold = tuple((part["start_index"], part["end_index"]) for part in row["references"])
        asked.setdefault(row["supporting_ids"][0], []).append(Question(row["question"], gold))
    cases = []
    for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        outline = Outline(row["text"], partition(row["text"], "plain"))
        for size in SIZES:
            plans = plans_of(outline, size, langchain)
            cases.append(Case(row["id"], size, outline, asked[row["id"]], plans))
    return cases


def plans_of(outline: Outline, size: int, langchain: str | None) -> dict[str, Plan]:
    plans = {}
    for name in STRATEGIES:
        if name not in LEFT_OUT:
            config = ChunkingConfig(chunk_size=size, chunk_overlap=0, chunk_strategy=name)
            plans[name] = make_chunker(config).cuts(outline)
    if langchain:
        asked = json.dumps([outline.text, size])
        run = subprocess.run(
            [langchain, "-c", LANGCHAIN], input=asked, capture_output=True, text=True, check=True
        )
        plans["langchain"] = [Span(at, at + length) for at, length in json.loads(run.stdout)]
    return plans


def by_bm25(chunks: list[str], questions: list[str]) -> list[list[int]]:
    import bm25s

    index = bm25s.BM25()
    index.index([terms(chunk) or [""] for chunk in chunks], show_progress=False)
    scores = (index.get_scores(terms(question)) for question in questions)
    return [np.argsort(-row, kind="stable").tolist() for row in scores]


class Dense:
    """Ranks by the local embedder; a chunk that several strategies make is embedded once."""

    def __init__(self) -> None:
        from clew.models.local import LocalEmbedder

        self._embedder = LocalEmbedder()
        self._known: dict[str, Vectors] = {}

    def __call__(self, chunks: list[str], questions: list[str]) -> list[list[int]]:
        new = sorted(set(chunks) - self._known.keys())
        self._known.update(zip(new, self._embedder.embed(new), strict=True))
        rows = np.stack([self._known[chunk] for chunk in chunks])
        scores = self._embedder.embed(questions, kind="query") @ rows.T
        return [np.argsort(-row, kind="stable").tolist() for row in scores]


def recall(case: Case, plan: Plan, rank: Rank) -> float:
    texts = [case.outline.text[span.start : span.end] for span in plan]
    ranked = rank(texts, [question.text for question in case.questions])
    return mean(
        found_share(question, taken(plan, order))
        for question, order in zip(case.questions, ranked, strict=True)
    )


def taken(plan: Plan, order: Iterable[int]) -> list[Span]:
    left, spans = BUDGET, []
    for number in order:
        start, end = plan[number]
        spans.append(Span(start, min(end, start + left)))
        left -= end - start
        if left <= 0:
            break
    return spans


def found_share(question: Question, spans: list[Span]) -> float:
    wanted = {at for start, end in question.gold for at in range(start, end)}
    found = {at for start, end in spans for at in range(start, end)}
    return len(wanted & found) / len(wanted)


ALL = MetricWeights(sentence_integrity=1.0)


def scores_of(case: Case) -> dict[str, dict[str, float]]:
    """Return by each way of choosing the score of each strategy."""
    evaluator = IntrinsicMetricEvaluator(MetricConfig(weights=ALL, lift=True))
    paper = IntrinsicMetricEvaluator(MetricConfig.preset("paper"))
    analysis = evaluator.analyse(case.outline)
    scores: dict[str, dict[str, float]] = {}
    for name, plan in case.plans.items():
        metrics = {metric.name: metric for metric in evaluator.evaluate(analysis, plan)}
        sizes = {metric.name: metric for metric in paper.evaluate(analysis, plan)}
        for way, score in ways(metrics, sizes).items():
            scores.setdefault(way, {})[name] = score
    return scores


LIFTED = (
    "block_integrity",
    "sentence_integrity",
    "intrachunk_cohesion",
    "references_completeness",
)


def ways(metrics: dict[str, MetricScore], paper: dict[str, MetricScore]) -> dict[str, float]:
    reference = MetricWeights().to_dict()
    found = {
        "paper's mean": averaged(paper.values(), lambda metric: metric.value),
        "reference's mean": averaged(
            (metrics[name] for name, weight in reference.items() if weight),
            lambda metric: metric.value,
        ),
        "lift of four": averaged((metrics[name] for name in LIFTED), lambda m: m.counted),
        "plain difference, four": averaged((metrics[name] for name in LIFTED), difference),
        "lift of the two integrities": averaged(
            (metrics[name] for name in LIFTED[:2]), lambda m: m.counted
        ),
        "lift of cohesion": metrics["intrachunk_cohesion"].counted or 0.0,
        "lift of references": metrics["references_completeness"].counted or 0.0,
    }
    single = ("intrachunk_cohesion", "document_contextual_coherence", *LIFTED[:2])
    return found | {f"{name} alone": metrics[name].value or 0.0 for name in single}


def difference(metric: MetricScore) -> float | None:
    """Return by how much a metric exceeds its value for windows of equal length."""
    if metric.value is None or metric.baseline is None:
        return None
    return metric.value - metric.baseline


def averaged(
    metrics: Iterable[MetricScore], value_of: Callable[[MetricScore], float | None]
) -> float:
    known = [(v, metric.weight) for metric in metrics if (v := value_of(metric)) is not None]
    return sum(v * w for v, w in known) / sum(w for _, w in known)


def selected(case: Case) -> str:
    """Return what the selection of the library takes, with its own candidates and its gate."""
    config = ChunkingConfig(chunk_size=case.size, chunk_overlap=0)
    return AdaptiveSelector(config=config).select(case.outline).chosen.strategy_name


def best(scores: dict[str, float]) -> str:
    return max(scores, key=lambda name: round(scores[name], 9))


def report(title: str, cases: list[Case], rank: Rank) -> None:
    cells = [
        {name: recall(case, plan, rank) for name, plan in case.plans.items()} for case in cases
    ]
    heads = " | ".join(f"{case.name} {case.size}" for case in cases)
    print(f"\n{title}\n\n| | {heads} | mean |\n|---|{'---:|' * (len(cases) + 1)}")
    for name in cases[0].plans:
        row(name, [cell[name] for cell in cells])
    row("**best per document**", [max(cell.values()) for cell in cells])
    scores = [scores_of(case) for case in cases]
    for way in scores[0]:
        picks = [best(found[way]) for found in scores]
        row(f"*{way}*", [c[pick] for c, pick in zip(cells, picks, strict=True)], picks)
    picks = [selected(case) for case in cases]
    row("*as the library selects*", [c[p] for c, p in zip(cells, picks, strict=True)], picks)


def row(name: str, values: list[float], picks: list[str] | None = None) -> None:
    shown = [f"{100 * value:.1f}" for value in values]
    if picks:
        shown = [f"{value} {pick}" for value, pick in zip(shown, picks, strict=True)]
    print(f"| {name} | {' | '.join(shown)} | {100 * mean(values):.1f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dense", action="store_true", help="with the local embedder too")
    parser.add_argument("--langchain", help="an interpreter with langchain-text-splitters")
    options = parser.parse_args()
    cases = load(options.langchain)
    print("chunks: " + ", ".join(f"{name} {len(plan)}" for name, plan in cases[-1].plans.items()))
    report("BM25", cases, by_bm25)
    if options.dense:
        report("local embedder", cases, Dense())


if __name__ == "__main__":
    main()
