"""Common given names, by gender: they tell persons from other things, and "Mr" from "Ms".

The lists are short on purpose: a name that is missing costs a join, a wrong one makes a wrong join.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def male_names() -> frozenset[str]:
    return _read("male_names.txt")


@cache
def female_names() -> frozenset[str]:
    return _read("female_names.txt")


def is_given_name(word: str) -> bool:
    """Whether ``word``, in lower case, is a common given name."""
    return word in male_names() or word in female_names()


def gender_of(given: str) -> str:
    """``m``, ``f``, or ``""`` for a given name in lower case."""
    if given in male_names():
        return "m"
    return "f" if given in female_names() else ""


def _read(name: str) -> frozenset[str]:
    return frozenset(files("clew.graph").joinpath(name).read_text(encoding="utf-8").split())
