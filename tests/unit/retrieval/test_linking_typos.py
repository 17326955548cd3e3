"""Misspelt names: found where they are slips, left alone where they are other names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.config import ClewConfig
from clew.retrieval.pipeline import RetrievePipeline
from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.linking import link_given_names, link_names
from clew.retrieval.query.slips import slips
from clew.stores.base import Store

TEXTS = {
    "Christopher Norling": "Christopher Norling directed Undertow.",
    "William Shadwell": "William Shadwell wrote plays.",
    "Undertow": "Undertow is a film of 1994. Undertow won a prize.",
    "The Silver Heron": "The Silver Heron is a film about a bird.",
    "Silver Heron": "Silver Heron is a boat.",
    "Lothar II": "Lothar II was a king.",
    "Harvest 3": "Harvest 3 is a game.",
    "Austrasia": "Austrasia was a realm.",
    "Moth Man": "Moth Man is a story.",
    "Stonebridge": "Stonebridge is a village.",
    "Namora": "Namora is a desert.",
    "Namoran": "Namoran is a language.",
    "Gisvi": "Gisvi is a cat.",
    "Ada Quill": "Ada Quill drew maps with Bo Quilt.",
    "Bo Quilt": "Bo Quilt drew maps.",
}
Link = Callable[..., list[LinkedName]]


@pytest.fixture
def store(store_of: Callable[..., Store]) -> Store:
    return store_of(TEXTS, names=["Undertow"])


@pytest.fixture
def link(store: Store) -> Link:
    def ask(question: str, threshold: float = 0.8) -> list[LinkedName]:
        with store.reading() as reader:
            return link_names(reader, question, threshold=threshold)

    return ask


@pytest.mark.parametrize(
    ("question", "meaning", "distance"),
    [
        ("What did Cristopher Norling direct?", "Christopher Norling", 1),
        ("What did Christopher Norlign direct?", "Christopher Norling", 1),
        ("What did Christofer Norling direct?", "Christopher Norling", 2),
        ("Did Wiliam Shadwel write?", "William Shadwell", 2),
        ("what did cristopher norling direct", "Christopher Norling", 1),
        ("who directed undertwo", "Undertow", 1),
        ("Who directed Undretow?", "Undertow", 1),
        ("Who wrote Mothman?", "Moth Man", 1),
        ("Is Namorra dry?", "Namora", 1),
        ("Is Gisi old?", "Gisvi", 1),
        ("Where is Stone Bridge?", "Stonebridge", 1),
    ],
)
def test_slips_are_seen_through(link: Link, question: str, meaning: str, distance: int) -> None:
    (name,) = link(question)
    assert (name.meanings, name.how, name.distance) == ((meaning,), "typo", distance)
    assert 0.8 <= name.similarity < 1.0


@pytest.mark.parametrize(
    "question",
    [
        "Who was Lothar III?",
        "Who was Lothar IV?",
        "Who sells Harvest 4?",
        "Is Austria a realm?",
        "Who was Undergrowth?",
        "Is it over?",
    ],
)
def test_other_names_are_no_slips(link: Link, question: str) -> None:
    assert link(question) == []


def test_a_word_that_the_documents_have_is_taken_as_it_is(link: Link) -> None:
    assert [name.meanings for name in link("Did Ada Quill know Bo Quilt?")] == [
        ("Ada Quill",),
        ("Bo Quilt",),
    ]


def test_an_exact_name_is_not_lost_to_a_likeness(link: Link) -> None:
    assert ("Silver Heron",) in [name.meanings for name in link("Who sails Silver Heron?")]
    both = {name.meanings for name in link("Who met The Silver Herons, or the Silver Heron?")}
    assert ("The Silver Heron",) in both


def test_both_sides_of_a_comparison_are_found_misspelt(link: Link) -> None:
    found = link("Are Cristopher Norling and Wiliam Shadwell from the same country?")
    assert [name.meanings for name in found] == [("Christopher Norling",), ("William Shadwell",)]


def test_the_threshold_decides(link: Link) -> None:
    assert link("Did Wiliam Shadwel write?", 0.97) == []
    assert link("Did Wiliam Shadwel write?", 1.0) == []
    assert link("who directed undertwo", 1.0) == []


def test_a_filter_holds_for_likenesses(store: Store) -> None:
    with store.reading() as reader:
        seen = reader.within(reader.select_documents(where={"doc_id": "Undertow"}))
        found = link_names(seen, "Who is Wiliam Shadwell?", threshold=0.8)
    assert found == []


def test_names_that_a_model_gives_may_be_misspelt(store: Store) -> None:
    with store.reading() as reader:
        (name,) = link_given_names(reader, ["Wiliam Shadwell", "Nobody"], threshold=0.8)
    assert (name.meanings, name.how, name.distance) == (("William Shadwell",), "typo", 1)


def test_the_words_of_a_misspelt_name_count_as_they_should_be(store: Store) -> None:
    pipeline = RetrievePipeline(store, config=ClewConfig())
    result = pipeline.search("Which plays wrote Wiliam Shadwel?")
    assert result.items[0].doc_id == "William Shadwell"
    assert result.items[0].covers == ("plays", "wrote", "William", "Shadwell")
    assert result.notes == ("no vectors: searched by words and names alone",)


@pytest.mark.parametrize(
    ("typed", "name", "wrong"),
    [
        ("norling", "norling", 0),
        ("norlign", "norling", 1),
        ("world cup 1998", "world cup 1994", None),
        ("henry viii", "henry vii", None),
        ("art", "ars", None),
        ("moth man", "mothman", 1),
        ("ada quill", "ida quill", None),
        ("austria", "austrasia", None),
        ("constantinopel", "constantinople", 1),
        ("ada", "quill", None),
    ],
)
def test_how_many_letters_are_wrong(typed: str, name: str, wrong: int | None) -> None:
    assert slips(typed, name) == wrong


def test_a_misspelt_title_is_found_in_lower_case(link: Link) -> None:
    (name,) = link("who made the silver herron")
    assert name.text == "the silver herron"
    assert set(name.meanings) == {"The Silver Heron", "Silver Heron"}


def test_all_that_bear_the_name_are_meant_with_its_article_or_without(
    store_of: Callable[..., Store],
) -> None:
    texts = {"Siege of Dalby": "It was long.", "The Siege of Dalby": "It is a play."}
    with store_of(texts, names=[]).reading() as reader:
        (name,) = link_names(reader, "When was the Siege of Dallby?", threshold=0.8)
    assert set(name.meanings) == set(texts)
