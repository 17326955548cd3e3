"""Any name with one slip in a long word is linked again; no exact name is lost to a likeness."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from clew.retrieval.query.linked_name import LinkedName
from clew.retrieval.query.linking import link_names
from clew.stores.base import Store
from clew.stores.sqlite import SQLiteStore
from clew.testing.small_graphs import small_graph

_FIRST = ["".join(parts) for parts in product(("bar", "tel", "mor", "sun"), ("ven", "lod", "nik"))]
_LAST = ["".join(parts) for parts in product(("kes", "hol", "dra", "wim"), ("tring", "burgh"))]
NAMES = [f"{one.title()} {other.title()}" for one, other in product(_FIRST, _LAST)]
SINGLE = ["Quarantel", "Ostrogard", "Pellimont", "Vinterhus", "Zandrivier"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
QUESTIONS = ("Who is {}?", "who is {}", "When was {}'s mother born?", "Are {} and the moon alike?")


@pytest.fixture(scope="module", params=["memory", "sqlite"])
def store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    graph = small_graph({name: f"{name} is here." for name in [*NAMES, *SINGLE]})
    if request.param == "memory":
        yield graph
        return
    path: Path = tmp_path_factory.mktemp("linking") / "names.clew"
    kept = [graph.load_document(document.id) for document in graph.list_documents()]
    with SQLiteStore.open(path) as opened:
        opened.commit([one for one in kept if one is not None])
        yield opened


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """A name, and the same with a letter dropped, added, changed or swapped in its longest word."""
    name = draw(st.sampled_from([*NAMES, *SINGLE]))
    words = name.split()
    place = words.index(max(words, key=len))
    word = words[place]
    at = draw(st.integers(0, len(word) - 1))
    letter = draw(st.sampled_from(LETTERS))
    wrong = draw(
        st.sampled_from(
            [
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at:],
                word[:at] + letter + word[at + 1 :],
                word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :] if at else word,
            ]
        )
    )
    words[place] = wrong.title()
    return name, " ".join(words)


def _linked(store: Store, question: str) -> list[LinkedName]:
    with store.reading() as reader:
        return link_names(reader, question, threshold=0.8)


@settings(max_examples=150, deadline=None)
@given(slip=slips(), question=st.sampled_from(QUESTIONS))
@example(slip=("Zandrivier", "Zandrivie"), question="Who is {}?")
def test_a_name_with_one_slip_is_linked_again(
    store: Store, slip: tuple[str, str], question: str
) -> None:
    name, typed = slip
    assume(typed == name or typed not in NAMES)
    found = {
        meaning for link in _linked(store, question.format(typed)) for meaning in link.meanings
    }
    assert name in found


@settings(max_examples=100, deadline=None)
@given(name=st.sampled_from([*NAMES, *SINGLE]), question=st.sampled_from(QUESTIONS))
def test_an_exact_name_is_never_lost(store: Store, name: str, question: str) -> None:
    (link,) = _linked(store, question.format(name))
    assert (link.meanings, link.how, link.similarity) == ((name,), "exact", 1.0)


@settings(max_examples=60, deadline=None)
@given(slip=slips(), others=st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
def test_a_misspelt_name_takes_nothing_from_the_exact_ones_beside_it(
    store: Store, slip: tuple[str, str], others: list[str]
) -> None:
    question = f"Which of {', '.join(others)} or {slip[1]} came first?"
    found = {meaning for link in _linked(store, question) for meaning in link.meanings}
    assert set(others) <= found


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=80))
@example(text="00¯:0")
def test_any_text_is_a_question(store: Store, text: str) -> None:
    for link in _linked(store, text):
        assert text[link.start : link.end] == link.text
        assert np.all(np.diff(link.entities) > 0)
