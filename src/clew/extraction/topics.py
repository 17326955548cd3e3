"""What each chunk is about: its document, its section, and what it defines.

==============  ======================================================================  ======
source          what                                                                    weight
==============  ======================================================================  ======
``title``       the title of the document, and without its brackets or article             1
``definition``  the subject of the first sentence of the document, section, chunk          .9
``heading``     the headings that the chunk stands under, the nearest first                .9
``alias``       other names that the title or the definition gives it                      .8
``first name``  the first name of a document without title and definition                  .7
==============  ======================================================================  ======

What concerns the document as a whole weighs half in the chunks behind its first one, so that among
many chunks about one thing the one that introduces it leads. Measured elsewhere: aliases are what
makes links hold; more than a few topics a passage hurt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from clew.extraction.definitions import aliases_of, place_alias, subjects_of
from clew.extraction.known import clean_heading, is_generic
from clew.graph.persons import parse_person, variants
from clew.graph.titles import Title, names_person, without_article, without_honorific
from clew.records import Chunk, Document, KnowledgeUnit
from clew.text.names import Name, name_key

TITLE, DEFINITION, HEADING, ALIAS, FIRST_NAME = (
    "title",
    "definition",
    "heading",
    "alias",
    "first name",
)
_WEIGHTS = {TITLE: 1.0, DEFINITION: 0.9, HEADING: 0.9, ALIAS: 0.8, FIRST_NAME: 0.7}
LATER_CHUNKS = 0.5
OUTER_HEADINGS = 0.6
MAX_ALIASES = 8
MAX_TERM_WORDS = 4
_WORDS_TO_SHORTEN = 3

_NICKNAMED = re.compile(
    r"(?:[^\W\d_][\w'’.-]*\s){1,3}[\"“][^\"”]{1,20}[\"”]\s(?:[^\W\d_][\w'’-]*\s?){1,3}"
)

Subject = tuple[str, str]
"""A name and the source that says so."""


def topics_of(
    document: Document,
    chunks: Sequence[Chunk],
    units: Sequence[KnowledgeUnit],
    names: Sequence[Sequence[Name]],
) -> Iterator[tuple[Chunk, str, float, str]]:
    """Yield (chunk, name, weight, source); a name may come several times for a chunk."""
    first_units = _first_units(units)
    whole = list(_of_document(document, units, names))
    path: tuple[str, ...] | None = None
    for chunk in chunks:
        share = 1.0 if chunk.index == chunks[0].index else LATER_CHUNKS
        for name, source in whole:
            yield chunk, name, _WEIGHTS[source] * share, source
        yield from _of_headings(chunk)
        unit = first_units.get(chunk.id)
        if unit is not None and chunk.index != chunks[0].index:
            share = 1.0 if chunk.heading_path != path else LATER_CHUNKS
            for name, source in _of_definition(units[unit], names[unit]):
                yield chunk, name, _WEIGHTS[source] * share, source
        path = chunk.heading_path


def _first_units(units: Sequence[KnowledgeUnit]) -> dict[str, int]:
    first: dict[str, int] = {}
    for number, unit in enumerate(units):
        first.setdefault(unit.chunk_id, number)
    return first


def _of_document(
    document: Document, units: Sequence[KnowledgeUnit], names: Sequence[Sequence[Name]]
) -> Iterator[Subject]:
    title = Title.of(document)
    for form in title.forms:
        yield form, TITLE if form in title.name else ALIAS
    if title.person:
        yield from ((form, ALIAS) for form in variants(title.forms[title.bare]))
    defined = list(_of_definition(units[0], names[0])) if units else []
    yield from defined
    if not title.name and not defined and names and names[0]:
        yield min(names[0]).surface, FIRST_NAME


def _of_definition(unit: KnowledgeUnit, names: Sequence[Name]) -> Iterator[Subject]:
    """The subject that a unit defines, if that is a name, and its aliases."""
    text = unit.text
    subjects = subjects_of(text)
    if not subjects or not _is_named(subjects[0], names):
        return
    bare = without_article(subjects[0])
    for subject in {bare: 0, **dict.fromkeys(subjects)}:
        yield subject, DEFINITION
    yield without_honorific(bare), ALIAS
    if names_person(bare, text) or parse_person(bare).honorifics:
        nickname = _NICKNAMED.match(text)
        yield from ((form, ALIAS) for form in variants(nickname[0] if nickname else bare))
        yield from ((form, ALIAS) for form in _shortened(bare))
    yield from ((alias, ALIAS) for alias in islice(aliases_of(text), MAX_ALIASES))
    yield place_alias(bare, text), ALIAS


def _shortened(name: str) -> Iterator[str]:
    """``Jane Maria Roe`` → ``Jane Maria``, ``Maria Roe``: the bearer may be known by either."""
    words = name.split()
    written_out = all(len(word) > 2 and word[0].isupper() for word in words)
    if len(words) == _WORDS_TO_SHORTEN and written_out:
        yield " ".join(words[:2])
        yield " ".join(words[1:])


def _is_named(subject: str, names: Sequence[Name]) -> bool:
    """Whether a subject is a name or a term, and no "the first of these"."""
    key = name_key(subject)
    if any(name_key(name.surface) in key for name in names[:3]):
        return True
    return not subject[0].islower() and len(subject.split()) <= MAX_TERM_WORDS


def _of_headings(chunk: Chunk) -> Iterator[tuple[Chunk, str, float, str]]:
    weight = _WEIGHTS[HEADING]
    for heading in reversed(chunk.heading_path):
        name = clean_heading(heading)
        if name and not is_generic(name):
            yield chunk, name, weight, HEADING
            bare = without_article(name)
            if bare != name:
                yield chunk, bare, weight, HEADING
        weight *= OUTER_HEADINGS


def strongest(
    topics: Iterable[tuple[Chunk, str, float, str]],
) -> dict[tuple[str, str], tuple[float, str, str]]:
    """(chunk id, key) → (weight, source, name): the strongest of each."""
    best: dict[tuple[str, str], tuple[float, str, str]] = {}
    for chunk, name, weight, source in topics:
        key = name_key(name)
        place = (chunk.id, key)
        if key and (place not in best or best[place][0] < weight):
            best[place] = (weight, source, name)
    return best
