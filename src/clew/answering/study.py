"""A question and its evidence, worked through once: what every way of answering shares."""

from __future__ import annotations

from functools import cached_property

from clew.answering.candidates import Candidate
from clew.answering.chain import Trail, follow
from clew.answering.evidence import Evidence, Sentence, cached_tokens
from clew.answering.frames import Role, asked_role, is_verb_at
from clew.answering.hops import Hopper, resolved
from clew.answering.matching import Matching
from clew.answering.plans import Plan
from clew.answering.steps import plan_of
from clew.answering.things import Anchor, Directory, Subject, Thing
from clew.answering.time_events import in_time
from clew.retrieval.question.records import AnswerType, ContentTerm, Question
from clew.retrieval.question.tokens import Token
from clew.stores.base import GraphReader
from clew.text.verbs import irregular_pasts

MAX_PLANS = 3
CLEARLY_MORE = 0.1
CLEARLY_SAID = 0.5
CLEARLY_BEST = 1.4
RANKED_PASSAGES = 5
"""Comparisons and chains gain from reading on; a ranker of spans loses with every passage more."""
_EXPLAINED = 1


_NAMED = frozenset({AnswerType.PERSON, AnswerType.DATE, AnswerType.NUMBER})
"""Kinds that no phrase of common words can be."""


