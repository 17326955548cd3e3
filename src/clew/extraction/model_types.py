"""The types of entities as models write them, in the words that the rules use."""

from __future__ import annotations

from clew.extraction.lexicon.types import ORG, PERSON, PLACE, WORK

_TYPES = {
    "PER": PERSON, "HUMAN": PERSON, "PEOPLE": PERSON,
    "ORGANIZATION": ORG, "ORGANISATION": ORG, "COMPANY": ORG, "INSTITUTION": ORG, "TEAM": ORG,
    "LOCATION": PLACE, "LOC": PLACE, "GPE": PLACE, "CITY": PLACE, "COUNTRY": PLACE, "TOWN": PLACE,
    "FACILITY": PLACE, "FAC": PLACE,
    "WORK_OF_ART": WORK, "BOOK": WORK, "FILM": WORK, "SONG": WORK, "ALBUM": WORK,
}  # fmt: skip


def plain_type(kind: str) -> str:
    """A type as a model writes it, in the word that the rules use.

    >>> plain_type("organization"), plain_type(" Person "), plain_type("Art work")
    ('ORG', 'PERSON', 'ART_WORK')
    """
    plain = kind.strip().upper().replace(" ", "_").replace("-", "_")
    return _TYPES.get(plain, plain)
