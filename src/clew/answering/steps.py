"""The chain of relations in a question, from the thing that it names to what it asks.

*When did the founder of the company that bought Norr Works die?* names Norr Works and asks, step by
step: who bought it (a company), who founded that, when did that one die. Relations are read
outwards from the name: possessives behind it first ("Ola's mother's …"), then the words before it
from right to left, then the predicate behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.answering.frames import Role, is_verb
from clew.answering.lexicon.relating import (
    APPOSED,
    COMPLEMENTS,
    MADE,
    MEASURES,
    PEOPLE_ONLY,
    REGIONS,
    RELATIVE,
    SILENT,
    VALUE_NOUNS,
    VALUE_RELATIONS,
)
from clew.answering.place_clauses import is_place_clause, says_two
from clew.answering.plans import Described, Plan, Step
from clew.answering.things import Anchor
from clew.retrieval.question.lexicon import (
    AUXILIARIES,
    BE,
    COMMANDS,
    COUNTRY_NOUNS,
    DETERMINERS,
    DO,
    EMPTY_HEADS,
    FUNCTION_WORDS,
    NATIONALITY_NOUNS,
    NOUN_TYPES,
    ORDER_WORDS,
    WH_SLOTS,
)
from clew.retrieval.question.records import AnswerType, Question, Slot
from clew.retrieval.question.relations import COMPOUNDS, RELATIONS, relations_of_word, stems_of
from clew.retrieval.question.tokens import Token, tokenise
from clew.retrieval.question.wh import noun_types, singular


def plan_of(question: Question, anchor: Anchor) -> Plan:
    """Read the steps from ``anchor`` to the answer."""
    return _Reading(question, anchor).plan()


class _Reading:
    def __init__(self, question: Question, anchor: Anchor) -> None:
        self.question = question
        self.anchor = anchor
        self.tokens = tokenise(question.text)
        self.first = _index_from(self.tokens, anchor.start)
        self.end = _index_from(self.tokens, anchor.end)
        self.steps: list[Step] = []
        self.unexplained = 0
        self.taken: set[int] = set()
        self.described: Described | None = None

    def plan(self) -> Plan:
        behind = self._possessives(self.end)
        if self._is_relative():
            behind = self._predicate(behind, inner=True)
        self._before()
        self._predicate(behind, inner=False)
        self._describe()
        self._finish()
        return Plan(self.anchor, tuple(self.steps), self.unexplained, self.described)

    def _describe(self) -> None:
        """Keep the place of the description that the first step reads, once it is read whole."""
        if self.steps and self.described is None:
            places = [*self.taken, self.first, self.end - 1]
            low, high = min(places), max(places) + 1
            self.described = Described(low, high, tuple(self.steps), self.unexplained)

    # --- behind the name ------------------------------------------------------------------------

    def _possessives(self, at: int) -> int:
        """ "'s mother 's birthplace": each noun is a step."""
        while at < len(self.tokens) and self.tokens[at].text in ')"”':
            at += 1
        while at < len(self.tokens) and self.tokens[at].lower == "'s":
            at += 1
            while at < len(self.tokens):
                token = self.tokens[at]
                if token.lower in FUNCTION_WORDS or not (token.is_word or token.text == "-"):
                    break
                if is_verb(token) and self._has_person_step():
                    break
                at += self._take(at, Role.NONE)
        return at

    def _has_person_step(self) -> bool:
        return bool(self.steps) and AnswerType.PERSON in self.steps[-1].kinds

    def _is_relative(self) -> bool:
        """Whether a clause about the name begins before it: "the company that Norr Works bought",
        "the city Ola Roe died in".
        """
        at = self.first - 1
        while at >= 0 and self.tokens[at].lower in {"the", "a", "an"}:
            at -= 1
        if at < 0:
            return False
        word = self.tokens[at].lower
        if word in RELATIVE and at != self._wh():
            return True
        if singular(word) not in NOUN_TYPES or self.tokens[at].is_capital:
            return False
        return self._has_verb_behind() and self._has_verb_before(at)

    def _wh(self) -> int:
        return next((i for i, t in enumerate(self.tokens) if t.start == self.question.wh_start), -1)

    def _has_verb_behind(self) -> bool:
        return any(
            is_verb(token) or token.lower in BE for token in self.tokens[self.end : self.end + 3]
        )

    def _has_verb_before(self, at: int) -> bool:
        return any(
            token.lower in AUXILIARIES or is_verb(token)
            for token in self.tokens[max(0, self._wh()) : at]
        )

    def _predicate(self, at: int, *, inner: bool) -> int:
        """The verb behind the description; of a clause inside, only the first verb."""
        if inner and is_place_clause(self.tokens, self.first, at):
            self.steps.append(_step("location", "", Role.NONE))
            end = at + 2 if says_two(self.tokens, at) else at + 1
            self.taken |= set(range(at, end))
            self._name_result(self.first - 1)
            return end
        while at < len(self.tokens):
            token = self.tokens[at]
            if at in self.taken or not token.stem or at == self._wh():
                at += 1
                continue
            role = self._role_behind(at)
            before = len(self.steps)
            at += self._take(at, role)
            if inner and len(self.steps) > before:
                self._name_result(self.first - 1)
                return at
        return at

    def _role_behind(self, at: int) -> Role:
        """What was bought, for "that X BOUGHT"; who did it, for "was founded by"."""
        following = self.tokens[at + 1].lower if at + 1 < len(self.tokens) else ""
        if following == "by":
            return Role.AGENT
        if any(token.lower in BE for token in self.tokens[self.end : at]):
            return Role.NONE
        return Role.PATIENT

    # --- before the name ------------------------------------------------------------------------

    def _before(self) -> None:
        """From right to left; a verb's result may be named by the noun before its "that"."""
        at = self.first - 1
        wh = self._wh()
        while at > wh:
            token = self.tokens[at]
            if at in self.taken or not token.stem or self._is_determined(at):
                at -= 1
                continue
            start = self._compound_start(at)
            at = start - 1 if self._take_before(start, wh) else at - 1

    def _compound_start(self, at: int) -> int:
        """The start of a relation of several words that ends at ``at``."""
        for words in COMPOUNDS:
            start = at - len(words) + 1
            if start >= 0 and _words(self.tokens, start, at + 1) == words:
                return start
        return at - 2 if at >= 2 and self._is_value_noun(at - 2) else at

    def _take_before(self, at: int, wh: int) -> bool:
        token = self.tokens[at]
        following = self.tokens[at + 1].lower if at + 1 < len(self.tokens) else ""
        names_result = (
            self.steps
            and not self.steps[-1].noun
            and self._is_type_noun(at)
            and not self._goes_on_behind(at)
        )
        if names_result and following not in {"of", "'s"} and not self._is_focus(at):
            self._name_result(at)
            return True
        if self._is_type_noun(at) and (at == self.first - 1 or self._is_apposed(at)):
            self.taken.add(at)
            return True
        role = Role.NONE
        if is_verb(token):
            role = Role.PATIENT if following == "by" else Role.AGENT
            clause = max((i for i in range(at) if self.tokens[i].lower in RELATIVE), default=wh)
            before = self.tokens[max(clause, 0) : at]
            if any(t.lower in BE | DO for t in before) and following != "by":
                role = Role.NONE
        self._take(at, role)
        return True

    def _is_apposed(self, at: int) -> bool:
        """ "the village OF Norr" is Norr."""
        noun = singular(self.tokens[at].lower)
        return at == self.first - 2 and self.tokens[at + 1].lower == "of" and noun in APPOSED

    def _goes_on_behind(self, at: int) -> bool:
        """Whether a clause about the noun at ``at`` has its verb behind the name: "the country
        WHERE the composer of X was a citizen" does not call the composer a country.
        """
        between = [t.lower for t in self.tokens[at + 1 : min(self.taken, default=self.first)]]
        clause = bool(RELATIVE.intersection(between))
        return clause and self._has_verb_behind() and not is_verb(self.tokens[min(self.taken)])

    def _is_determined(self, at: int) -> bool:
        """ "which COUNTRY", "what LANGUAGE": the kind of the answer and no step."""
        between = self.tokens[max(self._wh(), 0) : at]
        return self._is_focus(at) and not any(t.lower in AUXILIARIES for t in between)

    def _is_focus(self, at: int) -> bool:
        """The noun of the wh-phrase names the answer of the whole question."""
        wh = self._wh()
        return 0 <= wh < at and self.tokens[at].lower == self.question.focus and at - wh < 5

    def _is_type_noun(self, at: int) -> bool:
        token = self.tokens[at]
        return singular(token.lower) in NOUN_TYPES and not is_verb(token) and not token.is_capital

    def _name_result(self, at: int) -> None:
        """Let the noun at or left of ``at`` say what the last step leads to."""
        while at >= 0 and self.tokens[at].lower in FUNCTION_WORDS and at != self._wh():
            at -= 1
        if at < 0 or not self.steps or not self._is_type_noun(at) or at in self.taken:
            return
        noun = singular(self.tokens[at].lower)
        last = self.steps[-1]
        if noun in COUNTRY_NOUNS and last.relation in MADE:
            last = _step("origin", last.word, Role.NONE)
        self.steps[-1] = replace(last, noun=noun, kinds=noun_types(noun))
        self.taken.add(at)

    # --- one word -------------------------------------------------------------------------------

    def _take(self, at: int, role: Role) -> int:
        """Turn the word (or words) at ``at`` into steps; return how many tokens that took."""
        self._describe()
        for words, parts in COMPOUNDS.items():
            if _words(self.tokens, at, at + len(words)) == words:
                self.steps += [_step(part, part, Role.NONE) for part in parts]
                self.taken |= set(range(at, at + len(words)))
                return len(words)
        token = self.tokens[at]
        if (
            at in self.taken
            or not token.stem
            or token.lower in AUXILIARIES | COMMANDS | set(WH_SLOTS)
        ):
            return 1
        self.taken.add(at)
        if self._is_value_noun(at):
            self.steps.append(self._value_step(at))
            self.taken.add(at + 2)
            return 3
        names = relations_of_word(token.lower)
        if token.lower == "found" and at and self.tokens[at - 1].lower in BE:
            names = ("location",)
        if token.lower in MEASURES and self.question.slot == Slot.MEASURE:
            names = (MEASURES[token.lower],)
        if token.lower in SILENT or token.lower in EMPTY_HEADS:
            return 1
        if names and token.lower not in ORDER_WORDS:
            step = _step(names[0], token.text, role)
            if token.lower in {"country", "nation"}:
                step = replace(step, noun=token.lower)
            self.steps.append(replace(step, kinds=self._kinds(token, step)))
        elif is_verb(token) or self._is_noun_of(at):
            kinds = noun_types(token.lower)
            self.steps.append(Step("", frozenset({token.stem}), token.text, role, kinds))
        elif not (token.lower == self.question.focus or self._is_type_noun(at)):
            self.unexplained += 1
        return 1

    def _kinds(self, token: Token, step: Step) -> tuple[AnswerType, ...]:
        """ "birthplace" wants a place; a verb with a role wants a doer or a thing done."""
        named = noun_types(token.lower) if not is_verb(token) else ()
        if step.role == Role.PATIENT:
            return ()
        return named or step.kinds

    def _is_noun_of(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].lower == "of"

    def _is_value_noun(self, at: int) -> bool:
        """ "place of birth", "date of death"."""
        if at + 2 >= len(self.tokens) or self.tokens[at].lower not in VALUE_NOUNS:
            return False
        names = relations_of_word(self.tokens[at + 2].lower)
        return self.tokens[at + 1].lower == "of" and bool(set(names) & VALUE_RELATIONS)

    def _value_step(self, at: int) -> Step:
        word = self.tokens[at + 2]
        step = _step(relations_of_word(word.lower)[0], word.text, Role.NONE)
        noun = self.tokens[at].lower
        return replace(step, kinds=(VALUE_NOUNS[noun],), noun=noun)

    # --- the answer -----------------------------------------------------------------------------

    def _finish(self) -> None:
        """The last step wants what the question wants; where the steps lead to something else
        ("which country is the director from"), one more step leads from there to the answer.
        """
        question = self.question
        wanted = tuple(kind for kind in question.types if kind != AnswerType.OTHER)
        if question.slot == Slot.WHERE and self._stops_at_thing():
            self.steps.append(_step("location", "", Role.NONE))
        if not self.steps or not wanted:
            return
        last = self.steps[-1]
        focus = singular(question.focus) if question.focus else ""
        if self._leaves_focus(last, focus, wanted):
            self.steps.append(self._focus_step(focus, last, wanted))
            return
        if last.relation in PEOPLE_ONLY and not (
            set(last.kinds) & set(wanted) or self._asks_about(last, wanted)
        ):
            return
        if not last.kinds or set(wanted) & COMPLEMENTS or focus:
            role = last.role if focus or not set(wanted) & COMPLEMENTS else Role.NONE
            self.steps[-1] = replace(last, kinds=wanted, role=role, noun=last.noun or focus)

    def _leaves_focus(self, last: Step, focus: str, wanted: tuple[AnswerType, ...]) -> bool:
        """Whether the steps so far lead to another thing than the noun that is asked for."""
        if last.noun and focus in NATIONALITY_NOUNS:
            return last.noun != focus
        if (
            not focus
            or last.role != Role.NONE
            or last.word.casefold() in {focus, self.question.focus}
        ):
            return False
        if last.noun:
            return last.noun != focus
        return bool(last.kinds) and not set(last.kinds) & set(wanted)

    def _focus_step(self, focus: str, last: Step, wanted: tuple[AnswerType, ...]) -> Step:
        """From what was reached to what is asked: its country, its county, its waterfall."""
        names = relations_of_word(focus)
        if names:
            return replace(_step(names[0], focus, Role.NONE), kinds=wanted, noun=focus)
        places = AnswerType.PLACE in wanted and AnswerType.PLACE in last.kinds
        if places and focus in REGIONS:
            return replace(_step("location", focus, Role.NONE), kinds=wanted, noun=focus)
        return Step("", stems_of(focus), focus, Role.NONE, wanted, focus)

    def _asks_about(self, last: Step, wanted: tuple[AnswerType, ...]) -> bool:
        """ "When did Ola MARRY?": when the deed was done, and not whom it leads to."""
        at = next((i for i, t in enumerate(self.tokens) if t.text == last.word), 0)
        is_base = any(token.lower in DO for token in self.tokens[:at])
        is_noun = self.tokens[at - 1].lower in {"'s", "of"} | DETERMINERS
        asks = self.question.slot in {Slot.WHEN, Slot.WHERE} and bool(COMPLEMENTS & set(wanted))
        return asks and at > 0 and (is_verb(self.tokens[at]) or (is_base and not is_noun))

    def _stops_at_thing(self) -> bool:
        """ "where is the bridge that Ola built": no step gives a place yet."""
        if not self.steps:
            return True
        last = self.steps[-1]
        if last.noun and last.relation not in VALUE_RELATIONS | {"location", "residence"}:
            return True
        return (
            not COMPLEMENTS & set(last.kinds)
            and (AnswerType.PERSON in last.kinds or bool(last.noun))
            and last.relation not in VALUE_RELATIONS
        )


def _step(relation: str, word: str, role: Role) -> Step:
    found = RELATIONS[relation]
    stems = stems_of(found.words)
    if len(found.parts) == 1:
        stems |= stems_of(RELATIONS[found.parts[0]].words)
    return Step(found.name, stems, word, role, found.answers)


def _words(tokens: Sequence[Token], first: int, end: int) -> tuple[str, ...]:
    return tuple(singular(token.lower) for token in tokens[first:end])


def _index_from(tokens: Sequence[Token], offset: int) -> int:
    return next((at for at, token in enumerate(tokens) if token.start >= offset), len(tokens))
