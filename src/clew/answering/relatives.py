"""From ties of kinship to the answer of a step: the father of, the wife of, the children of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from clew.answering.kinship import Tie
from clew.answering.parties import Party

_SAID = 0.97
_IMPLIED = 0.7

# relation asked for -> the kin whose first party answers, the kin whose second party answers
_READ = {
    "father": (("parent",), ("child",)),
    "mother": (("parent",), ("child",)),
    "parent": (("parent",), ("child",)),
    "child": (("child",), ("parent",)),
    "son": (("child",), ("parent",)),
    "daughter": (("child",), ("parent",)),
    "spouse": (("spouse",), ("spouse",)),
    "wife": (("spouse",), ("spouse",)),
    "husband": (("spouse",), ("spouse",)),
    "sibling": (("sibling",), ("sibling",)),
    "brother": (("sibling",), ("sibling",)),
    "sister": (("sibling",), ("sibling",)),
    "grandfather": (("grandparent",), ("grandchild",)),
    "grandmother": (("grandparent",), ("grandchild",)),
    "grandchild": (("grandchild",), ("grandparent",)),
    "uncle": (("uncle",), ("nephew",)),
    "aunt": (("uncle",), ("nephew",)),
}
KIN_RELATIONS = frozenset(_READ)

SexOf = Callable[[tuple[int, int]], str]


def relatives(
    ties: Iterable[Tie], relation: str, gender: str, is_it: Callable[[Party], bool], sex_of: SexOf
) -> Iterator[tuple[tuple[int, int], float, int]]:
    """Yield (party, strength in 0–1, token that says it) for each that stands in ``relation`` to
    what ``is_it`` recognises; ``gender`` is the one that the relation wants, ``""`` for either.
    """
    ties = tuple(ties)
    ours, theirs = _READ.get(relation, ((), ()))
    for tie in ties:
        if tie.kin in ours and tie.one is not None and is_it(tie.other) and not is_it(tie.one):
            agreement = _agreement(tie.one_sex or sex_of(tie.one), gender)
            if not (gender and tie.one_sex == _opposite(gender)):
                yield tie.one, _SAID * agreement, tie.at
        if tie.kin in theirs and tie.other is not None and is_it(tie.one) and not is_it(tie.other):
            sex = tie.other_sex or sex_of(tie.other) or _opposite(_partner(ties, tie, sex_of))
            if not (gender and tie.other_sex == _opposite(gender)):
                yield tie.other, _SAID * _agreement(sex, gender, tie), tie.at
    if "spouse" in ours:
        yield from _fellow_parents(ties, gender, is_it, sex_of)
    if "sibling" in ours:
        yield from _fellow_children(ties, gender, is_it, sex_of)


def leaves_open(tie: Tie, relation: str, is_it: Callable[[Party], bool]) -> bool:
    """Whether the tie says the relation of what ``is_it`` recognises, but not to whom: "HIS son
    Ola".
    """
    ours, theirs = _READ.get(relation, ((), ()))
    if tie.kin in theirs and tie.other is None and tie.one is not None and is_it(tie.one):
        return True
    return tie.kin in ours and tie.one is None and tie.other is not None and is_it(tie.other)


def _partner(ties: tuple[Tie, ...], tie: Tie, sex_of: SexOf) -> str:
    """The sex of the other party of "son of A and B"."""
    others = (
        t for t in ties if t.at == tie.at and t.kin == tie.kin and t.other not in {tie.other, None}
    )
    return next((t.other_sex or sex_of(t.other) for t in others if t.other), "")


def _opposite(sex: str) -> str:
    return {"m": "f", "f": "m"}.get(sex, "")


def _agreement(sex: str, gender: str, tie: Tie | None = None) -> float:
    if not gender or sex == gender:
        return 1.0
    if sex:
        return 0.05
    if tie is None:
        return 0.7
    return 0.8 if (tie.order == 0) == (gender == "m") else 0.35


def _fellow_parents(
    ties: tuple[Tie, ...], gender: str, is_it: Callable[[Party], bool], sex_of: SexOf
) -> Iterator[tuple[tuple[int, int], float, int]]:
    """Two parents of one child, where nothing says that they are married."""
    for tie in ties:
        if tie.kin != "child" or tie.other is None or not is_it(tie.other):
            continue
        for other in ties:
            if other.at == tie.at and other.kin == "child" and other.other not in {None, tie.other}:
                assert other.other is not None
                sex = other.other_sex or sex_of(other.other)
                yield other.other, _IMPLIED * _agreement(sex, gender), tie.at


def _fellow_children(
    ties: tuple[Tie, ...], gender: str, is_it: Callable[[Party], bool], sex_of: SexOf
) -> Iterator[tuple[tuple[int, int], float, int]]:
    """Two children of one parent: "the father of Ola and Kari"."""
    children = [
        (tie.at, tie.other, tie.other_sex)
        if tie.kin == "parent"
        else (tie.at, tie.one, tie.one_sex)
        for tie in ties
        if tie.kin in {"parent", "child"}
    ]
    ours = {at for at, child, _ in children if child is not None and is_it(child)}
    for at, child, sex in children:
        if at in ours and child is not None and not is_it(child):
            yield child, _SAID * _agreement(sex or sex_of(child), gender), at
