"""What a search does with the names of a question, and what it says of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from clew.config import ClewConfig
from clew.models.base import TextKind, Vectors
from clew.results import NameLink, RetrievalResult
from clew.retrieval.explain import explain
from clew.retrieval.pipeline import RetrievePipeline
from clew.stores.base import Store
from clew.testing.fake_embedder import FakeEmbedder

TEXTS = {
    "Undertow": "Undertow is a film of 1994 by Christoph Nolde.",
    "Salt Road": "Salt Road is a film of 1988 by Ida Falk.",
    "Christoph Nolde": "Christoph Nolde was born in Dalby.",
    "Ida Falk": "Ida Falk was born in Ostby.",
    "Otto Falk": "Otto Falk was born in Vell.",
    "The Low Lands": "The Low Lands are a country by the sea.",
} | {f"Note {n}": f"Note {n} tells that Undertow was shown on day {n}." for n in range(12)}


class Synonyms(FakeEmbedder):
    """Knows that two names mean one country."""

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        return super().embed(
            [text.replace("Batavia", "The Low Lands") for text in texts], kind=kind
        )


class Alike(FakeEmbedder):
    """Finds everything quite alike, and names that share a word more so."""

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        vectors = super().embed(texts, kind=kind)
        common = np.ones(self.dimensions, np.float32) / np.sqrt(self.dimensions)
        mixed = 0.83 * common + 0.57 * vectors
        return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), np.float32)


def _search(store: Store, question: str, **settings: object) -> RetrievalResult:
    return RetrievePipeline(store, config=ClewConfig(**settings)).search(question, top_n=5)  # type: ignore[arg-type]


@pytest.fixture
def store(store_of: Callable[..., Store]) -> Store:
    return store_of(TEXTS, names=["Undertow"])


@pytest.mark.parametrize(
    "question",
    [
        "Which film came out first, Undertow or Salt Road?",
        "which film came out first, undertow or salt road",
        "Which film came out first, Undretow or Salt Raod?",
        "Are Undertow and Salt Road of the same year?",
        "Did Undertow come before Salt Road?",
    ],
)
@pytest.mark.parametrize("method", ["linked", "hybrid"])
def test_both_sides_of_a_comparison_have_their_share(
    store: Store, question: str, method: str
) -> None:
    result = _search(store, question, retrieval_method=method)
    assert [name.entities for name in result.names] == [("Undertow",), ("Salt Road",)]
    assert {"Undertow", "Salt Road"} <= {item.doc_id for item in result.items[:3]}


@pytest.mark.parametrize("method", ["linked", "qiter", "hybrid"])
def test_a_long_document_does_not_crowd_out_the_other_side(
    store_of: Callable[..., Store], method: str
) -> None:
    chapters = [f"Undertow was shown in the year {1900 + n}. It is a film." for n in range(30)]
    texts = {"Undertow": "\n\n".join(chapters), "Salt Road": "Salt Road is a film of 1988."}
    texts |= {f"Note {n}": f"Note {n} is of a film of the year {n}." for n in range(30)}
    store = store_of(texts, names=[])
    question = "Which film came out first, Undertow or Salt Road?"
    found = [item.doc_id for item in _search(store, question, retrieval_method=method).items]
    assert {"Undertow", "Salt Road"} <= set(found)


def test_each_name_says_how_it_was_known(store: Store) -> None:
    question = "Was Undertow or Salt Raod made by Nolde?"
    result = _search(store, question)
    assert result.names == (
        NameLink(text="Undertow", start=4, end=12, entities=("Undertow",), how="exact"),
        NameLink(
            text="Salt Raod",
            start=16,
            end=25,
            entities=("Salt Road",),
            how="typo",
            similarity=result.names[1].similarity,
            distance=1,
        ),
        NameLink(
            text="Nolde",
            start=34,
            end=39,
            entities=("Christoph Nolde",),
            how="partial",
            similarity=0.9,
        ),
    )
    assert result.entities_extracted == ("Undertow", "Salt Raod", "Nolde")
    assert result.to_dict()["names"][1]["how"] == "typo"


def test_the_explanation_says_so_too(store: Store) -> None:
    shown = explain(_search(store, "Was Undertow or Salt Raod made by Nolde?"))
    assert (
        "names: Undertow, Salt Raod → Salt Road (typo, 1 letter), "
        "Nolde → Christoph Nolde (partial)" in shown
    )


def test_a_name_in_doubt_is_noted(store: Store) -> None:
    result = _search(store, "Where was Falk born?")
    assert "'Falk' may mean Ida Falk or Otto Falk" in result.notes
    assert {"Ida Falk", "Otto Falk"} <= {item.doc_id for item in result.items}


@pytest.mark.parametrize("question", ["what is by the sea?", "a country", "?? sea !!"])
def test_without_a_name_words_do_the_work(store: Store, question: str) -> None:
    result = _search(store, question)
    assert result.names == ()
    assert result.items[0].doc_id == "The Low Lands"


def test_a_name_of_the_same_meaning_is_linked_where_there_are_vectors(
    store_of: Callable[..., Store],
) -> None:
    store = store_of(TEXTS, names=["Undertow"], embedder=Synonyms())
    pipeline = RetrievePipeline(store, embedding=Synonyms(), config=ClewConfig())
    (name,) = pipeline.search("Where is Batavia by the sea?").names
    assert (name.text, name.entities, name.how) == ("Batavia", ("The Low Lands",), "embedding")
    assert name.similarity >= 0.8
    strict = pipeline.config.replace(entity_match_threshold=1.0)
    exact = RetrievePipeline(store, embedding=Synonyms(), config=strict)
    assert exact.search("Where is Batavia by the sea?").names == ()


@pytest.mark.parametrize(
    ("name", "other"), [("Salt Road II", "Salt Road III"), ("Rut Falk", "Ida Falk")]
)
def test_likeness_of_meaning_does_not_mix_up_cousins(
    store_of: Callable[..., Store], name: str, other: str
) -> None:
    embedder = Alike(2048)
    one, two = embedder.embed([name, other])
    assert one @ two > 0.8
    store = store_of({other: f"{other} is by the sea."}, names=[], embedder=embedder)
    pipeline = RetrievePipeline(store, embedding=embedder, config=ClewConfig())
    assert pipeline.search(f"Is {name} by the sea?").names == ()


def test_names_are_compared_by_meaning_only_where_nothing_else_links(
    store_of: Callable[..., Store],
) -> None:
    embedder = Synonyms()
    store = store_of(TEXTS, names=["Undertow"], embedder=embedder)
    pipeline = RetrievePipeline(store, embedding=embedder, config=ClewConfig())
    before = embedder.call_count
    pipeline.search("Who made Undertow?")
    assert embedder.call_count == before + 1
    pipeline.search("Where is Quorn by the sea?")
    assert embedder.call_count == before + 3
    assert not np.isnan(embedder.embed(["x"])).any()
