"""From units and the names found in them to everything that one document contributes.

Every extraction method ends here, so a name means the same whoever found it: a rule, a dictionary
or a model. The steps: drop what the settings do not want, resolve the names of the document among
themselves, make mentions and entities, say what each chunk is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.topics import strongest, topics_of
from clew.graph.resolution import Resolved, resolve
from clew.ids import content_id, entity_id, mention_id
from clew.records import (
    Chunk,
    Document,
    Entity,
    EntityMerge,
    KnowledgeUnit,
    Mention,
    Topic,
)
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
    wanted = [_wanted(found, config) for found in names]
    resolved = (
        resolve(document, (name for found in wanted for name in found))
        if config.entity_merge_similar
        else {}
    )
    book = _EntityBook(document, resolved, apart=not config.deduplicate_entities)
    mentions = _mentions(document, units, wanted, book, config.min_entity_occurrences)
    best = strongest(topics_of(document, chunks, units, wanted))
    topics: dict[tuple[str, str], Topic] = {}
    for (chunk, key), (weight, source, name) in best.items():
        for entity in book.topic_entities(key, name):
            if (chunk, entity) not in topics or topics[chunk, entity].weight < weight:
                topics[chunk, entity] = Topic(
                    chunk_id=chunk, entity_id=entity, weight=weight, source=source
                )
    return Extraction(
        units=tuple(units),
        mentions=tuple(mentions),
        entities=book.entities(),
        topics=tuple(topics.values()),
        merges=book.merges({mention.key for mention in mentions}),
    )


def _wanted(names: Sequence[Name], config: ExtractionConfig) -> list[Name]:
    """The names in text order, each once, of the types that the settings keep."""
    found = sorted(set(names))
    if config.entity_types is not None:
        types = {kind.casefold() for kind in config.entity_types}
        found = [name for name in found if name.type.casefold() in types]
    return found


def _mentions(
    document: Document,
    units: Sequence[KnowledgeUnit],
    names: Sequence[Sequence[Name]],
    book: _EntityBook,
    least: int,
) -> list[Mention]:
    placed = [
        (unit.id, name, key)
        for unit, found in zip(units, names, strict=True)
        for name in found
        if (key := name_key(name.surface))
    ]
    if least > 1:
        uses = Counter(entity for _, entity in {(u, book.root(key)) for u, _, key in placed})
        placed = [item for item in placed if uses[book.root(item[2])] >= least]
    document_id = document.id
    mentions = {}
    for unit, name, key in placed:
        start, end, surface, kind = name
        identifier = mention_id(unit, start, surface)
        mentions[identifier] = Mention(
            id=identifier,
            document_id=document_id,
            unit_id=unit,
            entity_id=book.mention(key, surface, kind),
            start=start,
            end=end,
            surface=surface,
            key=key,
            type=kind,
        )
    return list(mentions.values())


class _EntityBook:
    """The entities of one document while they are collected."""

    def __init__(
        self, document: Document, resolved: Mapping[str, Resolved], *, apart: bool
    ) -> None:
        self._document = document
        self._resolved = resolved
        self._suffix = f" {document.id}" if apart else ""
        self._ids: dict[str, str] = {}
        self._forms: dict[str, Counter[str]] = {}
        self._types: dict[str, Counter[str]] = {}

    def root(self, key: str) -> str:
        joined = self._resolved.get(key)
        return joined.key if joined else key

    def mention(self, key: str, surface: str, kind: str) -> str:
        root = self.root(key)
        self._forms.setdefault(root, Counter())[surface] += 1
        if kind:
            self._types.setdefault(root, Counter())[kind] += 1
        return self._id(root)

    def topic_entities(self, key: str, name: str) -> list[str]:
        """The entity of a topic: the name's own, and the one that it was joined to here.

        Other documents that know the thing by this name link to the former.
        """
        self._forms.setdefault(key, Counter()).setdefault(name, 0)
        found = [self._id(key)]
        joined = self._resolved.get(key)
        if joined:
            self._forms.setdefault(joined.key, Counter()).setdefault(joined.name, 0)
            found.append(self._id(joined.key))
        return found

    def entities(self) -> tuple[Entity, ...]:
        return tuple(self._entity(key, forms) for key, forms in self._forms.items())

    def merges(self, mentioned: set[str]) -> tuple[EntityMerge, ...]:
        """One line for each mentioned key that was joined to another."""
        document = self._document.id
        return tuple(
            EntityMerge(
                id=content_id("j", document, self._id(joined.key), key),
                document_id=document,
                entity_id=self._id(joined.key),
                merged_key=key,
                merged_name=self._name_of(key, joined.key),
                reason=joined.reason,
            )
            for key, joined in self._resolved.items()
            if key in mentioned
        )

    def _id(self, key: str) -> str:
        found = self._ids.get(key)
        if found is None:
            found = self._ids[key] = entity_id(self._document.scope, key + self._suffix)
        return found

    def _entity(self, key: str, forms: Counter[str]) -> Entity:
        own = {form: count for form, count in forms.items() if name_key(form) == key}
        name = min(own or forms, key=lambda form: (-forms[form], form))
        types = self._types.get(key)
        return Entity(
            id=self._id(key),
            name=name,
            key=key + self._suffix,
            type=min(types, key=lambda kind: (-types[kind], kind)) if types else "",
            aliases=tuple(sorted(form for form in forms if form != name)),
            scope=self._document.scope,
        )

    def _name_of(self, key: str, root: str) -> str:
        forms = self._forms[root]
        own = [form for form in forms if name_key(form) == key]
        return min(own, key=lambda form: (-forms[form], form)) if own else key
