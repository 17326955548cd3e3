"""Chains of relations, hop by hop: a beam over :class:`clew.answering.hops.Hopper`."""

from __future__ import annotations

from dataclasses import dataclass

from clew.answering.hops import Hop, Hopper, resolved
from clew.answering.plans import Plan, Step
from clew.answering.things import Directory, Thing, plain

BEAM = 4
KNOWN_BONUS = 1.25
UNKNOWN_LOSS = 0.8


@dataclass(frozen=True, slots=True)
class Trail:
    """Hops taken from the anchor; the last one's candidate is the answer."""

    hops: tuple[Hop, ...]
    strength: float

    @property
    def last(self) -> Hop:
        return self.hops[-1]


def follow(hopper: Hopper, plan: Plan) -> list[Trail]:
    """The best trails along the steps of ``plan``, strongest first; none when a step fails."""
    beam: list[tuple[Trail, Thing]] = [(Trail((), 1.0), plan.anchor.thing)]
    for at, step in enumerate(plan.steps):
        is_last = at == len(plan.steps) - 1
        grown = [
            (trail, thing)
            for old, at_thing in beam
            for trail, thing in _grow(hopper, old, at_thing, step, is_last=is_last)
            if thing.key not in _keys(plan, old)
        ]
        beam = sorted(grown, key=lambda pair: _order(pair[0]))[:BEAM]
    return [trail for trail, _ in beam if trail.hops]


def _keys(plan: Plan, trail: Trail) -> set[str]:
    """What the trail has been through: no chain leads back to where it was."""
    return {plan.anchor.thing.key, *(plain(hop.candidate.text) for hop in trail.hops)}


def _grow(
    hopper: Hopper, trail: Trail, thing: Thing, step: Step, *, is_last: bool
) -> list[tuple[Trail, Thing]]:
    grown = []
    for hop in hopper.take(thing, step):
        reached = resolved(hopper.directory, hop.candidate)
        strength = trail.strength * hop.strength
        if not is_last:
            known = reached.about or _is_elsewhere(hopper.directory, hop, reached)
            strength *= KNOWN_BONUS if known else UNKNOWN_LOSS
        grown.append((Trail((*trail.hops, hop), strength), reached))
    return grown


def _is_elsewhere(directory: Directory, hop: Hop, thing: Thing) -> bool:
    """Whether another sentence speaks of what was reached."""
    return any(
        sentence is not hop.sentence and directory.mentions(sentence, thing)
        for sentence in directory.evidence.sentences
    )


def _order(trail: Trail) -> tuple[float, tuple[tuple[int, int], ...]]:
    places = tuple((hop.sentence.number, hop.candidate.start) for hop in trail.hops)
    return (-round(trail.strength, 6), places)
