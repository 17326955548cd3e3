"""What each chunk is about, and why: its title, its headings, and what its own text tells.

==============  ======================================================================  ======
source          what                                                                    weight
==============  ======================================================================  ======
``title``       the title of the document, and without its brackets or article             1
``heading``     the headings that the chunk stands under or holds, the nearest first       .9
``definition``  what the first sentence of the chunk or of a paragraph in it defines       .9
``alias``       other names that the title or the definition gives it                      .8
``subject``     the name in subject position of a chunk that defines nothing               .7
``file name``   the words of the file's name, for a document without title                 .6
``repetition``  the name that most of its sentences say                                    .6
``carried``     what its section defined before, where the chunk goes on about it          .5
``first name``  the first name of a chunk for which nothing else speaks                    .5
==============  ======================================================================  ======

What concerns the document as a whole weighs half in the chunks behind its first one, so that among
many chunks about one thing the one that introduces it leads. Measured: aliases are what makes links
hold (2 points of recall@5); the weights hardly matter; topics by guess alone still help where
nothing better is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from clew.extraction.file_names import name_of_file
from clew.extraction.known import clean_heading, is_generic
from clew.extraction.text_topics import ALIAS, Subject, TextTopics
from clew.graph.persons import variants
from clew.graph.titles import Title, without_article
from clew.records import BlockKind, Chunk, Document, KnowledgeUnit
from clew.text.headings import heading_text
from clew.text.names import Name, name_key

TITLE, HEADING, FILE_NAME = "title", "heading", "file name"
WEIGHTS = {
    TITLE: 1.0,
    HEADING: 0.9,
    FILE_NAME: 0.6,
    "definition": 0.9,
    ALIAS: 0.8,
    "subject": 0.7,
    "repetition": 0.6,
    "carried": 0.5,
    "first name": 0.5,
}
LATER_CHUNKS = 0.5
OUTER_HEADINGS = 0.6

Topics = dict[tuple[str, str], tuple[float, str, str]]
"""(chunk id, key) → (weight, source, name)."""


def topics_of(
    document: Document,
    chunks: Sequence[Chunk],
    units: Sequence[KnowledgeUnit],
    names: Sequence[Sequence[Name]],
) -> tuple[Topics, list[str]]:
    """Return the topics of each chunk, and for each unit what it speaks of without saying it
    (``""`` where that is not known, or is the title, which everything in the document goes by).
    """
    placed = _units_of_chunks(units)
    whole = list(_of_title(document))
    headings = _headings_inside(document, chunks)
    told = TextTopics(document, units, names)
    referents = [""] * len(units)
    topics: Topics = {}
    path: tuple[str, ...] | None = None
    for chunk in chunks:
        own, inside = placed.get(chunk.id, ()), headings.get(chunk.id, ())
        share = 1.0 if path is None else LATER_CHUNKS
        for name, source in whole:
            _keep(topics, chunk, name, WEIGHTS[source] * share, source)
        heading = ""
        for name, weight in _of_headings(chunk):
            _keep(topics, chunk, name, weight, HEADING)
            heading = heading or name
        for _, name in inside:
            _keep(topics, chunk, name, WEIGHTS[HEADING], HEADING)
        share = 1.0 if path != chunk.heading_path else LATER_CHUNKS
        for name, source in told.of(chunk, own, named=bool(document.title or heading)):
            _keep(topics, chunk, name, WEIGHTS[source] * share, source)
        path = chunk.heading_path
        starts = told.referents | {_unit_behind(units, own, at): name for at, name in inside}
        _refer(referents, own, heading, starts)
    return topics, referents


def _refer(
    referents: list[str], own: Sequence[int], heading: str, starts: Mapping[int, str]
) -> None:
    """Let each unit of a chunk speak of what was named last before it."""
    about = heading
    for number in own:
        about = starts.get(number, about)
        referents[number] = about


def _unit_behind(units: Sequence[KnowledgeUnit], own: Sequence[int], offset: int) -> int:
    """The first of the units ``own`` that begins behind ``offset``; -1 for none."""
    return next((number for number in own if units[number].start > offset), -1)


def _keep(topics: Topics, chunk: Chunk, name: str, weight: float, source: str) -> None:
    key = name_key(name)
    place = (chunk.id, key)
    if key and (place not in topics or topics[place][0] < weight):
        topics[place] = (weight, source, name)


def _units_of_chunks(units: Sequence[KnowledgeUnit]) -> dict[str, list[int]]:
    placed: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        placed.setdefault(unit.chunk_id, []).append(number)
    return placed


def _of_title(document: Document) -> Iterator[Subject]:
    title = Title.of(document)
    for form in title.forms:
        yield form, TITLE if form in title.name else ALIAS
    if title.person:
        yield from ((form, ALIAS) for form in variants(title.forms[title.bare]))
    elif not title.name:
        yield name_of_file(document), FILE_NAME


def _headings_inside(
    document: Document, chunks: Sequence[Chunk]
) -> dict[str, list[tuple[int, str]]]:
    """Where headings begin inside a chunk and what they name, by its id; small sections share
    chunks.
    """
    inside: dict[str, list[tuple[int, str]]] = {}
    at = 0
    for block in document.blocks:
        if block.kind is not BlockKind.HEADING:
            continue
        while at < len(chunks) - 1 and chunks[at].end <= block.start:
            at += 1
        if chunks and chunks[at].start < block.start < chunks[at].end:
            heading = heading_text(document.text[block.start : block.end])
            named = [(block.start, form) for form in _forms(heading)]
            inside.setdefault(chunks[at].id, []).extend(named)
    return inside


def _of_headings(chunk: Chunk) -> Iterator[tuple[str, float]]:
    weight = WEIGHTS[HEADING]
    for heading in reversed(chunk.heading_path):
        yield from ((form, weight) for form in _forms(heading))
        weight *= OUTER_HEADINGS


def _forms(heading: str) -> list[str]:
    """A heading without its number, its brackets, its article; none where it names nothing.

    >>> _forms("2.1 The Norr (bridge)"), _forms("Introduction")
    (['The Norr (bridge)', 'The Norr', 'Norr'], [])
    """
    name = clean_heading(heading)
    if not name or is_generic(name):
        return []
    bare = name[: name.rindex(" (")] if name.endswith(")") and " (" in name else name
    return list(dict.fromkeys((name, bare, without_article(bare))))
