"""How much of a chunk's own name the question says: "the bishop of Elmham" names in part what
"Theodred II (Bishop of Elmham)" is called, though neither is a name inside the other.
"""

from __future__ import annotations

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.ragged import best_of_groups, row_index
from clew.retrieval.words_of_question import smooth_idf
from clew.stores.base import Numbers, Scores
from clew.text.words import terms


def title_words(search: Search, chunks: Numbers) -> Scores:
    """Per chunk, the idf share of the words of its topic that the question holds; of several
    topics the best counts.
    """
    links = search.reader.topics_of_chunks(chunks)
    entities, place = np.unique(links.targets, return_inverse=True)
    shares = _shares(search, entities)
    return best_of_groups(shares[place], row_index(links), len(chunks))[0]


def _shares(search: Search, entities: Numbers) -> Scores:
    asked = set(search.query.words.terms)
    names = [set(terms(entity.name)) for entity in search.reader.get_entities(entities)]
    touched = [name if name & asked else set() for name in names]
    vocabulary = sorted(set().union(*touched)) if touched else []
    frequencies = search.reader.document_frequencies("chunk", vocabulary)
    idf = dict(zip(vocabulary, smooth_idf(search.counts["chunks"], frequencies), strict=True))
    shares = np.zeros(len(names), dtype=np.float32)
    for index, name in enumerate(touched):
        total = sum(idf[term] for term in sorted(name))
        if total > 0:
            shares[index] = sum(idf[term] for term in sorted(name & asked)) / total
    return shares
