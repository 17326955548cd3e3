"""Fit the constants of linked evidence: a logistic fit on tuning questions.

::

    python -m benchmarks.multihop.fit            # print what is found, and recall before and after
    python -m benchmarks.multihop.fit --write    # and write clew.retrieval.pool.measured

First the weights of a chunk by itself are fitted, then those of the first round of links, which
start from it, then those of the second. Each is a ridge (3.0 on standardised features) with
weights ≥ 0. The pool of a question is the first 100 by the sum of the four plain scores, the first
100 by the scores so far, and what supports the answer; positives share weight 1, negatives 3.
Last, slope and shift of every stage are fitted on whole pools (Platt scaling).

The passages of all tuning sets are one corpus, so that each set is a distractor for the others;
passages of another set under the title of a supporting one are neither right nor wrong. The
questions are those of HotpotQA and MuSiQue; 2WikiMultiHopQA is held out and only scored.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeVar

import numpy as np
from benchmarks.multihop.environment import ROOT, environment
from benchmarks.multihop.index import documents_of
from benchmarks.multihop.vector_cache import cached
from numpy.typing import NDArray

from clew.config import ClewConfig
from clew.evaluation.datasets import Dataset, load_dataset
from clew.evaluation.recall import all_recall_at, recall_at
from clew.indexing.pipeline import IndexPipeline
from clew.models.local import LocalEmbedder
from clew.retrieval.base import Evidence, Search
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.weights import FusionWeights, LinkedWeights, RoundWeights, weights_for
from clew.retrieval.query.reading import QueryLinks, link_query
from clew.stores.base import GraphReader, Scores, Store

FITTED_ON = ("tune/hotpotqa", "tune/musique")
HELD_OUT = ("tune/2wiki",)
RIDGE = 3.0
NEGATIVE_SHARE = 3.0
MEASURED = ROOT / "src/clew/retrieval/pool/measured.py"
_FIRST = 100
_NO_FEATURES = {"bias", "slope", "shift"}
_MODULE = '''"""The constants of linked evidence, written by a command.

``python -m benchmarks.multihop.fit --write`` does it; :mod:`clew.retrieval.pool.weights` says
how they are found. Fitted at commit {commit}.

recall@5 / all-recall@5 on the tuning sets, whose passages were one corpus (2WikiMultiHopQA is held
out, the others were fitted on)::

