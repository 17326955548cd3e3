"""Whom a clause speaks of: the persons and things that it names, and which of them is its subject.

A party is a range of tokens, or ``None`` for what the sentence is about without naming it: the one
that its "he" or "she" stands for, or the topic of its passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb
from clew.answering.lexicon.people import RANKS, TITLES
from clew.answering.lexicon.places import demonyms, known_places, regions
from clew.answering.name_ends import end_with_suffix
from clew.extraction.lexicon import is_common
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    PERSONAL_PRONOUNS,
    PREPOSITIONS,
)
from clew.retrieval.question.tokens import Token

Party = tuple[int, int] | None

_SUBJECT_REACH = 6
_LONGEST_DESCRIPTION = 8
_RELATIVES = frozenset({"who", "whom"})


def runs_of(sentence: Sentence) -> list[tuple[int, int]]:
    """The names of a sentence, with what follows a comma and still belongs to them: "Emich, 7th
    Prince of Leiningen", "Luigi Barzini, Jr."; in order, none inside another.
    """
    found: list[tuple[int, int]] = []
    for first, end in sentence.names:
        if found and first < found[-1][1]:
            continue
        found.append((first, end_with_suffix(sentence.tokens, end) or end))
    return found


def party_from(sentence: Sentence, at: int, stops: frozenset[str] = frozenset()) -> Party:
    """The name that a phrase beginning at ``at`` describes: "the late actor Ola Roe", "the Emir of
    Norr, Sheikh Per". None where a verb, a mark or one of ``stops`` comes first.
    """
    tokens = sentence.tokens
    runs = dict(runs_of(sentence))
    low = at
    while at < min(len(tokens), low + _LONGEST_DESCRIPTION):
        token = tokens[at]
        if at in runs:
            end = runs[at]
            if _is_title_alone(tokens, at, end) and tokens[end : end + 1]:
                following = end + 1 if tokens[end].text == "," else end
                if following in runs:
                    return following, runs[following]
            if not _only_describes(tokens, at, end):
                return at, end
            at = end
            continue
        if token.lower in stops | AUXILIARIES | PREPOSITIONS | PERSONAL_PRONOUNS:
            return None
        determined = at > low and tokens[at - 1].lower in DETERMINERS
        if not token.is_word or token.is_number or (is_finite(token) and not determined):
            return None
        at += 1
    return None


def _is_title_alone(tokens: Sequence[Token], first: int, end: int) -> bool:
    """ "Emir of Qatar", "the King of Norr": what one is, before the name."""
    lead = tokens[first].lower
    return lead in RANKS | TITLES and (
        end - first == 1 or (tokens[first + 1].lower == "of" and tokens[first].is_capital)
    )


def _only_describes(tokens: Sequence[Token], first: int, end: int) -> bool:
    """ "Italian" in front of "journalist Luigi Barzini"."""
    if end >= len(tokens) or not tokens[end].is_word:
        return False
    behind = tokens[end]
    is_noun = not (behind.is_capital or is_verb(behind) or behind.lower in FUNCTION_WORDS)
    words = " ".join(token.lower for token in tokens[first:end])
    return words in demonyms() or (end - first == 1 and is_noun)


def skip_apposition(sentence: Sentence, at: int) -> int:
    """Behind brackets, quoted by-names and "…, the lord of Norr," that follow a name ending at
    ``at``; ``at`` where none does.
    """
    tokens = sentence.tokens
    while at < len(tokens):
        if tokens[at].text == "(":
            at = next((i + 1 for i in range(at, len(tokens)) if tokens[i].text == ")"), at)
            if tokens[at - 1].text != ")":
                return at
        elif tokens[at].text in '"“':
            closing = (i + 1 for i in range(at + 1, len(tokens)) if tokens[i].text in '"”')
            behind = next(closing, 0)
            if not 0 < behind - at < _LONGEST_DESCRIPTION:
                return at
            at = behind
        elif (behind := _behind_title(tokens, at)) > at:
            at = behind
        else:
            return at
    return at


def _behind_title(tokens: Sequence[Token], at: int) -> int:
    """The comma behind ", the lord of Norr" or ", founder of the Norr Works"; ``at`` where the
    comma opens anything else.
    """
    if tokens[at].text != "," or at + 2 >= len(tokens):
        return at
    opening = tokens[at + 1]
    closing = next((i for i in range(at + 1, len(tokens)) if tokens[i].text in ",.;("), at)
    if tokens[closing].text != "," or closing - at > 2 * _LONGEST_DESCRIPTION:
        return at
    if opening.lower in DETERMINERS:
        return closing
    is_noun = opening.is_word and not (opening.is_capital or opening.is_number)
    follows = tokens[closing + 1].lower if closing + 1 < len(tokens) else ""
    quiet = opening.lower not in FUNCTION_WORDS and not is_finite(opening)
    return closing if is_noun and quiet and follows in {"and", "by", "with"} else at


def subject_before(sentence: Sentence, at: int) -> Party:
    """The subject of the predicate that stands at ``at``: the one before its "who", else the first
    name of the sentence, else what a pronoun stands for.
    """
    tokens = sentence.tokens
    runs = runs_of(sentence)
    depth = 0
    for place in range(at - 1, -1, -1):
        token = tokens[place]
        if token.text == ")":
            depth += 1
        elif token.text == "(":
            if not depth:
                return _before_bracket(sentence, place)
            depth -= 1
        elif depth:
            continue
        elif token.text == ";":
            return None
        elif token.lower in _RELATIVES and (named := _touching(sentence, place)):
            return named
        elif token.lower in PERSONAL_PRONOUNS and token.lower not in {"his", "her", "him"}:
            return None
    return _first_subject(sentence, runs, at)


def _first_subject(sentence: Sentence, runs: Sequence[tuple[int, int]], at: int) -> Party:
    tokens = sentence.tokens
    for first, end in runs:
        if first >= at or first > _SUBJECT_REACH or any(map(is_finite, tokens[1:first])):
            break
        if first == 0 and end == 1 and is_common(tokens[0].lower):
            continue
        before = tokens[first - 1].lower if first else ""
        if before in PREPOSITIONS or (before == "the" and tokens[first - 2].lower in PREPOSITIONS):
            continue
        if end < len(tokens) and tokens[end].lower == "'s":
            continue
        return first, end
    return None


def _touching(sentence: Sentence, at: int) -> Party:
    """The name that ends directly before ``at``, a comma or a bracket left out."""
    tokens = sentence.tokens
    end = at
    if end and tokens[end - 1].text == ",":
        end -= 1
    if end and tokens[end - 1].text == ")":
        end = next((i for i in range(end - 1, -1, -1) if tokens[i].text == "("), end)
    return next((run for run in runs_of(sentence) if run[1] == end), None)


def _before_bracket(sentence: Sentence, opening: int) -> Party:
    """Whose bracket opens at ``opening``: the name directly before it, else the first one."""
    runs = runs_of(sentence)
    touching = [run for run in runs if run[1] == opening]
    if touching:
        return touching[0]
    return _first_subject(sentence, runs, opening)


def apposed_before(sentence: Sentence, at: int) -> Party:
    """The name that an apposition opening behind the comma at ``at`` belongs to; the subject of the
    sentence where no name of a person touches the comma.
    """
    tokens = sentence.tokens
    end = at
    if end and tokens[end - 1].text == ")":
        end = next((i for i in range(end - 1, -1, -1) if tokens[i].text == "("), end)
    for first, last in runs_of(sentence):
        if last != end:
            continue
        lead = tokens[first - 1].lower if first else ""
        words = " ".join(token.lower for token in tokens[first:last])
        is_place = words in known_places() | regions() or lead in {"in", "at", "from", "near"}
        return subject_before(sentence, at) if is_place else (first, last)
    return subject_before(sentence, at)


def back_over(tokens: Sequence[Token], at: int) -> int:
    """The token before the noun phrase that ends at ``at``: "was the third and youngest SON"."""
    place = at - 1
    while place >= 0 and at - place < _LONGEST_DESCRIPTION:
        token = tokens[place]
        is_part = (token.is_word and not token.is_capital) or token.is_number or token.text == "-"
        if not is_part or token.lower in AUXILIARIES | PREPOSITIONS | _STOPS or is_finite(token):
            break
        if token.lower in {"and", "or"} and (
            tokens[place + 1].lower in DETERMINERS or (place and tokens[place - 1].is_capital)
        ):
            break
        place -= 1
    return place


_STOPS = frozenset("his her their its who whom which that 's".split())


def is_finite(token: Token) -> bool:
    return is_verb(token) and not token.lower.endswith("born") and token.lower not in _ADJECTIVES


_ADJECTIVES = frozenset("adopted acclaimed noted deceased estranged".split())
