"""A document that goes on under another id takes with it what is kept beside its records."""

from __future__ import annotations

from dataclasses import replace

from clew.ids import content_id, document_id
from clew.models.base import Usage, UsageEntry
from clew.records import EntityMerge, IndexedDocument
from clew.stores.base import Renaming, Store
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import (
    ContractFixtures,
    assert_same_document,
    problems,
)
from clew.testing.written_documents import written_document

_TEXTS = ["Norr Bridge was built by Ada Quill.", "Norr Bridge is long."]


def _document(name: str) -> IndexedDocument:
    made = written_document(name, _TEXTS, names=("Norr Bridge", "Ada Quill"))
    return replace(made, reply_keys=("k",))


_A, _B = _document("a.txt"), _document("b.txt")
_A_TO_B = Renaming(before=_A.document.id, after=_B.document.id)
_CALL = UsageEntry(
    scope="default",
    day="2031-04-05",
    stage="extraction",
    model="maker/small",
    document_id=_A.document.id,
    usage=Usage(calls=1, input_tokens=300, output_tokens=40),
)


class RenamingContract(ContractFixtures):
    def test_records_go_and_come_in_one_commit(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        before = store.generation
        receipt = store.commit([_B], renamed=[_A_TO_B], embedding=SPACE)
        assert receipt.generation == store.generation == before + 1
        assert receipt.added["documents"] == receipt.removed["documents"] == 1
        assert store.load_document(_A.document.id) is None
        assert_same_document(store.load_document(_B.document.id), _B)
        assert problems(store) == []

    def test_replies_and_the_books_go_on_under_the_new_id(self, store: Store) -> None:
        store.commit([_A], embedding=SPACE)
        store.keep_reply("k", "told", documents=[_A.document.id])
        asked = replace(_CALL, stage="answer", document_id="", question="Who built it?")
        there = replace(_CALL, document_id=_B.document.id)
        store.record_usage([_CALL, there, asked])
        receipt = store.commit([_B], renamed=[_A_TO_B], embedding=SPACE)
        assert "replies" not in receipt.removed
        assert store.remembered(["k"]) == {"k": "told"}
        assert store.usage() == sorted([asked, there + there], key=lambda entry: entry.key)
        assert store.commit(delete=[_A.document.id]).removed == {}
        assert store.remembered(["k"]) == {"k": "told"}
        assert store.commit(delete=[_B.document.id]).removed["replies"] == 1
        assert store.remembered(["k"]) == {}

    def test_documents_may_take_each_others_names(self, store: Store) -> None:
        other = replace(
            written_document("b.txt", ["Teal is a ship."], names=("Teal",)), reply_keys=("l",)
        )
        moved = replace(
            written_document("a.txt", ["Teal is a ship."], names=("Teal",)), reply_keys=("l",)
        )
        store.commit([_A, other], embedding=SPACE)
        store.keep_reply("k", "of the bridge", documents=[_A.document.id])
        store.keep_reply("l", "of the ship", documents=[other.document.id])
        back = Renaming(before=_B.document.id, after=_A.document.id)
        store.commit([_B, moved], renamed=[_A_TO_B, back], embedding=SPACE)
        assert_same_document(store.load_document(_B.document.id), _B)
        assert_same_document(store.load_document(_A.document.id), moved)
        assert store.remembered(["k", "l"]) == {"k": "of the bridge", "l": "of the ship"}
        store.commit(delete=[_A.document.id])
        assert store.remembered(["k", "l"]) == {"k": "of the bridge"}
        assert problems(store) == []

    def test_a_merge_that_was_taken_back_stays_so(self, store: Store) -> None:
        here, there = _with_merge("a.txt"), _with_merge("b.txt")
        [merge], [moved] = here.merges, there.merges
        store.commit([here], embedding=SPACE)
        store.undo_merge(merge.id)
        without = store.load_document(here.document.id)
        assert without is not None
        assert without.merges == ()
        renaming = replace(_A_TO_B, merges={merge.id: moved.id})
        store.commit([there], renamed=[renaming], embedding=SPACE)
        found = store.load_document(there.document.id)
        assert found is not None
        assert found.merges == ()
        store.commit(delete=[there.document.id])
        store.commit([there], embedding=SPACE)
        found = store.load_document(there.document.id)
        assert found is not None
        assert found.merges == (moved,), "a deletion forgets it"


def _with_merge(name: str) -> IndexedDocument:
    """The bridge's mentions are read as the person; that is one line of the log."""
    made = written_document(name, _TEXTS, names=("Norr Bridge", "Ada Quill"))
    bridge, person = made.entities
    id_ = document_id("default", name)
    line = EntityMerge(
        id=content_id("j", id_, person.id, bridge.key),
        document_id=id_,
        entity_id=person.id,
        merged_key=bridge.key,
        merged_name=bridge.name,
        reason="for the test",
    )
    return replace(
        made,
        mentions=tuple(replace(mention, entity_id=person.id) for mention in made.mentions),
        entities=(replace(person, aliases=(bridge.name,)),),
        topics=(),
        merges=(line,),
    )
