"""Names by a part, by other names, by first letters; both ways, and with their doubts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.linking import link_given_names, link_names
from clew.stores.base import Store

TEXTS = {
    "Christoph Nolde": "Christoph Nolde (born 1970) is a film director. Nolde made Undertow.",
    "Undertow": "Undertow is a film by Christoph Nolde about the sea.",
    "Anna Berglund": "Anna Berglund was a painter. She was born in Dalby.",
    "Erik Berglund": "Erik Berglund was a sculptor. He was born in Ostby.",
    "The Long Return of Princess Ulla": "The Long Return of Princess Ulla is a play by Bo Orm.",
    "World Tide Office": "The World Tide Office (WTO) measures the sea. The WTO is in Dalby.",
    "Northern Bank of Amber Coins": "Northern Bank of Amber Coins has its seat in Ostby.",
    "NFLK": "NFLK is a choir. NFLK sang in Dalby.",
    "Orm Works": "Orm Works, also known as the Loom House, makes looms.",
}
Link = Callable[[str], list[LinkedName]]


@pytest.fixture
def store(store_of: Callable[..., Store]) -> Store:
    return store_of(TEXTS)


@pytest.fixture
def link(store: Store) -> Link:
    def ask(question: str) -> list[LinkedName]:
        with store.reading() as reader:
            return link_names(reader, question, threshold=0.8)

    return ask


def _only(names: list[LinkedName]) -> LinkedName:
    assert len(names) == 1, [(name.text, name.how, name.meanings) for name in names]
    return names[0]


@pytest.mark.parametrize(
    "question", ["When was Nolde born?", "when was nolde born", "Nolde's age?"]
)
def test_a_last_name_stands_for_the_only_bearer(link: Link, question: str) -> None:
    name = _only(link(question))
    assert any(meaning.startswith("Christoph Nolde") for meaning in name.meanings)
    assert not name.ambiguous


def test_several_bearers_are_all_meant_and_it_is_said(link: Link) -> None:
    name = _only(link("Where was Berglund born?"))
    assert {meaning[:4] for meaning in name.meanings} == {"Anna", "Erik"}
    assert name.how == "partial"
    assert name.ambiguous
    assert name.doubt().startswith("'Berglund' may mean ")


def test_the_names_of_one_document_are_one_meaning(store_of: Callable[..., Store]) -> None:
    texts = {
        "Amanda Ruta Dufort": "Amanda Ruta Dufort (born 1922) was a poet. Ruta Dufort was shy.",
        "Letters": "A letter names Ola Dufort, a sailor.",
    }
    store = store_of(texts)
    with store.reading() as reader:
        name = _only(link_names(reader, "Was Dufort shy?", threshold=0.8))
    assert not name.ambiguous
    assert len(name.entities) > 1
    assert "Ola Dufort" not in name.meanings


def test_a_part_of_a_title_stands_for_it(link: Link) -> None:
    name = _only(link("Who wrote Return of Princess Ulla?"))
    assert name.how == "partial"
    assert "The Long Return of Princess Ulla" in name.meanings


def test_names_by_parts_do_not_overlap(link: Link) -> None:
    found = link("Are Return of Princess Ulla and Nolde of one year?")
    assert [name.text for name in found] == ["Return of Princess Ulla", "Nolde"]


def test_a_part_is_whole_words(link: Link) -> None:
    assert link("Who is Bergl?") == []
    assert link("who is the return") == []


def test_a_part_that_many_names_have_means_none(store_of: Callable[..., Store]) -> None:
    given = "Ada Bea Cleo Dora Edda Fina Gro".split()
    store = store_of({f"{first} Lund": f"{first} Lund is here." for first in given}, names=["Here"])
    with store.reading() as reader:
        assert link_names(reader, "Who is Lund?", threshold=0.8) == []


def test_one_that_is_spoken_of_far_more_often_is_meant(store_of: Callable[..., Store]) -> None:
    texts = {f"Note {n}": f"Ada Lund came on day {n}." for n in range(9)}
    texts["Bea Lund"] = "Bea Lund stayed at home."
    store = store_of(texts, names=["Ada Lund"])
    with store.reading() as reader:
        name = _only(link_names(reader, "When came Lund?", threshold=0.8))
    assert name.meanings == ("Ada Lund",)


def test_what_is_called_so_and_the_person_of_that_last_name_are_both_meant(
    store_of: Callable[..., Store],
) -> None:
    texts = {
        "Mira Vance": "Mira Vance was a singer. She was born in Dalby.",
        "Letters": "A letter came for Vance. The town of Dalby was asleep.",
    }
    store = store_of(texts)
    with store.reading() as reader:
        name = _only(link_names(reader, "Where was Vance born?", threshold=0.8))
    assert any(meaning.startswith("Mira Vance") for meaning in name.meanings)


@pytest.mark.parametrize(
    ("question", "meaning"),
    [
        ("Where is the WTO?", "World Tide Office"),
        ("Where is the W.T.O.?", "World Tide Office"),
        ("Where is the World Tide Office?", "World Tide Office"),
        ("Where is NBAC?", "Northern Bank of Amber Coins"),
        ("Where is NBOAC?", "Northern Bank of Amber Coins"),
        ("Did the North Fen Lads of Kvern sing?", "NFLK"),
    ],
)
def test_first_letters_work_both_ways(link: Link, question: str, meaning: str) -> None:
    assert meaning in _only(link(question)).meanings


def test_how_first_letters_were_known(link: Link) -> None:
    assert _only(link("Where is the WTO?")).how == "acronym"
    assert _only(link("Where is NBAC?")).how == "acronym"
    assert _only(link("Did the North Fen Lads of Kvern sing?")).how == "acronym"
    assert link("Where is nbac?") == []


def test_other_names_that_a_text_gives_are_known(link: Link) -> None:
    name = _only(link("Who owns the Loom House?"))
    assert "Orm Works" in name.meanings or name.how == "exact"


def test_names_that_a_model_gives_may_be_short(store: Store) -> None:
    with store.reading() as reader:
        found = link_given_names(reader, ["Princess Ulla", "NBAC"], threshold=0.8)
    assert [name.how for name in found] == ["partial", "acronym"]


def test_a_filter_holds_for_parts_and_letters(store: Store) -> None:
    with store.reading() as reader:
        seen = reader.within(reader.select_documents(where={"doc_id": "Undertow"}))
        for question in ("Who wrote Return of Princess Ulla?", "Where is NBAC?"):
            assert link_names(seen, question, threshold=0.8) == []
