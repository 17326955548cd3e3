"""Whether a sentence tells it of another thing than the one asked about, where the text knows both.

*The shed was repaired for 240 pounds* does not tell what the seeds cost, of which the next
sentence speaks; *Passenger trains ended in 1930, goods trains in 1936* has a year for each. No
parser: what stands before the verb that governs a span is its subject, and two subjects are two
things where they are one and many, where one sentence has them both, where both are names, or where
each has its own word before the same noun. Less than that is taken for another word for the same
thing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from clew.answering.candidates import VALUE_FORMS, Candidate
from clew.answering.evidence import Sentence, cached_tokens
from clew.answering.frames import Role, is_verb_at, is_verb_form
from clew.answering.noun_phrases import is_noun_like
from clew.answering.prepositions import word_before
from clew.answering.study import Study
from clew.extraction.lexicon import is_common
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    FUNCTION_WORDS,
    HAVE,
    NUMBER_WORDS,
    PREPOSITIONS,
    PRONOUNS,
)
from clew.retrieval.question.records import Question, Slot
from clew.retrieval.question.relations import alternatives
from clew.retrieval.question.tokens import Token
from clew.retrieval.question.wh import is_plural

_SLOTS = frozenset({Slot.WHEN, Slot.WHERE, Slot.HOW_MUCH, Slot.HOW_MANY, Slot.MEASURE, Slot.HOW})
_CLAUSES = frozenset({";", ":", "but", "while", "whereas", "so", "because", "if"})
_PARTS = _CLAUSES | {",", "(", ")"}
_RELATIVE = frozenset({"who", "which", "that", "where", "when", "whose"})
_JOINS = frozenset({"and", "or", "then"})
_SAME = frozenset({"(", "as", "became", "become", "becomes", "called", "named", "or"})
_FURTHER = frozenset("second third fourth fifth another other further previous".split())
_SPEAKERS = frozenset({"i", "we", "you"})
_OWNERS = frozenset("his her its their our my your".split())


@dataclass(frozen=True, slots=True)
class Phrase:
    """A subject: all its words, and of its own noun the words before it."""

    words: tuple[Token, ...]
    head: Token
    modifiers: tuple[Token, ...]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(token.stem for token in self.words) - {""}

    @property
    def is_name(self) -> bool:
        """Whether the capital letter is the noun's own and not that of the sentence."""
        head = self.head
        return head.is_capital and not (head.start == 0 and is_common(head.lower))


def is_told_of_another(study: Study, candidate: Candidate) -> bool:
    """Whether the subject of the clause that a span stands in is another thing than the subject of
    the question, and both are things of the passage.
    """
    sentence = candidate.sentence
    if study.bridged(sentence) > 0:
        return False
    told = subject_of(sentence.tokens, candidate.first, candidate.last)
    others = study.evidence.passage_of(sentence).sentences
    if _is_contrasted(study.question, candidate, told, others) or _is_further(study, told):
        return True
    if study.asked_role == Role.AGENT and _is_done_to_other(study, candidate, others):
        return True
    if study.question.slot not in _SLOTS and candidate.form not in VALUE_FORMS:
        return False
    asked = asked_subject(study.question)
    if asked is None or told is None or asked.stems <= told.stems:
        return False
    return not _is_same_noun(asked, told) and _are_two(asked, told, candidate, others)


@lru_cache(maxsize=1024)
def asked_subject(question: Question) -> Phrase | None:
    """What stands behind the auxiliary: "did THE SEEDS cost", "was THE FURNACE built"."""
    tokens = cached_tokens(question.text)
    at = next((i for i, t in enumerate(tokens) if t.start == question.wh_start), -1)
    verb = next(
        (i for i in range(at + 1, len(tokens)) if tokens[i].lower in AUXILIARIES | BE | HAVE), -1
    )
    if at < 0 or verb < 0:
        return None
    first = verb + 1
    while first < len(tokens) and tokens[first].lower in DETERMINERS:
        first += 1
    if first < len(tokens) and tokens[first].lower in _OWNERS | PRONOUNS:
        return None
    name = next(
        (
            n
            for n in question.names
            if first < len(tokens) and n.start <= tokens[first].start < n.end
        ),
        None,
    )
    if name is not None:
        words = tuple(t for t in tokens if name.start <= t.start < name.end and t.is_word)
        return Phrase(words, words[-1], words[:-1])
    end = first
    while is_noun_like(tokens, end) and not is_verb_at(tokens, end):
        end += 1
    if tokens[verb].lower in DO | _MODALS and end - first > 1 and not _goes_on(tokens, end):
        end -= 1
    words = tokens[first:end]
    is_described = end < len(tokens) and tokens[end].lower in _RELATIVE
    return Phrase(words, words[-1], words[:-1]) if words and not is_described else None


