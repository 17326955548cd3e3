"""Names that no rule of spelling connects: "the Netherlands" and "Holland".

The last resort, for what looks like a name and is linked to nothing: its vector is compared with
those of names that the units nearest to the question mention or are about. Stores hold no vectors
of names, so these few are embedded with it, in one call; the cost is that of one short passage, and
only such questions bear it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clew.models.base import Embedder
from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.name_lookup import NameLookup
from clew.retrieval.query.names import NameSpan
from clew.retrieval.query.slips import numbers_agree
from clew.stores.base import Numbers, Scores
from clew.text.names import name_key

MOST_SPANS = 2
MOST_NAMES = 12
_NEAREST_UNITS = 6
_COUSINS = 0.05
_NEVER = 2.0


def link_by_meaning(
    lookup: NameLookup,
    spans: Sequence[NameSpan],
    *,
    embedder: Embedder,
    vector: Scores,
    known: Numbers,
) -> list[LinkedName]:
    """Link ``spans`` to entities near the question, ``known`` ones left aside."""
    asked = list(spans[:MOST_SPANS])
    if not asked or lookup.threshold >= 1.0:
        return []
    near = _near(lookup, vector)
    numbers = near[~np.isin(near, known)][:MOST_NAMES]
    if not len(numbers):
        return []
    names = [entity.name for entity in lookup.entities(numbers)]
    vectors = embedder.embed([*(span.text for span in asked), *names], kind="query")
    cosines = vectors[: len(asked)] @ vectors[len(asked) :].T
    linked = []
    for span, row in zip(asked, cosines, strict=True):
        best = int(np.argmax(row))
        if row[best] >= lookup.threshold + _doubt(span.key, name_key(names[best])):
            linked.append(
                LinkedName(
                    text=span.text,
                    start=span.start,
                    end=span.end,
                    entities=numbers[best : best + 1],
                    similarity=min(float(row[best]), 1.0),
                    how="embedding",
                    meanings=(names[best],),
                )
            )
    return linked


def _doubt(typed: str, name: str) -> float:
    """What must be added to the threshold. Two names that share a word are alike by that word, and
    may be those of two cousins: "Ada Norr", "Ida Norr"; with other numbers they are never one.
    """
    if not numbers_agree(typed, name):
        return _NEVER
    ours, theirs = set(typed.split(" ")), set(name.split(" "))
    return _COUSINS if ours & theirs and ours - theirs and theirs - ours else 0.0


def _near(lookup: NameLookup, vector: Scores) -> Numbers:
    """The entities of the nearest units and of their chunks; those of chunks first."""
    reader = lookup.reader
    units = reader.search_vectors("unit", vector, _NEAREST_UNITS).numbers
    about = reader.topics_of_chunks(np.unique(reader.chunks_of_units(units))).targets
    mentioned = reader.entities_of_units(units).targets
    found = dict.fromkeys([*about.tolist(), *mentioned.tolist()])
    return np.array(list(found)[: 2 * MOST_NAMES], np.int64)
