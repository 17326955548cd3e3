"""Predicates as keys: what is the same relation said in other words of grammar.

"was founded by", "is founded by", ``founded_by`` and "FoundedBy" are one; "founded" is another: it
runs the other way. What only grammar adds (auxiliaries, articles, tense) is dropped, what steers
the meaning (by, of, in) stays. A negation, and what is only possible or yet to come, stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import regex
import Stemmer

from clew.text.verbs import base_of

_STEMMER = Stemmer.Stemmer("english", 0)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}\p{M}]+)*")
_AUXILIARIES = frozenset(
    "is are was were be been being am has have had will would shall does did do can could may "
    "might also currently now".split()
)
_POSSIBLE = frozenset("may might could".split())
_FUTURE = frozenset("will shall".split())
_ARTICLES = frozenset("a an the".split())
_NEGATIONS = frozenset("not never no cannot".split())
_CONTRACTED = re.compile(r"n['’]t$")


class Predicate(NamedTuple):
    """``text`` is the plain form, ``key`` what equal relations share. ``modal`` is what makes it
    but possible ("may become"), ``future`` tells what is yet to come ("will build").
    """

    text: str
    key: str
    negated: bool = False
    modal: str = ""
    future: bool = False


@lru_cache(maxsize=1 << 14)
def plain_predicate(said: str) -> Predicate:
    """Read a predicate as a text or a model writes it.

    >>> plain_predicate("was founded by")[:3]
    ('founded by', 'found by', False)
    >>> plain_predicate("isTheCapitalOf").text, plain_predicate("did not win")[:3]
    ('capital of', ('win', 'win', True))
    >>> plain_predicate("may become").modal, plain_predicate("will build").future
    ('may', True)
    >>> plain_predicate("has sunk").key == plain_predicate("sank").key
    True
    """
    normal = unicodedata.normalize("NFKC", said)
    words = [word.casefold() for word in _WORD.findall(_CAMEL.sub(" ", normal))]
    negated = any(_negates(word) for word in words)
    kept = [word for word in words if word not in _ARTICLES and not _negates(word)]
    own = kept
    while own and own[0] in _AUXILIARIES:
        own = own[1:]
    helping = kept[: len(kept) - len(own)]
    modal = next((word for word in helping if word in _POSSIBLE), "")
    future = not modal and not _FUTURE.isdisjoint(helping)
    own = own or kept  # "is", "has": the auxiliary is all there is
    return Predicate(" ".join(own), " ".join(map(_stem, own)), negated, modal, future)


def _stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(base_of(word))
    return stem


def predicate_key(said: str) -> str:
    return plain_predicate(said).key


def passive_of(key: str) -> str:
    """The key of the same relation from its other side, where grammar tells: ``found`` and
    ``found by``.
    """
    return key.removesuffix(" by") if key.endswith(" by") else f"{key} by"


def _negates(word: str) -> bool:
    return word in _NEGATIONS or _CONTRACTED.search(word) is not None