@lru_cache(maxsize=1024)
def asked_object(question: Question) -> Phrase | None:
    """What somebody did something to: "who designed THE FERRY"."""
    tokens = cached_tokens(question.text)
    at = next((i for i, t in enumerate(tokens) if t.start == question.wh_start), -1)
    first = at + 2
    if at < 0 or first >= len(tokens) or tokens[first].lower not in DETERMINERS:
        return None
    end = first = first + 1
    while is_noun_like(tokens, end) and not is_verb_at(tokens, end):
        end += 1
    words = tokens[first:end]
    is_described = end < len(tokens) and tokens[end].lower in _RELATIVE | {"of"}
    return Phrase(words, words[-1], words[:-1]) if words and not is_described else None


@lru_cache(maxsize=1024)
def asked_deed(question: Question) -> Token | None:
    """The verb behind a form of "do" and its subject: "what does Mama TEACH", "how much does it
    cost to RETURN goods"; None for questions of another form.
    """
    tokens = cached_tokens(question.text)
    at = next((i for i, t in enumerate(tokens) if t.start == question.wh_start), -1)
    does = next((i for i in range(at + 1, len(tokens)) if tokens[i].lower in DO), -1)
    if at < 0 or does < 0:
        return None
    behind = tokens[does + 1 :]
    if behind and behind[0].lower == "it":
        to = next((i for i, token in enumerate(behind) if token.lower == "to"), -1)
        return behind[to + 1] if 0 < to < len(behind) - 1 else None
    subject = asked_subject(question)
    if subject is None:
        return None
    rest = [token for token in behind if token.start >= subject.words[-1].end]
    return rest[0] if rest and rest[0].is_word and rest[0].lower not in FUNCTION_WORDS else None


def subject_of(tokens: Sequence[Token], first: int, last: int) -> Phrase | None:
    """What stands before the verb that governs ``tokens[first:last]``; None where that is a
    pronoun, or where no verb is known.
    """
    shared = _elliptic(tokens, first)
    if shared is not None:
        return shared
    verbs = [at for at in range(len(tokens)) if is_finite(tokens, at)]
    before = [at for at in verbs if at < first]
    if before:
        return _before_verb(tokens, before, 0)
    end = next((at for at in range(last, len(tokens)) if tokens[at].lower in _CLAUSES), len(tokens))
    after = [at for at in verbs if last <= at < end]
    is_inside = last < len(tokens) and tokens[last].lower in PREPOSITIONS
    return _before_verb(tokens, after[:1], last) if after and not is_inside else None


def is_finite(tokens: Sequence[Token], at: int) -> bool:
    """A past or a form of be or have, or what ends like "takes" between a noun and an amount."""
    token = tokens[at]
    if is_verb_at(tokens, at) or token.lower in BE | HAVE | _MODALS:
        return True
    if not token.lower.endswith("s") or token.is_capital or not 0 < at < len(tokens) - 1:
        return False
    before, behind = tokens[at - 1], tokens[at + 1]
    follows = behind.is_number or behind.lower in NUMBER_WORDS or behind.lower in DETERMINERS
    noun = is_noun_like(tuple(tokens), at - 1) and not is_plural(before.lower)
    return follows and (noun or before.lower in _JOINS)


def _elliptic(tokens: Sequence[Token], first: int) -> Phrase | None:
    """ "Passenger trains ended in 1930, GOODS TRAINS in 1936", "and THE ORDINARY RED 9": a subject
    whose verb was said.
    """
    at = first - 1
    while at >= 0 and tokens[at].lower in DETERMINERS:
        at -= 1
    is_bare = at >= 0 and tokens[at].lower not in PREPOSITIONS
    if at < 1 or (is_bare and not tokens[first].is_number):
        return None
    start = end = first if is_bare else at
    while start > 0 and is_noun_like(tuple(tokens), start - 1) and not is_finite(tokens, start - 1):
        start -= 1
    opening = start
    while opening > 0 and tokens[opening - 1].lower in DETERMINERS:
        opening -= 1
    is_lone = opening == start and (is_bare or end - start == 1)
    if start == end or is_lone:
        return None
    is_apart = opening > 0 and tokens[opening - 1].text in {",", ";", "and", "but"}
    if not (is_apart and any(is_finite(tokens, i) for i in range(opening))):
        return None
    words = tuple(tokens[start:end])
    return Phrase(words, words[-1], words[:-1])


