"""What a language model's extraction is worth for multi-hop questions, replayed without a model.

::

    python -m benchmarks.extraction.replay [SET]        (default tune/musique)
        --methods sentence,vocabulary,llm --search linked,dense --limit 500
        --embedder none --set entity_extraction_method=llm

Each method indexes the same passages with the same embedder; the model is
:class:`benchmarks.extraction.replayed.ReplayedLLM`. Printed are recall, and what extraction gave:
units, entities, facts, what was dropped as ungrounded, and the calls and tokens that it took.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchmarks.extraction.replayed import ReplayedLLM
from benchmarks.multihop.environment import with_one_blas_thread
from benchmarks.multihop.vector_cache import cached

from clew.config import ClewConfig, settings_from_texts
from clew.documents import documents_from
from clew.evaluation.corpora import Corpus, TextSpan
from clew.evaluation.datasets import Dataset, data_folder, load_dataset
from clew.evaluation.environment import one_core
from clew.evaluation.indexed import IndexedCorpus, Piece, documents_of
from clew.evaluation.measuring import figures
from clew.evaluation.multihop import Form, ask_all, choose
from clew.indexing.pipeline import IndexPipeline
from clew.models.base import Embedder
from clew.models.local import LocalEmbedder
from clew.reports import IngestReport
from clew.stores.memory import KnowledgeGraph


def main() -> None:
    with_one_blas_thread("benchmarks.extraction.replay")
    options = _options()
    dataset = load_dataset(options.name)
    if options.limit:
        dataset = _part(dataset, options.limit)
    llm = ReplayedLLM(dataset, data_folder() / options.name / "openie.jsonl")
    local = options.embedder == "local"
    embedder = cached(LocalEmbedder(threads=options.threads)) if local else None
    settings = settings_from_texts(dict(options.settings))
    print("| method | search | R@2 | R@5 | R@10 | all@5 | units | entities | facts | ungrounded |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    notes = []
    for method in options.methods.split(","):
        config = ClewConfig.from_dict(settings | {"ku_extraction_method": method})
        indexed, report = _index(dataset, config, llm, embedder)
        with one_core():
            runs = ask_all(indexed, choose(options.search.split(","), with_vectors=local))
        for name, run in runs.items():
            _row(method, name, figures(dataset.questions, run), indexed, report)
        notes.append(_spent(method, report))
    print("\n" + "\n".join(notes))


def _index(
    dataset: Dataset, config: ClewConfig, llm: ReplayedLLM, embedder: Embedder | None
) -> tuple[IndexedCorpus, IngestReport]:
    if embedder is None:
        config = config.replace(embedding_model="none")
    store = KnowledgeGraph()
    pipeline = IndexPipeline(llm=llm, embedding=embedder, config=config, store=store)
    documents = documents_from(list(documents_of(dataset.passages)), scope=config.scope)
    began = time.perf_counter()
    report = pipeline.index(documents, store, total=len(dataset.passages))
    report = replace(report, seconds=time.perf_counter() - began)
    pieces = tuple(
        Piece(
            id=passage.id,
            title=passage.title,
            text=passage.text,
            span=TextSpan(doc_id=passage.id, start=0, end=len(passage.text)),
        )
        for passage in dataset.passages
    )
    corpus = Form().corpus(dataset)
    assert isinstance(corpus, Corpus)
    return (
        IndexedCorpus(corpus=corpus, pieces=pieces, store=store, config=config, asking=embedder),
        report,
    )


def _row(
    method: str, search: str, found: dict[str, Any], indexed: IndexedCorpus, report: IngestReport
) -> None:
    counts = indexed.store.stats()
    ungrounded = sum(document.ungrounded_facts for document in report.documents)
    recalls = " | ".join(f"{found[key]:.1f}" for key in ("recall@2", "recall@5", "recall@10"))
    print(
        f"| {method} | {search} | {recalls} | {found['all@5']:.1f} | {counts['knowledge_units']:,} "
        f"| {counts['entities']:,} | {counts['facts']:,} | {ungrounded:,} |",
        flush=True,
    )


def _spent(method: str, report: IngestReport) -> str:
    usage = report.usage
    chunks = sum(document.chunks for document in report.documents)
    degraded = sum(document.degraded_chunks for document in report.documents)
    return (
        f"{method}: {usage.calls:,} calls, {usage.input_tokens:,} tokens in, "
        f"{usage.output_tokens:,} out; {degraded:,} of {chunks:,} chunks degraded; "
        f"{report.seconds:.0f} s"
    )


def _part(dataset: Dataset, passages: int) -> Dataset:
    """The first questions, with their passages and the first others up to ``passages``."""
    ids = {passage.id for passage in dataset.passages[:passages]}
    questions = [one for one in dataset.questions if ids.issuperset(one.supporting_ids)]
    return replace(dataset, passages=dataset.passages[:passages], questions=tuple(questions))


def _options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", nargs="?", default="tune/musique", metavar="SET")
    parser.add_argument("--methods", default="sentence,vocabulary,llm")
    parser.add_argument("--search", default="linked", help="retrieval methods, by commas")
    parser.add_argument("--limit", type=int, default=0, help="only so many passages")
    parser.add_argument("--embedder", choices=("local", "none"), default="local")
    parser.add_argument(
        "--set",
        action="append",
        type=lambda text: tuple(text.split("=", 1)),
        dest="settings",
        default=[],
        metavar="KEY=VALUE",
        help="a setting to index by",
    )
    parser.add_argument("--threads", type=int, default=1, help="of the embedder")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
    sys.exit(0)
