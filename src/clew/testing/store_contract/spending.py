"""What is kept of paid calls: replies of whole prompts, and the books."""

from __future__ import annotations

from dataclasses import replace

from clew.models.base import PaidReply, Usage, UsageEntry
from clew.stores.base import Store
from clew.testing.made_documents import SPACE, made_documents
from clew.testing.store_contract.fixtures import ContractFixtures

_A, _B = made_documents(2, seed=23)
_CALL = UsageEntry(
    scope="default",
    day="2031-04-05",
    stage="extraction",
    model="maker/small",
    document_id=_A.document.id,
    usage=Usage(calls=1, cached_calls=2, input_tokens=300, output_tokens=40),
    estimated_tokens=280,
    seconds=1.5,
    cost=0.25,
    currency="EUR",
)


class SpendingContract(ContractFixtures):
    def test_a_reply_goes_with_any_document_behind_it(self, store: Store) -> None:
        before = store.generation
        store.keep_reply("k", "of both", documents=[_A.document.id, _B.document.id])
        assert store.remembered(["k", "other"]) == {"k": "of both"}
        assert store.generation == before
        store.commit([_A], embedding=SPACE)
        assert store.remembered(["k"]) == {"k": "of both"}, "the other is not committed yet"
        store.commit([_B], embedding=SPACE)
        assert store.remembered(["k"]) == {}

    def test_a_reply_stays_with_a_document_that_is_made_from_it(self, store: Store) -> None:
        store.keep_reply("k", "one", documents=[_A.document.id])
        store.keep_reply("k", "newer", documents=[_A.document.id])
        store.commit([replace(_A, reply_keys=("k",))], embedding=SPACE)
        assert store.remembered(["k"]) == {"k": "newer"}
        store.commit(delete=[_A.document.id])
        assert store.remembered(["k"]) == {}

    def test_what_was_told_of_several_documents_goes_with_the_first_that_is_deleted(
        self, store: Store
    ) -> None:
        made_from = replace(_B, reply_keys=("own",))
        store.commit([_A, made_from], embedding=SPACE)
        store.keep_reply("own", "of equal texts", documents=[_A.document.id, _B.document.id])
        store.keep_reply("k", "an answer", documents=[_A.document.id, _B.document.id, "dlater"])
        receipt = store.commit(delete=[_A.document.id])
        assert store.remembered(["k", "own"]) == {"own": "of equal texts"}
        assert receipt.removed["replies"] == 4

    def test_a_reply_without_a_document_stays_until_something_is_removed(
        self, store: Store
    ) -> None:
        store.keep_reply("k", "of a question")
        store.commit([_A], embedding=SPACE)
        assert store.remembered(["k"]) == {"k": "of a question"}
        store.commit(delete=["dnever"])
        assert store.remembered(["k"]) == {"k": "of a question"}
        store.commit([replace(_A, reply_keys=("other",))], embedding=SPACE)
        assert store.remembered(["k"]) == {}, "a document that is replaced is removed too"

    def test_replies_and_what_they_cost_are_kept_at_once(self, store: Store) -> None:
        replies = [
            PaidReply(key="k", text="one", documents=(_A.document.id,)),
            PaidReply(key="l", text="two"),
        ]
        store.keep_replies(replies, [_CALL])
        assert store.remembered(["k", "l"]) == {"k": "one", "l": "two"}
        assert store.usage() == [_CALL]

    def test_the_books_add_up(self, store: Store) -> None:
        assert store.usage() == []
        before = store.generation
        other = replace(_CALL, stage="answer", document_id="", question="Who built it?")
        store.record_usage([_CALL, other])
        store.record_usage([replace(_CALL, cost=0.5), replace(_CALL, document_id="d2")])
        twice = replace(
            _CALL,
            usage=Usage(calls=2, cached_calls=4, input_tokens=600, output_tokens=80),
            estimated_tokens=560,
            seconds=3.0,
            cost=0.75,
        )
        expected = [other, twice, replace(_CALL, document_id="d2")]
        assert store.usage() == sorted(expected, key=lambda entry: entry.key)
        assert store.generation == before

    def test_an_unknown_cost_is_not_nothing(self, store: Store) -> None:
        unknown = replace(_CALL, cost=None, currency="")
        store.record_usage([_CALL, unknown, unknown])
        costs = {entry.cost: entry.usage.calls for entry in store.usage()}
        assert costs == {0.25: 1, None: 2}

    def test_deleting_keeps_what_was_spent_and_no_name(self, store: Store) -> None:
        store.commit([_A, _B], embedding=SPACE)
        of_b = replace(_CALL, document_id=_B.document.id)
        asked = replace(_CALL, stage="answer", document_id="", question="Who built it?")
        store.record_usage([_CALL, of_b, asked, replace(asked, question="And when?")])
        store.commit([replace(_A, reply_keys=("k",))], embedding=SPACE)
        assert len(store.usage()) == 4, "an update forgets nothing"
        store.commit(delete=[_A.document.id])
        nameless = replace(_CALL, document_id="")
        both = replace(asked, question="") + asked
        assert store.usage() == sorted([both, nameless, of_b], key=lambda entry: entry.key)
