"""What a comparison weighs: which date says when a thing came to be, how many are listed, and how
much of what is asked a sentence says.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.candidates import Candidate
from clew.answering.evidence import Sentence
from clew.answering.hops import Hop
from clew.answering.lexicon.places import country_named
from clew.answering.matching import Matching
from clew.retrieval.question.records import Day
from clew.retrieval.question.relations import RELATIONS, stems_of

_EVENTS = "release publisher founder opening builder beginning inventor designer maker".split()
DATE_WORDS = stems_of(" ".join(RELATIONS[name].words for name in _EVENTS)) | stems_of("first")


def listed(hops: Sequence[Hop]) -> int:
    """How many of the names stand in the sentence of the best, whole names only."""
    best = hops[0]
    same = [h.candidate for h in hops if h.sentence is best.sentence]
    whole = [
        c
        for c in same
        if not any(o is not c and o.first <= c.first and c.last <= o.last for o in same)
    ]
    by_place = sorted(whole, key=lambda c: c.first)
    at = next(i for i, c in enumerate(by_place) if c.first >= best.candidate.first)
    count = 1
    tokens = best.sentence.tokens
    for one, other in zip(by_place[at:], by_place[at + 1 :], strict=False):
        gap = [t.lower for t in tokens[one.last : other.first]]
        if not gap or not set(gap) <= {",", "and", "&"}:
            break
        count += 1
    return count


def as_size(day: Day) -> tuple[float, ...]:
    return tuple(float(part) for part in day)


def date_score(sentence: Sentence, candidate: Candidate, asked: set[str]) -> float:
    """How surely a date is when a thing came to be."""
    tokens = sentence.tokens
    score = 0.3 if candidate.first < 12 else 0.15
    for at, token in enumerate(tokens):
        if token.stem in DATE_WORDS:
            gap = abs(candidate.first - at)
            weight = 1.0 if token.stem in asked else 0.6
            if gap <= 8:
                score = max(score, weight / (1 + 0.1 * gap))
    before = [t.lower for t in tokens[max(0, candidate.first - 2) : candidate.first]]
    is_defined = len(before) == 2 and before[0] in {"is", "was"} and before[1] in {"a", "an", "the"}
    return max(score, 0.75) if is_defined else score


def outside_share(matching: Matching, sentence: Sentence, outside: set[str]) -> float:
    held = matching.held(sentence)
    return float(
        sum(
            weight * strength
            for term, weight, strength in zip(matching.terms, matching.weights, held, strict=True)
            if term.stem in outside
        )
    )


def share_said(sentence: Sentence, wanted: set[str]) -> float:
    """The share of the words asked for that a sentence says, or says by a form of them."""
    stems = {token.stem for token in sentence.tokens if token.stem}
    countries = {country_named(token.lower) for token in sentence.tokens if token.is_capital}
    hits = 0
    for stem in wanted:
        country = country_named(stem)
        hits += stem in stems or bool(country and country in countries)
    return hits / len(wanted)
