"""Which word asks, and for what: the wh-phrase, its head noun and the type of answer it expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    COMMANDS,
    DETERMINERS,
    EMPTY_HEADS,
    FUNCTION_WORDS,
    LISTING_COMMANDS,
    MEASURES,
    NATIONALITY_NOUNS,
    NOUN_TYPES,
    NUMBER_WORDS,
    ORDER_WORDS,
    PREPOSITIONS,
    WH_SLOTS,
)
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import RELATIONS, relations_of_word
from clew.retrieval.question.tokens import Token

_SLOT_TYPES: dict[Slot, tuple[AnswerType, ...]] = {
    Slot.WHO: (AnswerType.PERSON, AnswerType.ORG),
    Slot.WHOM: (AnswerType.PERSON,),
    Slot.WHOSE: (AnswerType.PERSON, AnswerType.ORG),
    Slot.WHEN: (AnswerType.DATE,),
    Slot.WHERE: (AnswerType.PLACE, AnswerType.ORG),
    Slot.HOW_MANY: (AnswerType.NUMBER,),
    Slot.HOW_MUCH: (AnswerType.NUMBER,),
    Slot.MEASURE: (AnswerType.NUMBER,),
}
_IRREGULAR_PLURALS = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "wives": "wife",
}


@dataclass(frozen=True, slots=True)
class WhPhrase:
    """``at`` is the token that asks, -1 for none; ``head`` the token of the focus noun, -1."""

    at: int
    slot: Slot
    types: tuple[AnswerType, ...]
    head: int = -1
    count: int = 0
    is_plural: bool = False


def read_wh(tokens: Sequence[Token], masked: frozenset[int]) -> WhPhrase:
    """Find the phrase that asks. ``masked`` tokens lie inside names or quotation marks."""
    at, score = _asking_word(tokens, masked)
    if at < 0 or (score < 6 and tokens[0].lower in COMMANDS):
        return _without_wh(tokens, masked)
    slot = _slot(tokens, at)
    head, count = _head(tokens, at, slot, masked)
    if slot == Slot.WHO and head >= 0 and (head in masked or not noun_types(tokens[head].lower)):
        head = -1
    plural = head >= 0 and is_plural(tokens[head].lower)
    return WhPhrase(at, slot, _types(tokens, slot, head), head, count, plural)


def singular(word: str) -> str:
    """The singular of a folded noun, by rule.

    >>> singular("cities"), singular("women"), singular("bus"), singular("companies")
    ('city', 'woman', 'bus', 'company')
    """
    if word in _IRREGULAR_PLURALS:
        return _IRREGULAR_PLURALS[word]
    if word in NOUN_TYPES or word.endswith(("ss", "us", "is")) or len(word) < 4:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word.removesuffix("s")


def is_plural(word: str) -> bool:
    return singular(word) != word and word not in {"series", "news"}


def noun_types(word: str) -> tuple[AnswerType, ...]:
    """What kind of thing a folded noun names; empty when the word lists do not know."""
    if word in NATIONALITY_NOUNS:
        return (AnswerType.PLACE,)
    one = singular(word)
    if one in NOUN_TYPES:
        return NOUN_TYPES[one]
    for name in relations_of_word(one):
        if RELATIONS[name].answers:
            return RELATIONS[name].answers
    return ()


def _asking_word(tokens: Sequence[Token], masked: frozenset[int]) -> tuple[int, int]:
    best, best_score = -1, 0
    for at, token in enumerate(tokens):
        if token.lower in WH_SLOTS and at not in masked:
            score = _asks(tokens, at)
            if score > best_score:
                best, best_score = at, score
    return best, best_score


def _asks(tokens: Sequence[Token], at: int) -> int:
    """How clearly the wh-word at ``at`` asks, rather than begins a relative clause."""
    word = tokens[at].lower
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    before = tokens[at - 1].lower if at else ""
    if at == 0 or (at == 1 and before in PREPOSITIONS):
        return 3 if word == "how" and after == "to" else 10
    if _is_last(tokens, at):
        return 7
    if word == "what" or (word == "how" and after in MEASURES | {"many", "much"}):
        return 6
    return _asks_inside(tokens, at, before, after)


def _asks_inside(tokens: Sequence[Token], at: int, before: str, after: str) -> int:
    """In the middle "who", "which", "when" mostly begin a clause: "released in which year" asks."""
    word = tokens[at].lower
    asks_noun = after not in FUNCTION_WORDS and tokens[at + 1].is_word
    if word == "which" and (before in PREPOSITIONS or not tokens[at - 1].is_word) and asks_noun:
        return 5 if not tokens[at + 1].is_capital else 2
    if before in {",", ":", ";", ".", "-"} and (after in AUXILIARIES or asks_noun):
        return 4
    if word == "which" and _is_verb(before) and asks_noun:
        return 4
    if before in COMMANDS | {"me", "us"}:
        return 6
    return 1 if before == "and" else 0


def _is_last(tokens: Sequence[Token], at: int) -> bool:
    return not any(token.is_word for token in tokens[at + 1 :])


def _slot(tokens: Sequence[Token], at: int) -> Slot:
    word = tokens[at].lower
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    if word == "how" and after == "many":
        return Slot.HOW_MANY
    if word == "how" and after == "much":
        return Slot.HOW_MUCH
    if word == "how" and after in MEASURES:
        return Slot.MEASURE
    return WH_SLOTS[word]


def _without_wh(tokens: Sequence[Token], masked: frozenset[int]) -> WhPhrase:
    """A yes/no question, a command, or a statement with a gap."""
    for at in _clause_starts(tokens):
        if tokens[at].lower in AUXILIARIES and (at not in masked or at == 0):
            return WhPhrase(-1, Slot.YES_NO, (AnswerType.OTHER,))
    first = next((at for at, token in enumerate(tokens) if token.is_word), -1)
    if first >= 0 and tokens[first].lower in COMMANDS:
        return _command(tokens, first, masked)
    return WhPhrase(-1, Slot.WHAT, (AnswerType.OTHER,))


def _clause_starts(tokens: Sequence[Token]) -> list[int]:
    """The first token, then the tokens after a full stop, then those after a comma, last first."""
    stops = [at + 1 for at, token in enumerate(tokens[:-1]) if token.text in ".!?;"]
    commas = [at + 1 for at, token in enumerate(tokens[:-1]) if token.text == ","]
    return ([0] if tokens else []) + stops[::-1] + commas[::-1]


def _command(tokens: Sequence[Token], first: int, masked: frozenset[int]) -> WhPhrase:
    at = first + 1
    while at < len(tokens) and tokens[at].lower in {"me", "us", "out", "all"}:
        at += 1
    head, count = _noun_after(tokens, at, masked)
    plural = head >= 0 and is_plural(tokens[head].lower)
    lists = tokens[first].lower in LISTING_COMMANDS and (plural or count > 1)
    slot = Slot.LIST if lists else Slot.WHAT
    return WhPhrase(first, slot, _types(tokens, slot, head), head, count, plural)


def _head(tokens: Sequence[Token], at: int, slot: Slot, masked: frozenset[int]) -> tuple[int, int]:
    start = at + 1
    if slot in {Slot.HOW_MANY, Slot.HOW_MUCH}:
        return _noun_run(tokens, start + 1, masked)
    if slot in {Slot.WHAT, Slot.WHICH, Slot.WHOSE, Slot.WHO}:
        head, count = _noun_run(tokens, start, masked) if slot != Slot.WHO else (-1, 0)
        if head < 0 and start < len(tokens) and tokens[start].lower in BE | {"'s", "of"}:
            return _noun_after(tokens, start + 1, masked)
        return head, count
    return -1, 0


def _noun_after(tokens: Sequence[Token], at: int, masked: frozenset[int]) -> tuple[int, int]:
    """The head of "(the) name of the waterfall …", "Jane's profession", "(the) population of …"."""
    at = _skip_possessor(tokens, at)
    count = 0
    while at < len(tokens) and tokens[at].lower in DETERMINERS | {"of"}:
        at += 1
    head, count = _noun_run(tokens, at, masked)
    if head < 0 or _is_verb(tokens[head].lower):
        return -1, count
    follows = tokens[head + 1].lower if head + 1 < len(tokens) else ""
    is_alone = tokens[head - 1].lower in FUNCTION_WORDS | ORDER_WORDS  # not "phone number of"
    if singular(tokens[head].lower) in EMPTY_HEADS and follows == "of" and is_alone:
        inner, inner_count = _noun_after(tokens, head + 2, masked)
        return (inner if inner >= 0 else head), count or inner_count
    return head, count


def _skip_possessor(tokens: Sequence[Token], at: int) -> int:
    """Move past "Jane Roe's" and "the founder's", possessives of possessives too."""
    for end in range(at, min(at + 10, len(tokens))):
        if tokens[end].lower in {"of", ",", "?"} | AUXILIARIES:
            break
        if tokens[end].lower == "'s" and end > at:
            return _skip_possessor(tokens, end + 1)
    return at


def _noun_run(tokens: Sequence[Token], at: int, masked: frozenset[int]) -> tuple[int, int]:
    """The head of the noun phrase that begins at ``at``, and the number in it."""
    run: list[int] = []
    count = 0
    while at < len(tokens) and (tokens[at].is_word or (tokens[at].text == "-" and run)):
        token = tokens[at]
        is_known = singular(token.lower) in NOUN_TYPES
        if _ends_phrase(tokens, at, run, masked):
            break
        if token.lower in NUMBER_WORDS or token.text.isdigit():
            count = NUMBER_WORDS.get(token.lower) or int(token.text[:3].strip() or 0)
        elif token.is_word and (is_known or token.lower not in ORDER_WORDS):
            run.append(at)
        at += 1
    return _head_of_run(tokens, run), count if count < 100 else 0


def _ends_phrase(
    tokens: Sequence[Token], at: int, run: Sequence[int], masked: frozenset[int]
) -> bool:
    """Function words end the phrase, but for the "and" of "television and movie actor"; a name
    does behind a noun that it does not qualify.
    """
    word = tokens[at].lower
    if word in {"and", "or"} and run:
        return not _has_typed(tokens, at + 1)
    if word in FUNCTION_WORDS:
        return True
    return at in masked and _has_noun(tokens, run) and not _has_typed(tokens, at + 1)


def _has_typed(tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun of a known kind follows before the next function word."""
    for token in tokens[at : at + 4]:
        if token.lower in FUNCTION_WORDS or not token.is_word or _is_verb(token.lower):
            return False
        if singular(token.lower) in NOUN_TYPES and token.lower == token.text:
            return True
    return False


