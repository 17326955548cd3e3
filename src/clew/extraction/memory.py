"""The things that a document has spoken of so far, to be offered where a later chunk is unclear."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clew.extraction.facts.pronouns import is_pronoun
from clew.extraction.model_types import plain_type
from clew.extraction.named_things import NamedThing
from clew.text.names import name_key

_NO_THINGS = frozenset({"DATE", "QUANTITY", "CONCEPT", "NUMBER", "TIME", "VALUE", "MONEY"})
_LONGEST_NAME = 100


@dataclass(slots=True)
class _Thing:
    name: str
    type: str = ""
    last: int = 0
    times: int = 0
    aliases: list[str] = field(default_factory=list)


class EntityMemory:
    """Names in the order of the text. What was named last comes first; a short form that belongs
    to one full name only ("Holm") is shown beside it.
    """

    def __init__(self) -> None:
        self._things: dict[str, _Thing] = {}
        self._passages = 0

    def add(self, named: Iterable[NamedThing]) -> None:
        """Take in what the next chunk names."""
        self._passages += 1
        for name, kind in named:
            key, plain = name_key(name), plain_type(kind)
            shown = " ".join(name.split())
            if (
                key
                and len(shown) <= _LONGEST_NAME
                and plain not in _NO_THINGS
                and not is_pronoun(shown)
            ):
                thing = self._things.setdefault(key, _Thing(shown))
                thing.type = thing.type or plain
                thing.last = self._passages
                thing.times += 1

    def offered(self, most: int) -> tuple[str, ...]:
        """Up to ``most`` lines such as ``Ida Holm (PERSON, also Holm)``."""
        things = self._joined()
        order = sorted(things.items(), key=lambda one: (-one[1].last, -one[1].times, one[0]))
        return tuple(_line(thing) for _, thing in order[:most])

    def _joined(self) -> dict[str, _Thing]:
        things = {
            key: _Thing(thing.name, thing.type, thing.last, thing.times)
            for key, thing in self._things.items()
        }
        full: dict[str, list[str]] = {}
        for key in things:
            words = key.split()
            for word in {words[0], words[-1]} if len(words) > 1 else ():
                full.setdefault(word, []).append(key)
        for key in [key for key in things if len(full.get(key, ())) == 1]:
            short, long = things.pop(key), things[full[key][0]]
            long.aliases.append(short.name)
            long.last = max(long.last, short.last)
            long.times += short.times
        return things


def _line(thing: _Thing) -> str:
    notes = ", ".join(
        [*([thing.type] if thing.type else []), *(f"also {n}" for n in thing.aliases)]
    )
    return f"{thing.name} ({notes})" if notes else thing.name
