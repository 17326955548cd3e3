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

from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import Evidence, Sentence
from clew.answering.frames import Role, asked_role, is_verb, role_of
from clew.answering.hops import ends_with_region, sort_of_place
from clew.answering.loudness import loud_shares
from clew.answering.matching import Matching, Vector
from clew.answering.study import Study
from clew.answering.things import plain
from clew.retrieval.question.lexicon import BE, COUNTRY_NOUNS
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
)
Row = list[float]
_PLACE_SLOTS = frozenset({Slot.WHEN, Slot.WHERE})


class FeatureReader:
    """Reads the features of candidates for one question and its evidence.

    Where one sentence says nearly all of the question, that sentence holds the answer; where none
    does, the words that lead to the answer stand elsewhere. The features ``single_…`` are switched
    on by the first case.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self.matching = study.matching
        self.question = study.question
        self.evidence = study.evidence
        self._words = frozenset(t.lower for t in tokenise(self.question.text) if t.is_word)
        self._asked = asked_role(self.question)
        self._cues = frozenset(
            term.stem for term in self.question.terms if not (term.in_name or term.is_focus)
        )
        self._focus = stem_of(self.question.focus) if self.question.focus else ""
        self._folded_question = fold(self.question.text)
        self._links = _Links(self.evidence, self._folded_question)
        self._rows: dict[int, _SentenceView] = {}
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
            float(self._focus != "" and self._focus in _stems(candidate)),
            float(view.unit_is(candidate, self._focus)),
            role,
            role_other,
            float(before in {"in", "at", "on", "near", "from"} and asks_place),
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
            *self._sort(candidate),
            float(link.is_partial(candidate)),
            float(form == Form.NAME and _is_modifier(candidate)),
            float(form in _VALUE_FORMS and self.question.types == (AnswerType.OTHER,)),
            self._single * near_wh,
            self._single * float(view.loud >= self._most_loud - 0.02),
            self._single * (self._most_loud - view.loud) * (1.0 - view.bridged),
            *self._found_at(sentence),
        ]

    def _found_at(self, sentence: Sentence) -> tuple[float, float, float]:
        """Where the search itself puts the sentence: among the units of its result, on a path."""
        ranks = self._unit_ranks.get(sentence.passage, {})
        rank = ranks.get(sentence.unit_id)
        on_path = float(sentence.unit_id in self._on_path) if sentence.unit_id else 0.0
        if rank is None:
            return 0.0, 0.0, on_path
        return 1.0 / (1 + rank), float(rank == 0), on_path

    def _view(self, sentence: Sentence) -> _SentenceView:
        view = self._rows.get(sentence.number)
        if view is None:
            view = self._rows[sentence.number] = _SentenceView(
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

    def _role(self, candidate: Candidate, view: _SentenceView) -> tuple[float, float]:
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


_BREAKS = frozenset({";", "but", "while", "whereas"})
_BREAK_WORDS = 6  # how far apart a new clause sets two words


class _SentenceView:
    """One sentence held against the question."""

    def __init__(
        self, sentence: Sentence, matching: Matching, bridged: float, shares: Vector
    ) -> None:
        self.sentence = sentence
        self.loud = float(shares @ np.minimum(1.0, matching.held(sentence) / 0.8))
        self.bridged = bridged
        self.matching = matching
        self.said = matching.share(matching.said(sentence))
        self.held = matching.share(matching.held(sentence))
        self.places = matching.places(sentence)
        self.breaks = [at for at, token in enumerate(sentence.tokens) if token.lower in _BREAKS]

    def near(self, candidate: Candidate) -> tuple[float, float, float]:
        """Weights of the question's words by their distance to the span; each word once."""
        matching = self.matching
        best: dict[int, float] = {}
        for at, term, strength in self.places:
            if candidate.first <= at < candidate.last:
                continue
            gap = candidate.first - at if at < candidate.first else at - candidate.last + 1
            low, high = (at, candidate.first) if at < candidate.first else (candidate.last, at)
            gap += _BREAK_WORDS * sum(low <= stop < high for stop in self.breaks)
            best[term] = max(best.get(term, 0.0), strength / (1 + (gap - 1) / 4))
        plain = sum(matching.weights[term] * value for term, value in best.items())
        wh = sum(matching.wh_weights[term] * value for term, value in best.items())
        rare = sum(
            matching.wh_weights[term] * value / matching.spread[term]
            for term, value in best.items()
        )
        return float(plain), float(wh), float(rare)

    def cues(self, stems: frozenset[str]) -> list[int]:
        """Places of the words that say a relation of the question."""
        terms = self.matching.terms
        return sorted({at for at, term, _ in self.places if terms[term].stem in stems})

    def unit_is(self, candidate: Candidate, focus: str) -> bool:
        """ "35 stores" for "how many stores": the noun counted is the noun asked for."""
        if not focus or AnswerType.NUMBER not in candidate.kinds:
            return False
        following = self.sentence.tokens[candidate.last : candidate.last + 3]
        return any(token.stem == focus for token in following)

    def defined(self, candidate: Candidate, focus: str) -> bool:
        """Whether the noun asked for stands behind the span's "is": "Norr Falls is a waterfall"."""
        if not focus:
            return False
        tokens = self.sentence.tokens
        at = candidate.last
        if at < len(tokens) and tokens[at].text == "(":
            close = (i for i in range(at, min(at + 25, len(tokens))) if tokens[i].text == ")")
            at = next(close, at) + 1
        if at >= len(tokens) or tokens[at].lower not in BE:
            return False
        return any(token.stem == focus for token in tokens[at + 1 : at + 9])


