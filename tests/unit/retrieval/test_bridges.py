"""What links begin at: mentions, topics, and what the question does not name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.linked.links import LinkLimits
from clew.retrieval.linked.mentions import Frequencies, Mentions, mentions_of
from clew.retrieval.linked.search import LinkedEvidence
from clew.retrieval.linked.trails import LinkedTrails
from clew.retrieval.pool.candidates import Candidates
from clew.retrieval.pool.standing import Standing
from clew.retrieval.pool.weights import WORDS_ALONE
from clew.retrieval.query.reading import link_query
from clew.stores.memory import KnowledgeGraph
from clew.testing.small_graphs import small_graph

TEXTS = {
    "Orm Works": "Orm Works makes looms. It was founded by Mira Vance.",
    "Mira Vance": "She was an engineer. Her hand drew the first loom.",
    "Looms": "Weavers wrote of Mira Vance. Orm Works paid them.",
}
QUESTION = "Who wrote of the engineer who founded Orm Works?"


def _search(graph: KnowledgeGraph, **settings: int) -> Search:
    config = ClewConfig(**settings)  # type: ignore[arg-type]
    return Search(
        reader=graph,
        query=link_query(graph, QUESTION, config=config),
        config=config,
        counts=graph.stats(),
    )


def _spoken(search: Search, pool: Candidates, mentions: Mentions) -> set[tuple[str, str, bool]]:
    """(title of the chunk, entity, said in the text) of each pair."""
    chunks = search.reader.get_chunks(pool.chunks[pool.unit_rows[mentions.unit_rows]])
    titles = {document.id: document.title for document in search.reader.list_documents()}
    entities = search.reader.get_entities(mentions.entities)
    return {
        (titles[chunk.document_id], entities[row].name, place < mentions.said)
        for place, (chunk, row) in enumerate(
            zip(chunks, mentions.entity_rows.tolist(), strict=True)
        )
    }


def test_links_begin_at_what_is_said_and_at_topics_but_not_at_what_the_question_names() -> None:
    graph = small_graph(TEXTS)
    search = _search(graph)
    pool = Standing.of(search, WORDS_ALONE.alone).first_pool
    every = np.arange(len(pool.chunks))
    merit = np.ones(len(pool.units), dtype=np.float32)
    mentions = mentions_of(search, pool, every, merit, Frequencies(search))
    assert _spoken(search, pool, mentions) == {
        ("Orm Works", "Mira Vance", True),
        ("Looms", "Mira Vance", True),
        ("Mira Vance", "Mira Vance", False),
    } | {("Looms", "Looms", False)}


def test_a_chunk_about_an_entity_leads_to_those_that_mention_it() -> None:
    graph = small_graph(TEXTS)
    search = _search(graph)
    trails = LinkedEvidence(limits=LinkLimits(least=0.0)).find(search).trail
    assert isinstance(trails, LinkedTrails)
    last = trails.rounds[0]
    names = {
        graph.get_chunks(last.pool.chunks[[row]])[0].text.split(".")[0]: row
        for row in range(len(last.pool.chunks))
    }
    assert last.shared.values[names["Weavers wrote of Mira Vance"]] > 0


def test_frequencies_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = small_graph(TEXTS)
    search = _search(graph)
    every = np.sort(graph.find_entities(["mira vance", "orm works", "looms"]).targets)
    expected = graph.entity_frequencies(every)
    frequencies = Frequencies(search)
    assert frequencies.of(every[1:]).tolist() == expected[1:].tolist()
    asked: list[list[int]] = []
    plain = KnowledgeGraph.entity_frequencies

    def noted(self: KnowledgeGraph, entities: np.ndarray, **options: object) -> np.ndarray:
        asked.append(entities.tolist())
        return plain(self, entities, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(KnowledgeGraph, "entity_frequencies", noted)
    assert frequencies.of(every).tolist() == expected.tolist()
    assert asked == [every[:1].tolist()]


def test_the_worthiest_targets_are_taken_when_there_are_too_many() -> None:
    crowd = {f"Guest {n}": f"Guest {n} met Mira Vance." for n in range(12)}
    graph = small_graph(TEXTS | crowd)
    search = _search(graph, anchor_top_k=1)
    wide = LinkedEvidence(limits=LinkLimits(least=0.0)).find(search)
    narrow = LinkedEvidence(limits=LinkLimits(least=0.0, most_targets=0)).find(search)
    assert set(narrow.chunks.tolist()) <= set(wide.chunks.tolist())
    own = Standing.of(search, WORDS_ALONE.alone).first_pool.chunks.tolist()
    assert narrow.chunks.tolist() == own


@pytest.mark.parametrize(("depth", "rounds"), [(0, 0), (1, 2), (2, 3), (4, 3)])
def test_there_is_one_round_more_than_links_on_a_path(depth: int, rounds: int) -> None:
    graph = small_graph(TEXTS)
    evidence = LinkedEvidence().find(_search(graph, traversal_depth=depth))
    trails = evidence.trail
    assert isinstance(trails, LinkedTrails)
    assert tuple(this.weights for this in trails.rounds) == WORDS_ALONE.rounds[:rounds]
    assert evidence.counts["hops"] == min(depth, rounds)
    assert all(len(trails(chunk, -1)) <= depth + 1 for chunk in evidence.chunks.tolist())


def test_scores_fall_in_the_order_of_the_choice() -> None:
    graph = small_graph(TEXTS | {f"Firm {n}": f"Firm {n} wrote of looms." for n in range(60)})
    weights = replace(WORDS_ALONE, rounds=WORDS_ALONE.rounds[:1])
    evidence = LinkedEvidence(weights=weights).find(_search(graph))
    scores = np.sort(evidence.chunk_scores)[::-1]
    assert ((scores >= 0) & (scores <= 1)).all()
    assert (np.diff(scores[:10]) < 0).all()
