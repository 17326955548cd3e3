"""How an entity that many documents share gets its name, type and aliases.

Each document votes; the votes are counted, so the outcome depends on which documents are there and
never on the order in which they came, and it can be taken back when a document goes:

* *title*: a chunk of the document is about the entity because of its title; the vote is for the
  name that the document gives the entity;
* *mention*: each mention votes for its surface form;
* *name*, *alias*: what the document's own entity record says; *type* likewise.

The name is, among the forms whose key is the entity's own key if there are any (a full name beats
its short forms, however frequent those are), the one with most title votes, then most mentions,
then most name votes; ties go to the shortest, then to the lexicographically first. Every other key
has one alias, chosen the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from clew.records import Entity, IndexedDocument
from clew.text.names import name_key

VoteKind = Literal["title", "mention", "name", "alias", "type"]


class Vote(NamedTuple):
    """One form of a name (or a type, whose key is empty) and what speaks for it."""

    kind: VoteKind
    key: str
    form: str


def votes_of(indexed: IndexedDocument) -> dict[str, Counter[Vote]]:
    """Count what a document says of each entity that it mentions or is about."""
    titled = {topic.entity_id for topic in indexed.topics if topic.source == "title"}
    votes: dict[str, Counter[Vote]] = {topic.entity_id: Counter() for topic in indexed.topics}
    for mention in indexed.mentions:
        vote = Vote("mention", mention.key, mention.surface)
        votes.setdefault(mention.entity_id, Counter())[vote] += 1
    for entity in indexed.entities:
        counts = votes.get(entity.id)
        if counts is not None:
            counts.update(_declared(entity, titled=entity.id in titled))
    return votes


def _declared(entity: Entity, *, titled: bool) -> Iterable[Vote]:
    key = cached_key(entity.name)
    yield Vote("name", key, entity.name)
    if titled:
        yield Vote("title", key, entity.name)
    if entity.type:
        yield Vote("type", "", entity.type)
    for alias in entity.aliases:
        yield Vote("alias", cached_key(alias), alias)


cached_key = lru_cache(maxsize=1 << 16)(name_key)


def elect(entity_id: str, key: str, scope: str, votes: Mapping[Vote, int]) -> Entity:
    """Return the entity that the votes of all documents make."""
    forms: dict[tuple[str, str], Counter[str]] = {}
    types: Counter[str] = Counter()
    for vote, count in votes.items():
        if vote.kind == "type":
            types[vote.form] += count
        else:
            forms.setdefault((vote.key, vote.form), Counter())[vote.kind] += count
    ranked = sorted(forms, key=lambda form: (form[0] != key, *_preference(form[1], forms[form])))
    named = [form for form in ranked if set(forms[form]) != {"alias"}] or ranked
    name = named[0][1] if named else key
    aliases: dict[str, str] = {}
    for form_key, form in ranked:
        if form_key != key and form != name:
            aliases.setdefault(form_key or form, form)
    kind = min(types, key=lambda form: (-types[form], form)) if types else ""
    return Entity(
        id=entity_id,
        name=name,
        key=key,
        type=kind,
        aliases=tuple(sorted(aliases.values())),
        scope=scope,
    )


def _preference(form: str, votes: Counter[str]) -> tuple[int, int, int, int, str]:
    return -votes["title"], -votes["mention"], -votes["name"], len(form), form


def keys_of(entity_key: str, votes: Iterable[Vote]) -> set[str]:
    """The keys by which an entity is found: its own and those of all its forms."""
    keys = {vote.key for vote in votes if vote.kind != "type"}
    return (keys | {entity_key}) - {""}


def trigrams(key: str) -> set[str]:
    """Runs of three characters of a key with a blank before and behind it: what names that are
    spelled alike share. The least key (one character) still has one.
    """
    padded = f" {key} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