class Study:
    def __init__(
        self,
        question: Question,
        evidence: Evidence,
        reader: GraphReader,
        directory: Directory | None = None,
    ) -> None:
        question, self.dated_by = in_time(question, evidence)
        self.question = question
        self.evidence = evidence
        self.reader = reader
        self.matching = Matching(question, evidence, reader)
        self.directory = directory or Directory(evidence)
        self._verbs: dict[int, list[int]] = {}
        self.hopper = Hopper(evidence, self.directory, chunks=question.types[0] not in _NAMED)

    def asking(self, question: Question) -> Study:
        """Another question to the same evidence."""
        return Study(question, self.evidence, self.reader, self.directory)

    @cached_property
    def anchors(self) -> list[Anchor]:
        """The things that the question names."""
        return self.directory.anchors(self.question)

    @cached_property
    def plans(self) -> list[Plan]:
        """Chains of relations from the things that are known, the best explained first."""
        plans = [plan_of(self.question, anchor) for anchor in self.anchors if anchor.is_known]
        usable = [plan for plan in plans if plan.steps]
        return sorted(usable, key=lambda p: (p.unexplained, -len(p.steps), p.anchor.start))[
            :MAX_PLANS
        ]

    @cached_property
    def trails(self) -> list[tuple[Plan, list[Trail]]]:
        return [(plan, follow(self.hopper, plan)) for plan in self.plans]

    @cached_property
    def bridges(self) -> list[tuple[Thing, float, Trail]]:
        """Things that a chain passes through before its last step, with the way to them."""
        found: dict[str, tuple[Thing, float, Trail]] = {}
        for plan in self.plans:
            if len(plan.steps) < 2:
                continue
            part = Plan(plan.anchor, plan.steps[:-1], plan.unexplained)
            for trail in follow(self.hopper, part):
                thing = resolved(self.directory, trail.last.candidate)
                strength = mean_strength(trail)
                if thing.key not in found or found[thing.key][1] < strength:
                    found[thing.key] = (thing, strength, trail)
        return sorted(found.values(), key=lambda item: (-item[1], item[0].key))

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Spans of the passages that the ranker reads, of sentences further down that say clearly
        more of the question, and ends of chains anywhere.
        """
        ends = {t.last.sentence.number for _, trails in self.trails for t in trails}
        share = self.matching.share
        held = {s.number: share(self.matching.held(s)) for s in self.evidence.sentences}
        near = [s for s in self.evidence.sentences if s.passage < RANKED_PASSAGES]
        enough = max((held[s.number] for s in near), default=0.0) + CLEARLY_MORE
        return [
            candidate
            for s in self.evidence.sentences
            if s.passage < RANKED_PASSAGES or s.number in ends or held[s.number] > enough
            for candidate in self.hopper.candidates(s)
        ]

    def asked_verbs(self, sentence: Sentence) -> list[int]:
        """Where the sentence says a word of the question, outside its names, by a verb."""
        found = self._verbs.get(sentence.number)
        if found is None:
            found = self._verbs[sentence.number] = self._asked_verbs(sentence)
        return found

    def _asked_verbs(self, sentence: Sentence) -> list[int]:
        terms = self.matching.terms
        return [
            at
            for at, term, _ in self.matching.places(sentence)
            if not terms[term].in_name
            and (is_verb_at(sentence.tokens, at) or _is_past_of(sentence.tokens[at], terms[term]))
        ]

    @cached_property
    def asked_role(self) -> Role:
        """Which role the answer plays for the verb of the question."""
        return asked_role(self.question)

    @cached_property
    def governing_word(self) -> str:
        """The word before the question word: "TO whom", "by WHOM"."""
        tokens = cached_tokens(self.question.text)
        at = next((i for i, t in enumerate(tokens) if t.start == self.question.wh_start), 0)
        return tokens[at - 1].lower if at else ""

    def bridged(self, sentence: Sentence) -> float:
        """How surely the sentence is about something that the question leads through."""
        best = 0.0
        for thing, strength, _ in self.bridges:
            best = max(best, strength * Subject(self.directory, thing).strength(sentence))
        return best

    def chained(self, candidate: Candidate, *, explained: bool) -> float:
        """The strength of the best chain that ends in the candidate."""
        return self._chained.get((candidate.sentence.number, candidate.key, explained), 0.0)

    def proven(self, candidate: Candidate) -> float:
        """The strength of a chain that explains the whole question: of two steps or more, or of one
        that names a known relation and is found clearly.
        """
        return self._proven.get((candidate.sentence.number, candidate.key), 0.0)

    @cached_property
    def _proven(self) -> dict[tuple[int, str], float]:
        found: dict[tuple[int, str], float] = {}
        for plan, trails in self.trails:
            if plan.unexplained:
                continue
            for trail in trails[:1] if len(plan.steps) > 1 else _clear(plan, trails):
                last = trail.last
                found[last.sentence.number, last.candidate.key] = _trust(plan, trail, trails)
        return found

    def is_whole_chain(self, candidate: Candidate) -> bool:
        """Whether a chain that explains the whole question ends in the candidate."""
        return any(
            trail.last.candidate.key == candidate.key and trail.last.sentence is candidate.sentence
            for plan, trails in self.trails
            if plan.unexplained == 0
            for trail in trails
        )

    @cached_property
    def _chained(self) -> dict[tuple[int, str, bool], float]:
        found: dict[tuple[int, str, bool], float] = {}
        for plan, trails in self.trails:
            explained = plan.unexplained <= _EXPLAINED
            for trail in trails:
                last = trail.last
                key = (last.sentence.number, last.candidate.key, explained)
                found[key] = max(found.get(key, 0.0), mean_strength(trail))
        return found


def _is_past_of(token: Token, term: ContentTerm) -> bool:
    """ "Left" for "leave", which elsewhere is a side more often."""
    return token.lower in irregular_pasts() and token.lower != term.text.casefold()


def _trust(plan: Plan, trail: Trail, trails: list[Trail]) -> float:
    """The strength of a trail, and more of it where every step names a known relation and no other
    answer comes near: its steps were read and not only met in passing.
    """
    strength = mean_strength(trail)
    others = [t for t in trails if t.last.candidate.key != trail.last.candidate.key]
    rival = max((mean_strength(other) for other in others), default=0.0)
    is_known = len(plan.steps) > 1 and all(step.relation for step in plan.steps)
    if is_known and strength > CLEARLY_BEST * rival:
        return 0.6 + 0.4 * strength
    return strength


def _clear(plan: Plan, trails: list[Trail]) -> list[Trail]:
    """Of one step that names a known relation: what is clearly said, and what rivals it."""
    if not trails or not plan.steps[0].relation:
        return []
    least = max(CLEARLY_SAID, 0.9 * mean_strength(trails[0]))
    return [trail for trail in trails if mean_strength(trail) >= least]


def mean_strength(trail: Trail) -> float:
    """The geometric mean over the hops, at most 1."""
    if not trail.hops:
        return 0.0
    return float(min(1.0, max(trail.strength, 0.0) ** (1 / len(trail.hops))))
