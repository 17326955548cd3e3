"""The other names of a person: who is introduced by a full name is seldom called by all of it.

``Jasper Joseph Inman Orm`` may be "Joseph Orm" to everybody else, ``John Samuel Roe Jr.`` is "John
Roe", ``Frederick Roe`` "Fred Roe", ``Prince Karl Boris of Norr`` "Boris of Norr". Each form is made
from the words of the name itself, and leads nowhere if nobody uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from clew.graph.persons import HONORIFICS, SUFFIXES, short_given_names
from clew.graph.titles import names_person

MAX_NAME_WORDS = 8
MAX_GIVEN_NAMES = 4

_RANKS = frozenset(HONORIFICS) | frozenset(
    "archduke archduchess baron baroness earl marquess margrave landgrave viscount sheikh sheikha "
    "emir sultan shah tsar tsarina consort blessed venerable brother sister father mother infante "
    "infanta crown grand imam rabbi pastor major admiral commander".split()
)
_NICKNAME = re.compile(r"[\"“]\s?([^\"“”]{1,20}?)\s?[\"”]")
_SIMPLE = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_LETTERS_BEHIND = re.compile(r"(?:,? (?!(?:[IVX]+)\b)[A-Z]{2,5}\b)+$")
_JOINED = re.compile(r"(?<=\w[-‐])\s(?=[A-Z])")
_LIFE = re.compile(
    r"\(\s?(?=[^()]*[A-Z][a-z]{2,8}[ \d])[^()]{0,60}\d{4}[^()]{0,60}\d{4}\b|\(\s?(?:b\.|born\b)"
)
_WHO = re.compile(
    r"\s(?:is|was) (?:an?|the)\b[^.;]{0,90}?\b(?:who|whose|admiral|aviator|character|consort"
    r"|consultant|count|countess|critic|driver|duchess|duke|earl|emperor|empress|host|king|leader"
    r"|manager|model|officeholder|presenter|prince|princess|queen|ruler|skier|strategist|surgeon"
    r"|tennis player|walker|guitarist|wrestler|programmer|researcher|executive|founder|attorney"
    r"|businessperson|celebrity|nobleman|noblewoman|wife|husband|son|daughter|brother|sister)\b"
)
_SURNAME_PARTICLES = frozenset(
    "de la von van der den du da di del della bin bint ibn al st".split()
)


def is_person(name: str, sentence: str) -> bool:
    """Whether ``sentence``, which defines ``name``, speaks of a person.

    >>> is_person("Jane Bond Roe", "Jane Bond Roe was a vice admiral.")
    True
    """
    if names_person(name, sentence):
        return True
    words = name.split()
    if not 1 < len(words) <= MAX_NAME_WORDS or any(map(str.isdigit, name)):
        return False
    if any(word[0].islower() and word not in _SURNAME_PARTICLES for word in words):
        return words[0].lower() in _RANKS
    return bool(_LIFE.search(sentence) or _WHO.search(sentence))


def person_names(name: str) -> Iterator[str]:
    """Yield shorter forms of the full name of a person, likelier ones first.

    >>> list(person_names("Frederick Karl Roe Jr."))[:4]
    ['Frederick Roe', 'Karl Roe', 'Fred Roe', 'Frederick K. Roe']
    """
    nickname = _NICKNAME.search(name) if '"' in name or "“" in name else None
    plain = _plain(name) if nickname or not _SIMPLE.fullmatch(name) else name
    if plain != name:
        yield plain
    bare = without_ranks(plain)
    if bare != plain:
        yield bare
        rank = plain[: len(plain) - len(bare)]
        if " of " in bare:
            forms = _forms(bare, nickname[1] if nickname else "")
            yield from (rank + form for form in islice(forms, 2))
    yield from _forms(bare, nickname[1] if nickname else "")


def _plain(name: str) -> str:
    """A name without nickname, commas, and letters behind it ("KG")."""
    bare = _NICKNAME.sub(" ", _JOINED.sub("", _LETTERS_BEHIND.sub("", name)))
    return " ".join(bare.replace(",", " ").split())


def without_ranks(name: str) -> str:
    """``Sheikha Moza bint Norr`` → ``Moza bint Norr``; a rank alone stays."""
    words = name.split()
    first = 0
    while first < len(words) - 2 and words[first].rstrip(".").lower() in _RANKS:
        first += 1
    return " ".join(words[first:])


def _forms(bare: str, nickname: str) -> Iterator[str]:
    given, last = _parts(bare)
    if not given or not last:
        return
    written_out = [
        word for word in given if len(word.rstrip(".")) > 1 and word.lower() not in SUFFIXES
    ]
    called = [*written_out[:1], *([nickname] if nickname else []), *written_out[1:MAX_GIVEN_NAMES]]
    for word in called:
        yield f"{word} {last}"
    if last.startswith("of "):
        return
    middle = [word for word in given[1:] if not word[0].islower()]
    initials = " ".join(f"{word[0]}." for word in middle)
    firsts = [given[0], *short_given_names(given[0].lower())]
    for short in firsts:
        first = short[:1].upper() + short[1:]
        if first != given[0]:
            yield f"{first} {last}"
        if initials and middle != initials.split():
            yield f"{first} {initials} {last}"
    if len(written_out) > 1:
        yield " ".join(written_out[:2])
        yield f"{written_out[-1]} {last}" if len(written_out) == 2 else f"{given[0]} {given[-1]}"


def _parts(bare: str) -> tuple[list[str], str]:
    """Given names and the last name, particles with it; "of Norr" counts as a last name."""
    words = bare.split()
    if words and words[-1].rstrip(".").lower() in SUFFIXES:
        words = words[:-1]
    if "of" in words[1:]:
        at = words.index("of", 1)
        return words[:at], " ".join(words[at:])
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in _SURNAME_PARTICLES:
        at -= 1
    return words[:at], " ".join(words[at:])
