"""How an answer names a person: as a document about that person does, else without address and,
where the passage has more than the last name, in full.

"Duke Bolko II of Opole" is answered as *Bolko II of Opole* where a document has that title, and
"Captain James Cook" as *James Cook*. A title stays where it is half of the name ("Queen Victoria").
"""

from __future__ import annotations

from clew.answering.candidates import Candidate, Form
from clew.answering.evidence import Evidence
from clew.answering.kinds import kind_of_passage
from clew.answering.study import Study
from clew.answering.things import fit_of, plain
from clew.graph.given_names import is_given_name
from clew.retrieval.question.records import AnswerType
from clew.retrieval.question.tokens import fold

_LEAST_KIND = 0.5
_SURELY = 0.9
_LONGEST = 4
_ADDRESS = frozenset(
    "mr mrs ms miss sir dame dr prof professor president senator governor captain capt colonel col "
    "general gen major lieutenant lt admiral reverend rev king duke count earl baron emperor tsar "
    "countess duchess".split()
)


def name_of(study: Study, candidate: Candidate) -> str:
    """The text of the answer for a candidate: its own, but for persons."""
    text = candidate.text
    if candidate.form != Form.NAME:
        return text
    if not _is_person(candidate):
        return full_name(study.evidence, candidate)
    return _title_for(study, candidate) or _without_address(full_name(study.evidence, candidate))


def full_name(evidence: Evidence, candidate: Candidate) -> str:
    """The text of a span, or the full name that the same passage has for a surname: of several the
    one that is written most often, the first of these.
    """
    is_short = candidate.last - candidate.first == 1
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


def _is_person(candidate: Candidate) -> bool:
    kinds = candidate.kinds
    person = kinds.get(AnswerType.PERSON, 0.0)
    return person >= _LEAST_KIND and person >= max(kinds.values())


def _title_for(study: Study, candidate: Candidate) -> str:
    """The title of the document about the person; ``""`` where there is none."""
    thing = study.directory.thing(candidate.text)
    if not thing.about or len(thing.key.split()) < 2:
        return ""
    passage = study.evidence.passages[thing.about[0]]
    if kind_of_passage(passage) != AnswerType.PERSON:
        return ""
    title = passage.item.title.partition(" (")[0].strip()
    named, titled = plain(_without_address(candidate.text)), plain(title)
    agrees = set(named.split()) <= set(titled.split()) or titled in named
    return title if agrees and fit_of(thing.key, passage) >= _SURELY else ""


def _without_address(text: str) -> str:
    """Without "Sir", "Captain", "King", where two words at least are left."""
    words = text.split()
    if "," in text:
        return text
    while len(words) > 2 and fold(words[0]).rstrip(".") in _ADDRESS and words[1][:1].isupper():
        words = words[1:]
    return text[text.index(words[0]) :] if words else text