def _before_verb(tokens: Sequence[Token], verbs: Sequence[int], least: int) -> Phrase | None:
    """The subject of the last of ``verbs``; where it has none of its own ("opened and CLOSED"), of
    the one before.
    """
    verb = verbs[-1]
    end = verb
    while end > least and _is_adverb(tokens[end - 1]):
        end -= 1
    start = end
    while start > least and not _opens(tokens, start - 1, verbs[:-1]):
        start -= 1
    if start > least and tokens[start - 1].lower in _RELATIVE:
        return _antecedent(tokens, start - 1) if tokens[start - 1].lower == "who" else None
    words = tokens[start:end]
    if not words:
        apposed = _apposed(tokens, end, least)
        if apposed is not None:
            return apposed
        return _before_verb(tokens, verbs[:-1], least) if len(verbs) > 1 else None
    return _phrase(words)


def _antecedent(tokens: Sequence[Token], who: int) -> Phrase | None:
    """The name before "who": of "Rui's daughter Teresa, who studied" it is Teresa."""
    end = who
    if end and tokens[end - 1].text == ",":
        end -= 1
    start = end
    while start > 0 and tokens[start - 1].is_capital:
        start -= 1
    words = tuple(tokens[start:end])
    return Phrase(words, words[-1], words[:-1]) if words else None


def _opens(tokens: Sequence[Token], at: int, verbs: Sequence[int]) -> bool:
    """Whether a clause begins behind ``tokens[at]``."""
    word = tokens[at].lower
    if at in verbs or word in _PARTS | _RELATIVE:
        return True
    return word in _JOINS and any(verb < at for verb in verbs)


def _apposed(tokens: Sequence[Token], end: int, least: int) -> Phrase | None:
    """ "The contractor, Peter Rennie of Keith, went": what is between commas and before them."""
    if end - 1 <= least or tokens[end - 1].text != ",":
        return None
    start = end - 1
    commas = 0
    while start > least and not (is_finite(tokens, start - 1) or tokens[start - 1].text in ";:("):
        start -= 1
        commas += tokens[start].text == ","
        if commas > 1:
            break
    words = tuple(t for t in tokens[start:end] if is_noun_like((t,), 0))
    capital = [t for t in words if t.is_capital and t.start > 0]
    if not capital and commas == 1 and words:
        return Phrase(words, words[-1], words[:-1])
    if not words or not capital:
        return None
    return Phrase(words, capital[-1], ())


def _phrase(words: Sequence[Token]) -> Phrase | None:
    if len(words) == 1 and words[0].lower in _SPEAKERS:
        return Phrase(tuple(words), words[0], ())
    if any(token.lower in PRONOUNS for token in words):
        return None
    at = 0
    if words[0].lower in PREPOSITIONS:
        at = next((i for i, t in enumerate(words) if i and t.lower in DETERMINERS), len(words))
    while at < len(words) and words[at].lower in DETERMINERS | _JOINS:
        at += 1
    end = at
    while end < len(words) and is_noun_like(tuple(words), end):
        end += 1
    if end == at or (at and words[at - 1].lower in _OWNERS):
        return None
    own = tuple(words[at:end])
    every = tuple(token for token in words[at:] if token.lower not in FUNCTION_WORDS)
    return Phrase(every, own[-1], own[:-1])


def _is_same_noun(asked: Phrase, told: Phrase) -> bool:
    stem = asked.head.stem
    return stem == told.head.stem or told.head.stem in alternatives(stem) or stem in told.stems


def _is_done_to_other(study: Study, candidate: Candidate, others: Sequence[Sentence]) -> bool:
    """ "The catalogue was edited by Paula Reyes" where it is asked who edited the films."""
    tokens = candidate.sentence.tokens
    asked = asked_object(study.question)
    if asked is None or asked.is_name or word_before(tokens, candidate.first) != "by":
        return False
    told = subject_of(tokens, candidate.first, candidate.last)
    if told is None or asked.stems & told.stems or _is_same_noun(asked, told):
        return False
    return _are_two(asked, told, candidate, others)


def _is_further(study: Study, told: Phrase | None) -> bool:
    """ "A SECOND trial will be led by Anna Lindh" where it is asked who led the trial."""
    asked = cached_tokens(study.question.text)
    if told is None or all(token.stem != told.head.stem for token in asked):
        return False
    further = _FURTHER & {token.lower for token in told.modifiers}
    return bool(further) and not _FURTHER & {token.lower for token in asked}


