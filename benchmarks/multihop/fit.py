"""Fit the constants of ``clew.retrieval.pool.weights``: a logistic fit on tuning questions.

::

    python -m benchmarks.multihop.fit                    # with vectors
    python -m benchmarks.multihop.fit --embedder none    # words alone

First the weights of a chunk by itself are fitted, then those of the first round of links, which
start from it, then those of the second. Each is a ridge (3.0 on standardised features) with
weights ≥ 0. The pool of a question is the first 100 by the sum of the four plain scores, the first
100 by the scores so far, and what supports the answer; positives share weight 1, negatives 3.

The sets are HotpotQA and MuSiQue; 2WikiMultiHopQA is held out and only scored.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
from benchmarks.multihop.index import documents_of
from benchmarks.multihop.vector_cache import cached
from numpy.typing import NDArray

from clew.config import ClewConfig
from clew.evaluation.datasets import Dataset, load_dataset
from clew.evaluation.recall import mean, recall_at
from clew.indexing.pipeline import IndexPipeline
from clew.models.local import LocalEmbedder
from clew.retrieval.base import Search
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.weights import FusionWeights, LinkedWeights, RoundWeights, weights_for
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Scores, Store

FITTED_ON = ("tune/hotpotqa", "tune/musique")
HELD_OUT = ("tune/2wiki",)
RIDGE = 3.0
NEGATIVE_SHARE = 3.0
_FIRST = 100
_NO_FEATURES = {"bias", "slope", "shift"}
_PLAIN = ("dense", "unit_dense", "words", "unit_words")
Matrix = NDArray[np.float64]
_Stage = TypeVar("_Stage", FusionWeights, RoundWeights)


@dataclass(frozen=True)
class Asked:
    """One question, linked against its store, and the chunks that support its answer."""

    reader: GraphReader
    query: QueryLinks
    counts: dict[str, int]
    gold: frozenset[int]

    def trails(self, weights: LinkedWeights, depth: int) -> LinkedTrails:
        search = Search(
            reader=self.reader,
            query=self.query,
            config=ClewConfig(traversal_depth=depth),
            documents=None,
            counts=self.counts,
        )
        trails = LinkedEvidence(weights=weights).find(search).trail
        assert isinstance(trails, LinkedTrails)
        return trails


@dataclass(frozen=True)
class Examples:
    """Rows of features with labels and weights."""

    features: Matrix
    labels: Matrix
    weights: Matrix


def fit(asked: Sequence[Asked], start: LinkedWeights) -> LinkedWeights:
    """Fit the weights stage by stage; ``start`` gives the features that each stage may use."""
    fitted = replace(start, rounds=())
    fitted = replace(fitted, alone=_fit_stage(asked, fitted, start.alone))
    for this in start.rounds:
        # The stage's features come from links weighed by what was fitted before.
        probe = replace(fitted, rounds=(*fitted.rounds, this))
        weights = _fit_stage(asked, probe, this)
        fitted = replace(fitted, rounds=(*fitted.rounds, weights))
    return fitted


def logistic(
    examples: Examples, *, ridge: float = RIDGE, steps: int = 4000
) -> tuple[Matrix, float]:
    """Weights ≥ 0 and bias by accelerated projected gradient descent."""
    scale = np.maximum(examples.features.std(axis=0), 1e-9)
    rows = examples.features / scale
    share = examples.weights / examples.weights.sum()
    pull = ridge / float(examples.weights.sum())
    step = 1.0 / (0.25 * float((share @ (rows**2)).sum() + 1.0) + pull)
    now = ahead = np.zeros(rows.shape[1] + 1)
    for number in range(steps):
        logits = rows @ ahead[:-1] + ahead[-1]
        error = share * (1.0 / (1.0 + np.exp(-logits)) - examples.labels)
        gradient = np.append(rows.T @ error + pull * ahead[:-1], error.sum())
        following = ahead - step * gradient
        following[:-1] = np.maximum(following[:-1], 0.0)
        ahead = following + (number / (number + 3)) * (following - now)
        now = following
    return now[:-1] / scale, float(now[-1])


def score(asked: Sequence[Asked], weights: LinkedWeights, depth: int) -> float:
    """recall@5 in percent."""
    values = []
    for one in asked:
        trails = one.trails(weights, depth)
        scores = trails.rounds[-1].after if trails.rounds else trails.alone
        best = trails.pool.chunks[np.argsort(-scores, kind="stable")[:5]]
        wanted = {str(number) for number in one.gold}
        values.append(recall_at(5, [str(number) for number in best], wanted))
    return round(100 * mean(values), 1)


def ask(dataset: Dataset, *, embedded: bool) -> list[Asked]:
    """Index a set, each passage as one chunk, and link its questions."""
    config = ClewConfig(chunk_size=100_000)
    embedder = cached(LocalEmbedder()) if embedded else None
    if embedder is None:
        config = config.replace(embedding_model="none")
    store: Store = IndexPipeline(embedding=embedder, config=config).run(
        list(documents_of(dataset.passages))
    )
    with store.reading() as reader:
        counts = reader.stats()
        numbers = reader.select_documents()
        names = [document.doc_id for document in reader.get_documents(numbers)]
        document_of = dict(zip(names, numbers.tolist(), strict=True))
        every = _all_chunks(reader)
        owners = reader.documents_of_chunks(every)
        asked = []
        for question in dataset.questions:
            query = link_query(
                reader, question.question, config=config, embedder=embedder, counts=counts
            )
            wanted = [document_of[name] for name in question.supporting_ids]
            gold = frozenset(every[np.isin(owners, wanted)].tolist())
            asked.append(Asked(reader, query, counts, gold))
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--embedder", choices=("local", "none"), default="local")
    options = parser.parse_args()
    embedded = options.embedder == "local"
    sets = {name: ask(load_dataset(name), embedded=embedded) for name in (*FITTED_ON, *HELD_OUT)}
    train = [one for name in FITTED_ON for one in sets[name]]
    old = weights_for(with_vectors=embedded)
    fitted = calibrated(train, fit(train, old))
    for title, weights in (("as they are", old), ("fitted anew", fitted)):
        for depth in range(len(weights.rounds) + 1):
            row = {name: score(asked, weights, depth) for name, asked in sets.items()}
            print(f"{title}, {depth} rounds: recall@5 {row}", flush=True)
    print(fitted)


def _fit_stage(asked: Sequence[Asked], weights: LinkedWeights, stage: _Stage) -> _Stage:
    names = [item.name for item in fields(stage) if item.name not in _NO_FEATURES]
    rows, labels, shares = [], [], []
    for one in asked:
        trails = one.trails(weights, len(weights.rounds))
        features, so_far = _features(trails)
        kept = _kept(trails, features, so_far, one.gold)
        gold = np.isin(trails.pool.chunks[kept], list(one.gold))
        if not gold.any():
            continue
        rows.append(np.stack([features[name][kept] for name in names], axis=1))
        labels.append(gold)
        negative = NEGATIVE_SHARE / max(int((~gold).sum()), 1)
        shares.append(np.where(gold, 1.0 / int(gold.sum()), negative))
    examples = Examples(
        np.concatenate(rows).astype(np.float64),
        np.concatenate(labels).astype(np.float64),
        np.concatenate(shares).astype(np.float64),
    )
    values, bias = logistic(examples)
    found = {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}
    return replace(stage, **found, bias=round(bias, 3))


def calibrated(asked: Sequence[Asked], weights: LinkedWeights) -> LinkedWeights:
    """Fit slope and shift of every stage on all chunks of the pools, each counting once."""
    alone = replace(weights.alone, **_platt(asked, replace(weights, rounds=())))
    rounds = tuple(
        replace(this, **_platt(asked, replace(weights, rounds=weights.rounds[: number + 1])))
        for number, this in enumerate(weights.rounds)
    )
    return replace(weights, alone=alone, rounds=rounds)


def _platt(asked: Sequence[Asked], weights: LinkedWeights) -> dict[str, float]:
    logits, labels = [], []
    for one in asked:
        trails = one.trails(weights, len(weights.rounds))
        scores = trails.rounds[-1].after if trails.rounds else trails.alone
        inside = np.clip(scores.astype(np.float64), 1e-7, 1.0 - 1e-7)
        logits.append(np.log(inside) - np.log1p(-inside))
        labels.append(np.isin(trails.pool.chunks, list(one.gold)))
    rows = np.concatenate(logits)[:, None]
    examples = Examples(rows, np.concatenate(labels).astype(np.float64), np.ones(len(rows)))
    slope, shift = logistic(examples, ridge=0.0)
    return {"slope": round(float(slope[0]), 3), "shift": round(shift, 3)}


def _features(trails: LinkedTrails) -> tuple[dict[str, Scores], Scores]:
    """The features of the last stage, and the scores that it started from."""
    if trails.rounds:
        last = trails.rounds[-1]
        return dict(last.features), last.before
    features = trails.standing.features(trails.pool)
    return features, np.zeros(len(trails.pool.chunks), dtype=np.float32)


def _kept(
    trails: LinkedTrails, features: dict[str, Scores], so_far: Scores, gold: frozenset[int]
) -> NDArray[np.int64]:
    plain = np.sum([features[name] for name in _PLAIN], axis=0)
    best = [np.argsort(-values, kind="stable")[:_FIRST] for values in (plain, so_far)]
    supporting = np.flatnonzero(np.isin(trails.pool.chunks, list(gold)))
    return np.unique(np.concatenate([*best, supporting]))


def _all_chunks(reader: GraphReader) -> NDArray[np.int64]:
    documents = reader.get_documents(reader.select_documents())
    ids = [
        chunk.id
        for document in documents
        if (whole := reader.load_document(document.id)) is not None
        for chunk in whole.chunks
    ]
    return np.sort(reader.numbers_of("chunk", ids))


if __name__ == "__main__":
    main()
