"""A question as retrieval reads it."""

from __future__ import annotations

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.errors import QuestionError
from clew.models.adapters import as_llm
from clew.retrieval.query.reading import QueryLinks, link_query, names_in_reply
from clew.retrieval.query.words import MOST_TERMS, bm25_idf
from clew.stores.memory import KnowledgeGraph
from clew.testing.fake_embedder import FakeEmbedder
from clew.testing.small_graphs import small_graph

TEXTS = {
    "Ada Norr": "Ada Norr built the Long Bridge in Vik.",
    "Vik": "Vik is a harbour town. Its bridge is old.",
    "Long Bridge": "The Long Bridge is a bridge.",
    "Harbours": "A harbour is a place for ships.",
}


class CountingModel:
    """Replies the same to everything and remembers what it was asked."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.prompts: list[str] = []

    def generate(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self.reply


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return small_graph(TEXTS)


def _link(
    graph: KnowledgeGraph,
    question: str,
    *,
    llm: object | None = None,
    prompt: str | None = None,
    embedder: FakeEmbedder | None = None,
) -> QueryLinks:
    config = ClewConfig(query_entity_prompt=prompt)
    with graph.reading() as reader:
        model = None if llm is None else as_llm(llm)
        return link_query(reader, question, config=config, llm=model, embedder=embedder)


def test_words_are_weighed_by_rarity_and_sum_to_one(graph: KnowledgeGraph) -> None:
    words = _link(graph, "Which ships use a harbour or a bridge?").words
    assert words.words == ("ships", "harbour", "bridge")
    assert words.share.sum() == pytest.approx(1.0)
    assert words.share[0] > words.share[1] >= words.share[2]


def test_words_that_occur_nowhere_are_told_apart(graph: KnowledgeGraph) -> None:
    words = _link(graph, "Which spaceships use the harbour?").words
    assert words.words == ("harbour",)
    assert words.unknown == ("spaceships", "use")


def test_a_model_that_fails_leaves_the_names_that_rules_find(graph: KnowledgeGraph) -> None:
    class Down:
        def generate(self, prompt: str) -> str:
            raise ConnectionError("down")

    links = _link(graph, "Who built the Long Bridge?", llm=Down(), prompt="Names in {query}")
    plain = _link(graph, "Who built the Long Bridge?")
    assert [name.text for name in links.names] == [name.text for name in plain.names]
    (note,) = links.notes
    assert "down" in note
    assert plain.notes == ()


def test_a_word_counts_once(graph: KnowledgeGraph) -> None:
    assert _link(graph, "bridge, bridges, BRIDGE").words.words == ("bridge",)


def test_a_question_of_unknown_words_has_no_terms(graph: KnowledgeGraph) -> None:
    words = _link(graph, "xyzzy plugh").words
    assert words.terms == ()
    assert words.share.tolist() == []


def test_very_long_questions_keep_their_rarest_words() -> None:
    graph = small_graph({f"t{n}": f"common word{n}." for n in range(MOST_TERMS + 20)})
    question = "common " + " ".join(f"word{n}" for n in range(MOST_TERMS + 20))
    words = _link(graph, question).words
    assert len(words.terms) == MOST_TERMS
    assert "common" not in words.words


def test_idf_is_never_negative() -> None:
    idf = bm25_idf(10, np.array([0, 1, 5, 10, 12], dtype=np.int64))
    assert (idf > 0).all()
    assert (np.diff(idf) <= 0).all()


def test_the_question_is_embedded_once_as_a_query(graph: KnowledgeGraph) -> None:
    embedder = FakeEmbedder()
    vector = _link(graph, " Who built it? ", embedder=embedder).vector
    assert vector is not None
    assert embedder.texts == ["Who built it?"]
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_an_error(graph: KnowledgeGraph, question: str) -> None:
    with pytest.raises(QuestionError, match="empty"):
        _link(graph, question)


def test_a_model_is_not_asked_without_a_prompt(graph: KnowledgeGraph) -> None:
    model = CountingModel('["Vik"]')
    assert _link(graph, "Where is it?", llm=model).names == ()
    assert model.prompts == []


def test_a_model_adds_names_and_braces_mean_nothing(graph: KnowledgeGraph) -> None:
    model = CountingModel('{"entities": ["Vik", "Ada Norr"]}')
    prompt = 'Reply as {"entities": [...]} for: {query} %s {{x}}'
    query = _link(graph, "Where did {Ada Norr} live?", llm=model, prompt=prompt)
    assert model.prompts == [
        'Reply as {"entities": [...]} for: Where did {Ada Norr} live? %s {{x}}'
    ]
    assert [name.text for name in query.names] == ["Ada Norr", "Vik"]
    assert query.usage.calls == 1


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ('["Lambert, Margrave of Norr", "Vik"]', ["Lambert, Margrave of Norr", "Vik"]),
        ('Sure:\n```json\n{"entities": [{"name": "Vik", "type": "town"}]}\n```', ["Vik"]),
        ('{"people": ["Ada"], "places": "Vik, Norr"}', ["Ada", "Vik", "Norr"]),
        ("- Ada Norr\n- Vik", ["Ada Norr", "Vik"]),
        ("Ada, Vik, Ada", ["Ada", "Vik"]),
        ("", []),
        ("[broken", ["broken"]),
    ],
)
def test_replies_are_read_tolerantly(reply: str, names: list[str]) -> None:
    assert names_in_reply(reply) == names


def test_entities_of_all_names_ascend_without_repeats(graph: KnowledgeGraph) -> None:
    entities = _link(graph, "Did Ada Norr build the Long Bridge of Vik?").entities
    assert entities.tolist() == sorted(set(entities.tolist()))
    assert len(entities) == 3
