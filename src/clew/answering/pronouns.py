"""Who "he" is: an answer that the sentence with the question's words only has a pronoun for.

"Who hired the machines?" over "Leslie Comrie was born in 1893. … In 1929 he hired a set of
machines." No span of the second sentence answers; the name does that last stood where a subject
stands. Both sentences are cited. "Who was the father of William?" over "his son William" asks the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from clew.answering.evidence import Evidence, Sentence, cached_tokens
from clew.answering.frames import Role, is_verb_form
from clew.answering.kinds import kinds_of_name
from clew.answering.loudness import is_quiet, loud_shares
from clew.answering.parties import Party
from clew.answering.relatives import KIN_RELATIONS, leaves_open
from clew.answering.study import Study
from clew.answering.support import Finding, distinct
from clew.answering.things import Subject, Thing
from clew.graph.given_names import female_names, male_names
from clew.retrieval.question.lexicon import AUXILIARIES
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.relations import RELATIONS
from clew.retrieval.question.tokens import Token

LEAST_HELD = 0.6
_LEAST_PERSON = 0.5
_SUBJECTS = frozenset({"he", "she"})
_POSSESSIVES = {"his": "m", "her": "f"}
_LEAST_NAME = 2
_REACH = 3


def name_behind(study: Study) -> Finding | None:
    """Answer "who did it" by the name that the doer's pronoun stands for."""
    question = study.question
    if question.types[0] != AnswerType.PERSON or study.asked_role != Role.AGENT:
        return None
    shares = loud_shares(study.matching)
    if not len(shares):
        return None
    held = [
        (float(shares @ np.minimum(1.0, study.matching.held(s) / 0.8)), s)
        for s in study.evidence.sentences
    ]
    share, sentence = max(held, key=lambda pair: (round(pair[0], 4), -pair[1].number))
    if share < LEAST_HELD or not _does_it(study, sentence) or not _is_about(study, sentence):
        return None
    found = antecedent_of(study.evidence, sentence, study.hopper.known)
    if found is None:
        return None
    name, home = found
    return Finding(
        text=name, method="pronoun", sentences=distinct([home, sentence]), certainty=share
    )


def kin_behind(study: Study) -> Finding | None:
    """Answer "whose father" by the name behind "his son William"."""
    for plan in study.plans:
        relation = plan.steps[0].relation
        if plan.unexplained or len(plan.steps) > 1 or relation not in KIN_RELATIONS:
            continue
        for sentence, _ in Subject(study.directory, plan.anchor.thing).sentences:
            if not _says_whose(study, sentence, relation, plan.anchor.thing):
                continue
            found = _topic_of(study, sentence)
            found = found or antecedent_of(study.evidence, sentence, study.hopper.known)
            if found is not None:
                used = distinct([found[1], sentence])
                return Finding(text=found[0], method="kin", sentences=used, certainty=1.0)
    return None


def _topic_of(study: Study, sentence: Sentence) -> tuple[str, Sentence] | None:
    """The person that the title of the passage opens with: "John Harrison and his watch"."""
    passage = study.evidence.passage_of(sentence)
    tokens = cached_tokens(passage.item.title)
    end = next((at for at, token in enumerate(tokens) if not token.is_capital), len(tokens))
    if end < _LEAST_NAME or tokens[0].lower not in male_names() | female_names():
        return None
    name = passage.item.title[: tokens[end - 1].end]
    home = next((s for s in passage.sentences if name in s.text), sentence)
    return name, home


def _says_whose(study: Study, sentence: Sentence, relation: str, thing: Thing) -> bool:
    """Whether "his" or "her", of the sex that the relation wants, stands before the tie."""
    subject = Subject(study.directory, thing)
    wanted = RELATIONS[relation].gender

    def is_it(party: Party) -> bool:
        return study.hopper.is_thing(subject, sentence, party)

    for tie in study.hopper.ties(sentence):
        before = [token.lower for token in sentence.tokens[max(0, tie.at - _REACH) : tie.at]]
        sexes = [_POSSESSIVES[word] for word in before if word in _POSSESSIVES]
        if sexes and wanted in {"", sexes[-1]} and leaves_open(tie, relation, is_it):
            return True
    return False


def _does_it(study: Study, sentence: Sentence) -> bool:
    """Whether the subject of the verb that the question asks about is a pronoun."""
    terms = study.matching.terms
    tokens = sentence.tokens
    asked = [at for at, t in enumerate(terms) if not t.in_name and is_verb_form(t.text.casefold())]
    main = min(asked, key=lambda at: terms[at].distance, default=-1)
    verbs = {at for at, term, _ in study.matching.places(sentence) if term == main}
    return any(_subject_of(tokens, at) in _SUBJECTS for at in verbs)


def _is_about(study: Study, sentence: Sentence) -> bool:
    """Whether the passage says every loud word of the question somewhere: who bought an inn did
    not buy the diary.
    """
    matching = study.matching
    loud = [at for at, t in enumerate(matching.terms) if not is_quiet(study.question, t)]
    return bool(np.all(matching.held_by_passage(sentence.passage)[loud] > 0))


def _subject_of(tokens: Sequence[Token], verb: int) -> str:
    """The word before the verb, its auxiliaries and adverbs; ``""`` across a comma or a name."""
    for at in range(verb - 1, max(verb - _REACH - 1, -1), -1):
        word = tokens[at].lower
        if word in _SUBJECTS:
            return word
        if not (word in AUXILIARIES or word.endswith("ly")):
            return ""
    return ""


def antecedent_of(
    evidence: Evidence, sentence: Sentence, known: dict[str, AnswerType]
) -> tuple[str, Sentence] | None:
    """The last person that began a sentence before this one, in full where the passage has it."""
    passage = evidence.passage_of(sentence)
    for earlier in reversed([s for s in passage.sentences if s.number < sentence.number]):
        for first, end in _leading_names(earlier):
            kinds = kinds_of_name(earlier, first, end, known)
            if kinds.get(AnswerType.PERSON, 0.0) >= _LEAST_PERSON:
                tokens = earlier.tokens
                name = earlier.text[tokens[first].start : tokens[end - 1].end]
                return _whole(name, passage.sentences) or (name, earlier)
    return None


def _leading_names(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """The name that the sentence opens with."""
    for first, end in sentence.names[:1]:
        if first <= 1:
            yield first, end


def _whole(name: str, sentences: Sequence[Sentence]) -> tuple[str, Sentence] | None:
    """The longer name that ends in a surname that stands alone."""
    if " " in name:
        return None
    for sentence in sentences:
        for first, end in sentence.names:
            if end - first > 1 and sentence.tokens[end - 1].text == name:
                start = sentence.tokens[first].start
                return sentence.text[start : sentence.tokens[end - 1].end], sentence
    return None
