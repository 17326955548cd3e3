"""How the time of a search grows with the store: by stage, from one copy of a corpus to many.

::

    python -m benchmarks.multihop.growth eval/2wiki                      # 1, 2, 4, 8, 16 copies
    python -m benchmarks.multihop.growth tune/2wiki --copies 1,8 --backend memory

Every copy but the first is another world: its names are enciphered letter by letter (vowels by
vowels, consonants by consonants, another key for each copy), so that no entity of one is mentioned
in another. Words that the corpus also writes without a capital are no names; and names in more than
one passage of a hundred stay as they are: countries and months are hubs in every corpus, and grow
with it. Vectors of the first copy are the embedder's, those of the others are rows of the first
with noise (cosine about 0.8). Questions ask about the first copy.

Times are the processor's, on one core, medians over the questions. ``scan`` is the exact search of
vectors, which is linear by design; all else should be bounded by what is asked.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.multihop.environment import environment, with_one_blas_thread
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig
from clew.evaluation.datasets import Passage, load_dataset
from clew.evaluation.environment import one_core
from clew.indexing.pipeline import IndexPipeline
from clew.models.base import Span, SpanEmbedder, TextKind, Vectors
from clew.models.local import LocalEmbedder
from clew.retrieval import pipeline
from clew.retrieval.linked import search as linked
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.pool import candidates
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.word_scores import WordScores
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore

HUB_SHARE = 0.01
HUB_LEAST = 20
WARM_UP = 20
STAGES: tuple[tuple[str, Any, str], ...] = (
    ("link", pipeline, "link_query"),
    ("embed", LocalEmbedder, "embed"),
    ("pool", Standing, "of"),
    ("scan", candidates, "_by_meaning"),
    ("words", WordScores, "look_up"),
    ("rounds", linked, "_go_round"),
    ("choose", linked, "_chosen"),
    ("rank", pipeline, "rank"),
    ("show", pipeline, "build_items"),
)
"""Each stage is a function; its time is its own, without that of the stages that it calls."""

_WORD = re.compile(r"[^\W\d_]+")
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"


@dataclass
class Stopwatch:
    """Own time of each stage, in seconds of the processor."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _open: list[float] = field(default_factory=list)

    def times(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, its own time counted as that of ``stage``."""

        @wraps(function)
        def timed(*arguments: Any, **options: Any) -> Any:
            self._open.append(0.0)
            began = time.process_time()
            try:
                return function(*arguments, **options)
            finally:
                whole = time.process_time() - began
                self.spent[stage] += whole - self._open.pop()
                if self._open:
                    self._open[-1] += whole

        return timed


class NoisyRows:
    """The embedder for the first copy, then its rows in turn with noise."""

    def __init__(self, inner: SpanEmbedder) -> None:
        self.inner = inner
        self.first = True
        self._rows: list[Vectors] = []
        self._random = np.random.default_rng(7)

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        return self.inner.embed(texts, kind=kind)

    def embed_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[Span]]
    ) -> tuple[Vectors, Vectors]:
        if not self.first:
            return self._noisy(len(texts)), self._noisy(sum(len(own) for own in spans))
        chunks, units = self.inner.embed_spans(texts, spans)
        self._rows += [chunks, units]
        return chunks, units

    def _noisy(self, count: int) -> Vectors:
        if len(self._rows) > 1:
            self._rows = [np.concatenate(self._rows)]
        rows = self._rows[0][self._random.integers(0, len(self._rows[0]), count)]
        noise = self._random.standard_normal(rows.shape).astype(np.float32)
        mixed = rows + noise * np.float32(0.75 / np.sqrt(self.dimensions))
        scaled: Vectors = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
        return scaled


def names_of(passages: Sequence[Passage]) -> frozenset[str]:
    """The words of ``passages`` that are written with a capital alone, hubs left out."""
    small: set[str] = set()
    held: Counter[str] = Counter()
    for passage in passages:
        words = set(_WORD.findall(f"{passage.title} {passage.text}"))
        small |= {word for word in words if word[0].islower()}
        held.update({word.casefold() for word in words if word[0].isupper()})
    most = max(HUB_LEAST, HUB_SHARE * len(passages))
    return frozenset(name for name, count in held.items() if name not in small and count <= most)


def another_world(
    passages: Sequence[Passage], names: frozenset[str], copy: int
) -> Iterator[Passage]:
    """``passages`` with their ``names`` enciphered by the key of ``copy``."""
    table = _cipher(copy)

    def renamed(match: re.Match[str]) -> str:
        word = match[0]
        return word.translate(table) if word.casefold() in names else word

    for passage in passages:
        yield Passage(
            id=f"{copy}/{passage.id}",
            title=_WORD.sub(renamed, passage.title),
            text=_WORD.sub(renamed, passage.text),
        )


def measure(store: Store, questions: Sequence[str], config: ClewConfig) -> dict[str, float]:
    """Milliseconds per search: the median of the whole, and the mean of each stage."""
    watch = Stopwatch()
    searching = RetrievePipeline(store, embedding=LocalEmbedder(threads=1), config=config)
    whole = []
    with _watched(watch):
        for question in questions[:WARM_UP]:
            searching.search(question)
        watch.spent.clear()
        for question in questions:
            began = time.process_time()
            searching.search(question)
            whole.append(time.process_time() - began)
    stages = {name: 1000 * watch.spent[name] / len(questions) for name, _, _ in STAGES}
    stages["rest"] = 1000 * float(np.mean(whole)) - sum(stages.values())
    return {
        "p50": round(1000 * float(np.median(whole)), 1),
        "p95": round(1000 * float(np.quantile(whole, 0.95)), 1),
        **{name: round(value, 2) for name, value in stages.items()},
    }


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The rows as Markdown."""
    columns = list(rows[0])
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(str(row[column]) for column in columns)} |" for row in rows]
    return "\n".join(lines)


