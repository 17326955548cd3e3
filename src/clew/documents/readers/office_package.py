"""Open Packaging (ISO/IEC 29500-2): parts of a zip file that refer to each other."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from clew.documents.archive import Archive, resolve
from clew.documents.xml_tree import Element, attribute, child, children, local_name, parse_xml
from clew.errors import BrokenDocumentError

_ROOT_RELATIONS = "_rels/.rels"
# Titles that programs put in by themselves say nothing.
_MACHINE_TITLES = ("microsoft word", "powerpoint presentation", "slide 1", "untitled", "title")


@dataclass(frozen=True, slots=True)
class Relation:
    """``kind`` is the last part of the relation's type: ``footnotes``, ``chart``, ``image``…"""

    id: str
    kind: str
    target: str


class Package:
    """The parts of an Office file, by name or along their relations."""

    def __init__(self, data: bytes) -> None:
        self._archive = Archive(data)
        self._relations: dict[str, tuple[Relation, ...]] = {}
        self._damaged: dict[str, None] = {}

    @property
    def damaged(self) -> list[str]:
        """The side parts that were asked for and could not be read."""
        return list(self._damaged)

    def main_part(self, fallback: str) -> str:
        for relation in self.relations(""):
            if relation.kind == "officeDocument" and relation.target in self._archive:
                return relation.target
        if fallback in self._archive:
            return fallback
        raise BrokenDocumentError(f"its main part {fallback!r} is missing")

    def xml(self, name: str) -> Element:
        return parse_xml(self._archive.read(name), name)

    def find_xml(self, name: str) -> Element | None:
        """Return a side part, or None where it is missing or damaged: it costs no document."""
        if name not in self._archive:
            return None
        try:
            return self.xml(name)
        except BrokenDocumentError:
            if self._archive.is_exhausted:
                raise
            self._damaged[name] = None
            return None

    def relations(self, part: str) -> tuple[Relation, ...]:
        """Return where ``part`` leads, in file order, outside targets left out."""
        if part not in self._relations:
            self._relations[part] = tuple(self._read_relations(part))
        return self._relations[part]

    def related(self, part: str, kind: str) -> Iterator[tuple[str, Element]]:
        """Yield name and root of each part that ``part`` leads to by a relation of this kind."""
        for relation in self.relations(part):
            if relation.kind == kind:
                root = self.find_xml(relation.target)
                if root is not None:
                    yield relation.target, root

    def target(self, part: str, relation_id: str) -> str:
        """Return the part behind a relation id, or ``""``."""
        return next((r.target for r in self.relations(part) if r.id == relation_id), "")

    def details(self) -> tuple[str, dict[str, str]]:
        """Return the title and the other core properties."""
        name = next((r.target for r in self.relations("") if r.kind == "core-properties"), "")
        root = self.find_xml(name or "docProps/core.xml")
        values: dict[str, str] = {}
        for element in root if root is not None else ():
            text = " ".join((element.text or "").split())
            if text:
                values[local_name(element)] = text
        title = values.get("title", "")
        if title.lower().startswith(_MACHINE_TITLES):
            title = ""
        wanted = {"creator": "author", "subject": "subject", "keywords": "keywords"}
        wanted |= {"created": "created", "modified": "modified", "language": "language"}
        return title, {new: values[old] for old, new in wanted.items() if old in values}

    def _read_relations(self, part: str) -> Iterator[Relation]:
        folder, name = posixpath.split(part)
        path = posixpath.join(folder, "_rels", f"{name}.rels") if part else _ROOT_RELATIONS
        root = self.find_xml(path)
        for element in children(root, "Relationship") if root is not None else ():
            if attribute(element, "TargetMode") != "External":
                yield Relation(
                    id=attribute(element, "Id"),
                    kind=attribute(element, "Type").rpartition("/")[2],
                    target=resolve(part, attribute(element, "Target")),
                )


def chosen(element: Element) -> Element | None:
    """Return the one branch of ``mc:AlternateContent`` to read: the first choice with content."""
    branches = [branch for branch in element if local_name(branch) in {"Choice", "Fallback"}]
    filled = [branch for branch in branches if any(str(text).strip() for text in branch.itertext())]
    return next(iter(filled or branches), None)


def value_of(element: Element | None, *path: str, default: str = "") -> str:
    """Return the ``val`` attribute of the descendant at ``path``."""
    found = child(element, *path)
    return default if found is None else attribute(found, "val", default)
