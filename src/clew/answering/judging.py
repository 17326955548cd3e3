"""How strong the evidence for an answer is, and what of the question it leaves open.

Three things speak against an answer: a name of the question that the evidence does not know; words
that the cited sentences do not cover; a span of another kind than the one asked for. The weights
turn them into one number between 0 and 1; ``benchmarks/answers/calibrate.py`` measures, on the
tuning sets, how many answerable questions stay above the threshold and how many with their evidence
taken away fall below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from clew.answering import weights
from clew.answering.beside import stands_beside
from clew.answering.candidates import Candidate
from clew.answering.dimensions import asks_price
from clew.answering.evidence import Sentence
from clew.answering.frames import is_verb_form
from clew.answering.intervals import agreement, find_intervals
from clew.answering.lexicon.instances import is_instance
from clew.answering.loudness import is_quiet, loud_shares
from clew.answering.matching import Vector
from clew.answering.noun_phrases import is_noun_like
from clew.answering.study import Study
from clew.answering.support import Finding
from clew.answering.things import Subject, plain
from clew.retrieval.question.records import ContentTerm, NameSpan, Slot
from clew.retrieval.question.relations import RELATIONS, stems_of

_CHECKED = frozenset({"extreme", "comparison", "polarity", "table", "kin"})
"""Ways of answering that look for every word themselves."""

SIGNS = (
    "covered",
    "names",
    "predicate",
    "unsaid",
    "broken",
    "apart",
    "kind",
    "certain",
    "rule",
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """``strength`` in 0–1; ``missing`` names what nothing covers, names first."""

    strength: float
    missing: tuple[str, ...]
    covered: float
    names_known: float


def judge(study: Study, finding: Finding | None) -> Judgement:
    """Judge a finding, or the lack of one."""
    signs = dict(zip(SIGNS, signs_of(study, finding), strict=True))
    if finding is None:
        missing = missing_of(study, held_by(study, study.evidence.sentences))
        return Judgement(0.0, missing, signs["covered"], signs["names"])
    score = weights.STRENGTH["bias"] + sum(weights.STRENGTH[k] * v for k, v in signs.items())
    held = held_by(study, finding.sentences)
    strength = 1 / (1 + exp(-score))
    beside = stands_beside(study, finding)
    if beside:
        strength *= weights.BESIDE
    missing = missing_of(study, held)
    if missing and beside:
        missing = min(missing, missing_of(study, _most_held(study)), key=len)
    if not missing and _is_of_another(study, finding):
        words = (plan.steps[0].word for plan in study.plans)
        missing = tuple(dict.fromkeys(word for word in words if word))
    return Judgement(strength, missing, signs["covered"], signs["names"])


def signs_of(study: Study, finding: Finding | None) -> tuple[float, ...]:
    """What is added up, in the order of ``SIGNS``: the share of the question covered, of its names
    known, of its words outside names found; the share of its relations that is not said; whether a
    chain that explains it all leads nowhere; whether the kind agrees; how sure the way of answering
    is; whether a rule answered and not the ranker.
    """
    sentences = finding.sentences if finding else ()
    held = held_by(study, sentences)
    if finding is not None and finding.candidate is not None:
        held = _with_kind(study, _with_chain(study, held, finding.candidate), finding.candidate)
    compares = finding is not None and finding.method in _CHECKED
    predicate = 1.0 if compares else _predicate_share(study, held)
    return (
        coverage(study, held),
        _names_known(study, sentences or study.evidence.sentences),
        predicate,
        0.0 if compares else _unsaid_share(study, held),
        float(_is_of_another(study, finding) or _is_broken_off(study, finding)),
        float(finding is not None and _stands_apart(study, finding)),
        float(finding.typed) if finding else 0.0,
        finding.certainty if finding else 0.0,
        float(finding is not None and finding.method != "span"),
    )


def _predicate_share(study: Study, held: Vector) -> float:
    """Of the words outside names that do not only say a kind, the share that is found."""
    terms = study.matching.terms
    loud = [at for at, t in enumerate(terms) if not t.in_name and not is_quiet(study.question, t)]
    if not loud:
        return 1.0
    return float(sum(min(1.0, held[at] / 0.8) for at in loud)) / len(loud)


def _stands_apart(study: Study, finding: Finding) -> bool:
    """Whether the span stands in a sentence that holds next to nothing of the question, and no
    chain leads there.
    """
    if finding.candidate is None or finding.method != "span":
        return False
    if _is_paid_for_another(study, finding.candidate):
        return True
    sentence = finding.candidate.sentence
    if study.bridged(sentence) > 0 or study.chained(finding.candidate, explained=True) > 0:
        return False
    held = study.matching.held(sentence)
    return _is_of_another(study, finding) or (
        float(loud_shares(study.matching) @ held) < _LEAST_OWN
    )


def _is_of_another(study: Study, finding: Finding | None) -> bool:
    """Whether one relation of one known thing is asked for ("How much did the Fram cost?"), and the
    sentence of the answer does not speak of that thing.
    """
    if finding is None or finding.candidate is None or finding.method != "span":
        return False
    candidate = finding.candidate
    if _is_paid_for_another(study, candidate):
        return True
    direct = [plan for plan in study.plans if plan.unexplained == 0]
    if not direct or any(len(plan.steps) != 1 or not plan.steps[0].relation for plan in direct):
        return False
    if study.chained(candidate, explained=True) > 0 or study.bridged(candidate.sentence) > 0:
        return False
    return not any(
        Subject(study.directory, plan.anchor.thing).strength(candidate.sentence) for plan in direct
    )


def _is_paid_for_another(study: Study, candidate: Candidate) -> bool:
    """ "500 pounds for the dinner" is no price of a bridge."""
    tokens = candidate.sentence.tokens
    at = candidate.last
    if not asks_price(study.question) or at + 2 >= len(tokens) or tokens[at].lower != "for":
        return False
    if tokens[at + 1].lower not in {"the", "a", "an"}:
        return False
    end = at + 2
    while end + 1 < len(tokens) and is_noun_like(tokens, end + 1):
        end += 1
    asked = {term.stem for term in study.question.terms} | _MAKING
    return not any(token.stem in asked for token in tokens[at + 2 : end + 1])


_MAKING = stems_of(" ".join(RELATIONS[name].words for name in ("builder", "maker", "designer")))
_LEAST_OWN = 0.15


def _is_broken_off(study: Study, finding: Finding | None) -> bool:
    return finding is not None and finding.method == "span" and _is_broken(study)


def _is_broken(study: Study) -> bool:
    """Whether a chain takes up every word of the question and a step of it is found nowhere."""
    whole = [trails for plan, trails in study.trails if plan.unexplained == 0]
    return bool(whole) and not any(whole)


def _with_chain(study: Study, held: Vector, candidate: Candidate) -> Vector:
    """Where a chain through the whole question ends in the answer, its relations are said, if only
    by a bracket ("(1920 – 1988)" says born and died).
    """
    if not study.is_whole_chain(candidate):
        return held
    starts = {cue.start for cue in study.question.relations}
    cues = [term.start in starts for term in study.matching.terms]
    return np.where(cues, 1.0, held)


def _with_kind(study: Study, held: Vector, candidate: Candidate) -> Vector:
    """Who is said to be an aviator needs no sentence that says "profession"."""
    focus = study.question.focus
    tokens = candidate.sentence.tokens[candidate.first : candidate.last]
    if not focus or not is_instance(focus, [token.lower for token in tokens]):
        return held
    return np.where([term.is_focus for term in study.matching.terms], 1.0, held)


def _unsaid_share(study: Study, held: Vector) -> float:
    """Of the words that name a relation, or that no list knows to be harmless, those unsaid."""
    starts = {cue.start for cue in study.question.relations}
    terms = study.matching.terms
    cues = [
        at
        for at, term in enumerate(terms)
        if (term.start in starts or is_verb_form(term.text)) and not is_quiet(study.question, term)
    ]
    if not cues:
        return 0.0
    return float(sum(held[at] == 0 for at in cues)) / len(cues)


def coverage(study: Study, held: Vector) -> float:
    """The share of the question that is covered; nouns that only say the kind count little."""
    shares = loud_shares(study.matching)
    return float(shares @ np.minimum(1.0, held / 0.8)) if len(shares) else 1.0


def missing_of(study: Study, held: Vector) -> tuple[str, ...]:
    """Names and content words without cover, in the order of the question; a name is whole."""
    missing: list[str] = []
    done: set[int] = set()
    for at, term in enumerate(study.matching.terms):
        if held[at] > 0 or at in done:
            continue
        name = _name_around(study, term)
        if name is not None:
            inside = [
                i for i, t in enumerate(study.matching.terms) if name.start <= t.start < name.end
            ]
            done |= set(inside)
            if 2 * sum(held[i] > 0 for i in inside) < len(inside):
                missing.append(name.text)
                continue
        counted = term.is_focus and study.question.slot in {Slot.HOW_MUCH, Slot.HOW_MANY}
        if counted or not is_quiet(study.question, term):
            missing.append(term.text)
    return tuple(dict.fromkeys(missing))


def held_by(study: Study, sentences: Sequence[Sentence]) -> Vector:
    """Per word of the question how strongly the sentences hold it, together."""
    held = np.zeros(len(study.matching.terms))
    for sentence in sentences:
        held = np.maximum(held, study.matching.held(sentence))
    return _with_times(study, held, sentences)


def _most_held(study: Study) -> Vector:
    """What the sentence holds that says most of the question."""
    every = [held_by(study, [sentence]) for sentence in study.evidence.sentences]
    return max(every, key=study.matching.share)


def _with_times(study: Study, held: Vector, sentences: Sequence[Sentence]) -> Vector:
    """A time that a sentence's interval covers is covered, though the year is not written."""
    for at, term in enumerate(study.matching.terms):
        for time in study.question.times:
            if time.start <= term.start < time.end and held[at] == 0:
                fits = [agreement(i, time) for s in sentences for i in find_intervals(s.text)]
                present = time.first == (0, 0, 0)
                if present or (fits and max(fits) > 0):
                    held[at] = 1.0
    return held


def _name_around(study: Study, term: ContentTerm) -> NameSpan | None:
    return next((n for n in study.question.names if n.start <= term.start < n.end), None)


def _names_known(study: Study, sentences: Sequence[Sentence]) -> float:
    """The share of the question's names that the sentences, or what they are about, hold."""
    names = study.question.names
    if not names:
        return 1.0
    texts = [plain(s.text) for s in sentences]
    texts += [plain(name) for s in sentences for name in study.evidence.passages[s.passage].names]
    texts += [plain(part) for s in sentences for part in s.implied]
    return sum(_best_part(plain(name.text), texts) for name in names) / len(names)


def _best_part(name: str, texts: Sequence[str]) -> float:
    """1 for the whole name in one text, else the share of its words, squared."""
    words = name.split()
    if not words:
        return 1.0
    best = 0.0
    for text in texts:
        if f" {name} " in f" {text} ":
            return 1.0
        held = set(text.split())
        best = max(best, sum(word in held for word in words) / len(words))
    return best**2
