"""Relations that texts state and questions ask for, each with the words that say it.

A relation is a set of words of one meaning: it makes "Who established Norr Works?" find "Norr Works
was founded by Jane Roe". ``inverse`` holds the words by which the *other* side states it ("the
father of Ola": "Ola, son of Jon"). ``parts`` says how a relation is made of simpler ones, for texts
that state only those. ``many`` marks relations that may hold for several things at once: two values
are then no contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from clew.retrieval.question.languages import ENGLISH, Language
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import fold, stem_of

_PERSON = (AnswerType.PERSON,)
_PLACE = (AnswerType.PLACE,)
_ORG = (AnswerType.ORG, AnswerType.PERSON)
_AGENT = (AnswerType.PERSON, AnswerType.ORG)
_NUMBER = (AnswerType.NUMBER,)


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    words: str
    answers: tuple[AnswerType, ...] = ()
    inverse: str = ""
    gender: str = ""
    parts: tuple[str, ...] = ()
    many: bool = False


_KINSHIP = (
    Relation("father", "father dad fathered", _PERSON, "son daughter child born", "m"),
    Relation("mother", "mother mothered", _PERSON, "son daughter child born", "f"),
    Relation("parent", "parent parents", _PERSON, "son daughter child born", many=True),
    Relation(
        "spouse",
        "spouse wife wives husband married marriage marry marries partner widow widower consort "
        "wed wedding",
        _PERSON,
    ),
    Relation("wife", "wife", _PERSON, gender="f", parts=("spouse",)),
    Relation("husband", "husband", _PERSON, gender="m", parts=("spouse",)),
    Relation("child", "child children son daughter", _PERSON, "father mother parent", many=True),
    Relation("son", "son sons", _PERSON, "father mother", "m", ("child",), many=True),
    Relation(
        "daughter", "daughter daughters", _PERSON, "father mother", "f", ("child",), many=True
    ),
    Relation("sibling", "sibling brother sister", _PERSON, many=True),
    Relation("brother", "brother brothers", _PERSON, gender="m", parts=("sibling",), many=True),
    Relation("sister", "sister sisters", _PERSON, gender="f", parts=("sibling",), many=True),
    Relation("grandfather", "grandfather", _PERSON, "grandson granddaughter", "m"),
    Relation("grandmother", "grandmother", _PERSON, "grandson granddaughter", "f"),
    Relation("grandchild", "grandchild grandson granddaughter", _PERSON, many=True),
    Relation("uncle", "uncle", _PERSON, "nephew niece", "m", ("parent", "brother"), many=True),
    Relation("aunt", "aunt", _PERSON, "nephew niece", "f", ("parent", "sister"), many=True),
)

_PEOPLE = (
    Relation("birth", "born birth birthplace birthday birthdate"),
    Relation(
        "death",
        "died dies die dying death dead killed deceased assassinated executed perished murdered",
    ),
    Relation("burial", "buried burial grave interred tomb", _PLACE),
    Relation("residence", "lives lived live living resides resided reside residence home", _PLACE),
    Relation(
        "education",
        "studied study educated attended attend graduated graduate alma degree education student",
        (AnswerType.ORG,),
    ),
    Relation(
        "employment", "work works worked employed employer job taught teaches professor", _ORG
    ),
    Relation("nationality", "nationality citizenship citizen", _PLACE),
    Relation("member", "member members membership belongs joined join belonged", many=True),
    Relation(
        "award",
        "award awarded awards prize received receive medal won win wins winner recipient honored "
        "honoured",
        many=True,
    ),
    Relation("profession", "profession occupation job career", (AnswerType.OTHER,)),
)

_LEADING = (
    Relation(
        "leader",
        "led lead leads leading leader head headed heads chief ceo chair chairs chaired chairman "
        "chairwoman chairperson president run runs ran manages managed manager governed governor "
        "charge boss mayor",
        _PERSON,
    ),
    Relation("ruler", "ruled rules ruler reigned reigns reign king queen emperor monarch", _PERSON),
    Relation("successor", "succeeded succeeds successor replaced replaces followed", _AGENT),
    Relation("predecessor", "preceded precedes predecessor", _AGENT),
    Relation("coach", "coach coached coaches trainer manager", _PERSON),
    Relation("election", "elected election appointed appointment", _PERSON),
)

_MAKING = (
    Relation(
        "founder",
        "founded founder founders found founding cofounded cofounder established establish "
        "establishes establishment started start created creator create formed form launched "
        "launch incorporated inception began",
        _AGENT,
    ),
    Relation("end", "dissolved dissolve defunct closed ceased ended disbanded abolished end"),
    Relation("author", "wrote written author authored writer write writes penned writing", _PERSON),
    Relation("director", "directed director directs direct directorial filmmaker", _PERSON),
    Relation("producer", "produced producer produces", _AGENT),
    Relation("composer", "composed composer composes music", _PERSON),
    Relation(
        "performer",
        "performed performer performs sang sung singer sings sing recorded recording artist",
        _AGENT,
    ),
    Relation(
        "cast",
        "starred starring stars star actor actress cast played plays portrayed portrays play role",
        _PERSON,
        many=True,
    ),
    Relation("publisher", "published publisher publishes publish publishing publication", _AGENT),
    Relation("release", "released release releases premiered premiere aired debuted debut"),
    Relation("designer", "designed designer designs design architect", _AGENT),
    Relation(
        "builder", "built builder builds build constructed construction constructs erected", _AGENT
    ),
    Relation(
        "inventor",
        "invented inventor invention invents discovered discoverer discovers developed developer "
        "devised develops",
        _AGENT,
    ),
    Relation(
        "maker", "makes made maker manufactured manufacturer manufactures make manufacture", _AGENT
    ),
    Relation("editor", "edited editor edits", _PERSON),
    Relation("translator", "translated translator translates translation", _PERSON),
    Relation("opening", "opened opening opens open inaugurated"),
)

_TRADE = (
    Relation("owner", "owned owner owns own ownership", _AGENT),
    Relation(
        "buyer",
        "bought acquired acquires acquire purchased acquisition buyer takeover purchase buys buy "
        "acquirer",
        _AGENT,
    ),
    Relation("seller", "sold sell sells seller", _AGENT),
    Relation(
        "supplier",
        "supplies supply supplied supplier provides provided provider provide delivers delivered",
        _AGENT,
        many=True,
    ),
    Relation("sponsor", "sponsored sponsor sponsors funded funds financed", _AGENT, many=True),
    Relation("cost", "cost costs price paid priced worth spent"),
    Relation("use", "uses used use using", many=True),
)

_PLACES = (
    Relation(
        "location",
        "located location locate situated lies stands site headquarters headquartered based",
        _PLACE,
    ),
    Relation("capital", "capital", _PLACE),
    Relation("population", "population inhabitants residents", _NUMBER),
    Relation("border", "borders bordered bordering border adjacent neighbouring", many=True),
    Relation("flow", "flows flow flowed empties mouth", many=True),
    Relation("language", "language languages spoken speak speaks", many=True),
    Relation("origin", "country origin originates originated originally"),
)

_OTHER = (
    Relation("naming", "named called name names known nickname"),
    Relation("height", "tall height high", _NUMBER),
    Relation("length", "long length", _NUMBER),
    Relation("width", "wide width broad", _NUMBER),
    Relation("depth", "deep depth", _NUMBER),
    Relation("weight", "heavy weight weigh weighs weighed", _NUMBER),
    Relation("age", "old age aged", _NUMBER),
    Relation("speed", "fast speed", _NUMBER),
    Relation("area", "area size large big", _NUMBER),
    Relation("cause", "caused cause causes reason reasons because due", many=True),
    Relation("destruction", "destroyed destroy burned burnt demolished collapsed"),
    Relation("defeat", "defeated defeat beat beaten", many=True),
    Relation("movement", "moved move moves relocated"),
    Relation("meaning", "means mean meaning stands"),
    Relation("beginning", "begin begins began start starts started beginning"),
)

RELATIONS = {
    relation.name: relation
    for relation in (
        *_KINSHIP, *_PEOPLE, *_LEADING, *_MAKING, *_TRADE, *_PLACES, *_OTHER
    )
}  # fmt: skip

# phrases of several words that make one relation: how it is made of the simple ones, outermost last
COMPOUNDS = {
    ("paternal", "grandfather"): ("father", "father"),
    ("paternal", "grandmother"): ("father", "mother"),
    ("maternal", "grandfather"): ("mother", "father"),
    ("maternal", "grandmother"): ("mother", "mother"),
    ("mother", "-", "in", "-", "law"): ("spouse", "mother"),
    ("father", "-", "in", "-", "law"): ("spouse", "father"),
    ("child", "-", "in", "-", "law"): ("child", "spouse"),
    ("son", "-", "in", "-", "law"): ("daughter", "husband"),
    ("daughter", "-", "in", "-", "law"): ("son", "wife"),
    ("brother", "-", "in", "-", "law"): ("spouse", "brother"),
    ("sister", "-", "in", "-", "law"): ("spouse", "sister"),
    ("sibling", "-", "in", "-", "law"): ("spouse", "sibling"),
    ("stepchild",): ("spouse", "child"),
    ("stepson",): ("spouse", "son"),
    ("stepdaughter",): ("spouse", "daughter"),
    ("stepmother",): ("father", "wife"),
    ("stepfather",): ("mother", "husband"),
    ("grandchild",): ("child", "child"),
    ("grandson",): ("child", "son"),
    ("granddaughter",): ("child", "daughter"),
    ("grandfather",): ("parent", "father"),
    ("grandmother",): ("parent", "mother"),
    ("uncle",): ("parent", "brother"),
    ("aunt",): ("parent", "sister"),
}


@cache
def stems_of(words: str) -> frozenset[str]:
    """The stems of a blank-separated list of words."""
    return frozenset(stem_of(word) for word in words.split()) - {""}


@cache
def relations_by_stem() -> dict[str, tuple[str, ...]]:
    """For each stem the names of the relations that it may say."""
    found: dict[str, list[str]] = {}
    for relation in RELATIONS.values():
        for stem in sorted(stems_of(relation.words)):
            found.setdefault(stem, []).append(relation.name)
    return {stem: tuple(names) for stem, names in found.items()}


@cache
def alternatives(stem: str) -> frozenset[str]:
    """All stems that say the same as ``stem`` in some relation, itself included."""
    same = {stem}
    for name in relations_by_stem().get(stem, ()):
        same |= stems_of(RELATIONS[name].words)
    return frozenset(same)


@cache
def relations_of_word(word: str) -> tuple[str, ...]:
    """The relations that a word may say, the one named like it first.

    >>> relations_of_word("husband"), relations_of_word("established")
    (('husband', 'spouse'), ('founder',))
    """
    names = relations_by_stem().get(stem_of(word), ())
    lower = fold(word)
    return tuple(sorted(names, key=lambda name: (name != lower, names.index(name))))


def relations_in(word: str, lang: Language) -> tuple[str, ...]:
    """The relations that a word of ``lang`` may say."""
    if lang is ENGLISH:
        return relations_of_word(word)
    return lang.relation_words.get(fold(word), ())


def alternatives_in(word: str, stem: str, lang: Language) -> frozenset[str]:
    """Stems that say the same as a word of ``lang``: in that language, and in English."""
    if lang is ENGLISH:
        return alternatives(stem)
    same = {stem}
    for name in relations_in(word, lang):
        same |= lang.relation_stems[name] | stems_of(RELATIONS[name].words)
    return frozenset(same)
