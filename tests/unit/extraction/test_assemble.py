"""From names to mentions, entities and merges; what the settings change."""

from __future__ import annotations

from clew.documents.making import make_document
from clew.extraction.assemble import assemble
from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.recognise import RuleRecogniser
from clew.extraction.units import units_of
from clew.ids import entity_id
from clew.records import Chunk, Document
from clew.text.names import Name, name_key

PEOPLE = "Dr Jane T. Roe leads Orm Works in Oslo. J. Roe founded it. Then Roe left Oslo."


def chunk_of(document: Document) -> Chunk:
    text = document.text
    return Chunk(
        id=f"c{document.id}", document_id=document.id, index=0, start=0, end=len(text), text=text
    )


def extracted(
    text: str, *, title: str = "", doc_id: str = "d", scope: str = "default", **settings: object
) -> Extraction:
    document = make_document(text, doc_id=doc_id, title=title, scope=scope)
    chunk = chunk_of(document)
    units = units_of(document, [chunk], max_units_per_chunk=50)
    names = RuleRecogniser().names(document, units)
    config = ExtractionConfig(**settings)  # type: ignore[arg-type]
    return assemble(document, [chunk], units, names, config=config)


def keys(extraction: Extraction) -> dict[str, str]:
    """Surface → key of the entity."""
    by_id = {entity.id: entity.key for entity in extraction.entities}
    return {mention.surface: by_id[mention.entity_id] for mention in extraction.mentions}


def test_mentions_point_at_resolved_entities_and_keep_their_own_key() -> None:
    found = extracted(PEOPLE)
    assert keys(found) == {
        "Jane T. Roe": "jane t roe",
        "Orm Works": "orm works",
        "Oslo": "oslo",
        "J. Roe": "jane t roe",
        "Roe": "jane t roe",
    }
    assert [mention.key for mention in found.mentions if mention.surface == "J. Roe"] == ["j roe"]


def test_an_entity_has_the_names_and_type_of_its_mentions() -> None:
    found = extracted(PEOPLE)
    roe = next(entity for entity in found.entities if entity.key == "jane t roe")
    assert (roe.name, roe.type, roe.aliases) == ("Jane T. Roe", "PERSON", ("J. Roe", "Roe"))
    assert roe.id == entity_id("default", "jane t roe")


def test_every_join_is_logged_and_can_be_undone() -> None:
    found = extracted(PEOPLE)
    log = {(merge.merged_key, merge.merged_name, merge.reason) for merge in found.merges}
    assert log == {("j roe", "J. Roe", "name variant"), ("roe", "Roe", "short name")}
    for merge in found.merges:
        moved = [mention for mention in found.mentions if mention.key == merge.merged_key]
        assert moved
        assert all(mention.entity_id == merge.entity_id for mention in moved)
        own = entity_id("default", merge.merged_key)
        assert own != merge.entity_id
        assert name_key(merge.merged_name) == merge.merged_key


def test_there_is_an_entity_for_every_id() -> None:
    found = extracted("John Roe (born 1961) plays. Roe won.", title="John Roe (footballer)")
    ids = {entity.id for entity in found.entities}
    used = {mention.entity_id for mention in found.mentions}
    used |= {topic.entity_id for topic in found.topics} | {m.entity_id for m in found.merges}
    assert used == ids


def test_two_bearers_of_one_name_are_two_entities() -> None:
    one = extracted("John Roe sailed.", title="John Roe (explorer)", doc_id="a")
    two = extracted("John Roe played.", title="John Roe (footballer)", doc_id="b")
    assert {m.entity_id for m in one.mentions}.isdisjoint(m.entity_id for m in two.mentions)
    plain = entity_id("default", "john roe")
    assert plain in {topic.entity_id for topic in one.topics}
    assert plain in {topic.entity_id for topic in two.topics}


def test_lives_keep_bearers_of_one_name_apart() -> None:
    one = extracted("John Roe (1580–1631) was an explorer.", doc_id="a")
    two = extracted("John Roe (born 1961) is a footballer.", doc_id="b")
    other = extracted("John Roe (born 1580) sailed.", doc_id="c")
    assert keys(one)["John Roe"] == keys(other)["John Roe"] == "john roe born 1580"
    assert keys(two)["John Roe"] == "john roe born 1961"
    roe = next(entity for entity in one.entities if entity.key == "john roe born 1580")
    assert "John Roe" in {roe.name, *roe.aliases}


def test_joins_can_be_switched_off() -> None:
    found = extracted(PEOPLE, entity_merge_similar=False)
    assert keys(found) == {
        surface: name_key(surface) for surface in ("Jane T. Roe", "Orm Works", "Oslo", "J. Roe")
    } | {"Roe": "roe"}
    assert found.merges == ()


def test_equal_names_can_be_kept_apart_by_document() -> None:
    one, two = (extracted(PEOPLE, doc_id=name, deduplicate_entities=False) for name in "ab")
    assert {e.id for e in one.entities}.isdisjoint(e.id for e in two.entities)
    assert {e.name for e in one.entities} == {e.name for e in two.entities}
    shared = [extracted(PEOPLE, doc_id=name).entities for name in "ab"]
    assert shared[0] == shared[1]


def test_scopes_share_nothing() -> None:
    one, two = (extracted(PEOPLE, scope=scope) for scope in ("a", "b"))
    assert {e.id for e in one.entities}.isdisjoint(e.id for e in two.entities)
    assert {e.scope for e in two.entities} == {"b"}


def test_types_can_be_chosen_in_any_case() -> None:
    found = extracted(PEOPLE, entity_types=("person",))
    assert set(keys(found)) == {"Jane T. Roe", "J. Roe"}


def test_rare_entities_can_be_dropped() -> None:
    found = extracted(PEOPLE, min_entity_occurrences=2)
    assert set(keys(found)) == {"Jane T. Roe", "J. Roe", "Roe", "Oslo"}
    assert len(extracted(PEOPLE, min_entity_occurrences=3).mentions) == 3


def test_names_of_a_model_may_repeat_and_be_empty() -> None:
    document = make_document("Orm Works pays.", doc_id="d")
    chunk = chunk_of(document)
    units = units_of(document, [chunk], max_units_per_chunk=50)
    names = [Name(0, 9, "Orm Works", "ORG"), Name(0, 9, "Orm Works", ""), Name(0, 3, "...", "")]
    found = assemble(document, [chunk], units, [names], config=ExtractionConfig())
    assert [mention.surface for mention in found.mentions] == ["Orm Works"]


def test_ids_of_mentions_are_unique() -> None:
    found = extracted("Norr met Norr. Norr met Norr.")
    assert len({mention.id for mention in found.mentions}) == len(found.mentions) == 4


def test_a_document_without_units() -> None:
    found = extracted("")
    assert found == Extraction()
