"""The peers by name, to be put beside the other systems of a benchmark.

Each maker takes an :class:`clew.evaluation.indexed.IndexedCorpus`; both need vectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from benchmarks.multihop.peers import atomic_rag, linear_rag

from clew.evaluation.systems import Maker

PEERS: Mapping[str, Maker] = MappingProxyType(
    {"linear-rag": linear_rag.system, "atomic-rag": atomic_rag.system}
)
