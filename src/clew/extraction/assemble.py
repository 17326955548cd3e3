"""From units and the names found in them to everything that one document contributes.

Every extraction method ends here, so a name means the same whoever found it: a rule, a dictionary
or a model. The steps: drop what the settings do not want, resolve the names of the document among
themselves, make mentions and entities, say what each chunk is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.entities import EntityBook
from clew.extraction.referents import with_referents
from clew.extraction.topics import Topics, topics_of
from clew.graph.resolution import Resolved, resolve
from clew.ids import content_id, mention_id
from clew.records import Chunk, Document, EntityMerge, KnowledgeUnit, Mention, Topic
from clew.text.names import Name, name_key


def assemble(
    document: Document,
    chunks: Sequence[Chunk],
    units: Sequence[KnowledgeUnit],
    names: Sequence[Sequence[Name]],
    *,
    config: ExtractionConfig,
) -> Extraction:
    """Return the extraction of ``document``: units, mentions, entities, topics and merges.

    ``names[i]`` are the names in ``units[i]``, in any order; spans are offsets into the document
    (see :func:`clew.extraction.places.places_of` for names that a model gave without offsets).
    Equal names, and names without a letter or digit, are dropped. Facts, problems and usage are for
    the caller to add with :func:`dataclasses.replace`.
    """
    wanted = [_wanted(found, config.entity_types) for found in names]
    resolved = resolve(document, chain.from_iterable(wanted)) if config.entity_merge_similar else {}
    if config.min_entity_occurrences > 1:
        wanted = _frequent(wanted, resolved, config.min_entity_occurrences)
    book = EntityBook(document, resolved, apart=not config.deduplicate_entities)
    mentions = list(_mentions(document.id, units, wanted, book))
    found, referents = topics_of(document, chunks, units, wanted)
    topics = _topics(found, book)
    return Extraction(
        units=with_referents(document, units, referents),
        mentions=tuple(mentions),
        entities=book.entities(),
        topics=tuple(topics.values()),
        merges=tuple(_merges(document.id, mentions, resolved)) if resolved else (),
    )


def _wanted(names: Sequence[Name], types: Sequence[str] | None) -> list[Name]:
    """The names in text order, each place and surface once, of the types that are kept."""
    if types is not None:
        kept = {kind.casefold() for kind in types}
        names = [name for name in names if name.type.casefold() in kept]
    if len(names) < 2:
        return list(names)
    first = {(name.start, name.surface): name for name in sorted(names, reverse=True)}
    return sorted(first.values())


def _frequent(
    names: Sequence[Sequence[Name]], resolved: Mapping[str, Resolved], least: int
) -> list[list[Name]]:
    """Drop the names of entities that fewer than ``least`` units mention."""
    roots = [[_root(name_key(name.surface), resolved) for name in found] for found in names]
    uses: dict[str, int] = {}
    for unit_roots in roots:
        for root in set(unit_roots):
            uses[root] = uses.get(root, 0) + 1
    return [
        [name for name, root in zip(found, unit_roots, strict=True) if uses[root] >= least]
        for found, unit_roots in zip(names, roots, strict=True)
    ]


def _root(key: str, resolved: Mapping[str, Resolved]) -> str:
    joined = resolved.get(key)
    return joined.key if joined else key


def _mentions(
    document_id: str,
    units: Sequence[KnowledgeUnit],
    names: Sequence[Sequence[Name]],
    book: EntityBook,
) -> Iterator[Mention]:
    for unit, found in zip(units, names, strict=True):
        unit_id = unit.id
        for start, end, surface, kind in found:
            key = name_key(surface)
            if key:
                yield Mention(
                    id=mention_id(unit_id, start, surface),
                    document_id=document_id,
                    unit_id=unit_id,
                    entity_id=book.mention(key, surface, kind),
                    start=start,
                    end=end,
                    surface=surface,
                    key=key,
                    type=kind,
                )


def _topics(found: Topics, book: EntityBook) -> dict[tuple[str, str], Topic]:
    topics: dict[tuple[str, str], Topic] = {}
    for (chunk, key), (weight, source, name) in found.items():
        for entity in book.topic(key, name):
            place = (chunk, entity)
            if place not in topics or topics[place].weight < weight:
                topics[place] = Topic(
                    chunk_id=chunk, entity_id=entity, weight=weight, source=source
                )
    return topics


def _merges(
    document_id: str, mentions: Sequence[Mention], resolved: Mapping[str, Resolved]
) -> Iterator[EntityMerge]:
    """One line for each mentioned key that was joined to another, in order of first use."""
    first: dict[str, Mention] = {}
    for mention in mentions:
        first.setdefault(mention.key, mention)
    for key, mention in first.items():
        if key in resolved:
            yield EntityMerge(
                id=content_id("j", document_id, mention.entity_id, key),
                document_id=document_id,
                entity_id=mention.entity_id,
                merged_key=key,
                merged_name=mention.surface,
                reason=resolved[key].reason,
            )
