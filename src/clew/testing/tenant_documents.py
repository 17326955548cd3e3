"""Documents of tenants that contradict each other about the same things, for tests of what each may
see.

Every document says who founded a works, under one of the names that the works has, and names a
founder, a town and a word that no other document has. So whatever shows of a document that must not
be seen can be told by its text, and whatever counts it changes a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from clew.config import ClewConfig
from clew.knowledge_base import KnowledgeBase
from clew.records import IndexedDocument
from clew.testing.fake_embedder import FakeEmbedder

EMBEDDER = FakeEmbedder()
TENANTS = ("acme", "beta")
FOUNDERS = (
    "Abel Rudd", "Bea Vann", "Cato Ives", "Dina Moss", "Egil Fjord", "Frida Lunde", "Geir Sand",
    "Hilde Berg",
)  # fmt: skip
TOWNS = ("Askim", "Bergby", "Dalvik", "Elverum", "Fagernes", "Grimstad", "Halden", "Kongsvik")
MARKS = ("quarry", "lantern", "herring", "turbine", "orchard", "granite", "copper", "walnut")
_NAMES = (
    "Norr Works", "NORR WORKS", "Norr Works (NW)", "Quill and Marlow Steelworks (QMS)",
    "Quill and Marlow Steelworks", "Norr",
)  # fmt: skip
QUESTIONS = (
    "Who founded Norr Works?",
    "Where does the founder of NW live?",
    "When was QMS founded, and by whom?",
    "What does the quarry of Quil and Marlow Steelworks deliver?",
    "Who founded Norr, and where does Abel Rudd live?",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Claim:
    """What the document ``number`` of ``tenant`` says: by which name of the works, and with which
    metadata.
    """

    number: int
    tenant: str
    name: int
    year: int
    tags: tuple[str, ...]
    titled: bool

    @property
    def doc_id(self) -> str:
        return f"report-{self.number}.txt"

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no other document has: a founder, a town, a word."""
        return FOUNDERS[self.number], TOWNS[self.number], MARKS[self.number]

    @property
    def metadata(self) -> dict[str, Any]:
        return {"year": self.year, "tags": list(self.tags), "tenant": self.tenant}

    @property
    def text(self) -> str:
        works, founder = _NAMES[self.name], FOUNDERS[self.number]
        return (
            f"{works} was founded by {founder} in {1900 + self.year}. "
            f"{founder} lives in {TOWNS[self.number]}.\n\n"
            f"The {MARKS[self.number]} of {works} delivers iron to {TOWNS[self.number]}."
        )


def claims(most: int = 6) -> SearchStrategy[list[Claim]]:
    """Up to ``most`` documents of both tenants."""

    def numbered(parts: Sequence[tuple[str, int, int, list[str], bool]]) -> list[Claim]:
        return [
            Claim(number=at, tenant=tenant, name=name, year=year, tags=tuple(tags), titled=titled)
            for at, (tenant, name, year, tags, titled) in enumerate(parts)
        ]

    part = st.tuples(
        st.sampled_from(TENANTS),
        st.integers(0, len(_NAMES) - 1),
        st.integers(0, 4),
        st.lists(st.sampled_from(("mill", "river", "old")), unique=True, max_size=2),
        st.booleans(),
    )
    return st.lists(part, min_size=2, max_size=most).map(numbered)


def filters() -> SearchStrategy[dict[str, Any] | None]:
    """Clauses of every kind over the metadata of claims."""
    year = st.integers(0, 4)
    simple = st.one_of(
        st.builds(lambda value: {"year": value}, year),
        st.builds(
            lambda name, value: {"year": {name: value}},
            st.sampled_from(("$gt", "$gte", "$lt", "$lte", "$ne")),
            year,
        ),
        st.builds(lambda some: {"year": {"$in": some}}, st.lists(year, max_size=3)),
        st.builds(
            lambda tag: {"tags": {"$contains": tag}}, st.sampled_from(("mill", "river", "old"))
        ),
        st.builds(lambda tenant: {"tenant": tenant}, st.sampled_from(TENANTS)),
        st.builds(
            lambda numbers: {"doc_id": {"$nin": [f"report-{at}.txt" for at in numbers]}},
            st.lists(st.integers(0, 7), max_size=3),
        ),
    )
    joined = st.one_of(
        simple,
        st.builds(lambda one: {"$not": one}, simple),
        st.builds(
            lambda name, some: {name: some},
            st.sampled_from(("$and", "$or")),
            st.lists(simple, min_size=1, max_size=3),
        ),
    )
    return st.one_of(st.none(), joined)


@lru_cache(maxsize=4096)
def claimed(claim: Claim, scope: str) -> IndexedDocument:
    """The document of a claim as it is indexed by rules, in ``scope``."""
    config = ClewConfig(scope=scope)
    with KnowledgeBase.in_memory(embedding=EMBEDDER, config=config) as kb:
        kb.ingest_text(
            claim.text,
            name=claim.doc_id,
            title=_NAMES[claim.name] if claim.titled else "",
            metadata=claim.metadata,
        )
        return kb.document(claim.doc_id)
