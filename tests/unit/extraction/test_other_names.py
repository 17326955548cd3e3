"""By which other names a defined thing may be known elsewhere."""

from __future__ import annotations

import pytest

from clew.extraction.other_names import other_names, place_names, without_accents


@pytest.mark.parametrize(
    ("subject", "sentence", "expected"),
    [
        ("Orm Works Group, Inc.", "Orm Works Group, Inc. is a maker of pumps.", "Orm Works"),
        ("Tarn Orm", 'Tarn Orm ("The Long Rain") is a film.', "The Long Rain"),
        ("Tarn Orm", "Tarn Orm (English: The Long Rain) is a film.", "The Long Rain"),
        ("Tarn Orm", "Tarn Orm, published as It's the Rain, is a book.", "It's the Rain"),
        ("Tarn Orm", "Tarn Orm, known as The Long Rain, is a film.", "The Long Rain"),
        ("Rain: A Life", "Rain: A Life is a book by Ida Holm.", "Rain"),
        ("Norr Dog or Tarn Dog", "The Norr Dog or Tarn Dog is a breed.", "Tarn Dog"),
        ("Trần Orm", "Trần Orm is a river.", "Tran Orm"),
        ("Orso II", "Orso II was the last count of Norr.", "Orso II, Count of Norr"),
        ("Orso II", "Orso II was King of Norr.", "Orso II of Norr"),
        ("Jane Mary Roe", "Jane Mary Roe (born 1931) was a poet.", "Jane Roe"),
        (
            "Jane Mary Roe",
            "Jane Mary Roe, 3rd Countess of Norr, was the wife of Karl.",
            "Jane Roe, 3rd Countess of Norr",
        ),
        ("Orm", "Orm (trading as Tarn Pumps) is a firm.", "Tarn Pumps"),
    ],
)
def test_a_name_that_others_use(subject: str, sentence: str, expected: str) -> None:
    found = list(other_names(subject, sentence))
    assert expected in found


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        ("Norr Bridge", "Norr Bridge is a bridge in Ohio."),
        ("Rain", "Rain is water (about 2 mm a day) from the sky."),
        ("Orm Valve", "The Orm Valve is a valve."),
    ],
)
def test_others_have_no_other_name(subject: str, sentence: str) -> None:
    assert list(other_names(subject, sentence)) == []


def test_places_are_named_with_their_regions() -> None:
    sentence = "Norr is the largest city of the state of Ohio and lies near Indiana and Iowa."
    assert list(place_names("Norr", sentence)) == ["Norr, Ohio", "Norr, Indiana"]
    assert list(place_names("Norr", "Norr is a poet from Ohio.")) == []
    assert list(place_names("Norr, Ohio", "Norr, Ohio is a town in Tarn County, Ohio.")) == []


def test_accents_are_letters_and_also_written_without() -> None:
    assert without_accents("Jarosław Størm") == "Jaroslaw Storm"
