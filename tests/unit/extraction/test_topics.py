"""What chunks are about."""

from __future__ import annotations

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.records import Chunk

Topics = dict[str, tuple[float, str]]


def topics(text: str, *, title: str = "", size: int = 1000, markdown: bool = False) -> list[Topics]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(text, doc_id="d", title=title, media_type=media_type)
    chunks = chunk_document(document, ChunkingConfig(chunk_size=size, chunk_overlap=0))
    (found,) = SentenceExtractor(ExtractionConfig()).extract([(document, chunks)])
    keys = {entity.id: entity.key for entity in found.entities}
    return [_of(chunk, found.topics, keys) for chunk in chunks]


def _of(chunk: Chunk, found: object, keys: dict[str, str]) -> Topics:
    return {
        keys[topic.entity_id]: (topic.weight, topic.source)
        for topic in found  # type: ignore[attr-defined]
        if topic.chunk_id == chunk.id
    }


def test_a_title_names_every_chunk_and_the_first_most() -> None:
    text = "It is long and made of steel.\n\nMany like it."
    first, second = topics(text, title="Norr Bridge", size=32)
    assert first == {"norr bridge": (1.0, "title")}
    assert second == {"norr bridge": (0.5, "title")}


def test_a_title_names_a_thing_with_and_without_brackets_and_article() -> None:
    (found,) = topics("It was shown in Oslo.", title="The Norr (1932 film)")
    assert found == {
        "the norr 1932 film": (1.0, "title"),
        "the norr": (1.0, "title"),
        "norr": (1.0, "title"),
    }


def test_a_definition_names_its_subject_and_its_other_names() -> None:
    text = 'The Norr Bridge (Tarn, 1932), also known as the Span or "Big Red", is a bridge.'
    (found,) = topics(text)
    assert set(found) == {"norr bridge", "the norr bridge", "span"}
    assert found["norr bridge"] == (0.9, "definition")
    assert found["span"][1] == "alias"


def test_a_person_is_known_by_shorter_names() -> None:
    text = 'Zven "Bo" Karl Holm (born Zven Orm, 3 May 1931) was a poet.'
    (found,) = topics(text)
    assert {"zven holm", "zven k holm", "bo holm", "bo k holm", "zven orm"} <= set(found)


def test_a_place_is_known_with_its_region() -> None:
    (found,) = topics("Norr is a village in Tarn County, Ohio, United States.")
    assert "norr ohio" in found


def test_headings_name_their_sections_the_nearest_most() -> None:
    text = "# Guide\n\nWords.\n\n## 2.1 Norr Pumps\n\n### The Orm Valve\n\nIt shuts.\n"
    found = topics(text, size=40, markdown=True)
    last = found[-1]
    assert last["the orm valve"] == (0.9, "heading")
    assert last["orm valve"] == (0.9, "heading")
    assert last["norr pumps"][1] == "heading"
    assert last["norr pumps"][0] < 0.9


def test_generic_headings_name_nothing() -> None:
    text = "# Norr Bridge\n\n## Introduction\n\nIt is long.\n\n## References\n\nNone are left.\n"
    assert all({"introduction", "references"}.isdisjoint(found) for found in topics(text, size=40))


def test_a_section_may_define_its_subject() -> None:
    text = "# Guide\n\nWords are here.\n\n## Part two\n\nThe Orm Valve is a valve. It shuts.\n"
    found = topics(text, size=50, markdown=True)
    assert found[-1]["orm valve"] == (0.9, "definition")
    assert "orm valve" not in found[0]


def test_without_title_and_definition_the_first_name_stands_in() -> None:
    (found,) = topics("Yesterday they opened Norr Bridge and sang.")
    assert found == {"norr bridge": (0.7, "first name")}


def test_pronouns_define_nothing() -> None:
    (found,) = topics("He was a poet. There is a bridge.")
    assert found == {}


def test_a_quoted_title_is_the_subject() -> None:
    (found,) = topics('"What Is Rain?" is a song by Ida Holm.')
    assert "what is rain" in found


def test_two_of_one_name_are_each_about_the_plain_name_too() -> None:
    (found,) = topics("John Roe (1580–1631) was an explorer.")
    assert found["john roe"][1] == found["john roe born 1580"][1] == "definition"
