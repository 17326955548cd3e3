"""Which names of a document mean one thing: joins within the document, each with its reason.

A join needs evidence in the document itself, and one candidate only: "J. Roe" stays what it is
where both Jane and James Roe are named. Two bearers of one name are kept apart where the text tells
them apart: by what stands in brackets behind the title, by Jr. and II, by the years of their lives.
Nothing here looks beyond the document, so the order of documents cannot matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from clew.graph.acronyms import short_forms
from clew.graph.clusters import PersonCluster, person_clusters
from clew.graph.forms import Form, forms_of
from clew.graph.persons import HONORIFICS
from clew.graph.titles import Title
from clew.records import Document
from clew.text.names import Name, name_key


class Resolved(NamedTuple):
    """What a key was joined to: the key and name of the entity, and why."""

    key: str
    name: str
    reason: str


def resolve(document: Document, names: Iterable[Name]) -> dict[str, Resolved]:
    """Return, for each key that was joined to another, what it was joined to.

    Keys that stay themselves are absent. The result depends on the document and on the set of
    ``names`` alone.
    """
    forms = forms_of(document.text, names)
    joins = _Joins()
    title = Title.of(document)
    _join_title(title, forms, joins)
    _join_short_forms(document.text, forms, joins)
    clusters = person_clusters(forms, title)
    if clusters:
        for cluster in clusters:
            _join_cluster(cluster, joins)
        _join_single_names(forms, clusters, title, joins)
        for cluster in clusters:
            _tell_apart(cluster, title, joins)
    return joins.resolved()


class _Joins:
    """A forest of joins: each key leads to at most one other, never back to itself."""

    def __init__(self) -> None:
        self._into: dict[str, tuple[str, str]] = {}
        self._names: dict[str, str] = {}

    def add(self, key: str, into: str, name: str, reason: str) -> None:
        """Join ``key`` to ``into`` unless it was joined before or that would close a circle."""
        if key and key != into and key not in self._into and self.root(into) != key:
            self._into[key] = (into, reason)
            self._names[into] = name

    def root(self, key: str) -> str:
        while key in self._into:
            key = self._into[key][0]
        return key

    def resolved(self) -> dict[str, Resolved]:
        found = {}
        for key, (_, reason) in self._into.items():
            root = self.root(key)
            found[key] = Resolved(root, self._names[root], reason)
        return found


def _join_title(title: Title, forms: Mapping[str, Form], joins: _Joins) -> None:
    for key in title.keys[1:]:
        if key in forms:
            joins.add(key, title.key, title.name, "title")


def _join_short_forms(text: str, forms: Mapping[str, Form], joins: _Joins) -> None:
    for found in short_forms(text):
        long = text[found.long_start : found.long_end]
        short = name_key(text[found.short_start : found.short_end])
        if short in forms:
            joins.add(short, name_key(long), long, "acronym")


def _join_cluster(cluster: PersonCluster, joins: _Joins) -> None:
    for form in cluster.members:
        joins.add(form.key, cluster.key, cluster.name, "name variant")


def _join_single_names(
    forms: Mapping[str, Form], clusters: Sequence[PersonCluster], title: Title, joins: _Joins
) -> None:
    """Join "Roe", "Ms Roe" and "Jane" to the one person whose full name they shorten."""
    by_last, by_given = _by_part(clusters)
    others: set[str] | None = None
    for form in forms.values():
        word = form.key.rpartition(" ")[2]
        sharing = by_last.get(word) or by_given.get(word)
        if not sharing or form.key in title.keys or not _NO_PERSON.isdisjoint(form.types):
            continue
        person = form.person
        if person.given or person.last != word:
            continue
        genders = form.genders | ({person.gender} - {""})
        fitting = [
            cluster
            for cluster in sharing
            if not cluster.vague and len(cluster.genders | genders) < 2
        ]
        if len(fitting) == 1:
            if others is None:
                others = _ends_of_other_names(forms, clusters)
            if word not in others:
                joins.add(form.key, fitting[0].key, fitting[0].name, "short name")


_NO_PERSON = frozenset({"ORG", "PLACE", "WORK"})


def _by_part(
    clusters: Sequence[PersonCluster],
) -> tuple[dict[str, list[PersonCluster]], dict[str, list[PersonCluster]]]:
    by_last: dict[str, list[PersonCluster]] = defaultdict(list)
    by_given: dict[str, list[PersonCluster]] = defaultdict(list)
    for cluster in clusters:
        persons = [form.person for form in cluster.members]
        for last in {person.last.rpartition(" ")[2] for person in persons if person.last}:
            by_last[last].append(cluster)
        for given in {person.given[0] for person in persons}:
            by_given[given].append(cluster)
    return by_last, by_given


def _ends_of_other_names(forms: Mapping[str, Form], clusters: Sequence[PersonCluster]) -> set[str]:
    """Last words of names that may be another person's, so that "Roe" may mean that one."""
    clustered = {form.key for cluster in clusters for form in cluster.members}
    ends = set()
    for form in forms.values():
        first, _, last = form.key.rpartition(" ")
        alone = not first or first in HONORIFICS or form.key in clustered
        if not alone and _NO_PERSON.isdisjoint(form.types):
            ends.add(last)
    return ends


def _tell_apart(cluster: PersonCluster, title: Title, joins: _Joins) -> None:
    """Give the years of a life to the key of who has them: two of one name stay two."""
    lives = cluster.lives
    if len(lives) == 1 and not (title.told_apart and cluster.key == title.key):
        name = f"{cluster.name} ({next(iter(lives))})"
        joins.add(cluster.key, name_key(name), name, "life dates")
