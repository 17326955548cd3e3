"""The parts of reading a question: tokens, dates, names, distances; and what holds for any text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import QuestionError
from clew.retrieval.question import analyse_question
from clew.retrieval.question.dates import find_dates
from clew.retrieval.question.relations import RELATIONS, alternatives, relations_of_word, stems_of
from clew.retrieval.question.tokens import fold, tokenise
from clew.retrieval.question.wh import is_plural, singular


def test_an_empty_question_is_an_error_that_says_so() -> None:
    with pytest.raises(QuestionError, match="holds no word"):
        analyse_question(" ?! ")


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        question = analyse_question(text)
    except QuestionError:
        return
    assert all(text[name.start : name.end] == name.text for name in question.names)
    assert all(text[term.start : term.end] == term.text for term in question.terms)
    assert question == analyse_question(text)


@given(st.text(max_size=200))
def test_tokens_are_slices_in_order(text: str) -> None:
    tokens = tokenise(text)
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert all(one.end <= other.start for one, other in pairwise(tokens))
    covered = {at for token in tokens for at in range(token.start, token.end)}
    assert all(at in covered for at, char in enumerate(text) if char.isalnum())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("St. Olav's co-founder", ["St.", "Olav", "'s", "co", "-", "founder"]),
        ("1,200.5 m in 1990s", ["1,200.5", "m", "in", "1990s"]),
        ("the 4Th Earl", ["the", "4Th", "Earl"]),
        ("G. Roe, Jr. came", ["G.", "Roe", ",", "Jr.", "came"]),
        ("C++ and C#", ["C++", "and", "C#"]),
        ("isn't O’Brien", ["isn't", "O’Brien"]),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert [token.text for token in tokenise(text)] == words


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("15 April 1899", [(1899, 4, 15)]),
        ("on April 5, 1975.", [(1975, 4, 5)]),
        ("the 3rd of May 1901", [(1901, 5, 3)]),
        ("2020-03-14 and 14.03.2020", [(2020, 3, 14), (2020, 3, 14)]),
        ("in May 1951", [(1951, 5, 0)]),
        ("from 1914 to 1918", [(1914, 0, 0), (1918, 0, 0)]),
        ("in the 1990s", [(1990, 0, 0)]),
        ("the 19th century", [(1801, 0, 0)]),
        ("mid-nineteenth century", [(1801, 0, 0)]),
        ("in 44 BC", [(-44, 0, 0)]),
        ("AD 43", [(43, 0, 0)]),
        ("died in 775, it is said", [(775, 0, 0)]),
        ("1,200 people, 2000 m high, 1950 employees and $1999", []),
        ("in May", [(0, 5, 0)]),
        ("it may rain", []),
        ("in 340 rooms", []),
        ("from 3 May to 5 June", [(0, 5, 3), (0, 6, 5)]),
    ],
)
def test_dates(text: str, days: list[tuple[int, int, int]]) -> None:
    assert [span.day for span in find_dates(text)] == days


@given(st.text(max_size=300))
def test_dates_are_inside_the_text_and_apart(text: str) -> None:
    spans = find_dates(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_distance_counts_words_to_the_word_that_asks() -> None:
    terms = {t.text: t for t in analyse_question("Who founded Norr Works in Oslo?").terms}

    assert (terms["founded"].distance, terms["Oslo"].distance) == (1, 5)
    assert terms["Norr"].in_name
    assert not terms["founded"].in_name


def test_words_of_one_meaning_find_each_other_and_others_do_not() -> None:
    founded = next(iter(stems_of("founded")))

    assert stems_of("established founder launched") <= alternatives(founded)
    assert not stems_of("killed buried") & alternatives(founded)
    assert relations_of_word("paid") == ("cost",)
    assert relations_of_word("airport") == ()


def test_relations_are_made_of_known_ones() -> None:
    for relation in RELATIONS.values():
        assert set(relation.parts) <= set(RELATIONS)
        assert stems_of(relation.words)


@pytest.mark.parametrize(
    ("word", "one", "plural"),
    [
        ("cities", "city", True),
        ("women", "woman", True),
        ("bus", "bus", False),
        ("series", "series", False),
        ("bridges", "bridge", True),
        ("churches", "church", True),
    ],
)
def test_singular(word: str, one: str, plural: bool) -> None:
    assert singular(word) == one
    assert is_plural(word) is plural


def test_folding_takes_off_accents_and_case() -> None:
    assert fold("Ståle ŠIMŮNEK") == "stale simunek"
