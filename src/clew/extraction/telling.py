"""What one reply tells of each chunk that it was asked for, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from clew.extraction.grounding import Grounds
from clew.extraction.passages import Passage
from clew.extraction.replies import read_units
from clew.extraction.splitting import apart
from clew.extraction.unit_replies import UnitReply
from clew.models.base import Completion

_SMALL_CONTEXT = "; a model with a small context may need a smaller chunk_size, or ku_batch_size=1"
_THOUGHT_AWAY = (
    "the reply is empty, for it was cut off before its first word; a model that thinks first may "
    "need a higher llm_max_tokens, or to be told to think less"
)
NOT_BORNE_OUT = "the passage bears out nothing of what the model said"


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What the model said of a chunk, and what was wrong with it: ``failed`` tells that there was
    no reply at all, ``unread`` is a whole reply of which nothing could be read, ``cut_by_limit``
    marks one that used up the tokens it was given.
    """

    units: tuple[UnitReply, ...] = ()
    problem: str = ""
    failed: bool = False
    unread: str | None = None
    cut_by_limit: bool = False

    @property
    def reason(self) -> str:
        return self.problem.removesuffix(_SMALL_CONTEXT)

    @classmethod
    def of(cls, outcome: Completion | Exception, batch: Sequence[Passage]) -> list[Self]:
        """What a reply to a question about ``batch`` tells of each passage, in order."""
        if isinstance(outcome, Exception):
            return [cls(problem=f"{outcome}" or type(outcome).__name__, failed=True)] * len(batch)
        replies = read_units(outcome.text)
        units = _atomic(replies.units)
        cut = outcome.truncated
        if not replies.readable:
            reason = "is empty" if not outcome.text.strip() else "holds no JSON of statements"
            thought = cut and not outcome.text.strip()
            problem = _THOUGHT_AWAY if thought else f"the reply {reason}{_SMALL_CONTEXT}"
            unread = None if cut else outcome.text
            return [cls(problem=problem, unread=unread, cut_by_limit=cut)] * len(batch)
        if replies.whole and len(batch) == 1:
            return [cls(units=units, problem=_lack(units))]
        grounds = [passage.grounds for passage in batch] if len(batch) > 1 else []
        dealt = _dealt(units, batch, grounds)
        if replies.whole:
            return [
                cls(units=units, problem=_lack(units) or _unborne(units, own))
                for units, own in zip(dealt, grounds, strict=True)
            ]
        last = max((place for place, units in enumerate(dealt) if units), default=0)
        return [
            cls(units=units, problem=_lack(units))
            if place < last
            else cls(units=units, problem=_cut_off(len(units)), cut_by_limit=cut)
            for place, units in enumerate(dealt)
        ]


def told_of(units: Sequence[UnitReply]) -> Told:
    """What a whole reply with just these units tells."""
    return Told(units=_atomic(units), problem=_lack(units))


def _atomic(units: Sequence[UnitReply]) -> tuple[UnitReply, ...]:
    return tuple(part for unit in units for part in apart(unit))


def _lack(units: Sequence[UnitReply]) -> str:
    return "" if units else f"the reply holds no statement{_SMALL_CONTEXT}"


NOTHING = told_of(())


def _cut_off(whole: int) -> str:
    return f"the reply was cut off; {whole} whole statements were kept{_SMALL_CONTEXT}"


def _dealt(
    units: Sequence[UnitReply], batch: Sequence[Passage], grounds: Sequence[Grounds]
) -> list[tuple[UnitReply, ...]]:
    """Give each passage its statements: by the number that the model gave, where that passage bears
    them out (models count from 0, or miscount), else by the words.
    """
    if len(batch) == 1:
        return [tuple(units)]
    dealt: list[list[UnitReply]] = [[] for _ in batch]
    texts: list[Grounds] = []
    for unit in units:
        told = None if unit.passage is None else unit.passage - 1
        place = told if told is not None and 0 <= told < len(batch) else None
        if place is None or not grounds[place].support(unit.text, unit.entities):
            bearing = [at for at, ground in enumerate(grounds) if ground.support(unit.text)]
            texts = texts or [Grounds(passage.chunk.text) for passage in batch]
            place = _closest(unit.text, bearing, texts) if bearing or place is None else place
        dealt[place].append(unit)
    return [tuple(found) for found in dealt]


def _closest(text: str, bearing: Sequence[int], texts: Sequence[Grounds]) -> int:
    """The passage that has most words of ``text``, among those that bear it out if any do."""
    shares = {at: texts[at].share(text) for at in bearing or range(len(texts))}
    return max(shares, key=lambda at: shares[at])


def _unborne(units: Sequence[UnitReply], grounds: Grounds) -> str:
    """What is wrong with a batch's statements for a passage that bears out none of them."""
    if not units or any(grounds.support(unit.text, unit.entities) for unit in units):
        return ""
    return NOT_BORNE_OUT
