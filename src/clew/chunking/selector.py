"""The strategy that suits a text, chosen by metrics of the text alone.

The paper on adaptive chunking (arXiv 2603.25333) takes the strategy with the best mean of five
metrics. That mean rewards size: windows of 3,600 characters beat a splitter at 1,600 that follows
the structure. So by default strategies are compared at one size, the user's, each by its *lift*:
how far it goes from what equally many windows of equal length reach to what could be reached, in
block and sentence integrity, cohesion and references. A strategy that needs many more chunks than
another is passed over: pieces small enough are always whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Self

from clew.chunking.base import Chunker, Span
from clew.chunking.config import ChunkingConfig
from clew.chunking.documents import ChunksOnDemand
from clew.chunking.embedded import embed_once
from clew.chunking.making import Embedding, make_chunker
from clew.chunking.measures import Count
from clew.chunking.metrics import (
    Analysis,
    IntrinsicMetricEvaluator,
    MetricConfig,
    MetricWeights,
    error_of,
    score_of,
)
from clew.chunking.outline import Outline
from clew.chunking.ranking import ranked
from clew.chunking.result import Candidate, Selection
from clew.errors import ClewError, ConfigError, MissingExtraError, ModelError
from clew.ids import document_id
from clew.models.base import Embedder
from clew.records import DEFAULT_SCOPE, Document
from clew.text.blocks import partition

CANDIDATES = ("recursive", "split-then-merge", "page-index", "hybrid")
"""What is tried when nothing else is asked for, of equals the first: structure, read in three ways,
and topics where there is none. The others cut much as one of these does, or cost more than all.
"""


class AdaptiveSelector:
    """Tries strategies on a text and ranks them.

    Without ``chunkers`` the ``strategies`` of those names are made by ``config``, sizes measured by
    ``count``, and the gate on size holds. ``weights`` is ``"lift"`` (the default), ``"paper"``,
    ``"reference"``, or weights of one's own for the weighted mean of the metrics themselves. An
    ``evaluator`` brings its own. ``embedder`` goes to strategies and metrics that compare what
    texts mean.
    """

    def __init__(
        self,
        chunkers: Sequence[Chunker] | None = None,
        evaluator: IntrinsicMetricEvaluator | None = None,
        *,
        weights: str | MetricWeights | None = None,
        strategies: Sequence[str] = CANDIDATES,
        config: ChunkingConfig | None = None,
        count: Count = len,
        embedder: Embedder | None = None,
    ) -> None:
        if evaluator is not None and weights is not None:
            raise ConfigError("give weights or an evaluator, not both: an evaluator has weights")
        self._gated = chunkers is None
        self._named = _named(
            _made(strategies, config or ChunkingConfig(), count, embedder)
            if chunkers is None
            else chunkers
        )
        self.evaluator = evaluator or IntrinsicMetricEvaluator(_metric_config(weights))
        self._embedder = embedder

    def with_embedder(self, embedder: Embedder) -> Self:
        """Return the same with strategies and metrics that compare vectors of ``embedder``."""
        other = copy(self)
        named = {
            name: chunker.with_embedder(embedder) if isinstance(chunker, Embedding) else chunker
            for name, chunker in self._named.items()
        }
        vars(other).update(_named=named, _embedder=embedder)
        return other

    def select(self, text: str | Outline) -> Selection:
        """Return the candidates, best first; a bare text is taken as Markdown.

        A strategy that fails is reported as such. Raises :class:`ClewError` when all do, and
        :class:`clew.errors.ModelError` when the embedder does.
        """
        if isinstance(text, str):
            text = Outline(text, partition(text, "markdown"), media_type="text/markdown")
        selection = ranked(self._tried(text, every=True), gated=self._gated)
        return self.of_document(selection, _nameless(text), text)

    def choose(self, outline: Outline) -> Selection:
        """Choose as :meth:`select` does, without trying the others where that changes nothing: all
        fits into one chunk of the first.
        """
        return ranked(self._tried(outline, every=False), gated=self._gated)

    def rank(self, text: str | Outline) -> tuple[Candidate, ...]:
        """Return the candidates of :meth:`select`."""
        return self.select(text).candidates

    @property
    def chunkers(self) -> tuple[Chunker, ...]:
        return tuple(self._named.values())

    def chunker(self, name: str) -> Chunker:
        """Return the strategy of a candidate."""
        return self._named[name]

    def of_document(self, selection: Selection, document: Document, outline: Outline) -> Selection:
        """Return the selection for ``outline`` with the chunks that it means in ``document``."""
        return replace(
            selection,
            candidates=tuple(
                replace(
                    candidate,
                    chunks=ChunksOnDemand(
                        self.chunker(candidate.strategy_name), document, outline, candidate.spans
                    ),
                )
                for candidate in selection.candidates
            ),
        )

    def _tried(self, outline: Outline, *, every: bool) -> list[Candidate]:
        embed = embed_once(outline, self._embedder) if self._embedder else None
        analysis = self.evaluator.analyse(outline, embed=embed)
        tried: list[Candidate] = []
        for name in self._named:
            tried.append(self._attempt(name, outline, analysis, tried))
            settled = self._gated and not tried[-1].error and len(tried[-1].spans) <= 1
            if settled and not every:
                return tried[-1:]
        return tried

    def _attempt(
        self, name: str, outline: Outline, analysis: Analysis, before: Sequence[Candidate]
    ) -> Candidate:
        try:
            spans = tuple(self._named[name].cuts(outline))
            for other in before:
                if other.spans == spans and not other.error:
                    same = other.passed_over or f"cuts as {other.strategy_name} does"
                    return replace(other, strategy_name=name, passed_over=same)
            return self._measured(name, spans, analysis)
        except Exception as error:  # one strategy must not cost the others
            if isinstance(error, ModelError) and not isinstance(error, MissingExtraError):
                raise  # the embedder failed: choosing without it would be another choice
            return Candidate(strategy_name=name, error=_reason(error))

    def _measured(self, name: str, spans: tuple[Span, ...], analysis: Analysis) -> Candidate:
        metrics = self.evaluator.evaluate(analysis, spans)
        return Candidate(
            strategy_name=name,
            score=score_of(metrics),
            metrics=metrics,
            spans=spans,
            noise=error_of(metrics),
        )


def _nameless(outline: Outline) -> Document:
    return Document(
        id=document_id(DEFAULT_SCOPE, ""),
        doc_id="",
        text=outline.text,
        media_type=outline.media_type,
        pages=tuple(outline.pages),
    )


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, ClewError) else f"{type(error).__name__}: {error}"


def _made(
    names: Sequence[str], config: ChunkingConfig, count: Count, embedder: Embedder | None
) -> tuple[Chunker, ...]:
    if embedder is None:
        config = replace(config, chunk_similarity="words")
    return tuple(
        make_chunker(replace(config, chunk_strategy=name), count=count, embedder=embedder)
        for name in names
    )


def _named(chunkers: Sequence[Chunker]) -> dict[str, Chunker]:
    """Return strategies by name; the second of a name, for another size, is ``name-2``."""
    if not chunkers:
        raise ConfigError("chunkers is empty: give at least one strategy")
    named: dict[str, Chunker] = {}
    for chunker in chunkers:
        name, number = chunker.name, 1
        while name in named:
            number += 1
            name = f"{chunker.name}-{number}"
        named[name] = chunker
    return named


def _metric_config(weights: str | MetricWeights | None) -> MetricConfig:
    if isinstance(weights, MetricWeights):
        return MetricConfig(weights=weights)
    return MetricConfig.preset(weights or "lift")
