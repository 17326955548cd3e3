"""What people decided about names is kept in order, apart from the documents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.errors import NotFoundError
from clew.records import EntityDecision
from clew.stores.base import Store
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import ContractFixtures

_JOIN = EntityDecision(
    id="n1", key="norr ltd", name="Norr Ltd", into_key="norr works", into_name="Norr Works"
)
_SPLIT = EntityDecision(
    id="n0",
    key="mercury",
    name="Mercury",
    into_key="mercury planet",
    into_name='Mercury ("planet")',
    type="PLACE",
    doc_ids=("a.md", "b, c.md"),
    scope="other",
)


class DecisionContract(ContractFixtures):
    def test_decisions_are_kept_in_the_order_in_which_they_were_made(self, store: Store) -> None:
        assert store.decisions() == []
        before = store.generation
        store.decide(_JOIN)
        store.decide(_SPLIT)
        assert store.decisions() == [_JOIN, _SPLIT]
        assert store.generation == before
        store.commit(made_documents(1, seed=3), embedding=SPACE)
        assert store.decisions() == [_JOIN, _SPLIT]

    def test_deciding_again_replaces_in_place(self, store: Store) -> None:
        store.decide(_JOIN)
        store.decide(_SPLIT)
        changed = replace(_JOIN, into_name="NORR Works")
        store.decide(changed)
        assert store.decisions() == [changed, _SPLIT]

    def test_a_decision_is_withdrawn_once(self, store: Store) -> None:
        store.decide(_JOIN)
        store.withdraw(_JOIN.id)
        assert store.decisions() == []
        with pytest.raises(NotFoundError, match=_JOIN.id):
            store.withdraw(_JOIN.id)
