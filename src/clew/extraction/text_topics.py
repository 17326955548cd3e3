"""What the text of a chunk says that it is about: by defining it, by speaking of it, by going on.

In the order of trust: the first sentence *defines* something ("Norr Bridge is a bridge"), or that
of another paragraph in the chunk does; the first sentence has a name for its *subject*; most
sentences *repeat* a name; the chunk *goes on* about what its section defined before: it begins with
"She" or "The company", or says the name again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from clew.extraction.definitions import defines, is_title_case, subjects_of
from clew.extraction.lexicon.closed import OPENERS
from clew.extraction.other_names import MAX_OTHER_NAMES, other_names, parts_of
from clew.extraction.spoken_of import goes_on, repeated_name, subject_of
from clew.graph.titles import without_article
from clew.records import BlockKind, Chunk, Document, KnowledgeUnit
from clew.text.names import Name, name_key

DEFINITION, ALIAS, SUBJECT = "definition", "alias", "subject"
REPETITION, CARRIED, FIRST_NAME = "repetition", "carried", "first name"

MAX_TERM_WORDS = 4
MAX_PARAGRAPHS = 8
_LONGEST_START = 150

Subject = tuple[str, str]
"""A name and the source that says so."""


class TextTopics:
    """Reads the chunks of a document in order and remembers what each section defined last."""

    def __init__(
        self,
        document: Document,
        units: Sequence[KnowledgeUnit],
        names: Sequence[Sequence[Name]],
    ) -> None:
        self._document = document
        self._units = units
        self._names = names
        self._defined: dict[tuple[str, ...], list[str]] = {}
        self.referents: dict[int, str] = {}
        self._paragraphs = {
            block.start for block in document.blocks if block.kind is BlockKind.PARAGRAPH
        }

    def of(self, chunk: Chunk, own: Sequence[int], *, named: bool) -> Iterator[Subject]:
        """Yield the topics of ``chunk``, whose units are ``own``; ``named`` says that a title or
        heading names it, so that guesses are not needed.
        """
        if not own:
            return
        first, names = own[0], [self._names[number] for number in own]
        found = list(self._definition(first))
        last = [name for name, _ in found]
        if not found:
            found = [*self._carried(chunk, first, names), *self._guessed(first, names, named=named)]
        yield from found
        if found and found[0][1] != FIRST_NAME:
            self.referents[first] = found[0][0]
        for number in islice(self._later_paragraphs(own), MAX_PARAGRAPHS):
            found = list(self._definition(number))
            yield from found
            if found:
                last = [name for name, _ in found]
                self.referents[number] = last[0]
        if last:
            self._defined[chunk.heading_path] = last

    def _guessed(
        self, first: int, names: Sequence[Sequence[Name]], *, named: bool
    ) -> Iterator[Subject]:
        subject = subject_of(self._units[first], names[0])
        repeated = repeated_name(names)
        if named:
            if subject and name_key(subject) == name_key(repeated):
                yield subject, SUBJECT
            return
        if subject:
            yield subject, SUBJECT
        if repeated:
            yield repeated, REPETITION
        if not subject and not repeated and names[0]:
            yield min(names[0]).surface, FIRST_NAME

    def _carried(
        self, chunk: Chunk, first: int, names: Sequence[Sequence[Name]]
    ) -> Iterator[Subject]:
        """What the section, else the one around it, defined last, if the chunk goes on about it."""
        path = chunk.heading_path
        around = (path[:depth] for depth in range(len(path), -1, -1))
        before = next((self._defined[outer] for outer in around if outer in self._defined), None)
        if before and goes_on(self._units[first].text, before[0], names):
            yield from ((name, CARRIED) for name in before)

    def _later_paragraphs(self, own: Sequence[int]) -> Iterator[int]:
        for number in own[1:]:
            unit = self._units[number]
            if unit.start in self._paragraphs and defines(unit.text):
                yield number

    def _definition(self, number: int) -> Iterator[Subject]:
        """The subject that a unit defines, if that is a name, and its other names."""
        unit = self._units[number]
        text = unit.text
        subjects = subjects_of(text)
        if not subjects and len(text) <= _LONGEST_START:
            text = _with_next(self._document.text, unit)
            subjects = subjects_of(text) if text != unit.text else []
        if not subjects or not _is_named(subjects[0], self._names[number]):
            return
        for subject in dict.fromkeys([_bare(subjects[0]), *subjects, *map(_bare, subjects[1:])]):
            yield subject, DEFINITION
        others = chain(*map(parts_of, subjects[1:]), other_names(subjects[0], text))
        for alias in islice(others, MAX_OTHER_NAMES):
            yield alias, ALIAS


def _bare(subject: str) -> str:
    """``The Norr`` → ``Norr``, ``An aircraft carrier`` → ``aircraft carrier``."""
    bare = without_article(subject)
    first, _, rest = subject.partition(" ")
    return rest if bare == subject and rest and first in {"A", "An", "The"} else bare


def _with_next(text: str, unit: KnowledgeUnit) -> str:
    """A unit and what follows it on the same line, for names that look like sentences: "Who Is
    Rain? is a film", "Norr (lit. Rain) is a film".
    """
    if text[unit.end - 1 : unit.end] not in {"?", "!", "."} or _goes_on_anew(text, unit):
        return unit.text
    line_end = text.find("\n", unit.end, unit.end + _LONGEST_START)
    return text[unit.start : line_end if line_end > 0 else unit.end + _LONGEST_START]


def _goes_on_anew(text: str, unit: KnowledgeUnit) -> bool:
    """Whether a sentence of its own follows, as none does after ``Norr (lit.``."""
    following = text[unit.end : unit.end + _LONGEST_START].split(maxsplit=1)[:1]
    if not following or following[0][:1].islower() or unit.text.count("(") > unit.text.count(")"):
        return False
    return following[0].lower() in OPENERS or not is_title_case(unit.text.split())


def _is_named(subject: str, names: Sequence[Name]) -> bool:
    """Whether a subject is a name or a term, and no "the first of these"."""
    key = name_key(subject)
    if any(name_key(name.surface) in key for name in names[:3]):
        return True
    return not subject[0].islower() and len(subject.split()) <= MAX_TERM_WORDS
