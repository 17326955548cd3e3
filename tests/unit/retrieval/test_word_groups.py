"""Words of which a text has one where a question has another."""

from __future__ import annotations

import pytest

from clew.retrieval.pool.kindred import kindred_terms
from clew.retrieval.pool.word_groups import groups, same_group
from clew.text.words import terms


@pytest.mark.parametrize(
    ("question", "asked", "said"),
    [
        ("Who is the performer of Green Kite?", "performer", "album"),
        ("Who is the spouse of Pia Holt?", "spouse", "married"),
        ("Which employer had Ola Berg?", "employer", "worked"),
        ("What is the headquarters location of Norr Works?", "headquarters", "based"),
        ("In which administrative entity is Ostby?", "administrative", "county"),
        ("What is the birthplace of Jon Lie?", "birthplace", "native"),
        ("Which tributary has the Elv?", "tributary", "joins"),
    ],
)
def test_a_text_says_it_in_another_way(question: str, asked: str, said: str) -> None:
    [term] = terms(asked)
    [other] = terms(said)
    [kin] = kindred_terms(question, [term])
    assert other in kin
    assert term not in kin


def test_words_inside_names_belong_to_no_group() -> None:
    assert kindred_terms("Who painted The River?", ["river"]) == ((),)


def test_groups_are_not_joined_over_a_common_word() -> None:
    river, bay = terms("river bay")
    assert "stream" in same_group(river)
    assert bay in same_group("sea")
    assert bay not in same_group(river)


def test_every_group_holds_two_search_terms_and_no_word_twice() -> None:
    for group in groups():
        assert len(set(group)) == len(group), group
        assert len(set(terms(" ".join(group)))) > 1, group
        assert all(len(terms(word)) == 1 for word in group), group


def test_each_word_of_a_group_finds_all_others() -> None:
    for group in groups():
        found = set(terms(" ".join(group)))
        assert all(found <= same_group(term) for term in found), group


def test_groups_are_general_enough() -> None:
    assert len({tuple(sorted(group)) for group in groups()}) == len(groups()) >= 150
