"""One span as the answer: the best of the ranker, the sentences that lead to it, and what rivals
it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clew.answering import weights
from clew.answering.amounts import amount_of
from clew.answering.candidates import Candidate
from clew.answering.dimensions import dimension_fit
from clew.answering.evidence import Sentence
from clew.answering.intervals import Interval
from clew.answering.loudness import loud_shares
from clew.answering.matching import Vector
from clew.answering.naming import name_of
from clew.answering.ranking import Ranked, Ranker
from clew.answering.readings import Reading
from clew.answering.study import Study, mean_strength
from clew.answering.support import Finding, distinct
from clew.answering.things import Subject
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.relations import RELATIONS

LEAST_GAIN = 0.1
MAX_SUPPORT = 4
LEAST_BRIDGE = 0.3
LEAST_KIND = 0.25
_VALUES = frozenset({AnswerType.DATE, AnswerType.NUMBER})


def best_span(study: Study, ranker: Ranker) -> Finding | None:
    """The best candidate with its support; None when there is no candidate at all."""
    top = ranker.best
    if top is None or ranker.plays_other_part(top.candidate):
        return None
    if top.reading is None:
        top = replace(top, candidate=_where_said(study, top.candidate))
    rival = find_rival(study, ranker, top)
    reading = {"read as": top.reading.study.question.text} if top.reading else {}
    kind = kind_agreement(study, top.candidate)
    if study.question.slot == Slot.MEASURE and dimension_fit(top.candidate, study.question) < 0:
        kind *= 0.2
    if kind <= LEAST_KIND and _VALUES & set(study.question.types[:1]):
        return None
    return Finding(
        text=name_of(study, top.candidate),
        method="span",
        sentences=support_of(study, top.candidate, top.reading),
        certainty=top.share if kind > LEAST_KIND else 0.3 * top.share,
        candidate=top.candidate,
        is_read_anew=top.reading is not None,
        rivals=(rival.candidate.sentence,) if rival else (),
        rival_texts=(rival.candidate.text,) if rival else (),
        typed=kind > LEAST_KIND,
        trace={"kind": round(kind, 3), **reading},
    )


def _where_said(study: Study, candidate: Candidate) -> Candidate:
    """The same name where a chain that explains the whole question ends in it: a sentence that
    only tells more of it is not what answers.
    """
    if study.is_whole_chain(candidate):
        return candidate
    ends = [
        trail.last.candidate
        for plan, trails in study.trails
        for trail in trails
        if plan.unexplained == 0
    ]
    return next((end for end in ends if end.key == candidate.key), candidate)


def support_of(
    study: Study, candidate: Candidate, reading: Reading | None = None
) -> tuple[Sentence, ...]:
    """The sentences that lead to the candidate, in the order of the reasoning: those by which the
    question came to be read so, those of the chain that ends in it, those that lead to what its
    sentence is about, and what else of the question only other sentences say.
    """
    way = [*reading.sentences] if reading else []
    way = way or _chain_to(study, candidate) or _bridge_to(study, candidate)
    sentences = [*way, candidate.sentence]
    covered = np.zeros(len(study.matching.terms))
    for sentence in sentences:
        covered = np.maximum(covered, study.matching.held(sentence))
    added: list[Sentence] = []
    while len(sentences) + len(added) < MAX_SUPPORT:
        further = _most_added(study, covered, [*sentences, *added])
        if further is None:
            break
        added.append(further)
        covered = np.maximum(covered, study.matching.held(further))
    return distinct([*study.dated_by, *added, *sentences])


def _chain_to(study: Study, candidate: Candidate) -> list[Sentence]:
    best: tuple[float, list[Sentence]] = (0.0, [])
    for _, trails in study.trails:
        for trail in trails:
            last = trail.last
            if last.candidate.key != candidate.key or last.sentence is not candidate.sentence:
                continue
            strength = mean_strength(trail)
            if strength > best[0]:
                best = (strength, [hop.sentence for hop in trail.hops[:-1]])
    return best[1]


def _bridge_to(study: Study, candidate: Candidate) -> list[Sentence]:
    for thing, strength, trail in study.bridges:
        if strength >= LEAST_BRIDGE and (
            Subject(study.directory, thing).strength(candidate.sentence) > 0
        ):
            return [hop.sentence for hop in trail.hops]
    return []


def _most_added(study: Study, covered: Vector, used: list[Sentence]) -> Sentence | None:
    """The sentence that says most of what is still uncovered, and hangs together with the used;
    else one that names a thing of the question that none of them names.
    """
    matching = study.matching
    shares = loud_shares(study.matching)
    best: tuple[bool, float, Sentence] | None = None
    for sentence in study.evidence.sentences:
        if sentence in used or sentence.text.startswith("#"):
            continue
        gain = float(shares @ np.maximum(0.0, matching.held(sentence) - covered))
        if gain < LEAST_GAIN:
            continue
        leads_on = _hangs_together(study, sentence, used)
        if not leads_on and not _names_anchor(study, sentence, covered):
            continue
        if best is None or (leads_on, gain) > (best[0], best[1] + 1e-9):
            best = (leads_on, gain, sentence)
    return best[2] if best else None


def _names_anchor(study: Study, sentence: Sentence, covered: Vector) -> bool:
    terms = study.matching.terms
    for anchor in study.anchors:
        inside = [i for i, t in enumerate(terms) if anchor.start <= t.start < anchor.end]
        is_open = bool(inside) and not any(covered[i] > 0 for i in inside)
        if is_open and Subject(study.directory, anchor.thing).strength(sentence) > 0:
            return True
    return False


def _hangs_together(study: Study, sentence: Sentence, used: list[Sentence]) -> bool:
    """Shares a name with a sentence in use, is about what it names, or stands in its passage."""
    for other in used:
        if sentence.passage == other.passage:
            return True
        for one, two in ((sentence, other), (other, sentence)):
            topics = study.evidence.passages[one.passage].names
            if any(len(name) > 3 and name in two.folded for name in topics):
                return True
        if _names(sentence) & _names(other):
            return True
    return False


def _names(sentence: Sentence) -> set[str]:
    return {
        " ".join(token.lower for token in sentence.tokens[first:end])
        for first, end in sentence.names
    }


def kind_agreement(study: Study, candidate: Candidate) -> float:
    """How surely the candidate is of a kind that is asked for (0–1); 0.6 where any kind is."""
    wanted = [kind for kind in study.question.types if kind != AnswerType.OTHER]
    if not wanted:
        return 0.6
    return max(candidate.kinds.get(kind, 0.0) for kind in wanted)


# --- rivals -------------------------------------------------------------------------------------


def find_rival(study: Study, ranker: Ranker, top: Ranked) -> Ranked | None:
    """Another value for the same slot, from another sentence that says as much and holds at the
    same time; None where several values may hold.
    """
    if study.question.slot == Slot.LIST or _holds_for_many(study):
        return None
    for item in ranker.ranked[1:40]:
        if item.score < top.score - weights.RIVAL_MARGIN:
            return None
        if _contradicts(study, ranker, top.candidate, item.candidate):
            return item
    return None


def _holds_for_many(study: Study) -> bool:
    names = [cue.relation for cue in study.question.relations]
    return not names or any(RELATIONS[name].many for name in names)


def _contradicts(study: Study, ranker: Ranker, top: Candidate, other: Candidate) -> bool:
    if other.sentence is top.sentence or other.form != top.form or _same_value(top, other):
        return False
    if kind_agreement(study, other) < 0.5 * kind_agreement(study, top):
        return False
    matching = study.matching
    ours, theirs = matching.held(top.sentence), matching.held(other.sentence)
    if matching.share(theirs) < matching.share(ours) - 0.05:
        return False
    cues = [
        at
        for at, term in enumerate(matching.terms)
        if any(term.start == cue.start for cue in study.question.relations)
    ]
    if any(ours[at] > 0 and theirs[at] == 0 for at in cues):
        return False
    return not _apart(ranker.interval(top), ranker.interval(other))


def _same_value(one: Candidate, other: Candidate) -> bool:
    if one.key in other.key or other.key in one.key:
        return True
    if set(one.key.split()) & set(other.key.split()) and not any(c.isdigit() for c in one.key):
        return True
    if one.day[0] and other.day[0]:
        pairs = zip(one.day, other.day, strict=True)
        return all(a == b or 0 in {a, b} for a, b in pairs)
    first, second = amount_of(one), amount_of(other)
    return first is not None and first == second


def _apart(one: Interval | None, other: Interval | None) -> bool:
    """Whether two statements hold at different times."""
    if one is None or other is None:
        return False
    return one.last <= other.first or other.last <= one.first or one.first != other.first
