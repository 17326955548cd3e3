"""The persons of a document: full names that may be one bearer's, grouped where nothing is open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from clew.graph.forms import Form
from clew.graph.given_names import gender_of
from clew.graph.persons import HONORIFICS, PersonName, may_be_one
from clew.graph.titles import Title
from clew.text.names import Name, name_key

_MOST_OF_A_NAME = 40
"""Bearers of one last name that are compared with each other; a register of names has more."""


@dataclass(frozen=True, slots=True)
class PersonCluster:
    """Forms of one person's full name. ``key`` and ``name`` are those of the entity.

    A cluster is ``vague`` when it may be another one's: "J. Roe" beside Jane and James.
    """

    key: str
    name: str
    members: tuple[Form, ...]
    genders: frozenset[str]
    vague: bool = False

    @property
    def lives(self) -> set[str]:
        return {life for form in self.members for life in form.lives}


def person_clusters(forms: Mapping[str, Form], title: Title) -> list[PersonCluster]:
    """Group the full names of persons, in order of first use.

    Names are grouped when each may be one with each: with Jane T. Roe and Jane A. Roe about, "Jane
    Roe" and "J. Roe" stay alone.
    """
    by_last: dict[str, list[Form]] = defaultdict(list)
    for form in _persons(forms, title):
        person = form.person
        by_last[person.last or f"{person.given[0]} {person.suffix}"].append(form)
    clusters = [
        _cluster(members, title, vague=vague)
        for group in by_last.values()
        for members, vague in _groups(group)
    ]
    return sorted(clusters, key=lambda cluster: cluster.members[0].order)


def _groups(forms: list[Form]) -> Iterator[tuple[list[Form], bool]]:
    """Groups in which each may be one with each, and the vague forms, which stand alone."""
    compared, left = forms[:_MOST_OF_A_NAME], forms[_MOST_OF_A_NAME:]
    near = [
        {at for at, other in enumerate(compared) if other is form or _one(form, other)}
        for form in compared
    ]
    vague = {at for at, whole in enumerate(near) if any(not whole <= near[j] for j in whole)}
    taken = set(vague)
    for at in range(len(compared)):
        if at not in taken:
            members = near[at] - vague
            taken |= members
            yield [compared[member] for member in sorted(members)], False
    yield from (([compared[at]], True) for at in sorted(vague))
    yield from (([form], False) for form in left)


def _persons(forms: Mapping[str, Form], title: Title) -> Iterator[Form]:
    titled = title.keys if title.person else ()
    seen = False
    for form in forms.values():
        is_titled = form.key in titled
        person = (is_titled or "PERSON" in form.types) and form.person.given
        if person and form.person.last not in HONORIFICS:
            seen = seen or is_titled
            yield form
    if title.person and not seen:
        name = Name(0, 0, title.forms[title.bare], "PERSON")
        bare = Form("", title.keys[title.bare], -1, name)
        if bare.person.given:
            yield bare


def _one(form: Form, other: Form) -> bool:
    return (
        len(form.genders | other.genders) < 2
        and len(form.lives | other.lives) < 2
        and may_be_one(form.person, other.person)
    )


def _cluster(members: list[Form], title: Title, *, vague: bool) -> PersonCluster:
    genders = {gender for form in members for gender in form.genders}
    genders |= {form.person.gender for form in members} - {""}
    if not genders:
        genders = {gender_of(form.person.given[0]) for form in members} - {""}
    if title.person and any(form.key in title.keys for form in members):
        return PersonCluster(title.key, title.name, tuple(members), frozenset(genders), vague)
    best = members[0] if len(members) == 1 else min(members, key=_preference)
    name = _without_honorifics(best.surface, best.person)
    return PersonCluster(name_key(name), name, tuple(members), frozenset(genders), vague)


def _preference(form: Form) -> tuple[bool, int, int, int]:
    """Written-out names before initials, then the commonest, the longest, the first."""
    given = form.person.given
    return len(given[0]) == 1, -len(form.names), -len(form.key), form.order


def _without_honorifics(surface: str, person: PersonName) -> str:
    return surface.split(None, len(person.honorifics))[-1] if person.honorifics else surface