def main() -> None:
    with_one_blas_thread("benchmarks.multihop.growth")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", help="such as eval/2wiki")
    parser.add_argument("--copies", default="1,2,4,8,16")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--backend", choices=("memory", "sqlite"), default="sqlite")
    parser.add_argument("--out", type=Path, default=None, help="a JSON file to write")
    options = parser.parse_args()
    copies = [int(count) for count in options.copies.split(",")]
    dataset = load_dataset(options.set)
    questions = [question.question for question in dataset.questions[: options.questions]]
    with one_core(), tempfile.TemporaryDirectory() as folder:
        store: Store = (
            KnowledgeGraph()
            if options.backend == "memory"
            else SQLiteStore.open(Path(folder) / "s")
        )
        rows = list(_grow(store, dataset.passages, questions, copies))
    print(table(rows))
    if options.out is not None:
        report = {"set": options.set, "environment": environment(), "rows": rows}
        options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _grow(
    store: Store, passages: Sequence[Passage], questions: Sequence[str], copies: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Add copy after copy, and measure at each of the counts in ``copies``."""
    config = ClewConfig(chunk_size=100_000)
    embedder = NoisyRows(cached(LocalEmbedder(threads=1)))
    names = names_of(passages)
    indexing = IndexPipeline(embedding=embedder, config=config, store=store)
    for copy in range(max(copies)):
        world = passages if copy == 0 else list(another_world(passages, names, copy))
        indexing.run([{"text": one.text, "doc_id": one.id, "title": one.title} for one in world])
        embedder.first = False
        if copy + 1 in copies:
            counts = store.stats()
            row: dict[str, Any] = {"passages": counts["chunks"], "units": counts["knowledge_units"]}
            row |= measure(store, questions, config)
            print(json.dumps(row), flush=True)
            yield row


def _cipher(copy: int) -> dict[int, str]:
    """A letter for each letter: vowels for vowels, consonants for consonants, capitals kept."""
    random = np.random.default_rng(copy)
    table: dict[int, str] = {}
    for letters in (_VOWELS, _CONSONANTS):
        others = [letters[at] for at in random.permutation(len(letters))]
        for letter, other in zip(letters, others, strict=True):
            table |= {ord(letter): other, ord(letter.upper()): other.upper()}
    return table


@contextmanager
def _watched(watch: Stopwatch) -> Iterator[None]:
    """Time every stage as long as the context lasts."""
    kept = [(owner, name, vars(owner)[name]) for _, owner, name in STAGES]
    for (stage, owner, name), (_, _, plain) in zip(STAGES, kept, strict=True):
        if isinstance(plain, classmethod):
            setattr(owner, name, classmethod(watch.times(stage, plain.__func__)))
        else:
            setattr(owner, name, watch.times(stage, plain))
    try:
        yield
    finally:
        for owner, name, plain in kept:
            setattr(owner, name, plain)


if __name__ == "__main__":
    main()