class _Links:
    """How the passages hang together: which one names what another is about."""

    def __init__(self, evidence: Evidence, question: str) -> None:
        self.evidence = evidence
        self._topics = {
            name: passage.number for passage in evidence.passages for name in passage.names
        }
        self._keys = frozenset(plain(name) for name in self._topics)
        self._own = [[set(plain(n).split()) for n in p.names] for p in evidence.passages]
        self.asked = [
            max((len(n.split()) > 1 or n in question.split()) and n in question for n in p.names)
            if p.names
            else False
            for p in evidence.passages
        ]
        count = len(evidence.passages)
        self.linked = [0.0] * count
        self.linked_from_asked = [0.0] * count
        self._link(count)
        self._named_in = self._names()
        self._rarity = _word_counts(evidence)
        self._longer: dict[int, set[str]] = {}

    def _link(self, count: int) -> None:
        for target in range(count):
            names = [n for n in self.evidence.passages[target].names if len(n) > 3]
            for source in range(count):
                text = self.evidence.passages[source].folded
                if source != target and any(name in text for name in names):
                    self.linked[target] = 1.0
                    if self.asked[source]:
                        self.linked_from_asked[target] = 1.0

    def _names(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for sentence in self.evidence.sentences:
            for name in _names_in(sentence):
                found.setdefault(name, set()).add(sentence.passage)
        return found

    def is_own(self, key: str, passage: int) -> bool:
        """Whether the span is what the passage is about, or a part of its name."""
        words = set(key.split())
        return bool(words) and any(words <= name for name in self._own[passage])

    def is_topic(self, key: str) -> bool:
        return key in self._keys

    def shared_name(self, sentence: Sentence) -> float:
        """Whether the sentence names something that another passage names too."""
        return float(any(len(self._named_in[name]) > 1 for name in _names_in(sentence)))

    def is_partial(self, candidate: Candidate) -> bool:
        """A surname alone, where the passage has the full name."""
        if candidate.form != Form.NAME or candidate.last - candidate.first != 1:
            return False
        longer = self._longer.setdefault(
            candidate.sentence.passage, self._last_words(candidate.sentence.passage)
        )
        return candidate.key in longer

    def _last_words(self, passage: int) -> set[str]:
        return {
            sentence.tokens[end - 1].lower
            for sentence in self.evidence.passages[passage].sentences
            for first, end in sentence.names
            if end - first > 1
        }

    def frequency(self, words: Sequence[str]) -> float:
        """Mean log count of the words in the evidence."""
        if not words:
            return 0.0
        return sum(log(1 + self._rarity.get(word, 0)) for word in words) / len(words)


def _names_in(sentence: Sentence) -> list[str]:
    tokens = sentence.tokens
    return [
        " ".join(token.lower for token in tokens[first:end])
        for first, end in sentence.names
        if end - first > 1 or len(tokens[first].text) > 3
    ]


def _word_counts(evidence: Evidence) -> dict[str, int]:
    counts: dict[str, int] = {}
    for sentence in evidence.sentences:
        for token in sentence.tokens:
            counts[token.lower] = counts.get(token.lower, 0) + 1
    return counts


def _shared_spans(candidates: Sequence[Candidate]) -> dict[str, int]:
    """In how many passages each span occurs."""
    places: dict[str, set[int]] = {}
    for candidate in candidates:
        places.setdefault(candidate.key, set()).add(candidate.sentence.passage)
    return {key: len(found) for key, found in places.items()}


def _stems(candidate: Candidate) -> set[str]:
    return {t.stem for t in candidate.sentence.tokens[candidate.first : candidate.last]}


_VALUE_FORMS = frozenset({Form.DATE, Form.YEAR, Form.NUMBER, Form.QUANTITY})


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
