"""Names of persons taken apart, and whether two of them may be one person's.

``Dr Jane T. Roe`` has the given names ``jane``, ``t`` and the last name ``roe``. It goes with
``J. Roe`` and ``Jane Roe``; not with ``James Roe``, ``Jane Roe Jr.``, ``Mr Roe``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from clew.text.names import name_key

HONORIFICS = {
    "mr": "m", "mister": "m", "sir": "m", "herr": "m", "monsieur": "m", "señor": "m", "don": "m",
    "mrs": "f", "ms": "f", "miss": "f", "madam": "f", "madame": "f", "mme": "f", "mlle": "f",
    "dame": "f", "frau": "f", "señora": "f", "doña": "f", "lady": "f", "lord": "m",
    "dr": "", "doctor": "", "prof": "", "professor": "", "rev": "", "reverend": "", "hon": "",
    "mx": "", "president": "", "senator": "", "governor": "", "captain": "", "capt": "",
    "colonel": "", "col": "", "general": "", "gen": "", "judge": "", "justice": "", "minister": "",
    "chancellor": "", "mayor": "", "detective": "", "inspector": "", "sergeant": "", "sgt": "",
    "lieutenant": "", "lt": "", "bishop": "", "cardinal": "", "king": "m", "queen": "f",
    "prince": "m", "princess": "f", "pope": "m", "emperor": "m", "empress": "f", "count": "m",
    "countess": "f", "duke": "m", "duchess": "f", "saint": "", "st": "",
}  # fmt: skip
"""What stands before the name of a person, with the gender that it tells."""

SUFFIXES = frozenset("jr sr ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi".split())
"""What tells bearers of one name apart."""

_WRITTEN_OUT = dict(
    pair.split("=")
    for pair in """
    al=albert alex=alexander andy=andrew ben=benjamin bill=william billy=william bob=robert
    bobby=robert charlie=charles chris=christopher chuck=charles dan=daniel danny=daniel dave=david
    dick=richard don=donald ed=edward eddie=edward frank=francis fred=frederick geoff=geoffrey
    greg=gregory hank=henry harry=henry jack=john jake=jacob jim=james jimmy=james joe=joseph
    johnny=john jon=jonathan josh=joshua ken=kenneth larry=lawrence matt=matthew max=maximilian
    mike=michael mickey=michael nick=nicholas pat=patrick pete=peter phil=philip ray=raymond
    rich=richard rick=richard rob=robert ron=ronald sam=samuel stan=stanley steve=steven
    stephen=steven ted=edward terry=terence tim=timothy tom=thomas tommy=thomas tony=anthony
    vince=vincent walt=walter will=william abby=abigail barb=barbara beth=elizabeth
    betty=elizabeth liz=elizabeth lizzie=elizabeth cathy=catherine chrissy=christine cindy=cynthia
    debbie=deborah jen=jennifer jenny=jennifer jess=jessica jo=joanna judy=judith kate=katherine
    kathy=katherine katie=katherine kim=kimberly maggie=margaret peggy=margaret mandy=amanda
    nancy=anne patty=patricia sandy=sandra sue=susan susie=susan tess=theresa trish=patricia
    """.split()
)
"""Short given names and what they usually stand for."""

_INITIALS = re.compile(r"(?:\w\.){1,4}\w?|[A-Z]{1,3}")
_SIMPLE = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_NICKNAME = re.compile(r"[\"“][^\"”]*[\"”]")
_PARTICLES = frozenset("de la von van der den du da di del della bin ibn al st".split())


@dataclass(frozen=True, slots=True)
class PersonName:
    """The parts of a personal name in lower case. ``last`` is empty for rulers and for
    those with one name ("Lothair II").
    """

    given: tuple[str, ...]
    last: str
    suffix: str = ""
    honorifics: tuple[str, ...] = ()
    gender: str = ""

    @property
    def plain(self) -> str:
        """The key without honorifics."""
        return " ".join(part for part in (*self.given, self.last, self.suffix) if part)


@lru_cache(maxsize=1 << 14)
def parse_person(surface: str) -> PersonName:
    """Take a personal name apart.

    >>> parse_person("Dr. J.T. Roe Jr.")
    PersonName(given=('j', 't'), last='roe', suffix='jr', honorifics=('dr',), gender='')
    """
    words = _words(surface)
    first = 0
    while first < len(words) - 1 and words[first] in HONORIFICS:
        first += 1
    honorifics, words = tuple(words[:first]), words[first:]
    gender = next((HONORIFICS[word] for word in honorifics if HONORIFICS[word]), "")
    words, suffix = _without_suffix(words)
    if len(words) < 2:
        ruler = bool(suffix) and suffix not in {"jr", "sr"}
        given, last = (tuple(words), "") if ruler else ((), "".join(words))
        return PersonName(given, last, suffix, honorifics, gender)
    start_of_last = len(words) - 1
    while start_of_last > 1 and words[start_of_last - 1] in _PARTICLES:
        start_of_last -= 1
    last = " ".join(words[start_of_last:])
    return PersonName(tuple(words[:start_of_last]), last, suffix, honorifics, gender)


def variants(surface: str) -> Iterator[str]:
    """Yield shorter ways to write the full name of a person, from its own words.

    >>> list(variants('Robert "Bo" Karl Roe'))
    ['Robert Roe', 'Robert K. Roe', 'Bo Roe', 'Bo K. Roe']
    """
    nickname = _NICKNAME.search(surface)
    words = _NICKNAME.sub(" ", surface).split()
    person = parse_person(surface)
    skipped = len(person.honorifics)
    if not person.last or not person.given or len(words) <= skipped + 1:
        return
    last = " ".join(words[len(words) - len(person.last.split()) - bool(person.suffix) :])
    middle = words[skipped + 1 : len(words) - len(last.split())]
    initials = " ".join(f"{word[0]}." for word in middle)
    firsts = [words[skipped], *([nickname[0].strip('"“” ')] if nickname else [])]
    for first in firsts:
        if middle or first != words[skipped]:
            yield f"{first} {last}"
        if middle and middle != initials.split():
            yield f"{first} {initials} {last}"


@cache
def short_given_names(given: str) -> tuple[str, ...]:
    """The short forms of a given name in lower case, in order.

    >>> short_given_names("frederick")
    ('fred',)
    """
    return tuple(sorted(short for short, long in _WRITTEN_OUT.items() if long == given))


def _words(surface: str) -> list[str]:
    """The words of a name in lower case, initials one by one."""
    if _SIMPLE.fullmatch(surface):
        return surface.lower().split()
    pieces = _NICKNAME.sub(" ", surface).split()
    words: list[str] = []
    for at, piece in enumerate(pieces):
        key = name_key(piece.rstrip(","))
        if at < len(pieces) - 1 and key not in SUFFIXES and _INITIALS.fullmatch(piece):
            words += key
        elif key:
            words += key.split()
    return words


def _without_suffix(words: list[str]) -> tuple[list[str], str]:
    if "of" in words[1:]:
        words = words[: words.index("of", 1)]
    if "the" in words[1:]:
        words = words[: words.index("the", 1)]
    if len(words) > 1 and words[-1] in SUFFIXES:
        return words[:-1], words[-1]
    return words, ""


def may_be_one(one: PersonName, other: PersonName) -> bool:
    """Whether nothing in two full names speaks against one bearer."""
    if one.last != other.last or one.suffix != other.suffix:
        return False
    if one.gender and other.gender and one.gender != other.gender:
        return False
    if not one.given or not other.given or not _agree(one.given[0], other.given[0]):
        return False
    short, long = sorted((one.given[1:], other.given[1:]), key=len)
    return _fits(short, long)


def _fits(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether each name of ``short`` agrees with one of ``long``, in order."""
    at = 0
    for name in short:
        while at < len(long) and not _agree(name, long[at]):
            at += 1
        if at == len(long):
            return False
        at += 1
    return True


def _agree(one: str, other: str) -> bool:
    if len(one) == 1 or len(other) == 1:
        return one[0] == other[0]
    return _WRITTEN_OUT.get(one, one) == _WRITTEN_OUT.get(other, other)
