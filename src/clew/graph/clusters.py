"""The persons of a document: full names that may be one bearer's, grouped where nothing is open."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from clew.graph.forms import Form
from clew.graph.persons import PersonName, may_be_one
from clew.graph.titles import Title
from clew.text.names import name_key

_MOST_OF_A_NAME = 50
"""Bearers of one last name that are compared with each other; a register of names has more."""


@dataclass(frozen=True, slots=True)
class PersonCluster:
    """Forms of one person's full name. ``key`` and ``name`` are those of the entity."""

    key: str
    name: str
    members: tuple[Form, ...]

    @property
    def genders(self) -> set[str]:
        genders = {form.gender for form in self.members} | {
            form.person.gender for form in self.members
        }
        return genders - {""}

    @property
    def lives(self) -> set[str]:
        return {form.life for form in self.members} - {""}


def person_clusters(forms: Mapping[str, Form], title: Title) -> list[PersonCluster]:
    """Group the full names of persons, in order of first use.

    Names are grouped when each may be one with each: with Jane T. Roe and Jane A. Roe about, "Jane
    Roe" and "J. Roe" stay alone.
    """
    by_last: dict[str, list[Form]] = defaultdict(list)
    for form in _persons(forms, title):
        person = form.person
        by_last[person.last or f"{person.given[0]} {person.suffix}"].append(form)
    clusters = []
    for group in by_last.values():
        clusters += [_cluster(members, title) for members in _cliques(group[:_MOST_OF_A_NAME])]
        clusters += [_cluster([form], title) for form in group[_MOST_OF_A_NAME:]]
    return sorted(clusters, key=lambda cluster: cluster.members[0].order)


def _persons(forms: Mapping[str, Form], title: Title) -> Iterable[Form]:
    titled = {name_key(form) for form in title.forms} if title.person else set()
    persons = [
        form
        for form in forms.values()
        if (form.type == "PERSON" or form.key in titled) and form.person.given
    ]
    if title.person and not any(form.key in titled for form in persons):
        bare = Form(name_key(title.forms[-1]), -1)
        bare.surfaces[title.forms[min(1, len(title.forms) - 1)]] = 0
        if bare.person.given:
            persons.insert(0, bare)
    return persons


def _cliques(group: list[Form]) -> list[list[Form]]:
    """Sets of forms in which each may be one with each, and none with a form outside."""
    if len(group) == 1:
        return [group]
    near = [
        {at for at, other in enumerate(group) if other is not form and _one(form, other)}
        for form in group
    ]
    cliques: list[list[Form]] = []
    taken: set[int] = set()
    for at, form in enumerate(group):
        if at in taken:
            continue
        whole = near[at] | {at}
        if all(near[other] | {other} == whole for other in near[at]):
            cliques.append([group[other] for other in sorted(whole)])
            taken |= whole
        else:
            cliques.append([form])
            taken.add(at)
    return cliques


def _one(form: Form, other: Form) -> bool:
    genders = form.genders | other.genders
    lives = {form.life, other.life} - {""}
    return len(genders) < 2 and len(lives) < 2 and may_be_one(form.person, other.person)


def _cluster(members: list[Form], title: Title) -> PersonCluster:
    titled = {name_key(form) for form in title.forms}
    if title.person and any(form.key in titled for form in members):
        return PersonCluster(title.key, title.name, tuple(members))
    best = min(members, key=_preference)
    name = _without_honorifics(best.surface, best.person)
    return PersonCluster(name_key(name), name, tuple(members))


def _preference(form: Form) -> tuple[bool, int, int, int]:
    """Written-out names before initials, then the commonest, the longest, the first."""
    given = form.person.given
    return len(given[0]) == 1, -form.count, -len(form.key), form.order


def _without_honorifics(surface: str, person: PersonName) -> str:
    return surface.split(None, len(person.honorifics))[-1] if person.honorifics else surface
