"""From the name of a strategy, and the settings, to the strategy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol, TypeGuard, runtime_checkable

from clew.chunking import chunkers
from clew.chunking.base import Chunker
from clew.chunking.config import ChunkingConfig
from clew.chunking.measures import Count
from clew.chunking.registry import ALIASES, check_strategy, own_factory
from clew.chunking.sizes import Bounds, Sizes
from clew.errors import ConfigError
from clew.models.base import Embedder

CHARS_PER_TOKEN = 5
"""By which the sizes of the token strategy follow from a size in characters: 1,200 for 240."""


@runtime_checkable
class Embedding(Chunker, Protocol):
    """A strategy that can compare texts by the vectors of an embedder."""

    def with_embedder(self, embedder: Embedder) -> Chunker: ...


@dataclass(frozen=True, slots=True)
class Made:
    """A strategy, and which of its options follow which setting."""

    kind: Callable[..., Any]
    options: Mapping[str, str]

    def __call__(self, config: ChunkingConfig, count: Count) -> Chunker:
        given = ((option, getattr(config, name)) for option, name in self.options.items())
        options = {option: value for option, value in given if value is not None}
        chunker: Chunker = self.kind(**self._sizes(config, count), **options)
        return chunker

    def _sizes(self, config: ChunkingConfig, count: Count) -> dict[str, Any]:
        """A smallest size keeps its share of the largest."""
        size, overlap = config.chunk_size, config.chunk_overlap
        if self.kind is chunkers.SingleChunker:
            return {}
        if isinstance(self.kind, type) and issubclass(self.kind, Sizes):
            return {"chunk_size": size, "chunk_overlap": overlap, "count": count}
        assert isinstance(self.kind, type)
        assert issubclass(self.kind, Bounds)
        least = size * self.kind.min_size // self.kind.max_size
        return {"min_size": least, "max_size": size, "overlap": overlap, "count": count}


def _token_window(config: ChunkingConfig, count: Count) -> Chunker:
    size, overlap = config.chunk_size, config.chunk_overlap
    if count is not len:
        return chunkers.TokenWindowChunker(chunk_tokens=size, overlap_tokens=overlap, count=count)
    tokens = max(1, size // CHARS_PER_TOKEN)
    shared = min(overlap // CHARS_PER_TOKEN, tokens - 1)
    return chunkers.TokenWindowChunker(
        chunk_tokens=tokens, overlap_tokens=shared, max_chars=size, max_shared_chars=overlap
    )


def _adaptive(config: ChunkingConfig, count: Count) -> Chunker:
    """It makes the other strategies, so it can only be imported once they are there."""
    from clew.chunking.adaptive import AdaptiveChunker  # noqa: PLC0415
    from clew.chunking.selector import AdaptiveSelector  # noqa: PLC0415

    return AdaptiveChunker(AdaptiveSelector(config=config, count=count))


_TOPICS = {"similarity_threshold": "chunk_similarity_threshold"}

CHUNKERS: Mapping[str, Callable[[ChunkingConfig, Count], Chunker]] = MappingProxyType(
    {
        "recursive": Made(chunkers.RecursiveChunker, {"separators": "chunk_separators"}),
        "sentence": Made(chunkers.SentenceChunker, {}),
        "fixed-window": Made(chunkers.FixedWindowChunker, {}),
        "token-window": _token_window,
        "split-then-merge": Made(chunkers.SplitThenMergeChunker, {}),
        "paragraph": Made(chunkers.ParagraphChunker, {}),
        "section-aware": Made(chunkers.SectionAwareChunker, {}),
        "markdown": Made(chunkers.MarkdownChunker, {}),
        "delimiter": Made(chunkers.DelimiterChunker, {"delimiter": "chunk_delimiter"}),
        "page": Made(chunkers.PageChunker, {}),
        "page-index": Made(chunkers.PageIndexChunker, {}),
        "semantic": Made(chunkers.SemanticChunker, _TOPICS),
        "regex-section": Made(
            chunkers.RegexSectionChunker, {"heading_pattern": "chunk_heading_pattern"}
        ),
        "html": Made(chunkers.HtmlChunker, {}),
        "json": Made(chunkers.JsonChunker, {}),
        "code": Made(chunkers.CodeChunker, {}),
        "hybrid": Made(chunkers.HybridChunker, _TOPICS),
        "single": Made(chunkers.SingleChunker, {}),
        "adaptive": _adaptive,
    }
)
"""How each strategy of clew is made from the settings, by name."""


def make_chunker(
    config: ChunkingConfig, *, count: Count = len, embedder: Embedder | None = None
) -> Chunker:
    """Return the strategy that ``config`` names, one's own included.

    ``embedder`` goes to the strategies that compare what texts mean, if ``config`` wants it.
    """
    chunker = _made(config, count)
    if not _takes_embedder(chunker, config):
        return chunker
    model = embedder_for(config, embedder)
    return chunker if model is None else chunker.with_embedder(model)


def embedder_for(config: ChunkingConfig, embedder: Embedder | None) -> Embedder | None:
    """Return ``embedder`` where the strategy that ``config`` names compares by it, else None.

    Raises :class:`clew.errors.ConfigError` where vectors are asked for and there is no embedder.
    """
    if not takes_embedder(config):
        return None
    if embedder is None and config.chunk_similarity == "vectors":
        raise ConfigError(
            f"chunk_similarity='vectors' needs an embedder for {config.chunk_strategy}: pass "
            "embedding=…, install the local one with `pip install clew-minilm`, or set 'auto'"
        )
    return embedder


def takes_embedder(config: ChunkingConfig) -> bool:
    """Whether the strategy that ``config`` names makes other chunks with an embedder."""
    return _takes_embedder(_made(config, len), config)


def _made(config: ChunkingConfig, count: Count) -> Chunker:
    name = ALIASES.get(config.chunk_strategy, config.chunk_strategy)
    check_strategy("chunk_strategy", name)
    return (own_factory(name) or CHUNKERS[name])(config, count)


def _takes_embedder(chunker: Chunker, config: ChunkingConfig) -> TypeGuard[Embedding]:
    """Adaptive only when asked to: the vectors of all blocks of a text are no small cost."""
    if config.chunk_similarity == "words" or not isinstance(chunker, Embedding):
        return False
    return chunker.name != "adaptive" or config.chunk_similarity == "vectors"
