"""The other names of what a sentence defines, by the kind of thing that it is.

What a document introduces as ``Orm Works Group, Inc.`` others call "Orm Works"; a town is named
with its region ("Norr, Ohio"), a ruler with the realm ("Orso II, Count of Norr"), a work without
its subtitle or by its translation. Other documents link to a thing by the name that *they* use, so
these names decide whether the link is found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from clew.extraction.bearers import is_person, person_names
from clew.extraction.definitions import aliases_of, glosses_of
from clew.extraction.spans import REGIONS
from clew.graph.titles import without_article, without_honorific

MAX_OTHER_NAMES = 16
_HEAD_CHARS = 300

_COMPANY_END = re.compile(
    r"(?:,? (?:Inc|Ltd|Corp|Co|LLC|LLP|PLC|plc|GmbH|AG|SE|S\.A|N\.V|Group|Holdings?|Limited"
    r"|Corporation|Incorporated|Company|Enterprises|Industries|International)\b\.?)+$"
)
_REALM = re.compile(
    r"\b(?:is|was|were|became|reigned as|ruled as|served as)"
    r" (?:(?:an?|the|also|first|second|third|fourth|fifth|sixth|last|next|hereditary|titular"
    r"|\d{1,2}(?:st|nd|rd|th)) ){0,3}"
    r"(?P<rank>[Dd]uke|[Dd]uchess|[Cc]ount|[Cc]ountess|[Kk]ing|[Qq]ueen|[Ee]mperor|[Ee]mpress"
    r"|[Pp]rince|[Pp]rincess|[Ee]arl|[Mm]arquess|[Mm]argrave|[Ll]andgrave|[Ee]lector|[Bb]ishop"
    r"|[Aa]rchbishop|[Ll]ord|[Ss]ultan|[Tt]sar|[Aa]bbot|[Bb]aron|[Gg]rand [Dd]uke) of (?:the )?"
    r"(?P<place>[^\W\d_a-z][\w'’-]+(?:[ -][^\W\d_a-z][\w'’-]+){0,2})"
)
_STYLE = re.compile(
    r",? ?((?P<number>\d{1,2}(?:st|nd|rd|th) )?(?:Earl|Duke|Duchess|Baron|Baroness|Baronet|Viscount"
    r"|Viscountess|Marquess|Marquis|Marchioness|Count|Countess|Margrave|King|Queen|Prince|Princess"
    r"|Lord|Lady)(?: of(?: the)?)? [^\W\d_a-z][\w'’-]+)"
)
_PLACE = re.compile(
    r"\b(?:cit(?:y|ies)|town|village|hamlet|communit(?:y|ies)|municipality|township|borough|suburb"
    r"|settlement|place|parish|neighborhood|neighbourhood|seat|capital|locality|district|port"
    r"|area|located|situated)\b"
)
_REGION = re.compile(rf"\b(?:{REGIONS})(?![\w-])")
_COUNTY = re.compile(r"\b(?:[^\W\d_a-z][\w'’-]+ ){1,3}(?:County|Parish)(?=, )")
_MAX_REGIONS = 2
_DOTLESS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ı": "i"})


def other_names(subject: str, sentence: str) -> Iterator[str]:
    """Yield the other names of ``subject``, which ``sentence`` defines; likelier ones first.

    >>> list(other_names("Orm Works Group, Inc.", "Orm Works Group, Inc. is a maker of pumps."))
    ['Orm Works']
    >>> list(other_names("Norr", "Norr is a village in Tarn County, Ohio, United States."))
    ['Norr, Ohio', 'Norr, Tarn County, Ohio']
    """
    bare = without_article(subject)
    yield from _if_other(without_honorific(bare), subject)
    yield from aliases_of(sentence)
    yield from glosses_of(sentence)
    person = is_person(bare, sentence)
    if person:
        yield from _styled(bare, sentence)
        yield from person_names(bare)
    yield from parts_of(bare)
    if not person:
        yield from _if_other(_COMPANY_END.sub("", bare), bare)
        yield from place_names(bare, sentence)
    yield from _realms(bare, sentence)
    if not bare.isascii():
        yield from _if_other(without_accents(bare), bare)


def _styled(bare: str, sentence: str) -> Iterator[str]:
    """``Jane Roe, 3rd Countess of Norr`` and ``3rd Countess of Norr`` for Jane Mary Roe."""
    style = _STYLE.match(sentence, sentence.find(bare) + len(bare))
    if style is None:
        return
    yield f"{bare}, {style[1]}"
    words = bare.split()
    if len(words) > 2 and " of " not in bare:
        yield f"{words[0]} {words[-1]}, {style[1]}"
    if style["number"]:
        yield style[1]


def place_names(subject: str, sentence: str) -> Iterator[str]:
    """Yield a place with the regions that it lies in: ``Norr, Ohio``."""
    head = sentence[len(subject) : _HEAD_CHARS]
    place = _PLACE.search(head)
    if place is None or ", " in subject:
        return
    for number, region in enumerate(_REGION.finditer(head, place.end())):
        if number == _MAX_REGIONS:
            return
        yield f"{subject}, {region[0]}"
        county = _COUNTY.search(head, place.end(), region.start())
        if county and number == 0:
            yield f"{subject}, {county[0]}, {region[0]}"


def without_accents(name: str) -> str:
    """``Trần Orm`` → ``Tran Orm``: how those write it who lack the keys."""
    parts = unicodedata.normalize("NFKD", name.translate(_DOTLESS))
    return "".join(char for char in parts if not unicodedata.combining(char))


def parts_of(bare: str) -> Iterator[str]:
    """A work without its subtitle; both sides of "or"."""
    main, colon, _ = bare.partition(": ")
    if colon and len(main) > 2:
        yield main
    first, other, second = bare.partition(" or ")
    if other and second[:1].isupper():
        yield without_article(first)
        yield without_article(second)


def _realms(bare: str, sentence: str) -> Iterator[str]:
    """``Orso II, Count of Norr`` where Orso II "was the count of Norr"."""
    realm = _REALM.search(sentence, len(bare), _HEAD_CHARS)
    if realm is None:
        return
    name = bare.partition(",")[0].partition(" of ")[0]
    rank = " ".join(word.capitalize() for word in realm["rank"].split())
    yield f"{name}, {rank} of {realm['place']}"
    if rank in {"King", "Duke", "Count", "Emperor", "Prince", "Queen"}:
        yield f"{name} of {realm['place']}"


def _if_other(name: str, known: str) -> Iterator[str]:
    if name and name != known:
        yield name
