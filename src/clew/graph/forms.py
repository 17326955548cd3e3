"""The forms that a document uses for the things it names: one per key, with the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.graph.persons import HONORIFICS, PersonName, parse_person
from clew.text.names import Name, name_key

_ADDRESS_BEFORE = re.compile(r"\b(\w{2,9})\.?\s$")
_YEAR = r"\d{3,4}"
_LIFE = re.compile(
    rf"\s?\((?:[^()]{{0,60}}?\b(?:b\.|born)\b[^()\d]{{0,30}}(?:\d{{1,2}}\b[^()\d]{{0,15}})?(?P<born>{_YEAR})"
    rf"|[^()\d]{{0,40}}(?:\d{{1,2}}\b[^()\d]{{0,15}})?(?P<from>{_YEAR})(?![^()]{{0,20}}reign)"
    rf"[^()–—-]{{0,25}}[–—-][^()\d]{{0,20}}(?:\d{{1,2}}\b[^()\d]{{0,15}})?{_YEAR}"
    rf"|[^()]{{0,20}}\b(?:d\.|died)\b[^()\d]{{0,30}}(?:\d{{1,2}}\b[^()\d]{{0,15}})?(?P<died>{_YEAR}))"
    r"[^()]{0,40}\)"
)
_REIGN = re.compile(r"\s?\([^()]{0,10}\b(?:r\.|reign|fl\.|circa season)")


@dataclass(slots=True)
class Form:
    """One way in which the document names something."""

    key: str
    order: int
    surfaces: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    genders: set[str] = field(default_factory=set)
    life: str = ""

    @property
    def count(self) -> int:
        return self.surfaces.total()

    @property
    def surface(self) -> str:
        """The commonest spelling; of equals the one that sorts first."""
        return min(self.surfaces, key=lambda surface: (-self.surfaces[surface], surface))

    @property
    def type(self) -> str:
        types = {kind: count for kind, count in self.types.items() if kind}
        return min(types, key=lambda kind: (-types[kind], kind)) if types else ""

    @property
    def person(self) -> PersonName:
        return parse_person(self.surface)

    @property
    def gender(self) -> str:
        return next(iter(self.genders)) if len(self.genders) == 1 else ""


def forms_of(text: str, names: Iterable[Name]) -> dict[str, Form]:
    """Group the names of a document by key, in order of first use."""
    forms: dict[str, Form] = {}
    for name in sorted(names):
        key = name_key(name.surface)
        if not key:
            continue
        form = forms.get(key)
        if form is None:
            form = forms[key] = Form(key, len(forms))
        form.surfaces[name.surface] += 1
        form.types[name.type] += 1
        if name.type == "PERSON":
            _note_person(text, name, form)
    return forms


def _note_person(text: str, name: Name, form: Form) -> None:
    before = _ADDRESS_BEFORE.search(text, max(0, name.start - 11), name.start)
    gender = HONORIFICS.get(before[1].lower(), "") if before else ""
    if gender:
        form.genders.add(gender)
    if not form.life:
        form.life = life_after(text, name.end)


def life_after(text: str, at: int) -> str:
    """``born 1580`` or ``died 875`` where the brackets behind a name say so, else ``""``.

    The year of birth comes first, so that "(1580–1631)" and "(born 1580)" agree.

    >>> life_after("Jane Roe (3 May 1931 – 9 June 2001) was", 8), life_after("Jane Roe (1931)", 8)
    ('born 1931', '')
    """
    if "(" not in text[at : at + 2] or _REIGN.match(text, at):
        return ""
    found = _LIFE.match(text, at)
    if not found:
        return ""
    born = found["born"] or found["from"]
    return f"born {born}" if born else f"died {found['died']}"
