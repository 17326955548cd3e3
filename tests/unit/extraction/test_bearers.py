"""Who is a person, and how else a person may be called."""

from __future__ import annotations

import pytest

from clew.extraction.bearers import is_person, person_names, without_ranks


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Jasper Joseph Inman Orm", {"Jasper Orm", "Joseph Orm", "Inman Orm"}),
        ("John Samuel Roe Jr.", {"John Roe", "John S. Roe"}),
        ("Frederick Karl Roe", {"Fred Roe", "Fred K. Roe", "Karl Roe", "Frederick Karl"}),
        ('Melvin "Bo" van Orm', {"Melvin van Orm", "Bo van Orm"}),
        ("Sheikha Ida bint Norr", {"Ida bint Norr"}),
        ("Prince Karl Boris of Norr", {"Prince Karl of Norr", "Boris of Norr", "Karl of Norr"}),
        ("William II of Norr KG", {"William II of Norr", "William of Norr"}),
        ("Ida Holm Lam Ling", {"Ida Holm"}),
        ("Jane de la Roe", set()),
        ("Orm", set()),
        ("", set()),
    ],
)
def test_shorter_forms(name: str, others: set[str]) -> None:
    found = list(person_names(name))
    assert others <= set(found)
    assert name not in found or len(name.split()) <= 4


def test_numbers_of_rulers_are_no_given_names() -> None:
    assert not any(form.startswith("II") for form in person_names("William II of Norr"))


@pytest.mark.parametrize(
    ("sentence", "person"),
    [
        ("Jane Bond Roe was a vice admiral.", True),
        ("Jane Bond Roe (3 May 1931 – 9 June 2001) ran the works.", True),
        ("Jane Bond Roe is a consultant whose clients are known.", True),
        ("Jane Bond Roe is a bridge.", False),
        ("Jane Bond Roe (1931–2001) was a bridge.", False),
    ],
)
def test_who_is_a_person(sentence: str, person: bool) -> None:
    assert is_person("Jane Bond Roe", sentence) is person


def test_one_word_and_things_with_numbers_are_no_persons() -> None:
    assert not is_person("Orm", "Orm is a king.")
    assert not is_person("Norr 3", "Norr 3 is the son of Norr 2.")


def test_a_rank_alone_stays() -> None:
    assert without_ranks("King Orm") == "King Orm"
    assert without_ranks("Crown Prince Karl Orm") == "Karl Orm"
