"""What kind of thing a name names, told from the name, from the words around it, and from what
other passages say that it is.

No recogniser: each sign adds to one kind, and a kind's strength is what the strongest signs leave
of doubt (noisy or). Several kinds may stay open; the ranker weighs them against what is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from clew.answering.evidence import Evidence, Passage, Sentence
from clew.answering.frames import is_verb
from clew.answering.lexicon.people import SUFFIXES, TITLES
from clew.answering.lexicon.places import demonyms, known_places, regions
from clew.answering.lexicon.things import (
    EVENT_WORDS,
    ORG_WORDS,
    PLACE_LEADS,
    PLACE_WORDS,
    VERBS_OF_PEOPLE,
    WORK_WORDS,
)
from clew.graph.given_names import female_names, male_names
from clew.retrieval.question.lexicon import (
    BE,
    DETERMINERS,
    FEMALE_PRONOUNS,
    MALE_PRONOUNS,
    NOUN_TYPES,
    PERSONAL_PRONOUNS,
    THING_PRONOUNS,
)
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS, stems_of
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import singular

Kinds = Mapping[AnswerType, float]

_SIGN_REACH = 8


def kinds_of_name(
    sentence: Sentence, first: int, end: int, known: Mapping[str, AnswerType]
) -> dict[AnswerType, float]:
    """Strengths (0–1) of the kinds that ``tokens[first:end]`` of the sentence may be.

    ``known`` maps folded names to what a passage says that they are.
    """
    tokens = sentence.tokens
    words = [token.lower for token in tokens[first:end] if token.is_word]
    owns = end < len(tokens) and tokens[end].lower == "'s"
    signs: list[tuple[AnswerType, float]] = [
        *_inside(words, tokens[first:end]),
        *(sign for sign in _before(tokens, first) if not (owns and sign[0] in _PLACED)),
        *_behind(tokens, end),
    ]
    folded = sentence.folded[tokens[first].start : tokens[end - 1].end]
    if len(sentence.folded) == len(sentence.text) and folded in known:
        signs.append((known[folded], 0.8))
    return _combined(signs)


def known_kinds(evidence: Evidence) -> dict[str, AnswerType]:
    """What the passages are about, and the kind that each says of it."""
    found: dict[str, AnswerType] = {}
    for passage in evidence.passages:
        kind = kind_of_passage(passage)
        if kind is not None:
            for name in passage.names:
                found.setdefault(name, kind)
    return found


def kind_of_passage(passage: Passage) -> AnswerType | None:
    """The kind in its defining sentence ("… is a town in …"), else by its pronouns."""
    for sentence in passage.sentences[:1]:
        noun = defining_noun(sentence.tokens)
        if noun:
            return NOUN_TYPES[singular(noun)][0]
    words = [token.lower for sentence in passage.sentences[1:] for token in sentence.tokens]
    people = sum(word in PERSONAL_PRONOUNS for word in words)
    things = sum(word in THING_PRONOUNS for word in words)
    return AnswerType.PERSON if people > 2 * things and people > 1 else None


def defining_noun(tokens: Sequence[Token]) -> str:
    """The typed noun behind the first "is a", folded; ``""`` when there is none."""
    for at, token in enumerate(tokens[:-2]):
        if token.lower in BE and tokens[at + 1].lower in DETERMINERS | {"one"}:
            return _typed_noun(tokens, at + 2, 14)
    return ""


def gender_of(passage: Passage) -> str:
    """``m`` or ``f`` by the pronouns of a passage about a person; ``""`` when they do not tell."""
    words = [token.lower for sentence in passage.sentences for token in sentence.tokens]
    men = sum(word in MALE_PRONOUNS for word in words)
    women = sum(word in FEMALE_PRONOUNS for word in words)
    if men == women:
        return ""
    return "m" if men > women else "f"


def _typed_noun(tokens: Sequence[Token], at: int, reach: int) -> str:
    found = ""
    for token in tokens[at : at + reach]:
        if singular(token.lower) in NOUN_TYPES and not token.is_capital:
            found = token.lower
        elif found or token.text in ".;":
            break
    return found


def _inside(words: Sequence[str], tokens: Sequence[Token]) -> list[tuple[AnswerType, float]]:
    signs: list[tuple[AnswerType, float]] = []
    joined = " ".join(words).removeprefix("the ")
    if joined in known_places():
        signs.append((AnswerType.PLACE, 0.9))
    if joined in demonyms():
        return [(AnswerType.PLACE, 0.5), (AnswerType.OTHER, 0.5)]
    if not words:
        return signs
    signs += _by_word(words)
    if _is_given(words[0]) and len(words) > 1:
        signs.append((AnswerType.PERSON, 0.8))
    elif _is_given(words[0]):
        signs.append((AnswerType.PERSON, 0.5))
    if words[0] in _VESSELS:
        return [(AnswerType.OTHER, 0.8)]
    if words[0] in TITLES or words[-1] in SUFFIXES:
        signs.append((AnswerType.PERSON, 0.7))
    if any(len(token.text) == 2 and token.text[1] == "." for token in tokens):
        signs.append((AnswerType.PERSON, 0.5))
    if len(words) == 1 and len(tokens[0].text) in range(2, 6) and tokens[0].text.isupper():
        signs.append((AnswerType.ORG, 0.5))
    if len(words) in {2, 3} and not signs:
        signs.append((AnswerType.PERSON, 0.35))
    return signs


_VESSELS = frozenset("hms uss ss rms hmcs hmas ms mv".split())


def _by_word(words: Sequence[str]) -> list[tuple[AnswerType, float]]:
    signs = []
    ends = {words[0], words[-1]}
    head = words[words.index("of") - 1] if "of" in words[1:] else words[-1]
    if {head, *ends} & ORG_WORDS:
        signs.append((AnswerType.ORG, 0.75))
    if {head, *ends} & PLACE_WORDS:
        signs.append((AnswerType.PLACE, 0.7))
    if {head, *ends} & WORK_WORDS:
        signs.append((AnswerType.WORK, 0.5))
    if {head, *ends} & EVENT_WORDS:
        signs.append((AnswerType.OTHER, 0.7))
    return signs


def _is_given(word: str) -> bool:
    return word in male_names() or word in female_names()


def _before(tokens: Sequence[Token], first: int) -> list[tuple[AnswerType, float]]:
    if first == 0:
        return []
    before = tokens[first - 1]
    if before.lower == "the" and first > 1:
        before = tokens[first - 2]
    signs: list[tuple[AnswerType, float]] = []
    if before.lower in PLACE_LEADS:
        signs.append((AnswerType.PLACE, 0.4))
    if before.lower in {"in", "at", "near"} and first > 1 and tokens[first - 2].stem in _placed():
        signs.append((AnswerType.PLACE, 0.7))
    elif before.lower in {"in", "at", "near"} and (
        (first > 1 and is_verb(tokens[first - 2])) or _follows_date(tokens, first)
    ):
        signs.append((AnswerType.PLACE, 0.5))
    if is_verb(before) and before.stem in _creating():
        signs.append((AnswerType.WORK, 0.6))
    if before.lower == "by":
        signs += [(AnswerType.PERSON, 0.35), (AnswerType.ORG, 0.2)]
    if before.lower in TITLES and before.is_capital:
        signs.append((AnswerType.PERSON, 0.7))
    for kind in NOUN_TYPES.get(before.lower, ()):
        if not before.is_capital:
            signs.append((kind, 0.5))
    if before.lower == "of" and first > 1:
        signs += [
            (kind, 0.5) for kind in NOUN_TYPES.get(tokens[first - 2].lower, ()) if kind in _PLACED
        ]
    if before.text in '"“«':
        signs.append((AnswerType.WORK, 0.5))
    return signs


def _follows_date(tokens: Sequence[Token], first: int) -> bool:
    """ "died on 1 February 1943 AT Claygate": a number before the preposition."""
    return first > 1 and tokens[first - 2].is_number and len(tokens[first - 2].text) == 4


_PLACED = frozenset({AnswerType.PLACE})


@cache
def _creating() -> frozenset[str]:
    """Stems of verbs whose object is a work: "directed The Long Quay", "wrote Winter Song"."""
    names = "director author composer".split()
    return frozenset().union(*(stems_of(RELATIONS[name].words) for name in names))


@cache
def _placed() -> frozenset[str]:
    """Stems of what happens or stands somewhere: "born in", "based in", "lives in"."""
    names = "birth death burial residence location builder".split()
    return frozenset().union(*(stems_of(RELATIONS[name].words) for name in names))


def _behind(tokens: Sequence[Token], end: int) -> list[tuple[AnswerType, float]]:
    if end >= len(tokens):
        return []
    behind = tokens[end]
    following = [token.lower for token in tokens[end + 1 : end + 3]]
    signs: list[tuple[AnswerType, float]] = []
    if behind.text == "," and following and following[0] in regions() | known_places():
        signs.append((AnswerType.PLACE, 0.7))
    if behind.text == "," and following and following[0] in DETERMINERS:
        noun = _typed_noun(tokens, end + 2, _SIGN_REACH)
        signs += [(kind, 0.6) for kind in NOUN_TYPES.get(singular(noun), ())[:1] if noun]
    if behind.lower == "in" and following and following[0] in regions() | known_places():
        signs.append((AnswerType.PLACE, 0.5))
    if behind.text == "(" and following and (following[0] == "born" or following[0].isdigit()):
        signs.append((AnswerType.PERSON, 0.3))
    if behind.lower in VERBS_OF_PEOPLE or (
        behind.lower in BE and following and following[0] in VERBS_OF_PEOPLE
    ):
        signs.append((AnswerType.PERSON, 0.4))
    if behind.lower in BE and following and following[0] in DETERMINERS:
        noun = _typed_noun(tokens, end + 2, 14)
        signs += [(kind, 0.7) for kind in NOUN_TYPES.get(singular(noun), ())[:1] if noun]
    return signs


def _combined(signs: Sequence[tuple[AnswerType, float]]) -> dict[AnswerType, float]:
    doubts: dict[AnswerType, float] = {}
    for kind, strength in signs:
        doubts[kind] = doubts.get(kind, 1.0) * (1.0 - strength)
    return {kind: 1.0 - doubt for kind, doubt in doubts.items()}
