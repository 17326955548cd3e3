"""How an entity that many documents share gets its name, type and aliases.

Each document votes; the votes are counted, so the outcome depends on which documents are there and
never on the order in which they came, and it can be taken back when a document goes:

* *title*: a chunk of the document is about the entity because of its title; the vote is for the
  name that the document gives the entity;
* *mention*: each mention votes for its surface form;
* *name*, *alias*: what the document's own entity record says; its *type* likewise.

The name is, among the forms whose key is the entity's own key if there are any (a full name beats
its short forms, however frequent those are), the one with most title votes, then most mentions,
then most name votes; ties go to the shortest, then to the lexicographically first. Every other key
has one alias, chosen the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from clew.records import Entity, IndexedDocument
from clew.text.names import name_key, without_accents

Form = tuple[str, str]
"""(key, form): a spelling of a name."""

TITLE, MENTION, NAME, ALIAS = range(4)

MOST_VOTERS = 128
"""How many of some documents a store asks what they call an entity: of a name that thousands of
them use, so many are enough to say how it is written.
"""


@dataclass(slots=True)
class Ballot:
    """The votes for one entity: per form the numbers of title, mention, name and alias votes, and
    the votes for its types. Counts may be negative while they stand for a change.
    """

    forms: dict[Form, list[int]] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.forms)

    def add(self, form: Form, kind: int) -> None:
        counts = self.forms.get(form)
        if counts is None:
            counts = self.forms[form] = [0, 0, 0, 0]
        counts[kind] += 1

    def copy(self) -> Ballot:
        """Apart from this one: counting replaces counts and never changes them."""
        return Ballot(dict(self.forms), dict(self.types))

    def count(self, other: Ballot, sign: int = 1) -> None:
        """Add another ballot (or take it back); what nobody votes for is forgotten."""
        for form, counts in other.forms.items():
            title, mention, name, alias = self.forms.get(form, _NONE)
            total = [
                title + sign * counts[TITLE],
                mention + sign * counts[MENTION],
                name + sign * counts[NAME],
                alias + sign * counts[ALIAS],
            ]
            if any(total):
                self.forms[form] = total
            else:
                self.forms.pop(form, None)
        for kind, count in other.types.items():
            total_of_type = self.types.get(kind, 0) + sign * count
            if total_of_type:
                self.types[kind] = total_of_type
            else:
                self.types.pop(kind, None)


_NONE = (0, 0, 0, 0)
_LINE_END = re.compile(r"\s*[\r\n]\s*")


def ballots_of(indexed: IndexedDocument) -> dict[str, Ballot]:
    """Count what a document says of each entity that it mentions or is about."""
    ballots: dict[str, Ballot] = {}
    titled = set()
    for topic in indexed.topics:
        ballots[topic.entity_id] = Ballot()
        if topic.source == "title":
            titled.add(topic.entity_id)
    for mention in indexed.mentions:
        ballot = ballots.get(mention.entity_id)
        if ballot is None:
            ballot = ballots[mention.entity_id] = Ballot()
        ballot.add((mention.key, mention.surface), MENTION)
    for entity in indexed.entities:
        ballot = ballots.get(entity.id)
        if ballot is not None:
            declare(entity, ballot, titled=entity.id in titled)
    return ballots


def declare(entity: Entity, ballot: Ballot, *, titled: bool) -> None:
    """Add what the entity record of one document says; ``titled`` if it is of a title."""
    form = (cached_key(entity.name), entity.name)
    ballot.add(form, NAME)
    if titled:
        ballot.add(form, TITLE)
    for alias in entity.aliases:
        ballot.add((cached_key(alias), alias), ALIAS)
    if entity.type:
        ballot.types[entity.type] = 1


cached_key = lru_cache(maxsize=1 << 16)(name_key)


def elect(entity_id: str, key: str, scope: str, ballot: Ballot) -> Entity:
    """Return the entity that the votes of all documents make."""
    name, kind, aliases = outcome(key, ballot)
    return Entity(id=entity_id, name=name, key=key, type=kind, aliases=aliases, scope=scope)


def outcome(key: str, ballot: Ballot) -> tuple[str, str, tuple[str, ...]]:
    """(name, type, aliases) of the entity of this key."""
    name, aliases = _only_form(ballot) or _names(key, ballot)
    name, aliases = _on_one_line(name), tuple(_on_one_line(alias) for alias in aliases)
    kinds = ballot.types
    return name, min(kinds, key=lambda kind: (-kinds[kind], kind)) if kinds else "", aliases


def _on_one_line(form: str) -> str:
    """A name that a line of the text breaks in two, as it is written elsewhere."""
    return _LINE_END.sub(" ", form) if "\n" in form or "\r" in form else form


def _only_form(ballot: Ballot) -> tuple[str, tuple[str, ...]] | None:
    if len(ballot.forms) != 1:
        return None
    ((_, form),) = ballot.forms
    return form, ()


def _names(key: str, ballot: Ballot) -> tuple[str, tuple[str, ...]]:
    forms = ballot.forms

    def preference(form: Form) -> tuple[bool, int, int, int, int, str]:
        titles, mentions, names, _ = forms[form]
        return form[0] != key, -titles, -mentions, -names, len(form[1]), form[1]

    ranked = sorted(forms, key=preference)
    named = [form for form in ranked if any(forms[form][:ALIAS])] or ranked
    name = named[0][1] if named else key
    aliases: dict[str, str] = {}
    for form_key, form in ranked:
        if form_key != key and form != name:
            aliases.setdefault(form_key or form, form)
    return name, tuple(sorted(aliases.values()))


def keys_of(entity_key: str, ballot: Ballot) -> set[str]:
    """The keys by which an entity is found: its own and those of all its forms, each with accents
    and without.
    """
    keys = {key for key, _ in ballot.forms}
    keys.add(entity_key)
    keys.update([without_accents(key) for key in keys if not key.isascii()])
    keys.discard("")
    return keys


def trigrams(key: str) -> set[str]:
    """Runs of three characters of a key with a blank before and behind it: what names that are
    spelled alike share. The least key (one character) still has one.
    """
    padded = f" {key} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}


def total(ballots: Iterable[dict[str, Ballot]]) -> dict[str, Ballot]:
    """The votes of several documents together."""
    counted: dict[str, Ballot] = {}
    for ballots_of_one in ballots:
        for entity_id, ballot in ballots_of_one.items():
            counted.setdefault(entity_id, Ballot()).count(ballot)
    return counted
