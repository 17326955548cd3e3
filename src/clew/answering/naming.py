"""A name as people would write it where the passage calls a person by the last name alone."""

from __future__ import annotations

from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import Evidence
from clew.graph.given_names import is_given_name
from clew.retrieval.question.records import AnswerType

_LONGEST = 4


def full_name(evidence: Evidence, candidate: Candidate) -> str:
    """The text of a span, or the full name that the same passage has for a surname: of several the
    one that is written most often, the first of these.
    """
    is_short = candidate.form == Form.NAME and candidate.last - candidate.first == 1
    is_person = candidate.kinds.get(AnswerType.PERSON, 0.0) > 0.0
    if not is_short or (candidate.kinds and not is_person):
        return candidate.text
    found: dict[str, int] = {}
    for sentence in evidence.passage_of(candidate.sentence).sentences:
        for first, end in sentence.names:
            last = sentence.tokens[end - 1]
            given = is_person or is_given_name(sentence.tokens[first].lower)
            if given and 1 < end - first <= _LONGEST and last.text == candidate.text:
                name = sentence.text[sentence.tokens[first].start : last.end]
                found[name] = found.get(name, 0) + 1
    return max(found, key=lambda name: found[name], default=candidate.text)
