"""Forms of address: what makes a run of capitals a person, and which."""

from __future__ import annotations

MALE_TITLES = frozenset(
    "mr. mr sir lord king prince duke count earl baron emperor sultan emir archduke marquess "
    "marquis viscount father brother pope".split()
)
FEMALE_TITLES = frozenset(
    "mrs. mrs ms. ms miss dame lady queen princess duchess countess baroness empress archduchess "
    "marchioness viscountess sister".split()
)
TITLES = (
    MALE_TITLES
    | FEMALE_TITLES
    | frozenset(
        "dr. dr prof. prof professor doctor president senator governor mayor judge justice captain "
        "capt. colonel col. general gen. major lieutenant lt. sergeant admiral commander reverend "
        "rev. bishop archbishop cardinal saint chancellor minister secretary chief ceo".split()
    )
)
SUFFIXES = frozenset("jr. jr sr. sr ii iii iv v vi vii viii".split())
RANKS = frozenset(
    "duke duchess earl count countess baron baroness marquess marquis marchioness viscount "
    "viscountess prince princess king queen landgrave margrave elector lord lady baronet "
    "archduke archduchess".split()
)
