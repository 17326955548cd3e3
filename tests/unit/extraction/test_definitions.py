from __future__ import annotations

import pytest

from clew.extraction.definitions import aliases_of, subjects_of


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
        ("Jane Roe was born in Oslo on a Friday.", []),
        ("Jane Roe is a poet.", []),
    ],
)
def test_aliases(sentence: str, aliases: list[str]) -> None:
    assert list(aliases_of(sentence)) == aliases
