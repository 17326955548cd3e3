"""One document, the strategies that may cut it, and the settings → chunks, and why those."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.config import ChunkingConfig
from clew.chunking.making import embedder_for, make_chunker, takes_embedder
from clew.chunking.registry import ALIASES, check_strategy, chunker_names
from clew.chunking.selector import AdaptiveSelector
from clew.models.base import Embedder

_MARKUP = re.compile(r"(?::\w+:)?`{1,2}([^`]+)`{1,2}")

WEIGHTS = ("lift", "paper", "reference")


class Strategy(NamedTuple):
    """A strategy for people: its name and what it does."""

    name: str
    summary: str


def chooser(
    config: ChunkingConfig,
    strategies: Sequence[str] = (),
    weights: str = "lift",
    *,
    embedder: Callable[[], Embedder | None] = lambda: None,
) -> AdaptiveChunker:
    """Return what chunks a document by the best of ``strategies``: by one of them where there is
    one, by the usual candidates where there is none. Raises :class:`clew.errors.ConfigError`.

    ``embedder`` is asked for one only where there is a use for it: strategies take it by ``config``
    as elsewhere, and the choice between several only if ``chunk_similarity`` is ``vectors``.
    """
    for name in strategies:
        check_strategy("strategy", name)
    names = dict.fromkeys(ALIASES.get(name, name) for name in strategies)
    configs = [replace(config, chunk_strategy=name) for name in names]
    choices = [replace(config, chunk_strategy="adaptive")] if len(names) != 1 else []
    model = embedder() if any(map(takes_embedder, configs + choices)) else None
    chunkers = [make_chunker(each, embedder=model) for each in configs]
    chosen = AdaptiveChunker(AdaptiveSelector(chunkers or None, weights=weights, config=config))
    judges = [judge for each in choices if (judge := embedder_for(each, model))]
    return chosen.with_embedder(judges[0]) if judges else chosen


def strategies() -> list[Strategy]:
    """Return every strategy that there is, one's own last."""
    found = []
    for name in chunker_names():
        kind = type(make_chunker(ChunkingConfig(chunk_strategy=name)))
        summary = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
        found.append(Strategy(name, _MARKUP.sub(r"\1", summary)))
    return found
