"""The links that carry evidence from one chunk to another.

Two kinds, and both are needed:

* **about**: a unit mentions an entity, another chunk is *about* that entity;
* **shared**: two chunks speak of the same rare entity.

What a link carries is the worth of its source times how sure the link is, and then (in
:mod:`clew.retrieval.linked.best_edges`) times what source and target cover of the question
together.

Everything below is arrays, one entry per edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clew.retrieval.base import Search
from clew.retrieval.linked.mentions import Mentions
from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.pool.named_chunks import rarity
from clew.retrieval.ragged import best_of_groups, join, row_index, row_lengths
from clew.stores.base import Numbers, Scores


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkLimits:
    """Bounds that keep the work of a hop constant. Those on hubs are part of the measured
    algorithm; ``least`` drops links that could not move a result, whatever they cover.
    """

    most_about: int = 10
    hub_share: float = 0.01
    hub_least: int = 20
    hub_most: int = 200
    most_targets: int = 200
    least: float = 0.05

    def most_mentions(self, chunk_count: int) -> int:
        """In how many chunks an entity may be mentioned and still link them."""
        return int(min(max(self.hub_least, self.hub_share * chunk_count), self.hub_most))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Edges:
    """Edges into chunks, before the coverage of their targets is known.

    ``sources`` are rows of the pool's units; ``worth`` is what an edge carries at full coverage;
    ``units`` is the unit where the edge arrives (-1: the chunk as a whole).
    """

    sources: Numbers
    entities: Numbers
    targets: Numbers
    units: Numbers
    worth: Scores


def about_edges(mentions: Mentions, worth: Scores, limits: LinkLimits) -> Edges:
    """Edges from units that mention an entity to the chunks that are about it.

    ``worth`` is that of each unit's chunk, one per unit of the pool.
    """
    unit_rows, entity_rows = mentions.unit_rows[: mentions.said], mentions.entity_rows
    entity_rows = entity_rows[: mentions.said]
    about, lengths = mentions.about, row_lengths(mentions.about)
    certainty = 1.0 / np.sqrt(np.maximum(lengths, 1)).astype(np.float32)
    carried = worth[unit_rows] * certainty[entity_rows]
    fits = lengths[entity_rows] <= limits.most_about
    keep = np.flatnonzero((carried >= limits.least) & fits)
    pair, at = join(about, entity_rows[keep])
    pair = keep[pair]
    return Edges(
        sources=unit_rows[pair],
        entities=mentions.entities[entity_rows[pair]],
        targets=about.targets[at],
        units=np.full(len(pair), -1, dtype=np.int64),
        worth=carried[pair] * about.weights[at],
    )


def shared_edges(
    search: Search,
    pool: Candidates,
    mentions: Mentions,
    worth: Scores,
    preference: Scores,
    limits: LinkLimits,
) -> Edges:
    """Edges between chunks that speak of the same rare entity, from its best source unit (or, into
    the chunk of that very unit, from the best of another chunk).
    """
    count = search.counts["chunks"]
    certainty = rarity(mentions.frequencies, count)
    first, second = _best_two_sources(pool, mentions, preference)
    linking = mentions.frequencies <= limits.most_mentions(count)
    chosen = np.flatnonzero(linking & (worth[first] * certainty >= limits.least))
    links = search.reader.units_of_entities(mentions.entities[chosen])
    few = chosen[row_lengths(mentions.about)[chosen] <= limits.most_about]
    pair, at = join(mentions.about, few)
    entity_rows = np.concatenate([chosen[row_index(links)], few[pair]])
    targets = np.concatenate(
        [search.reader.chunks_of_units(links.targets), mentions.about.targets[at]]
    )
    units = np.concatenate([links.targets, np.full(len(at), -1, dtype=np.int64)])
    source = first[entity_rows]
    at_home = pool.chunks[pool.unit_rows[source]] == targets
    source = np.where(at_home, second[entity_rows], source)
    known = source >= 0
    return Edges(
        sources=source[known],
        entities=mentions.entities[entity_rows[known]],
        targets=targets[known],
        units=units[known],
        worth=worth[source[known]] * certainty[entity_rows[known]],
    )


def _best_two_sources(
    pool: Candidates, mentions: Mentions, preference: Scores
) -> tuple[Numbers, Numbers]:
    """Per entity the best unit that speaks of it, and the best in another chunk; -1 for none."""
    count = len(mentions.entities)
    values = preference[mentions.unit_rows]
    _, first = best_of_groups(values, mentions.entity_rows, count)
    chunk_rows = pool.unit_rows[mentions.unit_rows]
    other = np.flatnonzero(chunk_rows != chunk_rows[first[mentions.entity_rows]])
    _, second = best_of_groups(values[other], mentions.entity_rows[other], count)
    best = mentions.unit_rows[first]
    runner_up = (
        np.where(second >= 0, mentions.unit_rows[other[second]], -1)
        if len(other)
        else (np.full(count, -1, dtype=np.int64))
    )
    return best, runner_up
