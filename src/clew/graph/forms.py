"""The forms that a document uses for the things it names: one per key, with the evidence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar, overload

from clew.graph.persons import HONORIFICS, PersonName, parse_person
from clew.text.names import Name, name_key

_ADDRESS_BEFORE = re.compile(r"\b(\w{2,9})\.?\s$")
_DAY = r"(?:\d{1,2}\b[^()\d]{0,15})?"
_YEAR = r"\d{3,4}"
_LIFE = re.compile(
    rf"\s?\((?:[^()]{{0,60}}?\b(?:b\.|born)\b[^()\d]{{0,30}}{_DAY}(?P<born>{_YEAR})"
    rf"|[^()\d]{{0,40}}{_DAY}(?P<from>{_YEAR})"
    rf"[^()–—-]{{0,25}}[–—-][^()\d]{{0,20}}{_DAY}{_YEAR}"
    rf"|[^()]{{0,20}}\b(?:d\.|died)\b[^()\d]{{0,30}}{_DAY}(?P<died>{_YEAR}))"
    r"[^()]{0,40}\)"
)
_OTHER_YEARS = re.compile(r"\s?\([^()]{0,10}\b(?:r\.|reign|ruled|fl\.|season|in office)")
_Value = TypeVar("_Value")


class _once(Generic[_Value]):  # noqa: N801 - used like ``property``
    """``functools.cached_property`` without its lock (gone from Python 3.12), which cost more than
    what most of these properties work out.
    """

    def __init__(self, work: Callable[[Any], _Value]) -> None:
        self._work = work
        self._name = work.__name__

    @overload
    def __get__(self, instance: None, owner: type) -> _once[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> _once[_Value] | _Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work(instance)
        return value


class Form:
    """One way in which the document names something. ``order`` is that of first use.

    Most forms are never asked for more than their key, so the rest is worked out on demand.
    """

    def __init__(self, text: str, key: str, order: int, name: Name) -> None:
        self.key = key
        self.order = order
        self.names = [name]
        self._text = text

    @_once
    def surface(self) -> str:
        """The commonest spelling; of equals the one that sorts first."""
        return commonest([name.surface for name in self.names])

    @_once
    def types(self) -> set[str]:
        return {name.type for name in self.names}

    @_once
    def person(self) -> PersonName:
        return parse_person(self.surface)

    @_once
    def genders(self) -> set[str]:
        """What forms of address in front of the name tell: "Mr", "Ms"."""
        before = (
            _ADDRESS_BEFORE.search(self._text, max(0, name.start - 11), name.start)
            for name in self.names
        )
        return {HONORIFICS.get(found[1].lower(), "") for found in before if found} - {""}

    @_once
    def lives(self) -> set[str]:
        return {life_after(self._text, name.end) for name in self.names} - {""}


def commonest(values: list[str]) -> str:
    """The most frequent value; of equals the one that sorts first."""
    if len(values) == 1 or len(set(values)) == 1:
        return values[0]
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


def forms_of(text: str, names: Iterable[Name]) -> dict[str, Form]:
    """Group the names of a document by key, in order of first use."""
    forms: dict[str, Form] = {}
    for name in sorted(names):
        key = name_key(name.surface)
        form = forms.get(key)
        if form is not None:
            form.names.append(name)
        elif key:
            forms[key] = Form(text, key, len(forms), name)
    return forms


def life_after(text: str, at: int) -> str:
    """``born 1580`` or ``died 875`` where the brackets behind a name say so, else ``""``.

    The year of birth comes first, so that "(1580–1631)" and "(born 1580)" agree.

    >>> life_after("Jane Roe (3 May 1931 – 9 June 2001) was", 8), life_after("Jane Roe (1931)", 8)
    ('born 1931', '')
    """
    if text[at : at + 1] != "(" and text[at : at + 2] != " (":
        return ""
    found = None if _OTHER_YEARS.match(text, at) else _LIFE.match(text, at)
    if not found:
        return ""
    born = found["born"] or found["from"]
    return f"born {born}" if born else f"died {found['died']}"
