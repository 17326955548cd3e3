"""The strategies by name: those that come with clew, and one's own.

Names are known without importing a strategy; a strategy is imported when it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from clew.errors import ConfigError, nearest

if TYPE_CHECKING:
    from clew.chunking.base import Chunker
    from clew.chunking.config import ChunkingConfig
    from clew.chunking.measures import Count

    Factory = Callable[[ChunkingConfig, Count], Chunker]

STRATEGIES = (
    "recursive",
    "sentence",
    "fixed-window",
    "token-window",
    "split-then-merge",
    "paragraph",
    "section-aware",
    "markdown",
    "delimiter",
    "page",
    "page-index",
    "semantic",
    "regex-section",
    "html",
    "json",
    "code",
    "hybrid",
    "single",
    "adaptive",
)
"""The strategies that come with clew."""

ALIASES = {"fixed": "fixed-window"}

_own: dict[str, Factory] = {}


def register_chunker(name: str, factory: Factory) -> None:
    """Make a strategy of one's own known by ``name``, for ``chunk_strategy`` and for selection.

    ``factory(config, count)`` returns the :class:`~clew.chunking.base.Chunker`: its size and its
    overlap are ``config.chunk_size`` and ``config.chunk_overlap``, measured by ``count``. A process
    of its own knows only what it has registered: register where the module is imported.
    """
    if not name or name in STRATEGIES or name in ALIASES:
        raise ConfigError(f"{name!r} is the name of a strategy of clew: choose another")
    if not callable(factory):
        raise ConfigError(f"the factory of {name!r} must be callable, not {factory!r}")
    _own[name] = factory


def unregister_chunker(name: str) -> None:
    """Forget a strategy of one's own; one that is not known is no error."""
    _own.pop(name, None)


def chunker_names() -> tuple[str, ...]:
    """Return every name that ``chunk_strategy`` may have, one's own last."""
    return (*STRATEGIES, *_own)


def check_strategy(setting: str, name: Any) -> None:
    """Raise :class:`ConfigError` if no strategy has this name."""
    names = (*chunker_names(), *ALIASES)
    if name not in names:
        raise ConfigError(
            f"{setting}={name!r} is not one of {', '.join(chunker_names())}"
            f"{nearest(str(name), names)}"
        )


def own_factory(name: str) -> Factory | None:
    return _own.get(name)
