"""Who is whose child, parent, spouse, brother: kinship as sentences state it.

"Ola, second son of Jon Roe, the lord of Norr, and his wife Kari, daughter of Per" says that Ola is
a child of Jon and Kari, that these two are married, and that Kari is a child of Per. Word order
and a small grammar of apposition read all of it, so that a name close by is not taken for the
father of the wrong person. What this does not read, nearness decides (:mod:`clew.answering.hops`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb
from clew.answering.parties import (
    Party,
    apposed_before,
    back_over,
    party_from,
    runs_of,
    skip_apposition,
    subject_before,
)
from clew.retrieval.question.lexicon import AUXILIARIES, BE, HAVE, NUMBER_WORDS

_KIN = {
    "child": ("child", ""),
    "children": ("child", ""),
    "son": ("child", "m"),
    "sons": ("child", "m"),
    "daughter": ("child", "f"),
    "daughters": ("child", "f"),
    "heir": ("", ""),
    "father": ("parent", "m"),
    "mother": ("parent", "f"),
    "parent": ("parent", ""),
    "parents": ("parent", ""),
    "husband": ("spouse", "m"),
    "wife": ("spouse", "f"),
    "wives": ("spouse", "f"),
    "spouse": ("spouse", ""),
    "consort": ("spouse", ""),
    "widow": ("spouse", "f"),
    "widower": ("spouse", "m"),
    "brother": ("sibling", "m"),
    "brothers": ("sibling", "m"),
    "sister": ("sibling", "f"),
    "sisters": ("sibling", "f"),
    "sibling": ("sibling", ""),
    "siblings": ("sibling", ""),
    "grandson": ("grandchild", "m"),
    "granddaughter": ("grandchild", "f"),
    "grandchild": ("grandchild", ""),
    "grandfather": ("grandparent", "m"),
    "grandmother": ("grandparent", "f"),
    "nephew": ("nephew", "m"),
    "niece": ("nephew", "f"),
    "uncle": ("uncle", "m"),
    "aunt": ("uncle", "f"),
    "stepson": ("stepchild", "m"),
    "stepdaughter": ("stepchild", "f"),
    "stepfather": ("stepparent", "m"),
    "stepmother": ("stepparent", "f"),
}
_SPOUSES = frozenset("wife husband consort spouse concubine mistress widow".split())
_MARRY = frozenset("married marries marry wed wedded remarried".split())
_OWN = frozenset("his her their its".split())
_HALF = frozenset({"half", "twin"})
_FURTHER = frozenset("great grand god step foster".split())
_UNIONS = frozenset("marriage union relationship couple".split())
_JOINS = frozenset("and by with &".split())
_CALLED = frozenset(", was were is are : named called became".split())
_BETWEEN = frozenset("to in on first second again then".split())
_LAW_TOKENS = 4
_MARRY_REACH = 7


@dataclass(frozen=True, slots=True)
class Tie:
    """``one`` is the ``kin`` of ``other``: child, parent, spouse, sibling, … with the sex of either
    where the words tell (``m``, ``f`` or ``""``); ``at`` is the token that says it, ``order`` the
    place of ``other`` among several ("son of A and B").
    """

    kin: str
    one: Party
    other: Party
    at: int
    one_sex: str = ""
    other_sex: str = ""
    order: int = 0


def ties_in(sentence: Sentence) -> tuple[Tie, ...]:
    """Every tie of kinship that the sentence states, in the order of its words."""
    found: list[Tie] = []
    for at, token in enumerate(sentence.tokens):
        if any(tie.at == at for tie in found):
            continue
        if token.lower in _KIN and not (token.is_capital and at):
            found += _around_noun(sentence, at, found)
        elif token.lower in _MARRY or (token.lower == "marriage" and _next(sentence, at) == "to"):
            found += _married(sentence, at)
        elif token.lower == "born" and _next(sentence, at) != "of":
            found += _born_to(sentence, at)
    return tuple(found)


def _next(sentence: Sentence, at: int) -> str:
    tokens = sentence.tokens
    return tokens[at + 1].lower if at + 1 < len(tokens) else ""


# --- a noun of kinship --------------------------------------------------------------------------


def _around_noun(sentence: Sentence, at: int, before_it: Sequence[Tie]) -> Iterator[Tie]:
    kin, sex = _KIN[sentence.tokens[at].lower]
    tokens = sentence.tokens
    if at > 1 and tokens[at - 1].text == "-":
        if tokens[at - 2].lower not in _HALF:
            return
    elif at and tokens[at - 1].lower in _FURTHER:
        return
    behind = at + 1
    if _is_in_law(sentence, at):
        kin, behind = f"{kin}-in-law", at + 1 + _LAW_TOKENS
    behind = _behind_pair(sentence, behind)
    if not kin or behind > len(tokens):
        return
    word = tokens[behind].lower if behind < len(tokens) else ""
    lead = back_over(tokens, at)
    before = tokens[lead].lower if lead >= 0 else ""
    if word == "of" or (word == "to" and kin in {"spouse", "parent", "sibling"}):
        holder = before_it[-1].one if before == "and" and before_it else _holder(sentence, at)
        yield from _of(sentence, at, behind + 1, kin, sex, holder)
    elif before in _OWN or before == "'s":
        yield from _owned(sentence, at, behind, kin, sex)
    elif kin == "child" and _is_had(sentence, lead):
        yield from _had(sentence, at, behind, sex)


def _is_in_law(sentence: Sentence, at: int) -> bool:
    words = [token.lower for token in sentence.tokens[at + 1 : at + 1 + _LAW_TOKENS]]
    return words == ["-", "in", "-", "law"]


def _behind_pair(sentence: Sentence, at: int) -> int:
    """Behind "and heiress", "and only surviving child" in "son and heir of"."""
    tokens = sentence.tokens
    if at >= len(tokens) or tokens[at].lower not in {"and", "or"}:
        return at
    for place in range(at + 1, min(at + 6, len(tokens))):
        if tokens[place].lower == "of":
            return place
        if tokens[place].is_capital or tokens[place].lower in AUXILIARIES | _OWN:
            break
    return at


def _of(sentence: Sentence, at: int, place: int, kin: str, sex: str, one: Party) -> Iterator[Tie]:
    """ "the KIN of A, the lord of Norr, and his wife B"."""
    tokens = sentence.tokens
    if place < len(tokens) and tokens[place].lower in _OWN:
        return
    place = _behind_union(sentence, place)
    first = party_from(sentence, place, frozenset(_KIN))
    if first is None or one == first:
        return
    yield from _with_spouse(sentence, kin, one, first, at, sex)


def _behind_union(sentence: Sentence, at: int) -> int:
    """Behind "the marriage of" in "the only child of the marriage of A and B"."""
    tokens = sentence.tokens
    for place in range(at, min(at + 4, len(tokens) - 1)):
        if tokens[place].lower in _UNIONS and tokens[place + 1].lower in {"of", "between", "to"}:
            return place + 2
    return at


def _with_spouse(
    sentence: Sentence, kin: str, one: Party, first: tuple[int, int], at: int, sex: str
) -> Iterator[Tie]:
    """The tie to ``first``, and to whom "and", "and his wife" or "by his wife" adds to it."""
    joined = _joined(sentence, first, kin)
    first_sex = ""
    if joined is not None and joined[1]:
        second, noun = joined
        second_sex = "m" if sentence.tokens[noun].lower == "husband" else "f"
        first_sex = "f" if second_sex == "m" else "m"
        yield Tie("spouse", second, first, noun, second_sex, first_sex)
        yield Tie(kin, one, second, at, sex, second_sex, 1)
    elif joined is not None:
        yield Tie(kin, one, joined[0], at, sex, "", 1)
    yield Tie(kin, one, first, at, sex, first_sex)


def _joined(
    sentence: Sentence, first: tuple[int, int], kin: str
) -> tuple[tuple[int, int], int] | None:
    """The party that "and" adds to the first, and the token of "wife" where it is called so (0
    where not).
    """
    tokens = sentence.tokens
    at = skip_apposition(sentence, first[1])
    at = _behind_nested(sentence, at)
    if at < len(tokens) and tokens[at].text == ",":
        at += 1
    if at >= len(tokens) or tokens[at].lower not in _JOINS:
        return None
    at += 2 if _next(sentence, at) == "of" else 1
    spouse = 0
    if at < len(tokens) and tokens[at].lower in _OWN:
        nouns = range(at, min(at + 5, len(tokens)))
        spouse = next((i for i in nouns if tokens[i].lower in _SPOUSES), 0)
        if not spouse:
            return None
        at = spouse + 1
        if at < len(tokens) and tokens[at].text == ",":
            at += 1
    elif kin == "spouse":
        return None
    second = party_from(sentence, at, frozenset(_KIN))
    if second is None or (not spouse and _begins_clause(sentence, second)):
        return None
    return second, spouse


def _begins_clause(sentence: Sentence, party: tuple[int, int]) -> bool:
    """ "son of A, and B was …": what follows "and" is the subject of something else."""
    tokens = sentence.tokens
    at = party[1]
    return at < len(tokens) and (tokens[at].lower in AUXILIARIES or is_verb(tokens[at]))


def _behind_nested(sentence: Sentence, at: int) -> int:
    """Behind ", daughter of Pope Alexander VI" that describes the name before it."""
    tokens = sentence.tokens
    if at + 2 >= len(tokens) or tokens[at].text != ",":
        return at
    noun = next((i for i in range(at + 1, min(at + 5, len(tokens))) if tokens[i].lower in _KIN), 0)
    if not noun or _next(sentence, noun) != "of":
        return at
    inner = party_from(sentence, noun + 2, frozenset(_KIN))
    return skip_apposition(sentence, inner[1]) if inner is not None else at


def _holder(sentence: Sentence, at: int) -> Party:
    """Whom the phrase "third son of …" around ``at`` describes."""
    tokens = sentence.tokens
    lead = back_over(tokens, at)
    before = tokens[lead] if lead >= 0 else None
    if before is None:
        return _opened(sentence, at)
    if before.text == ",":
        return apposed_before(sentence, lead)
    touching = [run for run in runs_of(sentence) if run[1] == lead + 1]
    if touching and before.is_capital:
        return touching[0]
    return subject_before(sentence, lead + 1)


def _opened(sentence: Sentence, at: int) -> Party:
    """ "Son of film maker Jon Roe, Ola made …": the name behind the comma."""
    tokens = sentence.tokens
    comma = next((i for i in range(at, len(tokens)) if tokens[i].text == ","), len(tokens))
    return next((run for run in runs_of(sentence) if run[0] == comma + 1), None)


def _owned(sentence: Sentence, at: int, behind: int, kin: str, sex: str) -> Iterator[Tie]:
    """ "his brother Per", "Ola's mother was Kari", "Per was his elder brother"."""
    tokens = sentence.tokens
    lead = back_over(tokens, at)
    owner = _owner(sentence, lead)
    place = behind
    while place < len(tokens) and place < behind + 2 and tokens[place].lower in _CALLED:
        place += 1
    named = party_from(sentence, place, frozenset(_KIN))
    if named is not None:
        yield Tie(kin, named, owner, at, sex)
        joined = _joined(sentence, named, kin) if tokens[at].lower.endswith("s") else None
        if joined is not None:
            yield Tie(kin, joined[0], owner, at, sex, "", 1)
        return
    named = _named_as(sentence, lead)
    if named is not None and named != owner:
        yield Tie(kin, named, owner, at, sex)


def _owner(sentence: Sentence, lead: int) -> Party:
    """Whose kin it is: the name before "'s", else the subject that "his" stands for."""
    tokens = sentence.tokens
    if tokens[lead].lower == "'s":
        return next((run for run in runs_of(sentence) if run[1] == lead), None)
    return subject_before(sentence, lead)


def _named_as(sentence: Sentence, lead: int) -> Party:
    """The name before "was his brother" and before ", his brother,"."""
    tokens = sentence.tokens
    at = lead - 1
    while at >= 0 and (tokens[at].lower in BE or tokens[at].text == ","):
        at -= 1
    if at == lead - 1:
        return None
    return next((run for run in runs_of(sentence) if run[1] == at + 1), None)


def _is_had(sentence: Sentence, lead: int) -> bool:
    """ "had a son", "have three children"."""
    before = [token.lower for token in sentence.tokens[max(0, lead - 1) : lead + 1]]
    return bool(set(before) & (HAVE | {"bore", "gave", "adopted", "fathered"}))


def _had(sentence: Sentence, at: int, behind: int, sex: str) -> Iterator[Tie]:
    """ "they had a son, Ola": children of the subject."""
    tokens = sentence.tokens
    place = behind
    while place < len(tokens) and place < behind + 2 and tokens[place].lower in _CALLED:
        place += 1
    owner = subject_before(sentence, back_over(tokens, at))
    several = tokens[at].lower.endswith(("s", "children"))
    named = party_from(sentence, place, frozenset(_KIN) | set(NUMBER_WORDS))
    while named is not None and named != owner:
        yield Tie("child", named, owner, at, sex)
        place = named[1]
        if not several or place >= len(tokens) or tokens[place].lower not in {",", "and"}:
            return
        place += 1 + (_next(sentence, place) == "and")
        named = next((run for run in runs_of(sentence) if run[0] == place), None)


# --- verbs --------------------------------------------------------------------------------------


def _married(sentence: Sentence, at: int) -> Iterator[Tie]:
    """ "Ola married Kari Lund in 1920", "was married to …", "whom he married"."""
    whom = [i for i in range(max(0, at - 4), at) if sentence.tokens[i].lower == "whom"]
    if whom:
        subject, named = _whom_married(sentence, whom[0])
    else:
        subject = subject_before(sentence, at)
        named = party_from(sentence, _behind_adverbs(sentence, at + 1), frozenset(_KIN))
    if named is not None and named != subject:
        yield Tie("spouse", named, subject, at)


def _behind_adverbs(sentence: Sentence, at: int) -> int:
    """Behind "firstly", "to", "in 1720"."""
    tokens = sentence.tokens
    low = at
    while at < min(len(tokens), low + _MARRY_REACH):
        token = tokens[at]
        if not (token.lower in _BETWEEN or token.lower.endswith("ly") or token.is_number):
            break
        at += 1
    return at


def _whom_married(sentence: Sentence, at: int) -> tuple[Party, Party]:
    """(who married, whom) around the "whom" at ``at``."""
    runs = runs_of(sentence)
    subject = next((run for run in runs if run[0] == at + 1), None) or _first_of(sentence, at)
    return subject, next((run for run in reversed(runs) if run[1] <= at), None)


def _first_of(sentence: Sentence, at: int) -> Party:
    runs = [run for run in runs_of(sentence) if run[1] <= at]
    return runs[0] if len(runs) > 1 and runs[0][0] == 0 else None


def _born_to(sentence: Sentence, at: int) -> Iterator[Tie]:
    """ "born in Oslo to Jon Roe and Kari Lund"."""
    tokens = sentence.tokens
    for place in range(at + 1, min(at + 16, len(tokens))):
        if tokens[place].text in ";." or is_verb(tokens[place]):
            return
        if tokens[place].lower != "to":
            continue
        first = party_from(sentence, place + 1, frozenset(_KIN) - {"parents"})
        if first is None:
            return
        yield from _with_spouse(sentence, "child", subject_before(sentence, at), first, place, "")
        return
