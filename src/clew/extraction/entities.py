"""The entities of one document, collected while its mentions and topics are made."""

from __future__ import annotations

from collections.abc import Mapping

from clew.graph.forms import commonest
from clew.graph.resolution import Resolved
from clew.ids import entity_id
from clew.records import Document, Entity
from clew.text.names import name_key


class EntityBook:
    """Gives out entity ids and remembers by which names and types each entity was met.

    ``resolved`` says which keys are read as another. With ``apart`` the keys of this document are
    its own, so that equal names elsewhere are other entities.
    """

    def __init__(
        self, document: Document, resolved: Mapping[str, Resolved], *, apart: bool
    ) -> None:
        self._scope = document.scope
        self._suffix = f" {document.id}" if apart else ""
        self._resolved = resolved
        self._by_root: dict[str, _Entry] = {}
        self._by_key: dict[str, _Entry] = {}

    def mention(self, key: str, surface: str, kind: str) -> str:
        """Return the id of the entity that ``key`` is read as."""
        entry = self._by_key.get(key)
        if entry is None:
            joined = self._resolved.get(key)
            entry = self._by_key[key] = self._entry(joined.key if joined else key)
        entry.surfaces.append(surface)
        if kind:
            entry.types.append(kind)
        return entry.id

    def topic(self, key: str, name: str) -> list[str]:
        """The entity of a topic: the name's own, and the one that it was joined to here.

        Other documents that know the thing by this name lead to the former.
        """
        found = [self._entry(key, name)]
        joined = self._resolved.get(key)
        if joined:
            found.append(self._entry(joined.key, joined.name))
        return [entry.id for entry in found]

    def entities(self) -> tuple[Entity, ...]:
        """All entities, in the order in which they were met."""
        return tuple(self._entity(entry) for entry in self._by_root.values())

    def _entry(self, root: str, name: str = "") -> _Entry:
        entry = self._by_root.get(root)
        if entry is None:
            key = root + self._suffix
            entry = self._by_root[root] = _Entry(root, entity_id(self._scope, key))
        if name:
            entry.other_names.append(name)
        return entry

    def _entity(self, entry: _Entry) -> Entity:
        name, aliases = _name_and_aliases(entry)
        return Entity(
            id=entry.id,
            name=name,
            key=entry.root + self._suffix,
            type=commonest(entry.types) if entry.types else "",
            aliases=aliases,
            scope=self._scope,
        )


def _name_and_aliases(entry: _Entry) -> tuple[str, tuple[str, ...]]:
    surfaces, others = entry.surfaces, entry.other_names
    if len(surfaces) + len(others) == 1:  # four of five
        return (surfaces or others)[0], ()
    forms = {*surfaces, *others}
    if len(forms) == 1:
        return forms.pop(), ()
    own = [form for form in surfaces if name_key(form) == entry.root]
    own = own or [form for form in others if name_key(form) == entry.root]
    name = commonest(own or surfaces or others)
    return name, tuple(sorted(forms - {name}))


class _Entry:
    __slots__ = ("id", "other_names", "root", "surfaces", "types")

    def __init__(self, root: str, identifier: str) -> None:
        self.root = root
        self.id = identifier
        self.surfaces: list[str] = []
        self.other_names: list[str] = []
        self.types: list[str] = []
