"""One step along a chain: from a thing to what stands in a relation to it, with the sentence that
says so.

A sentence speaks of a thing when it names it, when a pronoun stands for it, or when its passage is
about it. In such a sentence the words of the relation are looked for, and the names (dates, places,
numbers) around them weighed: by the role that word order gives them, by nearness, by kind. The
other side may state it too ("Ola, son of Jon" for Ola's father), and births and deaths also stand
in brackets. What comes out are several readings with a strength; the chain keeps the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from clew.answering.candidates import Candidate, Form, find_candidates
from clew.answering.dimensions import PEOPLED, is_few
from clew.answering.evidence import Evidence, Sentence
from clew.answering.fitness import ends_with_region, is_rank_alone, kind_strength, noun_fit
from clew.answering.frames import is_verb
from clew.answering.kinds import gender_of, known_kinds
from clew.answering.kinship import Tie, ties_in
from clew.answering.lexicon.people import FEMALE_TITLES, MALE_TITLES, RANKS, TITLES
from clew.answering.lexicon.places import demonyms
from clew.answering.lexicon.relating import COMPLEMENTS
from clew.answering.lifespan import life_of
from clew.answering.nearness import nearness_of
from clew.answering.occasions import OCCASIONS, Occasion, occasions_in
from clew.answering.parties import Party
from clew.answering.plans import Step
from clew.answering.relatives import KIN_RELATIONS, relatives
from clew.answering.things import Directory, Subject, Thing, implied_key, plain
from clew.graph.given_names import female_names, male_names
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS
from clew.retrieval.question.tokens import Token

_MAKERS = frozenset("performer author composer director designer producer founder maker".split())
_UNREAD = 0.5
"""What a word of kinship or death is worth by nearness alone, where no grammar reads it."""
_SAID_SO = 0.97
_OTHERS_TITLE = 0.4
_BESIDE = 4  # tokens between the bearer of a title and the name of what is led
_PARTS = frozenset("the central modern upper lower inner present day -".split())
_PLACE_PREPOSITIONS = frozenset("in at near from of".split())


@dataclass(frozen=True, slots=True)
class Hop:
    """``candidate`` answers one step; ``sentence`` says it; ``strength`` in 0–1."""

    candidate: Candidate
    sentence: Sentence
    strength: float


class Hopper:
    """Takes steps through one body of evidence."""

    def __init__(self, evidence: Evidence, directory: Directory, *, chunks: bool = True) -> None:
        self.evidence = evidence
        self._chunks = chunks
        self.directory = directory
        self.known = known_kinds(evidence)
        self._candidates: dict[int, list[Candidate]] = {}
        self._read: dict[int, tuple[Tie, ...]] = {}
        self._happenings: dict[int, tuple[Occasion, ...]] = {}

    def candidates(self, sentence: Sentence) -> list[Candidate]:
        found = self._candidates.get(sentence.number)
        if found is None:
            found = self._candidates[sentence.number] = find_candidates(
                sentence, self.known, chunks=self._chunks
            )
        return found

    def take(self, thing: Thing, step: Step, most: int = 4) -> list[Hop]:
        """The best readings of ``step`` from ``thing``, strongest first, one per answer."""
        subject = Subject(self.directory, thing)
        best: dict[str, Hop] = {}
        for hop in self._readings(subject, step):
            old = best.get(hop.candidate.key)
            if old is None or _order(hop) < _order(old):
                best[hop.candidate.key] = hop
        return sorted(best.values(), key=_order)[:most]

    def _readings(self, subject: Subject, step: Step) -> Iterator[Hop]:
        for sentence, surety in subject.sentences:
            yield from self._direct(subject, step, sentence, surety)
            yield from self._bracketed(subject, step, sentence, surety)
            yield from self._kin(subject, step, sentence, surety)
            yield from self._happened(subject, step, sentence, surety)
            yield from self._located(subject, step, sentence, surety)
            yield from self._signed(subject, step, sentence, surety)

    # --- the relation's own words ---------------------------------------------------------------

    def _direct(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        cues = [
            at
            for at, token in enumerate(sentence.tokens)
            if token.stem in step.stems and not _only_describes(sentence.tokens, at)
        ]
        if step.relation in KIN_RELATIONS and not COMPLEMENTS & set(step.kinds):
            read = {tie.at for tie in self.ties(sentence)}
            cues = [at for at in cues if at not in read]
            surety *= _UNREAD
        if step.relation in OCCASIONS:
            read = {
                o.at
                for o in self._occasions(sentence)
                if o.kind == step.relation and (o.is_told or sentence.tokens[o.at].lower == "death")
            }
            cues = [at for at in cues if at not in read]
            surety *= _UNREAD
        if not cues:
            return
        named = self.directory.mentions(sentence, subject.thing)
        for candidate in self.candidates(sentence):
            fit = self.fit(candidate, step, subject.thing)
            if not fit:
                continue
            nearness = max(
                (
                    nearness_of(sentence.tokens, cue, candidate, step, named)
                    for cue in cues
                    if not candidate.first <= cue < candidate.last
                ),
                default=0.0,
            )
            if sentence.passage not in subject.thing.about:
                nearness *= _OTHERS_TITLE ** _is_styled(sentence.tokens, candidate, step, named)
            if nearness > 0:
                fit *= self._gender_fit(candidate, step)
                yield Hop(candidate, sentence, surety * fit * nearness)

    # --- kinship --------------------------------------------------------------------------------

    def _kin(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        """ "Ola, son of Jon and his wife Kari": by a small grammar, not by nearness."""
        ties = self.ties(sentence)
        if step.relation not in KIN_RELATIONS or not ties:
            return
        gender = RELATIONS[step.relation].gender

        def is_it(party: Party) -> bool:
            return self.is_thing(subject, sentence, party)

        def sex_of(party: tuple[int, int]) -> str:
            candidate = self._candidate_at(sentence, party)
            return self.gender(candidate) if candidate is not None else ""

        for party, strength, _ in relatives(ties, step.relation, gender, is_it, sex_of):
            candidate = self._candidate_at(sentence, party)
            if candidate is not None and self.fit(candidate, step, subject.thing) > 0:
                yield Hop(candidate, sentence, max(surety, Subject.PRONOUN) * strength)

    def ties(self, sentence: Sentence) -> tuple[Tie, ...]:
        """The ties of kinship that a sentence states."""
        found = self._read.get(sentence.number)
        if found is None:
            found = self._read[sentence.number] = ties_in(sentence)
        return found

    def is_thing(self, subject: Subject, sentence: Sentence, party: Party) -> bool:
        """Whether a party of a sentence is the thing: it names it, or stands for its topic."""
        if party is None:
            about = sentence.passage in subject.thing.about
            return about or (sentence.leans and subject.thing.key in implied_key(sentence))
        named = self.directory.mentions(sentence, subject.thing)
        if any(first < party[1] and party[0] < end for first, end in named):
            return True
        if sentence.passage not in subject.thing.about:
            return False
        words = {token.lower for token in sentence.tokens[party[0] : party[1]]} - TITLES - RANKS
        opens = sentence is self.evidence.passage_of(sentence).sentences[0] and party[0] <= 1
        return opens or (bool(words) and words <= set(subject.thing.key.split()))

    def _candidate_at(self, sentence: Sentence, party: tuple[int, int]) -> Candidate | None:
        """The longest name of the stretch."""
        inside = [
            c
            for c in self.candidates(sentence)
            if c.form == Form.NAME and party[0] <= c.first and c.last <= party[1]
        ]
        return min(inside, key=lambda c: (c.first - c.last, c.first), default=None)

    # --- births and deaths ----------------------------------------------------------------------

    def _happened(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        """ "died of fever near Lund on 3 May 1901": what the clause itself says."""
        if step.relation not in OCCASIONS:
            return
        for occasion in self._occasions(sentence):
            if occasion.kind != step.relation or not self.is_thing(
                subject, sentence, occasion.whose
            ):
                continue
            surety = max(surety, Subject.PRONOUN)
            for order, stretch in enumerate((*occasion.places, *occasion.dates[:1])):
                is_place = order < len(occasion.places)
                for candidate in self._spans_at(sentence, stretch, is_place=is_place):
                    fit = self.fit(candidate, step, subject.thing)
                    if is_place and AnswerType.PLACE in step.kinds:
                        fit = max(fit, 0.9 * noun_fit(candidate, step))
                    if fit:
                        later = 0.8**order if is_place else 1.0
                        yield Hop(candidate, sentence, surety * fit * later * _SAID_SO)

    def _occasions(self, sentence: Sentence) -> tuple[Occasion, ...]:
        found = self._happenings.get(sentence.number)
        if found is None:
            found = self._happenings[sentence.number] = occasions_in(sentence)
        return found

    def _spans_at(
        self, sentence: Sentence, stretch: tuple[int, int], *, is_place: bool
    ) -> list[Candidate]:
        """The candidates that begin where a complement does and go to its end or beyond."""
        first, end = stretch
        forms = {Form.NAME, Form.PAIR} if is_place else {Form.DATE, Form.YEAR}
        return [
            c
            for c in self.candidates(sentence)
            if c.form in forms and c.first == first and c.last >= end
        ]

    def gender(self, candidate: Candidate) -> str:
        """``m``, ``f`` or ``""``: by title, by given name, by the passage about the person."""
        words = [token.lower for token in _tokens_of(candidate)]
        before = candidate.sentence.tokens[max(0, candidate.first - 1) : candidate.first]
        for word in [*words, *(token.lower for token in before)]:
            if word in MALE_TITLES | {"husband", "son"}:
                return "m"
            if word in FEMALE_TITLES | {"wife", "daughter"}:
                return "f"
        about = self.directory.thing(candidate.text).about
        if about and (sex := gender_of(self.evidence.passages[about[0]])):
            return sex
        if words and words[0] in male_names() - female_names():
            return "m"
        return "f" if words and words[0] in female_names() - male_names() else ""

    def _gender_fit(self, candidate: Candidate, step: Step) -> float:
        gender = RELATIONS[step.relation].gender if step.relation else ""
        return 1.0 if self._agrees(candidate, gender) else 0.15

    def _agrees(self, candidate: Candidate, gender: str) -> bool:
        return not gender or self.gender(candidate) in {"", gender}

    # --- brackets and places --------------------------------------------------------------------

    def _bracketed(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        """Birth and death in the bracket behind a name."""
        if step.relation not in {"birth", "death"} or surety < Subject.TOPIC:
            return
        life = life_of(sentence.text)
        start, end = life.birth if step.relation == "birth" else life.death
        if start == end or not self._owns_bracket(subject.thing, sentence, start):
            return
        for candidate in self.candidates(sentence):
            if start <= candidate.start and candidate.end <= end:
                fit = self.fit(candidate, step, subject.thing)
                if candidate.form in {Form.NAME, Form.PAIR} and AnswerType.PLACE in step.kinds:
                    fit = max(fit, 0.8)
                if fit:
                    yield Hop(candidate, sentence, surety * fit * 0.95)

    def _owns_bracket(self, thing: Thing, sentence: Sentence, start: int) -> bool:
        """Whether the bracket belongs to the thing: its passage opens so, or its name precedes."""
        passage = self.evidence.passage_of(sentence)
        if passage.number in thing.about and sentence is passage.sentences[0]:
            return True
        for _, end in self.directory.mentions(sentence, thing):
            gap = sentence.text[sentence.tokens[end - 1].end : start]
            if len(gap) < 4 and "(" in gap:
                return True
        return False

    def _located(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        """ "X is a town in Hiran, Somalia"; "a Norwegian builder": where the definition puts it."""
        if step.relation not in {"location", "origin", "nationality"}:
            return
        passage = self.evidence.passage_of(sentence)
        is_first = sentence is passage.sentences[0]
        tokens = sentence.tokens
        for candidate in self.candidates(sentence):
            fit = self.fit(candidate, step, subject.thing)
            if not fit or not candidate.first:
                continue
            before = _leading(tokens, candidate.first)
            if before in _PLACE_PREPOSITIONS or before == ",":
                base = 0.75 if is_first else 0.45
            elif is_first and candidate.key in demonyms() and step.relation != "location":
                base = 0.8
            else:
                continue
            yield Hop(candidate, sentence, surety * fit * base / (1 + 0.015 * candidate.first))

    def _signed(
        self, subject: Subject, step: Step, sentence: Sentence, surety: float
    ) -> Iterator[Hop]:
        """ "a song by English musician Ola Roe": the "by" behind a thing made, without a verb."""
        if step.relation not in _MAKERS:
            return
        passage = self.evidence.passage_of(sentence)
        if sentence is not passage.sentences[0] or passage.number not in subject.thing.about:
            return
        tokens = sentence.tokens
        for candidate in self.candidates(sentence):
            low = max(0, candidate.first - 5)
            by = [at for at in range(low, candidate.first) if tokens[at].lower == "by"]
            if by and not is_verb(tokens[by[-1] - 1]) and tokens[by[-1] + 1].text not in ",;":
                fit = self.fit(candidate, step, subject.thing)
                if fit:
                    yield Hop(candidate, sentence, surety * fit * 0.6)

    # --- agreement ------------------------------------------------------------------------------

    def fit(self, candidate: Candidate, step: Step, thing: Thing) -> float:
        """How well a span can be the answer of the step: by kind and by the noun asked for."""
        if candidate.key and (candidate.key in thing.key or thing.key in plain(candidate.text)):
            return 0.0
        if candidate.form == Form.CHUNK and step.kinds:
            return 0.0
        if is_rank_alone(candidate):
            return 0.0
        strength = kind_strength(candidate.kinds, step.kinds)
        if candidate.form == Form.PAIR:
            strength *= 1.12 if ends_with_region(candidate) else 0.9
        if candidate.form == Form.YEAR and step.noun not in {"year", ""}:
            strength *= 0.8
        if step.word in PEOPLED and is_few(candidate):
            strength *= 0.2
        return strength * noun_fit(candidate, step)


def _leading(tokens: Sequence[Token], first: int) -> str:
    """What stands before a place and words like "the", "eastern", "present-day"."""
    at = first - 1
    while at > 0 and (tokens[at].lower in _PARTS or tokens[at].lower.endswith("ern")):
        at -= 1
    return tokens[at].lower


def _is_styled(
    tokens: Sequence[Token],
    candidate: Candidate,
    step: Step,
    named: Sequence[tuple[int, int]],
) -> bool:
    """ "President Ola Roe" far from the thing's name: the title may be of another country."""
    first, last = candidate.first, candidate.last
    title = tokens[first - 1]
    if not first or not title.is_capital or title.stem not in step.stems:
        return False
    return not any(0 <= first - 1 - end < 2 or 0 <= at - last < _BESIDE for at, end in named)


def _only_describes(tokens: Sequence[Token], at: int) -> bool:
    """ "a musical film" says nothing of its music; "a musical score" does."""
    following = tokens[at + 1].lower if at + 1 < len(tokens) else ""
    return tokens[at].lower in {"musical", "musicals"} and following != "score"


def _tokens_of(candidate: Candidate) -> Sequence[Token]:
    return candidate.sentence.tokens[candidate.first : candidate.last]


def _inside(candidate: Candidate, other: Candidate) -> bool:
    return (
        other is not candidate
        and other.first <= candidate.first
        and (
            candidate.last <= other.last
            and other.last - other.first > candidate.last - candidate.first
        )
    )


def _order(hop: Hop) -> tuple[float, int, int, int]:
    whole = -(hop.candidate.last - hop.candidate.first)
    return (-round(hop.strength, 6), hop.sentence.number, hop.candidate.start, whole)


def resolved(directory: Directory, candidate: Candidate) -> Thing:
    """The thing that a candidate names, with the passages about it."""
    return directory.thing(candidate.text)
