"""Titles hidden, passages put together, and when a passage counts as found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.documents.making import make_document
from clew.evaluation.corpora import Corpus, TextSpan, concatenated, shuffled, without_titles
from clew.evaluation.datasets import Dataset, Passage, QuestionWithGold


def _dataset(*passages: Passage, wanted: tuple[str, ...] = ()) -> Dataset:
    question = QuestionWithGold(id="q", question="Where?", answers=("x",), supporting_ids=wanted)
    return Dataset(name="made", passages=passages, questions=(question,))


def _span(doc_id: str, start: int, end: int) -> TextSpan:
    return TextSpan(doc_id=doc_id, start=start, end=end)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Vik\nVik is a town.", "Vik is a town."),
        ("# Vik\n\nVik is a town.", "Vik is a town."),
        ("Vik is a town.", "Vik is a town."),
        ("Vikings\ncame.", "Vikings\ncame."),
    ],
)
def test_a_title_is_hidden_in_the_record_and_as_first_line(text: str, left: str) -> None:
    hidden = without_titles(_dataset(Passage(id="p", title="Vik", text=text)))
    assert hidden.passages == (Passage(id="p", title="", text=left),)


def test_a_passage_without_title_keeps_its_first_line() -> None:
    passage = Passage(id="p", title="", text="\nVik is a town.")
    assert without_titles(_dataset(passage)).passages == (passage,)


def test_passages_are_put_together_in_order_with_their_titles_as_lines() -> None:
    passages = [Passage(id=f"p{n}", title=f"T{n}", text=f"Text {n}.") for n in range(3)]
    corpus = concatenated(_dataset(*passages), per_document=2)
    texts = [document.text for document in corpus.dataset.passages]
    assert texts == ["T0\nText 0.\n\nT1\nText 1.\n\n", "T2\nText 2.\n\n"]
    assert all(document.title == "" for document in corpus.dataset.passages)
    assert len({document.id for document in corpus.dataset.passages}) == 2


@given(
    st.lists(
        st.tuples(st.text(max_size=12), st.text(max_size=40)), min_size=1, max_size=7, unique=True
    )
)
def test_spans_say_where_the_passages_lie_in_the_documents_made(
    texts: list[tuple[str, str]],
) -> None:
    passages = [Passage(id=f"p{n}", title=t, text=text) for n, (t, text) in enumerate(texts)]
    corpus = concatenated(_dataset(*passages), per_document=3)
    made = {
        document.id: make_document(document.text, doc_id=document.id).text
        for document in corpus.dataset.passages
    }
    for passage in passages:
        span = corpus.spans[passage.id]
        kept = make_document(passage.text.replace("\ufeff", ""), doc_id="x").text
        assert made[span.doc_id][span.start : span.end] == kept.strip()


def test_shuffled_passages_are_the_same_in_an_order_of_their_own() -> None:
    passages = [Passage(id=f"p{n}", title="", text=str(n)) for n in range(50)]
    forth, back = shuffled(_dataset(*passages)), shuffled(_dataset(*reversed(passages)))
    assert forth.passages == back.passages
    assert set(forth.passages) == set(passages)
    places = {passage.id: place for place, passage in enumerate(forth.passages)}
    neighbours = sum(abs(places[f"p{n}"] - places[f"p{n + 1}"]) == 1 for n in range(49))
    assert neighbours < 10


def test_chunks_of_one_passage_count_once_where_passages_are_documents() -> None:
    corpus = Corpus(dataset=_dataset(wanted=("a", "b", "c")))
    hits = [_span("x", 0, 5), _span("x", 5, 9), _span("b", 3, 4), _span("a", 0, 9)]
    assert corpus.found_at(corpus.dataset.questions[0], hits) == (3, 2, None)


def _long(*, wanted: tuple[str, ...]) -> Corpus:
    spans = {"a": _span("d", 0, 100), "b": _span("d", 110, 120)}
    return Corpus(dataset=_dataset(wanted=wanted), spans=spans)


@pytest.mark.parametrize(
    ("hits", "place"),
    [
        ([("d", 0, 50)], 1),
        ([("d", 51, 200)], None),
        ([("e", 0, 100)], None),
        ([("d", 0, 49), ("d", 200, 300), ("d", 49, 60)], 3),
        ([("d", 0, 49), ("d", 0, 49), ("d", 10, 40)], None),
        ([("d", 0, 30), ("d", 20, 49), ("d", 40, 60)], 3),
        ([], None),
    ],
)
def test_half_of_a_passage_must_be_covered_by_the_chunks_together(
    hits: list[tuple[str, int, int]], place: int | None
) -> None:
    corpus = _long(wanted=("a",))
    spans = [_span(*hit) for hit in hits]
    assert corpus.found_at(corpus.dataset.questions[0], spans) == (place,)


def test_one_chunk_may_find_two_passages() -> None:
    corpus = _long(wanted=("a", "b"))
    found = corpus.found_at(corpus.dataset.questions[0], [_span("d", 20, 130)])
    assert found == (1, 1)


def test_of_a_passage_cut_in_two_one_part_finds_it() -> None:
    corpus = _long(wanted=("a",))
    question = corpus.dataset.questions[0]
    for cut in range(101):
        parts = [_span("d", 0, cut), _span("d", cut, 100)]
        assert any(corpus.found_at(question, [part]) == (1,) for part in parts)
