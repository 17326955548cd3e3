"""A name in a question, what it may mean, and how it was recognised."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from clew.results import NameLink
from clew.stores.base import Numbers
from clew.text.names import name_key

How = Literal["exact", "alias", "acronym", "form", "typo", "partial", "embedding"]
"""``exact``: as the documents call it; ``alias``: by another of its names; ``acronym``: by first
letters, or the other way round; ``form``: with another ending or article; ``typo``: misspelt;
``partial``: by a part of its name; ``embedding``: by a name of much the same meaning."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class LinkedName:
    """A name as the question has it, and the entities that it may mean.

    ``start`` and ``end`` are offsets into the question (both 0 for a name that a model added).
    ``similarity`` is 1 for a name that is written like one of the entity's own, ``distance`` the
    number of letters that are wrong, and ``spelling`` the name as it should be then. ``meanings``
    are display names, as many as there are entities, in the same order.
    """

    text: str
    start: int
    end: int
    entities: Numbers
    similarity: float = 1.0
    how: How = "exact"
    distance: int = 0
    spelling: str = ""
    meanings: tuple[str, ...] = ()

    @property
    def ambiguous(self) -> bool:
        """Whether a part of a name was given that several have."""
        different = {name_key(meaning).removeprefix("the ") for meaning in self._fuller}
        return self.how in ("partial", "acronym") and len(different) > 1

    def doubt(self) -> str:
        """A note on what an ambiguous name may mean."""
        return f"{self.text!r} may mean {' or '.join(self._fuller)}"

    @property
    def _fuller(self) -> tuple[str, ...]:
        """The meanings that say more than the name itself."""
        key = name_key(self.text)
        return tuple(dict.fromkeys(name for name in self.meanings if name_key(name) != key))

    def shown(self) -> NameLink:
        """The link as results show it."""
        return NameLink(
            text=self.text,
            start=self.start,
            end=self.end,
            entities=tuple(dict.fromkeys(self.meanings)),
            how=self.how,
            similarity=round(self.similarity, 4),
            distance=self.distance,
        )


def well_spelt(question: str, names: Iterable[LinkedName]) -> str:
    """The question with its misspelt names put right."""
    wrong = sorted((name for name in names if name.spelling), key=lambda name: -name.start)
    for name in wrong:
        if name.end:
            question = question[: name.start] + name.spelling + question[name.end :]
    return question
