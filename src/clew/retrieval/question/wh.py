"""Which word asks, and for what: the wh-phrase, its head noun and the type of answer it expects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clew.retrieval.question.languages import ENGLISH, Language
from clew.retrieval.question.lexicon import NATIONALITY_NOUNS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import RELATIONS, relations_in
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
_BEINGS = frozenset({AnswerType.PERSON, AnswerType.ORG})


@dataclass(frozen=True, slots=True)
class WhPhrase:
    """``at`` is the token that asks, -1 for none; ``head`` the token of the focus noun, -1."""

    at: int
    slot: Slot
    types: tuple[AnswerType, ...]
    head: int = -1
    count: int = 0
    is_plural: bool = False


def read_wh(tokens: Sequence[Token], masked: frozenset[int], lang: Language = ENGLISH) -> WhPhrase:
    """Find the phrase that asks. ``masked`` tokens lie inside names or quotation marks."""
    at, score = _asking_word(lang, tokens, masked)
    if at < 0 or (score < 6 and tokens[0].lower in lang.commands):
        return _without_wh(lang, tokens, masked)
    slot = _slot(lang, tokens, at)
    head, count = _head(lang, tokens, at, slot, masked)
    if (
        slot == Slot.WHO
        and head >= 0
        and (head in masked or not _BEINGS & {*noun_types(tokens[head].lower, lang)})
    ):
        head = -1
    plural = head >= 0 and (is_plural(tokens[head].lower, lang) or _are(tokens, at, lang))
    return WhPhrase(at, slot, _types(lang, tokens, slot, head), head, count, plural)


def singular(word: str, lang: Language = ENGLISH) -> str:
    """The singular of a folded noun, by rule.

    >>> singular("cities"), singular("women"), singular("bus"), singular("companies")
    ('city', 'woman', 'bus', 'company')
    """
    if word in lang.plurals:
        return lang.plurals[word]
    if word in lang.noun_types or word.endswith(lang.not_plural_endings) or len(word) < 4:
        return word
    for ending, replacement in lang.plural_endings:
        if word.endswith(ending):
            return word[: -len(ending)] + replacement
    return word


def is_plural(word: str, lang: Language = ENGLISH) -> bool:
    return singular(word, lang) != word and word not in {"series", "news"}


def noun_types(word: str, lang: Language = ENGLISH) -> tuple[AnswerType, ...]:
    """What kind of thing a folded noun names; empty when the word lists do not know."""
    if word in NATIONALITY_NOUNS:
        return (AnswerType.PLACE,)
    one = singular(word, lang)
    if one in lang.noun_types:
        return lang.noun_types[one]
    for name in relations_in(one, lang):
        if RELATIONS[name].answers:
            return RELATIONS[name].answers
    return _types_of_last_part(one, lang)


def _types_of_last_part(noun: str, lang: Language) -> tuple[AnswerType, ...]:
    """A compound names the kind of thing that its last part does: *Hauptstadt*, *Sportverein*."""
    if not lang.nouns_are_capital:
        return ()
    parts = (singular(noun[at:], lang) for at in range(2, len(noun) - 3))
    return next((lang.noun_types[part] for part in parts if part in lang.noun_types), ())


def _are(tokens: Sequence[Token], at: int, lang: Language) -> bool:
    """ "Wer sind die Gründer?": the verb tells of several where the noun does not."""
    return at + 1 < len(tokens) and tokens[at + 1].lower in lang.plural_be


def _asking_word(
    lang: Language, tokens: Sequence[Token], masked: frozenset[int]
) -> tuple[int, int]:
    best, best_score = -1, 0
    for at, token in enumerate(tokens):
        if token.lower in lang.wh and at not in masked:
            score = _asks(lang, tokens, at)
            if score > best_score:
                best, best_score = at, score
    return best, best_score


def _asks(lang: Language, tokens: Sequence[Token], at: int) -> int:
    """How clearly the wh-word at ``at`` asks, rather than begins a relative clause."""
    word = tokens[at].lower
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    before = tokens[at - 1].lower if at else ""
    if at == 0 or (at == 1 and before in lang.prepositions):
        return 3 if word == "how" and after == "to" else 10
    if _is_last(tokens, at):
        return 7
    asks_amount = word in lang.how and after in lang.measures | lang.many | lang.much
    if lang.wh[word] == Slot.WHAT or asks_amount:
        return 6
    return _asks_inside(lang, tokens, at, before, after)


def _asks_inside(lang: Language, tokens: Sequence[Token], at: int, before: str, after: str) -> int:
    """In the middle "who", "which", "when" mostly begin a clause: "released in which year" asks."""
    is_which = lang.wh[tokens[at].lower] == Slot.WHICH
    asks_noun = after not in lang.function_words and tokens[at + 1].is_word
    if is_which and (before in lang.prepositions or not tokens[at - 1].is_word) and asks_noun:
        return 5 if not tokens[at + 1].is_capital else 2
    if before in {",", ":", ";", ".", "-"} and (after in lang.auxiliaries or asks_noun):
        return 4
    if is_which and _is_verb(lang, before) and asks_noun:
        return 4
    named = at > 1 and tokens[at - 2].lower in lang.determiners
    if before in lang.commands | lang.lead_ins and not named:
        return 6
    return 1 if before in lang.and_words else 0


def _is_last(tokens: Sequence[Token], at: int) -> bool:
    return not any(token.is_word for token in tokens[at + 1 :])


def _slot(lang: Language, tokens: Sequence[Token], at: int) -> Slot:
    word = tokens[at].lower
    after = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    slot = lang.wh[word]
    if word in lang.how and after in lang.many:
        return Slot.HOW_MANY
    if word in lang.how and after in lang.much:
        return Slot.HOW_MUCH
    if word in lang.how and after in lang.measures:
        return Slot.MEASURE
    return Slot.WHAT if word in lang.how and after in lang.naming_verbs else slot


def _without_wh(lang: Language, tokens: Sequence[Token], masked: frozenset[int]) -> WhPhrase:
    """A yes/no question, a command, or a statement with a gap."""
    for at in _clause_starts(tokens):
        if tokens[at].lower in lang.auxiliaries and (at not in masked or at == 0):
            return WhPhrase(-1, Slot.YES_NO, (AnswerType.OTHER,))
    first = next((at for at, token in enumerate(tokens) if token.is_word), -1)
    if first >= 0 and tokens[first].lower in lang.commands:
        return _command(lang, tokens, first, masked)
    return WhPhrase(-1, Slot.WHAT, (AnswerType.OTHER,))


def _clause_starts(tokens: Sequence[Token]) -> list[int]:
    """The first token, then the tokens after a full stop, then those after a comma, last first."""
    stops = [at + 1 for at, token in enumerate(tokens[:-1]) if token.text in ".!?;"]
    commas = [at + 1 for at, token in enumerate(tokens[:-1]) if token.text == ","]
    return ([0] if tokens else []) + stops[::-1] + commas[::-1]


def _command(
    lang: Language, tokens: Sequence[Token], first: int, masked: frozenset[int]
) -> WhPhrase:
    at = first + 1
    while at < len(tokens) and tokens[at].lower in lang.lead_ins:
        at += 1
    head, count = _noun_after(lang, tokens, at, masked)
    plural = head >= 0 and is_plural(tokens[head].lower, lang)
    lists = tokens[first].lower in lang.listing_commands and (plural or count > 1)
    slot = Slot.LIST if lists else Slot.WHAT
    return WhPhrase(first, slot, _types(lang, tokens, slot, head), head, count, plural)


def _head(
    lang: Language, tokens: Sequence[Token], at: int, slot: Slot, masked: frozenset[int]
) -> tuple[int, int]:
    start = at + 1
    if slot in {Slot.HOW_MANY, Slot.HOW_MUCH}:
        is_two_words = tokens[at].lower in lang.how
        return _noun_run(lang, tokens, start + is_two_words, masked)
    if slot in {Slot.WHAT, Slot.WHICH, Slot.WHOSE, Slot.WHO}:
        head, count = _noun_run(lang, tokens, start, masked) if slot != Slot.WHO else (-1, 0)
        if (
            head < 0
            and start < len(tokens)
            and tokens[start].lower in lang.be | lang.naming_verbs | {"'s", "of"}
        ):
            return _noun_after(lang, tokens, start + 1, masked)
        return head, count
    return -1, 0


def _noun_after(
    lang: Language, tokens: Sequence[Token], at: int, masked: frozenset[int]
) -> tuple[int, int]:
    """The head of "(the) name of the waterfall …", "Jane's profession", "(the) population of …"."""
    at = _skip_possessor(lang, tokens, at)
    count = 0
    while at < len(tokens) and tokens[at].lower in lang.determiners | {"of"}:
        at += 1
    head, count = _noun_run(lang, tokens, at, masked)
    if head < 0 or _is_verb(lang, tokens[head].lower):
        return -1, count
    follows = tokens[head + 1].lower if head + 1 < len(tokens) else ""
    is_alone = (
        tokens[head - 1].lower in lang.function_words | lang.order_words
    )  # not "phone number of"
    if singular(tokens[head].lower, lang) in lang.empty_heads and follows == "of" and is_alone:
        inner, inner_count = _noun_after(lang, tokens, head + 2, masked)
        return (inner if inner >= 0 else head), count or inner_count
    return head, count


def _skip_possessor(lang: Language, tokens: Sequence[Token], at: int) -> int:
    """Move past "Jane Roe's" and "the founder's", possessives of possessives too."""
    for end in range(at, min(at + 10, len(tokens))):
        if tokens[end].lower in {"of", ",", "?"} | lang.auxiliaries | lang.prepositions:
            break
        if tokens[end].lower == "'s" and end > at:
            return _skip_possessor(lang, tokens, end + 1)
    return at


def _noun_run(
    lang: Language, tokens: Sequence[Token], at: int, masked: frozenset[int]
) -> tuple[int, int]:
    """The head of the noun phrase that begins at ``at``, and the number in it."""
    run: list[int] = []
    count = 0
    while at < len(tokens) and (tokens[at].is_word or (tokens[at].text == "-" and run)):
        token = tokens[at]
        is_known = singular(token.lower, lang) in lang.noun_types
        if _ends_phrase(lang, tokens, at, run, masked):
            break
        if token.lower in lang.number_words or token.text.isdigit():
            count = lang.number_words.get(token.lower) or int(token.text[:3].strip() or 0)
        elif token.is_word and (is_known or token.lower not in lang.order_words):
            run.append(at)
        at += 1
    return _head_of_run(lang, tokens, run), count if count < 100 else 0


def _ends_phrase(
    lang: Language, tokens: Sequence[Token], at: int, run: Sequence[int], masked: frozenset[int]
) -> bool:
    """Function words end the phrase, but for the "and" of "television and movie actor"; a name
    does behind a noun that it does not qualify, and a verb: "which smith LENT money", "which clubs
    PLAY there".
    """
    word = tokens[at].lower
    if run and is_plural(tokens[run[-1]].lower, lang) and word in lang.plural_verbs:
        return True
    if run and _is_verb(lang, word) and not tokens[run[-1]].is_capital:
        return not _has_typed(lang, tokens, at + 1)
    if word in lang.and_words | lang.or_words and run:
        return not _has_typed(lang, tokens, at + 1)
    if word in lang.function_words:
        return True
    return at in masked and _has_noun(lang, tokens, run) and not _has_typed(lang, tokens, at + 1)


def _has_typed(lang: Language, tokens: Sequence[Token], at: int) -> bool:
    """Whether a noun of a known kind follows before the next function word."""
    for token in tokens[at : at + 4]:
        if token.lower in lang.function_words or not token.is_word or _is_verb(lang, token.lower):
            return False
        is_plain = token.lower == token.text or lang.nouns_are_capital
        if singular(token.lower, lang) in lang.noun_types and is_plain:
            return True
    return False


def _has_noun(lang: Language, tokens: Sequence[Token], run: Sequence[int]) -> bool:
    return any(singular(tokens[at].lower, lang) in lang.noun_types for at in run)


def _head_of_run(lang: Language, tokens: Sequence[Token], run: list[int]) -> int:
    known = [
        at
        for at in run
        if noun_types(tokens[at].lower, lang) and not _is_verb(lang, tokens[at].lower)
    ]
    typed = [at for at in known if singular(tokens[at].lower, lang) in lang.noun_types]
    if typed or known:
        return (typed or known)[-1]
    nouns = [at for at in run if not _is_verb(lang, tokens[at].lower)]
    if len(nouns) > 1 and _is_finite(lang, tokens, nouns[-1]):
        nouns.pop()
    return nouns[-1] if nouns else -1


def _is_finite(lang: Language, tokens: Sequence[Token], at: int) -> bool:
    """ "which parameter CHANGES the timeout": an -s before a determiner or a name is a verb's."""
    if lang.nouns_are_capital and tokens[at].text == tokens[at].lower:
        return True
    if not tokens[at].lower.endswith("s") or at + 1 >= len(tokens):
        return False
    return tokens[at + 1].lower in lang.determiners or tokens[at + 1].is_capital


def _is_verb(lang: Language, word: str) -> bool:
    if singular(word, lang) in lang.noun_types:
        return False
    past = word.endswith(lang.verb_endings) and len(word) > 4
    return past or word in lang.verbs


def _types(
    lang: Language, tokens: Sequence[Token], slot: Slot, head: int
) -> tuple[AnswerType, ...]:
    if slot in {Slot.HOW_MANY, Slot.HOW_MUCH, Slot.MEASURE}:
        return (AnswerType.NUMBER,)
    if head >= 0 and (found := noun_types(tokens[head].lower, lang)):
        return found
    if head < 0 and slot == Slot.WHAT and any(token.lower in lang.prices for token in tokens):
        return (AnswerType.NUMBER,)
    return _SLOT_TYPES.get(slot, (AnswerType.OTHER,))
