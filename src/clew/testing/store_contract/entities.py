"""Entities that documents share: what they are called, how they are found, undone merges."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from clew import ids
from clew.errors import NotFoundError
from clew.records import Entity, EntityMerge, IndexedDocument, Mention
from clew.stores.base import Store
from clew.stores.memory import KnowledgeGraph
from clew.testing.made_documents import SPACE
from clew.testing.store_contract.fixtures import (
    ContractFixtures,
    MakeStore,
    assert_same_document,
    problems,
)
from clew.testing.written_documents import written_document

Both = tuple[Store, KnowledgeGraph]


class EntityContract(ContractFixtures):
    def test_names_types_and_aliases_equal_the_reference(self, filled: Both) -> None:
        store, reference = filled
        expected = {entity.id: entity for entity in reference.entities}
        numbers = store.numbers_of("entity", list(expected))
        found = {entity.id: entity for entity in store.get_entities(numbers)}
        assert found == expected
        assert any(entity.aliases for entity in found.values())

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_the_order_of_documents_does_not_name(self, store: Store, order: list[int]) -> None:
        documents = [
            written_document(
                "a", ["NORR BRIDGE is old.", "NORR BRIDGE fell."], names=["NORR BRIDGE"]
            ),
            written_document("b", ["Norr Bridge is long."], names=["Norr Bridge"]),
            written_document("c", ["Norr bridge, Norr bridge."], names=["Norr bridge"]),
        ]
        for at in order:
            store.commit([documents[at]], embedding=SPACE)
        assert _named(store, "norr bridge").name == "NORR BRIDGE"
        store.commit(delete=[documents[0].document.id])
        assert _named(store, "norr bridge").name == "Norr bridge"
        store.commit(delete=[documents[2].document.id])
        assert _named(store, "norr bridge").name == "Norr Bridge"
        assert problems(store) == []

    def test_the_surface_of_a_title_wins(self, store: Store) -> None:
        often = written_document("a", ["norr bridge, norr bridge."], names=["norr bridge"])
        titled = written_document("b", ["It is long."], title="Norr Bridge")
        store.commit([often, titled], embedding=SPACE)
        assert _named(store, "norr bridge").name == "Norr Bridge"
        store.commit(delete=[titled.document.id])
        assert _named(store, "norr bridge").name == "norr bridge"

    def test_the_most_frequent_type_wins(self, store: Store) -> None:
        def typed(name: str, kind: str) -> IndexedDocument:
            plain = written_document(name, ["Norr is here."], names=["Norr"])
            return replace(plain, entities=(replace(plain.entities[0], type=kind),))

        store.commit(
            [typed("a", "PLACE"), typed("b", "PERSON"), typed("c", "PLACE")], embedding=SPACE
        )
        assert _named(store, "norr").type == "PLACE"
        store.commit(delete=[typed("a", "").document.id, typed("c", "").document.id])
        assert _named(store, "norr").type == "PERSON"

    def test_a_topic_alone_keeps_an_entity(self, store: Store) -> None:
        about = written_document("a", ["It is long."], title="Norr Bridge")
        store.commit([about], embedding=SPACE)
        entity = store.find_entities(["norr bridge"]).targets
        assert len(store.chunks_about(entity).targets) == 1
        assert store.units_of_entities(entity).targets.tolist() == []
        assert store.entity_frequencies(entity).tolist() == [0]
        assert store.stats()["entities"] == 1
        store.commit(delete=[about.document.id])
        assert store.stats()["entities"] == 0

    # --- look-ups -------------------------------------------------------------------------------

    def test_an_alias_finds(self, store: Store) -> None:
        merged = _merged_document()
        store.commit([merged], embedding=SPACE)
        links = store.find_entities(["jane roe", "j roe", "roe", "nobody", ""])
        assert np.diff(links.indptr).tolist() == [1, 1, 1, 0, 0]
        assert len(set(links.targets.tolist())) == 1
        assert _named(store, "roe").aliases == ("J. Roe", "Roe")

    def test_misspelt_names_equal_the_reference(self, filled: Both) -> None:
        _, reference = filled
        for entity in reference.entities[::5]:
            typo = entity.key[:-2] + entity.key[-1]
            for threshold in (0.9, 0.6):
                found = [
                    {
                        item.id: score
                        for item, score in zip(
                            reader.get_entities(ranking.numbers),
                            ranking.scores.tolist(),
                            strict=True,
                        )
                    }
                    for reader in filled
                    for ranking in [reader.similar_entities(typo, threshold=threshold, k=50)]
                ]
                assert found[0].keys() == found[1].keys()
                assert found[0] == pytest.approx(found[1])
            assert entity.id in found[0]

    def test_similarity_has_bounds(self, store: Store) -> None:
        names = ["Norr Bridge", "Norr Bridges", "Vell"]
        store.commit([written_document("a", names, names=names[:1] + names[2:])], embedding=SPACE)
        exact = store.similar_entities("norr bridge", threshold=1.0, k=5)
        assert exact.scores.tolist() == [1.0]
        assert store.similar_entities("zzzz", threshold=0.1, k=5).numbers.tolist() == []
        assert len(store.similar_entities("norr bridg", threshold=0.5, k=1).numbers) == 1
        assert store.similar_entities("norr bridge", threshold=0.5, k=0).numbers.tolist() == []

    def test_a_slip_anywhere_in_a_long_word_is_found(self, store: Store) -> None:
        name = "sunniva krag"
        store.commit(
            [written_document("a", ["Sunniva Krag."], names=["Sunniva Krag"])], embedding=SPACE
        )
        for at in range(1, 7):
            slips = {name[:at] + name[at + 1 :], name[:at] + "x" + name[at:]}
            slips |= {name[:at] + "x" + name[at + 1 :]}
            slips |= {name[: at - 1] + name[at] + name[at - 1] + name[at + 1 :]}
            for slip in slips:
                assert len(store.similar_entities(slip, threshold=0.8, k=5).numbers) == 1, slip

    def test_a_part_of_a_name_finds_it(self, filled: Both) -> None:
        _, reference = filled
        for entity in reference.entities[::3]:
            for phrase in (entity.key.split(" ")[-1], entity.key.split(" ")[0][:3]):
                found = [
                    {item.id for item in reader.get_entities(ranking.numbers)}
                    for reader in filled
                    for ranking in [reader.entities_holding(phrase, k=1000)]
                ]
                assert found[0] == found[1]
                assert (entity.id in found[0]) == (f" {phrase} " in f" {entity.key} ")

    def test_parts_of_names_are_whole_words(self, store: Store) -> None:
        names = ["Norr Bridge", "Norr Bridge Inn", "Norrland", "Old Norr"]
        store.commit([written_document("a", names, names=names)], embedding=SPACE)

        def named(phrase: str, k: int = 9) -> list[str]:
            ranking = store.entities_holding(phrase, k=k)
            return [entity.name for entity in store.get_entities(ranking.numbers)]

        assert named("norr") == ["Old Norr", "Norr Bridge", "Norr Bridge Inn"]
        assert named("norr bridge", 1) == ["Norr Bridge"]
        assert named("bridge norr") == named("rid") == named("") == []

    def test_first_letters_find_a_name(self, store: Store) -> None:
        names = ["Bank of Norr", "Bo Orm Nilsen", "Bonn", "Union"]
        store.commit([written_document("a", names, names=names)], embedding=SPACE)

        def named(letters: str, k: int = 9) -> set[str]:
            numbers = store.entities_abbreviated(letters, k=k)
            return {entity.name for entity in store.get_entities(numbers)}

        assert named("bon") == {"Bank of Norr", "Bo Orm Nilsen"}
        assert named("bn") == {"Bank of Norr"}
        assert named("bo*") == named("") == named("xyz") == set()
        assert len(named("bon", 1)) == 1

    def test_names_with_accents_are_found_without(self, store: Store) -> None:
        names = ["José Đặng", "Łódź"]
        store.commit([written_document("a", names, names=names)], embedding=SPACE)
        links = store.find_entities(["jose dang", "josé đặng", "lodz", "jose"])
        assert np.diff(links.indptr).tolist() == [1, 1, 1, 0]
        assert list(store.check()) == []

    def test_completion(self, store: Store) -> None:
        names = ["Norr Bridge", "Norr Works", "North", "Vell"]
        store.commit([written_document("a", names, names=names)], embedding=SPACE)
        assert store.entity_names("norr", k=9) == ["Norr Bridge", "Norr Works"]
        assert store.entity_names("NO", k=2) == ["Norr Bridge", "Norr Works"]
        assert store.entity_names("", k=9) == ["Norr Bridge", "Norr Works", "North", "Vell"]
        assert store.entity_names("x", k=9) == []
        assert store.entity_names("norr", k=0) == []

    # --- merges ---------------------------------------------------------------------------------

    def test_a_merge_can_be_undone(self, make_store: MakeStore) -> None:
        store = make_store()
        merged = _merged_document()
        other = written_document("b", ["Roe sleeps."], names=["Roe"])
        other = replace(other, mentions=_read_as(other, "jane roe"), entities=_jane())
        store.commit([merged, other], embedding=SPACE)
        assert store.merges() == sorted(merged.merges, key=lambda line: line.id)
        assert store.merges(document_id="dnothing") == []
        line = next(item for item in merged.merges if item.merged_key == "roe")
        before = store.generation
        store.undo_merge(line.id)
        assert store.generation == before + 1
        assert [item.merged_key for item in store.merges()] == ["j roe"]
        links = store.find_entities(["roe", "j roe"])
        keys = [entity.key for entity in store.get_entities(links.targets)]
        assert sorted(keys[:2]) == ["jane roe", "roe"], "the other document still reads Roe as Jane"
        assert keys[2:] == ["jane roe"]
        own = store.numbers_of("entity", [ids.entity_id("default", "roe")])
        units = store.get_units(store.units_of_entities(own).targets)
        assert [unit.text for unit in units] == ["Roe wrote."]
        assert problems(store) == []
        with pytest.raises(NotFoundError, match=line.id):
            store.undo_merge(line.id)
        loaded = store.load_document(merged.document.id)
        assert loaded is not None
        assert {item.entity_id for item in loaded.mentions if item.key == "roe"} == {
            ids.entity_id("default", "roe")
        }
        store.close()

    def test_an_undone_merge_stays_undone(self, store: Store) -> None:
        merged = _merged_document()
        store.commit([merged], embedding=SPACE)
        line = next(item for item in merged.merges if item.merged_key == "roe")
        store.undo_merge(line.id)
        undone = store.load_document(merged.document.id)
        assert undone is not None
        store.commit([merged], embedding=SPACE)
        assert_same_document(store.load_document(merged.document.id), undone)
        store.commit(delete=[merged.document.id])
        store.commit([merged], embedding=SPACE)
        assert_same_document(store.load_document(merged.document.id), merged)

    def test_undoing_the_last_use_removes_the_entity(self, store: Store) -> None:
        plain = written_document("a", ["Roe wrote."], names=["Roe"])
        merge = _merge(plain, "roe", "Roe")
        store.commit(
            [
                replace(
                    plain,
                    mentions=_read_as(plain, "jane roe"),
                    entities=_jane(),
                    merges=(merge,),
                )
            ],
            embedding=SPACE,
        )
        store.undo_merge(merge.id)
        links = store.find_entities(["jane roe", "roe"])
        assert np.diff(links.indptr).tolist() == [0, 1]
        assert store.get_entities(links.targets)[0].name == "Roe"
        assert store.merges() == []
        assert problems(store) == []


def _named(store: Store, key: str) -> Entity:
    return store.get_entities(store.find_entities([key]).targets)[0]


def _jane(*aliases: str) -> tuple[Entity, ...]:
    return (
        Entity(
            id=ids.entity_id("default", "jane roe"),
            name="Jane Roe",
            key="jane roe",
            aliases=aliases,
        ),
    )


def _read_as(document: IndexedDocument, key: str) -> tuple[Mention, ...]:
    return tuple(
        replace(mention, entity_id=ids.entity_id("default", key)) for mention in document.mentions
    )


def _merge(document: IndexedDocument, key: str, name: str) -> EntityMerge:
    return EntityMerge(
        id=ids.content_id("g", document.document.id, key),
        document_id=document.document.id,
        entity_id=ids.entity_id("default", "jane roe"),
        merged_key=key,
        merged_name=name,
        reason="a short form",
    )


def _merged_document() -> IndexedDocument:
    """Jane Roe, J. Roe and Roe are one."""
    plain = written_document(
        "a", ["Jane Roe came.", "J. Roe sat.", "Roe wrote."], names=["Jane Roe", "J. Roe", "Roe"]
    )
    mentions = [
        mention
        for mention in plain.mentions
        if mention.surface != "Roe" or mention.unit_id == plain.units[2].id
    ]
    plain = replace(plain, mentions=tuple(mentions))
    return replace(
        plain,
        mentions=_read_as(plain, "jane roe"),
        entities=_jane("J. Roe", "Roe"),
        merges=(_merge(plain, "j roe", "J. Roe"), _merge(plain, "roe", "Roe")),
    )