{recalls}
"""

from __future__ import annotations

from clew.retrieval.pool.stages import (
    FusionWeights,
    LinkedWeights,
    RoundWeights,
    SelectionWeights,
)

{constants}
'''
_PLAIN = ("dense", "unit_dense", "words", "unit_words")
Matrix = NDArray[np.float64]
_Stage = TypeVar("_Stage", FusionWeights, RoundWeights)


@dataclass(frozen=True)
class Asked:
    """One question, linked against its store, and the chunks that support its answer."""

    set: str
    reader: GraphReader
    query: QueryLinks
    counts: dict[str, int]
    gold: frozenset[int]
    ignored: frozenset[int]

    def trails(self, weights: LinkedWeights, depth: int) -> LinkedTrails:
        trails = self.evidence(weights, depth).trail
        assert isinstance(trails, LinkedTrails)
        return trails

    def evidence(self, weights: LinkedWeights, depth: int) -> Evidence:
        search = Search(
            reader=self.reader,
            query=self.query,
            config=ClewConfig(traversal_depth=depth),
            documents=None,
            counts=self.counts,
        )
        return LinkedEvidence(weights=weights).find(search)


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


def score(asked: Sequence[Asked], weights: LinkedWeights, depth: int) -> tuple[float, float]:
    """recall@5 and all-recall@5 in percent, over the sets alike."""
    found: dict[str, list[tuple[float, float]]] = {}
    for one in asked:
        evidence = one.evidence(weights, depth)
        rows = np.flatnonzero(~np.isin(evidence.chunks, list(one.ignored)))
        best = rows[np.argsort(-evidence.chunk_scores[rows], kind="stable")[:5]]
        ids = [str(number) for number in evidence.chunks[best]]
        wanted = {str(number) for number in one.gold}
        found.setdefault(one.set, []).append(
            (recall_at(5, ids, wanted), all_recall_at(5, ids, wanted))
        )
    pairs = [np.mean(values, axis=0) for values in found.values()]
    recall, every = 100 * np.mean(pairs, axis=0)
    return round(float(recall), 1), round(float(every), 1)


def ask(datasets: Sequence[Dataset], *, embedded: bool) -> list[Asked]:
    """Index the passages of all sets together, each as one chunk, and link their questions."""
    config = ClewConfig(chunk_size=100_000)
    embedder = cached(LocalEmbedder()) if embedded else None
    if embedder is None:
        config = config.replace(embedding_model="none")
    passages = [passage for dataset in datasets for passage in dataset.passages]
    store: Store = IndexPipeline(embedding=embedder, config=config).run(
        list(documents_of(passages))
    )
    chunks = _chunks_of(store)
    alike: dict[str, set[str]] = {}
    for passage in passages:
        alike.setdefault(passage.title, set()).add(passage.id)
    title_of = {passage.id: passage.title for passage in passages}
    asked = []
    with store.reading() as reader:
        counts = reader.stats()
        for dataset in datasets:
            own = {passage.id for passage in dataset.passages}
            for question in dataset.questions:
                query = link_query(
                    reader, question.question, config=config, embedder=embedder, counts=counts
                )
                titles = [title_of[name] for name in question.supporting_ids]
                others = {name for title in titles for name in alike[title]} - own
                asked.append(
                    Asked(
                        set=dataset.name,
                        reader=reader,
                        query=query,
                        counts=counts,
                        gold=frozenset(chunks[name] for name in question.supporting_ids),
                        ignored=frozenset(chunks[name] for name in others),
                    )
                )
    return asked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {MEASURED.name}")
    options = parser.parse_args()
    datasets = [load_dataset(name) for name in (*FITTED_ON, *HELD_OUT)]
    found = {}
    for embedded in (True, False):
        asked = ask(datasets, embedded=embedded)
        train = [one for one in asked if one.set in FITTED_ON]
        old = weights_for(with_vectors=embedded)
        fitted = calibrated(train, fit(train, old))
        for title, weights in (("as they are", old), ("fitted anew", fitted)):
            for depth in range(len(weights.rounds) + 1):
                row = {
                    name: score([one for one in asked if one.set == name], weights, depth)
                    for name in (*FITTED_ON, *HELD_OUT)
                }
                print(f"vectors {embedded}, {title}, {depth} rounds: {row}", flush=True)
        found["WITH_VECTORS" if embedded else "WORDS_ALONE"] = fitted, row
    code = module(found)
    print(code)
    if options.write:
        MEASURED.write_text(code, encoding="utf-8")


def module(found: Mapping[str, tuple[LinkedWeights, Mapping[str, tuple[float, float]]]]) -> str:
    """The module with the constants, and where they come from."""
    recalls = "\n".join(
        f"{name}: " + ", ".join(f"{place} {one} / {every}" for place, (one, every) in row.items())
        for name, (_, row) in found.items()
    )
    constants = "\n".join(f"{name} = {_code(weights, 0)}" for name, (weights, _) in found.items())
    return _MODULE.format(commit=environment()["commit"], recalls=recalls, constants=constants)


def _code(value: object, depth: int) -> str:
    """``value`` as Python: dataclasses by keyword, one field a line."""
    inner = "    " * (depth + 1)
    if is_dataclass(value):
        lines = [
            f"{inner}{item.name}={_code(getattr(value, item.name), depth + 1)},\n"
            for item in fields(value)
        ]
        return f"{type(value).__name__}(\n{''.join(lines)}{'    ' * depth})"
    if isinstance(value, tuple):
        lines = [f"{inner}{_code(one, depth + 1)},\n" for one in value]
        return f"(\n{''.join(lines)}{'    ' * depth})"
    return repr(value)


def _fit_stage(asked: Sequence[Asked], weights: LinkedWeights, stage: _Stage) -> _Stage:
    names = [item.name for item in fields(stage) if item.name not in _NO_FEATURES]
    rows, labels, shares = [], [], []
    for one in asked:
        trails = one.trails(weights, len(weights.rounds))
        features, so_far = _features(trails)
        kept = _kept(trails, features, so_far, one)
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
    trails: LinkedTrails, features: dict[str, Scores], so_far: Scores, one: Asked
) -> NDArray[np.int64]:
    plain = np.sum([features[name] for name in _PLAIN], axis=0)
    best = [np.argsort(-values, kind="stable")[:_FIRST] for values in (plain, so_far)]
    supporting = np.flatnonzero(np.isin(trails.pool.chunks, list(one.gold)))
    rows = np.unique(np.concatenate([*best, supporting]))
    return rows[~np.isin(trails.pool.chunks[rows], list(one.ignored))]


def _chunks_of(store: Store) -> dict[str, int]:
    """The number of each passage's chunk."""
    with store.reading() as reader:
        documents = reader.get_documents(reader.select_documents())
        ids = {}
        for document in documents:
            whole = reader.load_document(document.id)
            assert whole is not None
            ids[document.doc_id] = whole.chunks[0].id
        numbers = reader.numbers_of("chunk", list(ids.values()))
    return dict(zip(ids, numbers.tolist(), strict=True))


if __name__ == "__main__":
    main()
