"""The methods by name."""

from __future__ import annotations

from collections.abc import Callable

from clew.errors import ConfigError, nearest
from clew.retrieval.base import Method, Reranker
from clew.retrieval.hybrid import Hybrid
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.plain import BM25, Dense
from clew.retrieval.ppr.search import PersonalisedPageRank
from clew.retrieval.qiter.search import QIter

_MAKERS: dict[str, Callable[[Reranker | None], Method]] = {
    "linked": lambda _: LinkedEvidence(),
    "qiter": lambda reranker: QIter(reranker=reranker),
    "ppr": lambda _: PersonalisedPageRank(),
    "hybrid": lambda _: Hybrid(),
    "dense": lambda _: Dense(),
    "bm25": lambda _: BM25(),
}


def method_names() -> tuple[str, ...]:
    return tuple(_MAKERS)


def make_method(name: str, *, reranker: Reranker | None = None) -> Method:
    """Return the method called ``name``. Raises :class:`ConfigError` for any other name."""
    if name not in _MAKERS:
        raise ConfigError(
            f"retrieval_method={name!r} is not one of {', '.join(_MAKERS)}{nearest(name, _MAKERS)}"
        )
    return _MAKERS[name](reranker)