def _has_noun(tokens: Sequence[Token], run: Sequence[int]) -> bool:
    return any(singular(tokens[at].lower) in NOUN_TYPES for at in run)


def _head_of_run(tokens: Sequence[Token], run: list[int]) -> int:
    known = [at for at in run if noun_types(tokens[at].lower) and not _is_verb(tokens[at].lower)]
    typed = [at for at in known if singular(tokens[at].lower) in NOUN_TYPES]
    if typed or known:
        return (typed or known)[-1]
    nouns = [at for at in run if not _is_verb(tokens[at].lower)]
    if len(nouns) > 1 and _is_finite(tokens, nouns[-1]):
        nouns.pop()
    return nouns[-1] if nouns else -1


def _is_finite(tokens: Sequence[Token], at: int) -> bool:
    """ "which parameter CHANGES the timeout": an -s before a determiner or a name is a verb's."""
    if not tokens[at].lower.endswith("s") or at + 1 >= len(tokens):
        return False
    return tokens[at + 1].lower in DETERMINERS or tokens[at + 1].is_capital


def _is_verb(word: str) -> bool:
    if singular(word) in NOUN_TYPES:
        return False
    past = word.endswith("ed") and len(word) > 4
    return past or word in _IRREGULAR_VERBS


_IRREGULAR_VERBS = frozenset(
    "began born bought built came caught chose drew drove fell flew found gave got grew held hit "
    "kept knew led left lost made met paid played put ran read rose said sang sat saw sold sent "
    "set shot spoke stood swam taught told took went won wore wrote flows begins holds makes owns "
    "leads sits lies stands runs connects borders contains".split()
)


_PRICES = frozenset("cost costs".split())


def _types(tokens: Sequence[Token], slot: Slot, head: int) -> tuple[AnswerType, ...]:
    if slot in {Slot.HOW_MANY, Slot.HOW_MUCH, Slot.MEASURE}:
        return (AnswerType.NUMBER,)
    if head >= 0 and (found := noun_types(tokens[head].lower)):
        return found
    if head < 0 and slot == Slot.WHAT and any(token.lower in _PRICES for token in tokens):
        return (AnswerType.NUMBER,)
    return _SLOT_TYPES.get(slot, (AnswerType.OTHER,))
