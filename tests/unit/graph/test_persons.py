from __future__ import annotations

import pytest

from clew.graph.persons import may_be_one, parse_person, variants


@pytest.mark.parametrize(
    ("surface", "given", "last", "suffix"),
    [
        ("Dr. Jane T. Roe", ("jane", "t"), "roe", ""),
        ("J. R. R. Holm", ("j", "r", "r"), "holm", ""),
        ("JRR Holm", ("j", "r", "r"), "holm", ""),
        ("J.R.R. Holm", ("j", "r", "r"), "holm", ""),
        ("Ludwig van Holm", ("ludwig",), "van holm", ""),
        ("Lothair II", ("lothair",), "", "ii"),
        ("Adalbert II of Norr", ("adalbert",), "", "ii"),
        ("Boso the Elder", (), "boso", ""),
        ('Robert "Bo" Roe Jr.', ("robert",), "roe", "jr"),
        ("Martin Orm, Jr.", ("martin",), "orm", "jr"),
        ("Ms Roe", (), "roe", ""),
        ("Roe", (), "roe", ""),
        ("", (), "", ""),
    ],
)
def test_parts(surface: str, given: tuple[str, ...], last: str, suffix: str) -> None:
    person = parse_person(surface)
    assert (person.given, person.last, person.suffix) == (given, last, suffix)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Jane T. Roe", "J. Roe", True),
        ("Jane T. Roe", "Jane Roe", True),
        ("J. T. Roe", "Jane Roe", True),
        ("John Ronald Reuel Holm", "J.R.R. Holm", True),
        ("Bill Roe", "William Roe", True),
        ("Jane Roe", "James Roe", False),
        ("Jane T. Roe", "Jane A. Roe", False),
        ("John Roe", "John Roe Jr.", False),
        ("Mr J. Roe", "Ms J. Roe", False),
        ("Jane Roe", "Jane Orm", False),
        ("Maria Anna Roe", "Anna Roe", False),
    ],
)
def test_may_be_one(one: str, other: str, expected: bool) -> None:
    assert may_be_one(parse_person(one), parse_person(other)) is expected
    assert may_be_one(parse_person(other), parse_person(one)) is expected


def test_variants_come_from_the_words_of_the_name() -> None:
    assert list(variants("Jane Maria Roe")) == ["Jane Roe", "Jane M. Roe"]
    assert list(variants("Jane M. Roe")) == ["Jane Roe"]
    assert list(variants('Naft "Nathan" Hertz Orm')) == [
        "Naft Orm",
        "Naft H. Orm",
        "Nathan Orm",
        "Nathan H. Orm",
    ]
    assert list(variants("Dr. Jane Maria van Orm")) == ["Jane van Orm", "Jane M. van Orm"]
    assert list(variants("Jane Roe")) == []
    assert list(variants("Lothair II")) == []
    assert list(variants("Roe")) == []
