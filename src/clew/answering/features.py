"""What speaks for a span as the answer: one row of numbers per candidate.

The features follow what was measured on questions over encyclopaedic text: agreement of kind,
coverage of the question's words by the sentence, the words that stand near the span (weighed more
when they stand near the wh-word, since those describe the answer and not the way to it), whether
the span only repeats the question, and how the passage hangs together with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from clew.answering.candidates import VALUE_FORMS, Candidate, Form
from clew.answering.evidence import Sentence
from clew.answering.fitness import ends_with_region, sort_of_place
from clew.answering.frames import Role, is_verb, role_of
from clew.answering.lexicon.instances import instances_of, is_instance
from clew.answering.links import Links
from clew.answering.loudness import loud_shares
from clew.answering.readings import Reading
from clew.answering.sentence_view import SentenceView
from clew.answering.study import Study
from clew.retrieval.question.lexicon import COUNTRY_NOUNS
from clew.retrieval.question.records import AnswerType, Slot
from clew.retrieval.question.tokens import fold, stem_of, tokenise
from clew.retrieval.question.wh import singular

FEATURES = (
    "kind",
    "kind_unknown",
    "kind_wrong",
    "said",
    "held",
    "near",
    "near_wh",
    "near_rare",
    "part_in_question",
    "own_topic",
    "other_topic",
    "topic_asked",
    "linked",
    "linked_from_asked",
    "shared_name",
    "shared_span",
    "focus_inside",
    "unit_is_focus",
    "role",
    "role_other",
    "after_in",
    "length",
    "is_date",
    "is_year",
    "is_quantity",
    "is_pair",
    "is_quoted",
    "is_chunk",
    "chunk_whole",
    "year_asked",
    "measure_unit",
    "demonym_asked",
    "rank",
    "first_sentence",
    "frequency",
    "chain",
    "chain_loose",
    "bridge",
    "region",
    "defined",
    "called",
    "sort",
    "sort_wrong",
    "partial_name",
    "modifier",
    "value_unasked",
    "single_near",
    "single_best",
    "single_gap",
    "unit_rank",
    "best_unit",
    "on_path",
    "instance",
    "no_instance",
    "reading",
    "reading_doubt",
    "reading_steps",
    "reading_about",
    "reading_apart",
)
Row = list[float]
_AT = frozenset("in at on near from beside behind under outside inside along".split())
_PLACE_SLOTS = frozenset({Slot.WHEN, Slot.WHERE})


class FeatureReader:
    """Reads the features of candidates for one question and its evidence.

    Where one sentence says nearly all of the question, that sentence holds the answer; where none
    does, the words that lead to the answer stand elsewhere. The features ``single_…`` are switched
    on by the first case. ``reading`` is the one that ``study`` belongs to, None for the question as
    it was asked.
    """

    def __init__(self, study: Study, reading: Reading | None = None) -> None:
        self.study = study
        self.reading = reading
        self.matching = study.matching
        self.question = study.question
        self.evidence = study.evidence
        self._words = frozenset(t.lower for t in tokenise(self.question.text) if t.is_word)
        self._asked = study.asked_role
        self._cues = frozenset(
            term.stem for term in self.question.terms if not (term.in_name or term.is_focus)
        )
        self._focus = stem_of(self.question.focus) if self.question.focus else ""
        self._folded_question = fold(self.question.text)
        self._links = Links(self.evidence, self._folded_question)
        self._rows: dict[int, SentenceView] = {}
        items = [passage.item for passage in self.evidence.passages]
        self._unit_ranks = {
            at: {name: rank for rank, name in enumerate(item.knowledge_unit_ids)}
            for at, item in enumerate(items)
        }
        self._on_path = {step.unit_id for item in items for step in item.path}
        self._shares = loud_shares(study.matching)
        self._most_loud = max((self._view(s).loud for s in self.evidence.sentences), default=0.0)
        self._single = min(1.0, max(0.0, (self._most_loud - 0.55) / 0.35))

    def matrix(self, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Return ``[len(candidates), len(FEATURES)]``."""
        shared = _shared_spans(candidates)
        rows = [self._row(candidate, shared) for candidate in candidates]
        return np.array(rows, dtype=np.float64).reshape(len(candidates), len(FEATURES))

    def _row(self, candidate: Candidate, shared: dict[str, int]) -> Row:
        sentence = candidate.sentence
        view = self._view(sentence)
        kind, unknown, wrong = self._kind(candidate)
        near, near_wh, near_rare = view.near(candidate)
        words = candidate.key.split()
        part = sum(word in self._words for word in words) / max(1, len(words))
        own_topic = self._links.is_own(candidate.key, sentence.passage)
        role, role_other = self._role(candidate, view)
        before = sentence.tokens[candidate.first - 1].lower if candidate.first else ""
        spread = min(shared.get(candidate.key, 1) - 1, 2)
        rank = 1.0 / (1 + sentence.passage)
        asks_place = self.question.slot in _PLACE_SLOTS or AnswerType.PLACE in self.question.types
        form = candidate.form
        link = self._links
        return [
            kind,
            unknown,
            wrong,
            view.said,
            view.held,
            near,
            near_wh,
            near_rare,
            part,
            float(own_topic),
            float(not own_topic and self._links.is_topic(candidate.key)),
            link.asked[sentence.passage],
            link.linked[sentence.passage],
            link.linked_from_asked[sentence.passage],
            link.shared_name(sentence),
            float(spread),
            float(self._focus != "" and self._focus in candidate.stems),
            float(view.unit_is(candidate, self._focus)),
            role,
            role_other,
            float(before in _AT and asks_place),
            log(1 + len(words)),
            float(form == Form.DATE),
            float(form == Form.YEAR),
            float(form == Form.QUANTITY),
            float(form == Form.PAIR),
            float(form == Form.QUOTED),
            float(form == Form.CHUNK),
            float(form == Form.CHUNK and _is_whole(candidate)),
            self._year_fits(candidate),
            float(form == Form.QUANTITY and self.question.slot != Slot.HOW_MANY and kind > 0),
            self._demonym_fits(candidate),
            rank,
            float(sentence is self.evidence.passages[sentence.passage].sentences[0]),
            link.frequency(words),
            self.study.chained(candidate, explained=True),
            self.study.chained(candidate, explained=False),
            view.bridged,
            float(form == Form.PAIR and ends_with_region(candidate)),
            float(view.defined(candidate, self._focus)),
            view.called(candidate, self._focus),
            *self._sort(candidate),
            float(link.is_partial(candidate)),
            float(form == Form.NAME and _is_modifier(candidate)),
            float(form in VALUE_FORMS and self.question.types == (AnswerType.OTHER,)),
            self._single * near_wh,
            self._single * float(view.loud >= self._most_loud - 0.02),
            self._single * (self._most_loud - view.loud) * (1.0 - view.bridged),
            *self._found_at(sentence),
            *self._instance(candidate),
            *self._read(sentence),
        ]

    def _instance(self, candidate: Candidate) -> tuple[float, float]:
        """Whether the phrase is one of what the noun asked for names: a language, a trade."""
        focus = self.question.focus
        if not focus or not instances_of(focus):
            return 0.0, 0.0
        tokens = candidate.sentence.tokens[candidate.first : candidate.last]
        known = is_instance(focus, [token.lower for token in tokens])
        return float(known), float(not known)

    def _read(self, sentence: Sentence) -> tuple[float, float, float, float, float]:
        """How the question came to be read so, and how surely the sentence is about its thing."""
        reading = self.reading
        if reading is None:
            return 0.0, 0.0, 0.0, 0.0, 0.0
        about = reading.subject.strength(sentence)
        apart = float(all(sentence.passage != s.passage for s in reading.sentences))
        return 1.0, -log(reading.strength), float(reading.steps - 1), about, apart

    def _found_at(self, sentence: Sentence) -> tuple[float, float, float]:
        """Where the search itself puts the sentence: among the units of its result, on a path."""
        ranks = self._unit_ranks.get(sentence.passage, {})
        rank = ranks.get(sentence.unit_id)
        on_path = float(sentence.unit_id in self._on_path) if sentence.unit_id else 0.0
        if rank is None:
            return 0.0, 0.0, on_path
        return 1.0 / (1 + rank), float(rank == 0), on_path

    def _view(self, sentence: Sentence) -> SentenceView:
        view = self._rows.get(sentence.number)
        if view is None:
            view = self._rows[sentence.number] = SentenceView(
                sentence, self.matching, self.study.bridged(sentence), self._shares
            )
        return view

    def _kind(self, candidate: Candidate) -> tuple[float, float, float]:
        """How well the kind agrees; whether it is open; how clearly it is another."""
        wanted = [kind for kind in self.question.types if kind != AnswerType.OTHER]
        kinds = candidate.kinds
        best_other = max((v for k, v in kinds.items() if k not in wanted), default=0.0)
        if not wanted:
            typed = max((v for k, v in kinds.items() if k != AnswerType.OTHER), default=0.0)
            return 0.0, 1.0, 0.3 * typed
        best = max(
            (kinds.get(kind, 0.0) * (1.0 if at == 0 else 0.8) for at, kind in enumerate(wanted)),
            default=0.0,
        )
        if best == 0.0 and candidate.form == Form.CHUNK:
            return 0.0, 0.5, 0.5 if wanted[0] in _NAMED else 0.8
        return best, float(not kinds), max(0.0, best_other - best)

    def _role(self, candidate: Candidate, view: SentenceView) -> tuple[float, float]:
        """+1 when the span plays the role asked for; the second is its share of the opposite."""
        if self._asked == Role.NONE:
            return 0.0, 0.0
        tokens = candidate.sentence.tokens
        good = bad = 0.0
        for cue in view.cues(self._cues):
            role = role_of(tokens, cue, candidate.first, candidate.last)
            good = max(good, float(role == self._asked))
            bad = max(bad, float(role == -self._asked))
        return good, 0.0 if good else bad

    def _sort(self, candidate: Candidate) -> tuple[float, float]:
        """Whether a place is the sort of place asked for, and whether it surely is another."""
        if AnswerType.PLACE not in candidate.kinds or not self.question.focus:
            return 0.0, 0.0
        return sort_of_place(candidate, singular(self.question.focus))

    def _year_fits(self, candidate: Candidate) -> float:
        if candidate.form not in {Form.DATE, Form.YEAR}:
            return 0.0
        wants_year = self.question.focus == "year"
        wants_full = self.question.slot == Slot.WHEN or self.question.focus in {"date", "day"}
        is_full = candidate.form == Form.DATE
        if wants_year:
            return -1.0 if is_full else 1.0
        return (1.0 if is_full else -0.5) if wants_full else 0.0

    def _demonym_fits(self, candidate: Candidate) -> float:
        is_demonym = AnswerType.OTHER in candidate.kinds and AnswerType.PLACE in candidate.kinds
        if not is_demonym:
            return 0.0
        return 1.0 if self.question.focus in COUNTRY_NOUNS else -1.0


_NAMED = frozenset({AnswerType.DATE, AnswerType.NUMBER, AnswerType.PERSON, AnswerType.PLACE})


def _shared_spans(candidates: Sequence[Candidate]) -> dict[str, int]:
    """In how many passages each span occurs."""
    places: dict[str, set[int]] = {}
    for candidate in candidates:
        places.setdefault(candidate.key, set()).add(candidate.sentence.passage)
    return {key: len(found) for key, found in places.items()}


def _is_modifier(candidate: Candidate) -> bool:
    """ "TV executive": a name that only qualifies the noun behind it."""
    tokens = candidate.sentence.tokens
    if candidate.last >= len(tokens):
        return False
    behind = tokens[candidate.last]
    return (
        bool(behind.stem)
        and behind.is_word
        and not (behind.is_capital or behind.is_number or is_verb(behind))
    )


def _is_whole(candidate: Candidate) -> bool:
    """Whether the chunk ends where its noun phrase does: a mark or a small word follows."""
    tokens = candidate.sentence.tokens
    return candidate.last >= len(tokens) or not tokens[candidate.last].stem
