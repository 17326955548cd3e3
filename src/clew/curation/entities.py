"""Entities looked up by how their names begin."""

from __future__ import annotations

from clew.records import Entity
from clew.stores.base import GraphReader
from clew.text.names import name_key


def entities_called(reader: GraphReader, prefix: str, most: int) -> list[Entity]:
    """The entities whose names begin with ``prefix``, in the order of their keys."""
    names = reader.entity_names(prefix, k=most)
    found = reader.find_entities([name_key(name) for name in names])
    return [
        entity
        for at, name in enumerate(names)
        for entity in reader.get_entities(found.targets[found.indptr[at] : found.indptr[at + 1]])
        if entity.name == name
    ]
