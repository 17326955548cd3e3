"""Weighing two or more things by a value that the evidence states of each.

*Which is older, Norr Bridge or Orm Bridge?* is answered by the dates of both, *Who lived longer?*
by the lengths of two lives, *Which film has the director who died first?* by following one relation
from each before reading the date, *Are they in the same country?* by the sets of countries. The
answer is the option as the question writes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.answering.comparison_values import PERSON_RELATIONS, Option, Value, Valuer, plain_step
from clew.answering.degrees import noun_stems
from clew.answering.evidence import Sentence
from clew.answering.hops import resolved
from clew.answering.lexicon.places import country_named
from clew.answering.options import fitted_options
from clew.answering.plans import Step
from clew.answering.sameness import (
    countries_in,
    names_beside,
    names_of,
    shared_description,
    states_in,
    with_union,
)
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.answering.things import Subject, plain
from clew.answering.weighing import (
    outside_share,
    share_said,
)
from clew.retrieval.question.lexicon import COUNTRY_NOUNS, NOUN_TYPES
from clew.retrieval.question.records import Comparison, Order, Slot
from clew.retrieval.question.relations import RELATIONS, relations_of_word
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import singular


def compare(study: Study) -> Finding | None:
    """Answer a comparison; None when the options or their values are not found."""
    comparison = study.question.comparison
    if comparison is None:
        return None
    weigher = _Weigher(study, comparison)
    if not weigher.options:
        return None
    if comparison.is_claim:
        return weigher.confirm()
    if study.question.slot == Slot.YES_NO or _asks_yes_no(study):
        return weigher.agree()
    return weigher.choose()


def in_common(study: Study) -> Finding | None:
    """ "What do A and B have in common?": what the definitions of both say."""
    question = study.question
    words = {token.lower for token in tokenise(question.text)}
    if question.comparison is None or not (question.wh and words & _SHARING):
        return None
    things = [study.directory.thing(text) for text in question.comparison.options]
    if len(things) != _PAIR or not all(thing.about for thing in things):
        return None
    passages = [study.evidence.passages[thing.about[0]] for thing in things]
    if not all(passage.sentences for passage in passages):
        return None
    first, second = (passage.sentences[0] for passage in passages)
    start, end = shared_description(first, second)
    if start == end:
        return None
    return Finding(
        text=first.text[start:end], method="comparison", sentences=(first, second), certainty=0.8
    )


_SHARING = frozenset({"common", "share", "shared"})
_PAIR = 2


def _asks_yes_no(study: Study) -> bool:
    return (
        not study.question.wh
        and study.question.comparison is not None
        and (study.question.comparison.measure in {"same", "both"})
    )


class _Weigher:
    def __init__(self, study: Study, comparison: Comparison) -> None:
        self.study = study
        self.comparison = comparison
        self.hopper = study.hopper
        self.tokens = tokenise(study.question.text)
        texts = fitted_options(study, comparison.options)
        options = [Option(text, study.directory.thing(text)) for text in texts]
        known = [
            option.thing.about or study.directory.is_mentioned(option.thing.key)
            for option in options
        ]
        self.options = options if any(known) else []
        self._outside = self._words_outside(texts)
        self.values = Valuer(study, comparison.measure, self._outside)
        steps = self._steps()
        self.reached = [self._follow(option, steps) for option in self.options]

    # --- what is compared -----------------------------------------------------------------------

    def _words_outside(self, options: Sequence[str]) -> list[Token]:
        text = self.study.question.text
        spans = [(at, at + len(o)) for o in options if (at := text.find(o)) >= 0]
        return [t for t in self.tokens if not any(a <= t.start < b for a, b in spans)]

    def _steps(self) -> list[Step]:
        """Relations to people between the options and the value: "whose director is older"."""
        measure = self.comparison.measure
        if measure == "number":
            return []
        found = []
        for token in self._outside:
            names = relations_of_word(token.lower)
            noun = singular(token.lower) in NOUN_TYPES
            if noun and names and names[0] in PERSON_RELATIONS and not self._is_type(token):
                found.append(plain_step(names[0], RELATIONS[names[0]].answers))
        return found[:1]

    def _is_type(self, token: Token) -> bool:
        """Whether the noun says what the options are: "which singer is older"."""
        question = self.study.question
        if token.lower == question.focus:
            return True
        if self.comparison.measure == "same":
            return False
        at = self.tokens.index(token)
        before = self.tokens[at - 1].lower if at else ""
        return not question.wh and before not in {"the", "of", "whose", "their"}

    def _follow(self, option: Option, steps: Sequence[Step]) -> Option:
        for step in steps:
            hops = self.hopper.take(option.thing, step, most=3)
            known = [h for h in hops if resolved(self.study.directory, h.candidate).about]
            if not hops:
                return option
            hop = (known or hops)[0]
            thing = resolved(self.study.directory, hop.candidate)
            option = Option(option.text, thing, (*option.hops, hop))
        return option

    # --- which of them --------------------------------------------------------------------------

    def choose(self) -> Finding | None:
        values = [self.values.value(option) for option in self.reached]
        if all(value is None for value in values):
            return self._by_coverage()
        if self.comparison.order == Order.NONE or self._is_described():
            return self._by_coverage()
        filled = [value for value in values if value is not None]
        if len(filled) < len(values):
            return self._with_one_side(values)
        best = max if self.comparison.order == Order.MOST else min
        sizes = [value.size for value in filled]
        winner = sizes.index(best(sizes))
        tie = len(set(sizes)) < len(sizes)
        return self._finding(winner, [v.sentence for v in filled], 0.5 if tie else 0.95)

    def _is_described(self) -> bool:
        return self.comparison.measure == ""

    def _with_one_side(self, values: Sequence[Value | None]) -> Finding | None:
        """A death that is not written has not happened, or later; otherwise one value decides
        little.
        """
        have = next(at for at, value in enumerate(values) if value is not None)
        lack = next(at for at, value in enumerate(values) if value is None)
        value = values[have]
        assert value is not None
        if not self.reached[lack].thing.about:
            return None
        later = lack if self.comparison.measure in {"death", "span"} else have
        other = have if later == lack else lack
        winner = later if self.comparison.order == Order.MOST else other
        sentences = [value.sentence, *self._about(self.reached[lack])[:1]]
        return self._finding(winner, sentences, 0.45)

    def _by_coverage(self) -> Finding | None:
        """No value named: the option of which the evidence says more of the question."""
        outside = {token.stem for token in self._outside if token.stem}
        best = [self._best_said(option, outside) for option in self.reached]
        order = sorted(range(len(best)), key=lambda at: (-best[at][0], at))
        top = order[0]
        share, sentence = best[top]
        if sentence is None:
            return None
        clear = share - best[order[1]][0] > 0.05 if len(order) > 1 else True
        return self._finding(top, [sentence], 0.6 if clear else 0.35)

    def _best_said(self, option: Option, outside: set[str]) -> tuple[float, Sentence | None]:
        best: tuple[float, Sentence | None] = (0.0, None)
        for sentence, surety in Subject(self.study.directory, option.thing).sentences:
            share = surety * outside_share(self.study.matching, sentence, outside)
            if share > best[0]:
                best = (share, sentence)
        return best

    def _finding(self, winner: int, values: Sequence[Sentence], certainty: float) -> Finding:
        hops = [hop.sentence for option in self.reached for hop in option.hops]
        sentences = distinct([*hops, *values])
        return Finding(
            text=self.options[winner].text,
            method="comparison",
            sentences=sentences,
            certainty=certainty,
            is_span=False,
        )

    # --- yes or no ------------------------------------------------------------------------------

    def confirm(self) -> Finding | None:
        """ "Is A larger than B?": whether the first option is the one; None without both values."""
        values = [self.values.value(option) for option in self.reached]
        filled = [value for value in values if value is not None]
        if len(filled) < len(values) or self.comparison.order == Order.NONE:
            return None
        best = max if self.comparison.order == Order.MOST else min
        sizes = [value.size for value in filled]
        is_first = sizes[0] == best(sizes) and len(set(sizes)) > 1
        hops = [hop.sentence for option in self.reached for hop in option.hops]
        return Finding(
            text="yes" if is_first else "no",
            method="comparison",
            sentences=distinct([*hops, *(value.sentence for value in filled)]),
            certainty=0.9,
            is_span=False,
        )

    def agree(self) -> Finding | None:
        if self.comparison.measure == "same":
            return self._same()
        return self._both()

    def _same(self) -> Finding | None:
        """The same country, or the same of whatever kind the question names."""
        words = {singular(token.lower) for token in self._outside}
        if noun_stems(words):
            return self._same_amount()
        if words & COUNTRY_NOUNS:
            found = [self._countries(option) for option in self.reached]
        else:
            found = [self._shared_names(option) for option in self.reached]
        if any(value is None for value in found):
            return None
        values = [value for value in found if value is not None]
        common = frozenset.intersection(*(with_union(value.names) for value in values))
        unknown = any(not value.names for value in values)
        hops = [hop.sentence for option in self.reached for hop in option.hops]
        return Finding(
            text="yes" if common or unknown else "no",
            method="comparison",
            sentences=distinct([*hops, *(value.sentence for value in values)]),
            certainty=0.4 if unknown else 0.85,
            is_span=False,
        )

    def _same_amount(self) -> Finding | None:
        """ "Are they the same length?": both amounts, or no answer."""
        values = [self.values.number(option.thing) for option in self.reached]
        filled = [value for value in values if value is not None]
        if len(filled) < len(values):
            return None
        return Finding(
            text="yes" if len({value.size for value in filled}) == 1 else "no",
            method="comparison",
            sentences=distinct([value.sentence for value in filled]),
            certainty=0.85,
            is_span=False,
        )

    def _countries(self, option: Option) -> Value | None:
        """Countries and demonyms near "is a", else the first two of the passage."""
        sentences = self._about(option)
        if not sentences:
            return None
        first = sentences[0]
        found = countries_in(first.tokens, defined=True)
        for sentence in sentences[:4]:
            if found:
                return Value((), first, frozenset(found))
            found = countries_in(sentence.tokens, defined=False)[:2]
            first = sentence
        return Value((), sentences[0], frozenset(found))

    def _shared_names(self, option: Option) -> Value | None:
        """Names beside the noun asked for ("Jiangsu province", "the state of Ohio"), or else all
        names of the sentences about the option but countries.
        """
        sentences = self._about(option)
        if not sentences:
            return None
        nouns = {t.stem for t in self._outside if singular(t.lower) in NOUN_TYPES}
        own = set().union(*(plain(o.text).split() for o in self.options))
        every: set[str] = set()
        for sentence in sentences[:3]:
            beside = names_beside(sentence, nouns) | states_in(sentence, self._outside)
            if beside:
                return Value((), sentence, frozenset(beside))
            every |= {name for name in names_of(sentence) if not set(name.split()) <= own}
        return Value((), sentences[0], frozenset(n for n in every if not country_named(n)))

    def _both(self) -> Finding | None:
        """ "Are A and B both board games?": what is said of each must hold the words asked for."""
        outside = [token for token in self._outside if token.stem and token.lower not in _QUIET]
        wanted = {token.stem for token in outside}
        if not wanted:
            return None
        held, sentences = [], []
        for option in self.reached:
            best, where = -1.0, None
            for sentence, _ in Subject(self.study.directory, option.thing).sentences:
                share = share_said(sentence, wanted)
                if share > best + 1e-9:
                    best, where = share, sentence
            if where is None:
                return None
            held.append(best)
            sentences.append(where)
        return Finding(
            text="yes" if min(held) >= 0.7 else "no",
            method="comparison",
            sentences=distinct(sentences),
            certainty=0.7,
            is_span=False,
        )

    def _about(self, option: Option) -> list[Sentence]:
        subject = Subject(self.study.directory, option.thing)
        if option.thing.about:
            passage = self.study.evidence.passages[option.thing.about[0]]
            return list(passage.sentences)
        return [sentence for sentence, _ in subject.sentences]


_QUIET = frozenset("both same also either is are".split())
