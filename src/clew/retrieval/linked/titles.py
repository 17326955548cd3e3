"""How much of a chunk's own name the question says: "the bishop of Elmham" names in part what
"Theodred II (Bishop of Elmham)" is called, though neither is a name inside the other.

Words count alike here. Weighing them by rarity was measured and changes nothing, but costs a
look-up for every word of every title.
"""

from __future__ import annotations

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.ragged import best_of_groups, row_index
from clew.stores.base import Numbers, Scores
from clew.text.words import terms


def title_words(search: Search, chunks: Numbers) -> Scores:
    """Per chunk, the share of the words of its topic that the question holds; of several topics
    the best counts.
    """
    links = search.reader.topics_of_chunks(chunks)
    entities, place = np.unique(links.targets, return_inverse=True)
    asked = set(search.query.words.terms)
    shares = np.array(
        [_share(entity.name, asked) for entity in search.reader.get_entities(entities)],
        dtype=np.float32,
    )
    return best_of_groups(shares[place], row_index(links), len(chunks))[0]


def _share(name: str, asked: set[str]) -> float:
    words = set(terms(name))
    return len(words & asked) / len(words) if words else 0.0
