"""Where a walk through the graph begins: the entities that the question names, and the units that
are nearest to it by meaning and by words, with the entities that those mention.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.ragged import union
from clew.stores.base import Numbers


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Anchors:
    """``units`` by similarity and ``entities`` to walk from, both ascending; ``named`` are the
    entities that the question itself names.
    """

    units: Numbers
    entities: Numbers
    named: Numbers


def find_anchors(search: Search, scores: WordScores) -> Anchors:
    """Take the ``anchor_top_k`` nearest units by vectors and as many by full text."""
    k = search.config.anchor_top_k
    found = [scores.best("unit", k).numbers]
    if search.query.vector is not None:
        ranking = search.reader.search_vectors("unit", search.query.vector, k)
        found.append(ranking.numbers)
    units = union(*found)
    named = search.query.entities
    mentioned = search.reader.entities_of_units(units).targets
    return Anchors(units=units, entities=union(named, np.unique(mentioned)), named=named)
