"""The methods by name."""

from __future__ import annotations

from collections.abc import Callable

from clew.errors import ConfigError, nearest
from clew.retrieval.base import Method, Reranker
from clew.retrieval.hybrid import Hybrid
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.plain import BM25, Dense
from clew.retrieval.pool.stages import LinkedWeights
from clew.retrieval.pool.weights_file import read_weights
from clew.retrieval.ppr.search import PersonalisedPageRank
from clew.retrieval.qiter.search import QIter

_MAKERS: dict[str, Callable[[Reranker | None, LinkedWeights | None], Method]] = {
    "linked": lambda _, weights: LinkedEvidence(weights=weights),
    "qiter": lambda reranker, _: QIter(reranker=reranker),
    "ppr": lambda _, __: PersonalisedPageRank(),
    "hybrid": lambda _, weights: Hybrid(weights=weights.alone if weights else None),
    "dense": lambda _, __: Dense(),
    "bm25": lambda _, __: BM25(),
}


def method_names() -> tuple[str, ...]:
    return tuple(_MAKERS)


def make_method(
    name: str, *, reranker: Reranker | None = None, weights: str | None = None
) -> Method:
    """Return the method called ``name``; ``weights`` is a file that ``clew bench fit`` wrote.

    Raises :class:`ConfigError` for any other name, or a file that holds no weights.
    """
    if name not in _MAKERS:
        raise ConfigError(
            f"retrieval_method={name!r} is not one of {', '.join(_MAKERS)}{nearest(name, _MAKERS)}"
        )
    return _MAKERS[name](reranker, read_weights(weights) if weights else None)
