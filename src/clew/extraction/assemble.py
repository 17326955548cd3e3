"""From units and the names found in them to everything that one document contributes.

Every extraction method ends here, so a name means the same whoever found it: a rule, a dictionary
or a model. The steps: drop what the settings do not want, resolve the names of the document among
themselves, make mentions and entities, say what each chunk is about.
"""

from __future__ import annotations

from collections.abc import Sequence

from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.ids import entity_id, mention_id
from clew.records import Chunk, Document, Entity, KnowledgeUnit, Mention
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
    Names that are equal, or without a letter or digit, are dropped. Facts, problems and usage are
    for the caller to add with :func:`dataclasses.replace`.
    """
    mentions = []
    entities: dict[str, Entity] = {}
    for unit, found in zip(units, names, strict=True):
        for name in sorted(set(found)):
            key = name_key(name.surface)
            if not key:
                continue
            entity = entity_id(document.scope, key)
            mentions.append(
                Mention(
                    id=mention_id(unit.id, name.start, name.surface),
                    document_id=document.id,
                    unit_id=unit.id,
                    entity_id=entity,
                    start=name.start,
                    end=name.end,
                    surface=name.surface,
                    key=key,
                    type=name.type,
                )
            )
            entities.setdefault(
                entity,
                Entity(id=entity, name=name.surface, key=key, type=name.type, scope=document.scope),
            )
    return Extraction(
        units=tuple(units), mentions=tuple(mentions), entities=tuple(entities.values())
    )
