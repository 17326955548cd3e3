"""From the names of a question to entities of the store."""

from __future__ import annotations

import pytest

from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.linking import link_given_names, link_names
from clew.stores.memory import KnowledgeGraph
from clew.testing.small_graphs import small_graph

TEXTS = {
    "Mira Vance": "Mira Vance founded Orm Works. Mira Vance lives in Paris.",
    "Orm Works": "Orm Works makes looms for the film industry.",
    "Paris": "Paris is a city. Many a film was made in Paris.",
    "Film": "A film is a row of pictures. Every film has an end. No film lasts.",
    "The Silver Heron": "The Silver Heron is a film about a bird.",
    "Silver": "Silver is a metal.",
}


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return small_graph(TEXTS)


def _link(graph: KnowledgeGraph, question: str, *, threshold: float = 0.8) -> list[LinkedName]:
    with graph.reading() as reader:
        return link_names(reader, question, threshold=threshold)


def _names(graph: KnowledgeGraph, question: str, *, threshold: float = 0.8) -> list[list[str]]:
    linked = _link(graph, question, threshold=threshold)
    return [[entity.name for entity in graph.get_entities(name.entities)] for name in linked]


def test_names_are_found_in_order_of_the_question(graph: KnowledgeGraph) -> None:
    found = _link(graph, "Did Orm Works or Mira Vance come first?")
    assert [name.text for name in found] == ["Orm Works", "Mira Vance"]
    assert all(name.similarity == 1.0 for name in found)


def test_titles_match_in_any_case_and_beat_the_names_inside(graph: KnowledgeGraph) -> None:
    assert _names(graph, "who made the silver heron") == [["The Silver Heron"]]


def test_a_lower_case_word_is_a_name_only_if_the_corpus_uses_it_as_one(
    graph: KnowledgeGraph,
) -> None:
    assert _names(graph, "which film was made in paris") == [["Paris"]]


def test_the_capital_of_a_first_word_proves_nothing(graph: KnowledgeGraph) -> None:
    assert _names(graph, "Film made in a city") == []
    assert _names(graph, "Paris lies where?") == [["Paris"]]


def test_possessives_are_names_too(graph: KnowledgeGraph) -> None:
    assert _names(graph, "What is Mira Vance's firm?") == [["Mira Vance"]]


def test_a_mistyped_name_is_found_by_spelling(graph: KnowledgeGraph) -> None:
    (name,) = _link(graph, "Who is Mira Vanse?")
    assert [entity.name for entity in graph.get_entities(name.entities)] == ["Mira Vance"]
    assert 0.8 <= name.similarity < 1.0
    assert (name.text, name.start, name.end) == ("Mira Vanse", 7, 17)


def test_the_threshold_decides_what_is_still_the_same_name(graph: KnowledgeGraph) -> None:
    assert _names(graph, "Who is Mira Vanse?", threshold=0.95) == []
    assert _names(graph, "Who is Mira Vance?", threshold=1.0) == [["Mira Vance"]]


def test_a_misspelt_title_beats_the_well_spelt_word_inside_it(graph: KnowledgeGraph) -> None:
    assert _names(graph, "Who made The Silver Herron?") == [["The Silver Heron"]]


def test_filters_hold_for_names(graph: KnowledgeGraph) -> None:
    with graph.reading() as reader:
        seen = reader.within(reader.select_documents(where={"doc_id": "Silver"}))
        found = link_names(seen, "Who is Mira Vance?", threshold=0.8)
    assert found == []


def test_names_that_somebody_else_found_are_linked_too(graph: KnowledgeGraph) -> None:
    with graph.reading() as reader:
        found = link_given_names(reader, ["Orm Works", "Mira Vanse", "Nobody"], threshold=0.8)
    assert [name.text for name in found] == ["Orm Works", "Mira Vanse"]
    assert found[1].similarity < 1.0
