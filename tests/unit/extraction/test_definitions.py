from __future__ import annotations

import pytest

from clew.extraction.definitions import aliases_of, defines, glosses_of, subjects_of


@pytest.mark.parametrize(
    ("sentence", "subjects"),
    [
        ("Norr Bridge is a bridge.", ["Norr Bridge"]),
        ("The Norr( built 1932( again 1950)) was a bridge.", ["The Norr"]),
        ("Photosynthesis is how leaves eat.", ["Photosynthesis"]),
        ("In Norr lore, Tavo is a spirit.", ["Tavo"]),
        ("Tavo may refer to many things.", ["Tavo"]),
        ("Hawise, Countess of Norr, was a ruler.", ["Hawise", "Hawise, Countess of Norr"]),
        ('"Rain Is Here" is a song.', ["Rain Is Here"]),
        ("What Rain Is was a film.", ["What Rain Is"]),
        ("He is a poet.", []),
        ("There are bridges.", []),
        ("In 1990 it was closed.", []),
        ("They sang in Norr.", []),
        ("Rain, My Love is a film.", ["Rain", "Rain, My Love"]),
        ("Rain, mon amour is a film.", ["Rain", "Rain, mon amour"]),
        ("My Rain, My Love is a film.", ["My Rain", "My Rain, My Love"]),
        ("Jane Roe, a poet, is here.", ["Jane Roe"]),
        ("The orm pump is a pump.", ["The orm pump"]),
        ("The term orm pump is a word.", ["orm pump"]),
        ("The orm pump was closed.", []),
        ("The name was given to it.", []),
        ("Rain, snow and hail are cold.", []),
        ("Ida Holm has said that rain is cold.", []),
        ("Rain soaked everything and Norr was wet.", []),
        ("Norr produced teams that were good.", []),
        ("Based on a book by Ida Holm, it was made in Norr.", []),
        ("In 1990 the Norr Bridge was closed.", []),
        ("On 6 April, Ida Holm was born.", []),
        ("Under the Norr Act, Tarn became a town.", []),
        ("The son of a baker, Holm was born in Norr.", []),
        ("The first part of Norr, a town by the sea, stood when it was built.", []),
        ("A common belief is that rain is cold.", []),
        ("A very long run of words that goes on and on and on is here.", []),
        ("", []),
    ],
)
def test_subjects(sentence: str, subjects: list[str]) -> None:
    assert subjects_of(sentence) == subjects


@pytest.mark.parametrize(
    ("sentence", "aliases"),
    [
        ("Jane Roe (née Orm), known as Bo, was a poet.", ["Orm", "Bo"]),
        ('Jane Roe, better known by her stage name "Rain Holm", sang.', ["Rain Holm"]),
        ("The Norr, formerly the Tarn Bridge, is long.", ["Tarn Bridge"]),
        ("Jane Orm, known professionally as Ida Holm, sang.", ["Ida Holm"]),
        ("Rain, published as Song of a Rain, is a book.", ["Song of a Rain"]),
        ("Jane Roe was born in Oslo on a Friday.", []),
        ("Jane Roe is a poet.", []),
    ],
)
def test_aliases(sentence: str, aliases: list[str]) -> None:
    assert list(aliases_of(sentence)) == aliases


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("Norr Bridge is a bridge.", True),
        ("Norr Bridge was the first bridge.", True),
        ("Norr Bridge was also a road.", True),
        ("Norr Bridge was closed.", False),
        ("It rained.", False),
        ("A belief is that rain is cold.", False),
    ],
)
def test_what_defines(sentence: str, told: bool) -> None:
    assert defines(sentence) is told


@pytest.mark.parametrize(
    ("sentence", "glosses"),
    [
        ('Tarn Orm ("The Long Rain") is a film.', ["The Long Rain"]),
        ("Tarn Orm (lit. The Long Rain) is a film.", ["The Long Rain"]),
        ("Tarn Orm (born 1931) is a poet.", []),
        ("Tarn Orm (1931) is a film.", []),
        ("Tarn Orm is a film.", []),
    ],
)
def test_translations_in_brackets(sentence: str, glosses: list[str]) -> None:
    assert list(glosses_of(sentence)) == glosses
