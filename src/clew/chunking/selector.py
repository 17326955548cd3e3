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
from dataclasses import replace
from math import hypot

from clew.chunking.base import Chunker, Span
from clew.chunking.config import ChunkingConfig
from clew.chunking.documents import ChunksOnDemand
from clew.chunking.making import make_chunker
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
from clew.chunking.result import Candidate, Selection
from clew.errors import ClewError, ConfigError
from clew.ids import document_id
from clew.models.base import Embedder
from clew.records import DEFAULT_SCOPE, Document
from clew.text.blocks import partition

CANDIDATES = ("recursive", "split-then-merge", "page-index", "hybrid")
"""What is tried when nothing else is asked for, of equals the first: structure, read in three ways,
and topics where there is none. The others cut much as one of these does, or cost more than all.
"""

_MOST_CHUNKS = 1.6
"""Times as many as the strategy with the fewest: more are too small for the size asked for."""

_DIGITS = 9
"""Scores that differ in later ones are ties: processors round differently."""


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
        self.evaluator = evaluator or IntrinsicMetricEvaluator(
            _metric_config(weights), embed=embedder.embed if embedder else None
        )

    def select(self, text: str | Outline) -> Selection:
        """Return the candidates, best first; a bare text is taken as Markdown.

        A strategy that fails is reported as such. Raises :class:`ClewError` when all do.
        """
        if isinstance(text, str):
            text = Outline(text, partition(text, "markdown"), media_type="text/markdown")
        selection = _ranked(self._tried(text, every=True), gated=self._gated)
        return self.of_document(selection, _nameless(text), text)

    def choose(self, outline: Outline) -> Selection:
        """Choose as :meth:`select` does, without trying the others where that changes nothing: all
        fits into one chunk of the first.
        """
        return _ranked(self._tried(outline, every=False), gated=self._gated)

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
        analysis = self.evaluator.analyse(outline)
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


def _ranked(tried: Sequence[Candidate], *, gated: bool) -> Selection:
    """Order candidates: those of a fitting size by score, one that cuts as another does behind it;
    then those that are passed over for their size; then the failed.
    """
    failed = [candidate for candidate in tried if candidate.error]
    good = sorted((candidate for candidate in tried if not candidate.error), key=_place)
    if not good:
        reasons = "; ".join(f"{candidate.strategy_name}: {candidate.error}" for candidate in failed)
        raise ClewError(f"no strategy could cut the text: {reasons}")
    fitting, others = _gate(good) if gated else (good, [])
    candidates = (*fitting, *others, *failed)
    return Selection(candidates=candidates, note=_note(candidates))


def _place(candidate: Candidate) -> float:
    return -round(candidate.score, _DIGITS)


def _gate(good: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Part those of a fitting size from those of many more chunks than would do."""
    least = min(len(candidate.spans) for candidate in good)
    fitting = [item for item in good if len(item.spans) <= _MOST_CHUNKS * least]
    others = [
        replace(item, passed_over=f"{len(item.spans):,} chunks, where {least:,} would do")
        for item in good
        if len(item.spans) > _MOST_CHUNKS * least
    ]
    return fitting, others


def _note(candidates: tuple[Candidate, ...]) -> str:
    first = candidates[0]
    others = [item for item in candidates[1:] if not item.error and not item.passed_over]
    if len(first.spans) <= 1 and not others:
        return "the text fits into one chunk"
    if not others:
        return "no other strategy could be chosen"
    second = others[0]
    if first.score - second.score <= hypot(first.noise, second.noise):
        return (
            f"{first.strategy_name} ({first.score:.3f}) and {second.strategy_name} "
            f"({second.score:.3f}) are within noise: the text does not tell them apart"
        )
    return f"{first.strategy_name} leads {second.strategy_name} by more than noise"
