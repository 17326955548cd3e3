"""Words that say the same as those of a question."""

from __future__ import annotations

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.retrieval.base import Search
from clew.retrieval.pool import word_scores
from clew.retrieval.pool.candidates import measure
from clew.retrieval.pool.kindred import kindred_terms, telling_terms
from clew.retrieval.pool.word_scores import WordScores
from clew.retrieval.query.reading import link_query
from clew.stores.memory import KnowledgeGraph
from clew.testing.small_graphs import small_graph
from clew.text.words import terms

QUESTION = "Who was the director of Salt Road?"
TEXTS = {
    "Salt Road": "Salt Road is a play. It was directed by Pia Holt. The director came late.",
    "Pia Holt": "Pia Holt paints boats.",
}


def _search(graph: KnowledgeGraph) -> Search:
    config = ClewConfig()
    return Search(
        reader=graph,
        query=link_query(graph, QUESTION, config=config),
        config=config,
        counts=graph.stats(),
    )


def test_relations_have_kin_and_names_have_none() -> None:
    words = ["director", "salt", "road"]
    director, salt, road = kindred_terms(QUESTION, words)
    assert "direct" in director
    assert "director" not in director
    assert (salt, road) == ((), ())
    assert kindred_terms("Where is The Director on view?", ["director"]) == ((),)


def test_a_question_without_words_has_none() -> None:
    assert kindred_terms("???", []) == ()
    assert kindred_terms("_", ["_"]) == ((),)


def test_a_kindred_word_is_held_but_not_scored() -> None:
    graph = small_graph(TEXTS)
    search = _search(graph)
    words = search.query.words
    kindred = kindred_terms(QUESTION, words.terms)
    bit = 1 << words.terms.index("director")
    chunks = np.sort(graph.search_text("chunk", terms("Pia Holt"), 10).numbers)
    plain = measure(search, WordScores(graph, words), chunks)
    wider = measure(search, WordScores(graph, words, kindred=kindred), chunks)
    texts = [unit.text for unit in graph.get_units(wider.units)]
    held = [bool(mask & bit) for mask in wider.unit_masks]
    assert dict(zip(texts, held, strict=True)) == {
        "Salt Road is a play.": False,
        "It was directed by Pia Holt.": True,
        "The director came late.": True,
        "Pia Holt paints boats.": False,
    }
    assert np.array_equal(plain.unit_words, wider.unit_words)
    assert np.array_equal(plain.words, wider.words)


def test_a_chunk_holds_what_one_of_its_units_holds_otherwise() -> None:
    graph = small_graph(
        {"Salt Road": "Salt Road was directed by Pia Holt. It is a play."}
        | {f"Boat {n}": "A director waits." for n in range(2)}
    )
    search = _search(graph)
    words = search.query.words
    bit = 1 << words.terms.index("director")
    kindred = kindred_terms(QUESTION, words.terms)
    chunks = np.sort(graph.search_text("chunk", terms("salt"), 10).numbers)
    pool = measure(search, WordScores(graph, words, kindred=kindred), chunks)
    assert [bool(mask & bit) for mask in pool.masks] == [True]
    assert [bool(mask & bit) for mask in pool.unit_masks] == [True, False]


def test_frequent_words_are_looked_up_among_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"Play {n}": f"Play {n} was directed by Pia Holt." for n in range(30)}
    graph = small_graph(texts | {"Road": "A director walks the salt road."})
    search = _search(graph)
    words = search.query.words
    kindred = kindred_terms(QUESTION, words.terms)
    chunks = np.sort(graph.search_text("chunk", terms("direct"), 5).numbers)
    whole = measure(search, WordScores(graph, words, kindred=kindred), chunks)
    monkeypatch.setattr(word_scores, "MOST_POSTINGS", 3)
    short = measure(search, WordScores(graph, words, kindred=kindred), chunks)
    assert short.unit_masks.tolist() == whole.unit_masks.tolist()
    assert short.masks.tolist() == whole.masks.tolist()
    assert np.allclose(short.unit_words, whole.unit_words)


def test_a_kindred_word_that_many_units_hold_tells_nothing() -> None:
    texts = {f"Play {n}": f"Play {n} was directed by Pia Holt." for n in range(30)}
    graph = small_graph(texts | {"Road": "A filmmaker walks the salt road."})
    kindred = (("direct", "filmmak"), (), ("filmmak",))
    count = graph.stats()["knowledge_units"]
    assert telling_terms(graph, kindred, unit_count=count) == (("filmmak",), (), ("filmmak",))
    assert telling_terms(graph, kindred, unit_count=16 * 30) == kindred
