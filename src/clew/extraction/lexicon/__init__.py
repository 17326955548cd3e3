"""What the rules know of words: lists, and nothing that decides.

``common_words.txt`` holds English words that running text writes in lower case, so that a capital
at the beginning of a sentence says nothing about them. The two lists of given names tell persons
from other things and one gender from the other; they are short on purpose, since a name that is
missing costs a join and a wrong one makes a wrong join.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def common_words() -> frozenset[str]:
    return _read("common_words.txt")


@cache
def male_names() -> frozenset[str]:
    return _read("male_names.txt")


@cache
def female_names() -> frozenset[str]:
    return _read("female_names.txt")


def is_common(word: str) -> bool:
    """Whether ``word`` (any case), or its singular, is an everyday English word."""
    lower = word.lower()
    words = common_words()
    return lower in words or (lower.endswith("s") and lower[:-1] in words)


def _read(name: str) -> frozenset[str]:
    return frozenset(files(__name__).joinpath(name).read_text(encoding="utf-8").split())