def _is_contrasted(
    question: Question, candidate: Candidate, told: Phrase | None, others: Sequence[Sentence]
) -> bool:
    """ "Standard delivery takes three days" where express delivery is asked about, of which the
    text speaks too; "head of research" where it is the head of sales.
    """
    tokens = candidate.sentence.tokens
    near = list(pairwise(_segment(tokens, candidate)))
    if told is not None:
        near += pairwise(told.words)
    asked = cached_tokens(question.text)
    for modifier, noun in pairwise(asked):
        is_phrase = _is_common(modifier) and _is_common(noun) and not is_verb_form(noun.lower)
        if not is_phrase or noun.is_capital:
            continue
        mine = [(before, one) for before, one in near if one.stem == noun.stem or _stands_for(one)]
        if not mine or any(before.stem == modifier.stem for before, _ in mine):
            continue
        differs = all(_is_common(before) for before, _ in mine)
        if differs and any(_says_pair(one, modifier, noun) for one in others):
            return True
    return any(
        noun.stem == other.stem and _is_common(noun) and what.stem != of_what.stem
        for noun, what in _of_pairs(asked)
        for other, of_what in _of_pairs(tokens)
        if all(what.stem != token.stem for token in tokens)
    )


def _segment(tokens: Sequence[Token], candidate: Candidate) -> Sequence[Token]:
    """The words around a span, up to what parts the items of a list."""
    low, high = candidate.first, candidate.last
    while low > 0 and tokens[low - 1].lower not in _PARTS | _JOINS:
        low -= 1
    while high < len(tokens) and tokens[high].lower not in _PARTS | _JOINS:
        high += 1
    return tokens[low:high]


def _is_common(token: Token) -> bool:
    return bool(token.stem) and token.lower not in FUNCTION_WORDS and not token.is_number


def _stands_for(token: Token) -> bool:
    """ "The lower ONES"."""
    return token.text in {"one", "ones"}


def _says_pair(sentence: Sentence, modifier: Token, noun: Token) -> bool:
    return any(
        before.stem == modifier.stem and (one.stem == noun.stem or _stands_for(one))
        for before, one in pairwise(sentence.tokens)
    )


def _of_pairs(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield "head" and "sales" of "head of sales", where no name or article stands there."""
    for noun, of, what in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if of.lower == "of" and _is_common(what) and not (noun.is_capital or what.is_capital):
            yield noun, what


def _are_two(asked: Phrase, told: Phrase, candidate: Candidate, others: Sequence[Sentence]) -> bool:
    stem = asked.head.stem
    tokens = candidate.sentence.tokens
    near = _clause(tokens, candidate)
    if not stem or any(token.stem in asked.stems for token in near):
        return False
    known = any(stem == token.stem for one in others for token in one.tokens)
    if known and told.head.lower in _SPEAKERS:
        return not asked.is_name
    if not known or asked.is_name != told.is_name:
        return False
    if asked.is_name:
        return not (asked.stems & told.stems)
    if is_plural(asked.head.lower) != is_plural(told.head.lower):
        return True
    return any(_has_both(one, stem, told.head.stem) for one in others)


def _has_both(sentence: Sentence, one: str, other: str) -> bool:
    """Two things of one sentence, which does not say that they are the same."""
    tokens = sentence.tokens
    places = [at for at, token in enumerate(tokens) if token.stem in {one, other}]
    if len({tokens[at].stem for at in places}) < 2:
        return False
    between = tokens[min(places) + 1 : max(places)]
    words = [token.lower for token in between if token.lower not in DETERMINERS]
    is_said = words and words[0] in BE and not any(is_verb_form(word) for word in words)
    is_apposed = words == [","] and between[-1].lower in DETERMINERS
    return not (is_said or is_apposed or any(word in _SAME for word in words))


def _clause(tokens: Sequence[Token], candidate: Candidate) -> Sequence[Token]:
    """The words around a span, up to what parts clauses and to the verb after the one that governs
    it.
    """
    low, high = candidate.first, candidate.last
    while low > 0 and tokens[low - 1].lower not in _CLAUSES:
        low -= 1
    verbs = int(any(is_finite(tokens, at) for at in range(low, candidate.first)))
    while high < len(tokens) and tokens[high].lower not in _CLAUSES:
        verbs += is_finite(tokens, high) and not is_finite(tokens, high - 1)
        is_next = verbs > 0 and tokens[high].text == "," and _follows(tokens, high) in DETERMINERS
        if verbs > 1 or is_next:
            break
        high += 1
    return tokens[low:high]


def _follows(tokens: Sequence[Token], at: int) -> str:
    """The word behind a comma and its "and"."""
    behind = [token.lower for token in tokens[at + 1 : at + 3]]
    return next((word for word in behind if word not in _JOINS), "")


def _is_adverb(token: Token) -> bool:
    return token.lower in AUXILIARIES | BE | HAVE | _ADVERBS or token.lower.endswith("ly")


def _goes_on(tokens: Sequence[Token], end: int) -> bool:
    """Whether the verb of the question is still to come."""
    return any(is_noun_like(tuple(tokens), at) for at in range(end, len(tokens))) and (
        end < len(tokens) and tokens[end].lower == "of"
    )


_MODALS = frozenset("must may shall should can could will would might".split())
_ADVERBS = frozenset("not never also still first then now again soon later only".split())
