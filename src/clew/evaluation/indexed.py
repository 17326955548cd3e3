"""A corpus that was indexed, what that took, and all that a system may be made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clew.config import ClewConfig
from clew.documents import documents_from
from clew.errors import BrokenDocumentError
from clew.evaluation.clocks import ClockedIndexPipeline, Spent, StageClock
from clew.evaluation.corpora import Corpus, TextSpan
from clew.evaluation.datasets import Passage
from clew.evaluation.environment import folder_mb, peak_memory_mb
from clew.indexing.pipeline import IndexPipeline
from clew.models.base import Embedder
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.stores.sqlite import SQLiteStore

WHOLE = "whole"
"""The only stage of indexing that was not told apart."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """What a system ranks: a passage, or where passages are parts of documents, a chunk."""

    id: str
    title: str
    text: str
    span: TextSpan


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class IndexedCorpus:
    """``pieces`` are what systems rank; ``asking`` embeds questions (None: words alone); systems
    that know their stages mark them on ``clock``; ``figures`` says what indexing took.
    """

    corpus: Corpus
    pieces: tuple[Piece, ...]
    store: Store
    config: ClewConfig
    asking: Embedder | None
    clock: StageClock = field(default_factory=StageClock)
    figures: dict[str, Any] = field(default_factory=dict)


def index_corpus(
    corpus: Corpus,
    *,
    config: ClewConfig,
    embedder: Embedder | None = None,
    asking: Embedder | None = None,
    folder: Path | None = None,
    clock: StageClock | None = None,
    by_stage: bool = True,
) -> IndexedCorpus:
    """Index ``corpus`` into memory, or into a new SQLite store in ``folder``.

    ``asking`` embeds the questions later, as ``embedder`` does the texts, unless given. Without an
    ``embedder``, words alone are indexed.
    """
    clock = clock or StageClock()
    if embedder is None:
        config = config.replace(embedding_model="none")
    store: Store = KnowledgeGraph() if folder is None else SQLiteStore.open(folder)
    clock.start()
    if by_stage:
        pipeline = ClockedIndexPipeline(clock=clock, store=store, embedding=embedder, config=config)
        _index(pipeline, corpus, pipeline.clocked)
        clock.mark("store")
    else:
        _index(IndexPipeline(embedding=embedder, config=config), corpus, store)
        clock.mark(WHOLE)
    return IndexedCorpus(
        corpus=corpus,
        pieces=tuple(_pieces(corpus, store)),
        store=store,
        config=config,
        asking=None if embedder is None else asking or embedder,
        clock=clock,
        figures=index_figures(store, clock.stages(), folder=folder),
    )


def documents_of(passages: Sequence[Passage]) -> Iterator[dict[str, str]]:
    """Passages as the documents that are indexed."""
    for passage in passages:
        yield {"text": passage.text, "doc_id": passage.id, "title": passage.title}


def index_figures(
    store: Store, stages: dict[str, Spent], *, folder: Path | None = None
) -> dict[str, Any]:
    """What indexing took, by stage, and what came of it."""
    counts = store.stats()
    seconds = sum(spent.seconds for spent in stages.values())
    return {
        "passages": counts["documents"],
        "seconds": round(seconds, 2),
        **({} if WHOLE in stages else _by_stage(stages)),
        "passages_per_second": round(counts["documents"] / seconds, 1) if seconds else 0.0,
        "peak_memory_mb": round(peak_memory_mb(), 1),
        "disk_mb": round(folder_mb(folder), 1) if folder is not None else 0.0,
        **counts,
    }


def _by_stage(stages: dict[str, Spent]) -> dict[str, Any]:
    cpu = {name: round(spent.cpu_seconds, 2) for name, spent in stages.items()}
    return {
        "seconds_by_stage": {name: round(spent.seconds, 2) for name, spent in stages.items()},
        "cpu_seconds_by_stage": cpu,
        "cpu_seconds": round(sum(cpu.values()), 2),
    }


def _index(pipeline: IndexPipeline, corpus: Corpus, store: Store) -> None:
    """Index every passage: one that is missing would be a miss that no method can help."""
    passages = corpus.dataset.passages
    documents = documents_from(list(documents_of(passages)), scope=pipeline.config.scope)
    report = pipeline.index(documents, store, total=len(passages))
    for trouble in report.trouble:
        raise BrokenDocumentError(f"passage {trouble.doc_id!r} of the corpus: {trouble.reason}")


def _pieces(corpus: Corpus, store: Store) -> Iterator[Piece]:
    if not corpus.spans:
        for passage in corpus.dataset.passages:
            span = TextSpan(doc_id=passage.id, start=0, end=len(passage.text))
            yield Piece(id=passage.id, title=passage.title, text=passage.text, span=span)
        return
    for document in store.list_documents():
        indexed = store.load_document(document.id)
        for chunk in indexed.chunks if indexed else ():
            span = TextSpan(doc_id=document.doc_id, start=chunk.start, end=chunk.end)
            yield Piece(id=chunk.id, title=document.title, text=chunk.text, span=span)
