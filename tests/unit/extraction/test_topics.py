"""What chunks are about."""

from __future__ import annotations

import pytest

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.records import Chunk

Topics = dict[str, tuple[float, str]]


def topics(
    text: str, *, title: str = "", size: int = 1000, markdown: bool = False, file: str = ""
) -> list[Topics]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(
        text,
        doc_id=file or "d",
        source=f"papers/{file}" if file else "",
        title=title,
        media_type=media_type,
    )
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
    assert {"zven holm", "zven k holm", "bo holm", "zven orm"} <= set(found)


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
    assert found == {"norr bridge": (0.5, "first name")}


def test_pronouns_define_nothing() -> None:
    (found,) = topics("He was a poet. There is a bridge.")
    assert found == {}


def test_a_quoted_title_is_the_subject() -> None:
    (found,) = topics('"What Is Rain?" is a song by Ida Holm.')
    assert "what is rain" in found


def test_two_of_one_name_are_each_about_the_plain_name_too() -> None:
    (found,) = topics("John Roe (1580–1631) was an explorer.")
    assert found["john roe"][1] == found["john roe born 1580"][1] == "definition"


def test_the_subject_behind_an_introduction_is_preferred_to_the_first_name() -> None:
    (found,) = topics("At the University of Tarn, Orm took two degrees. Many did.")
    assert found == {"orm": (0.7, "subject")}


def test_a_name_that_is_repeated_is_a_topic() -> None:
    (found,) = topics("Many walked to Norr in May. In Tarn they heard of Norr and its bridge.")
    assert found == {"norr": (0.6, "repetition")}


def test_a_titled_text_needs_no_guess() -> None:
    (found,) = topics("Many walked to Tarn in May. In Tarn they sang.", title="Norr Bridge")
    assert found == {"norr bridge": (1.0, "title")}


def test_a_later_chunk_under_a_title_may_have_a_subject_that_it_repeats() -> None:
    text = "It is long.\n\nOrm opened it in May. Later Orm left."
    first, second = topics(text, title="Norr Bridge", size=40)
    assert set(first) == {"norr bridge"}
    assert second == {"norr bridge": (0.5, "title"), "orm": (0.35, "subject")}


def test_a_chunk_that_goes_on_with_a_pronoun_is_about_what_was_defined() -> None:
    text = "Jane Roe is a poet.\n\nShe was born by the sea and sang.\n\nIn May it rained a lot."
    first, second, third = topics(text, size=36)
    assert first["jane roe"] == (0.9, "definition")
    assert second["jane roe"][1] == "carried"
    assert "jane roe" not in third


def test_a_chunk_that_says_the_name_again_goes_on_about_it() -> None:
    text = "Jane Roe is a poet.\n\nIn the spring of that year Roe sang."
    _, second = topics(text, size=40)
    assert second["jane roe"][1] == "carried"


def test_the_company_without_antecedent_is_no_topic() -> None:
    (found,) = topics("The company was closed in May. It had many workers.")
    assert found == {}


def test_what_another_section_defined_is_not_carried_over() -> None:
    text = "## One\n\nThe Orm Valve is a valve.\n\n## Two\n\nIt rains and it rains on and on.\n"
    _, second = topics(text, size=45, markdown=True)
    assert set(second) == {"two"}


def test_each_paragraph_of_a_chunk_may_define_something() -> None:
    text = "Norr Bridge is a bridge. It is long.\n\nTarn Tower is a tower. It is tall.\n"
    (found,) = topics(text)
    assert found["norr bridge"] == found["tarn tower"] == (0.9, "definition")


def test_a_second_sentence_defines_no_topic() -> None:
    (found,) = topics("Norr Bridge is a bridge. Tarn Tower is a tower.")
    assert "tarn tower" not in found


def test_headings_inside_a_chunk_count() -> None:
    text = "# Guide\n\n## Norr Pump\n\nIt turns.\n\n## Orm Valve\n\nIt shuts.\n"
    chunks = topics(text, markdown=True)
    assert any({"norr pump", "orm valve"} <= set(found) for found in chunks)


def test_lines_before_text_in_plain_text_are_headings() -> None:
    body = "It was built of steel a long time ago, and many people from everywhere like it."
    first, second = topics(f"Norr Bridge\n{body}\n\nTarn Tower\n{body}\n", size=120)
    assert first == {"norr bridge": (0.9, "heading")}
    assert second == {"tarn tower": (0.9, "heading")}


def test_the_name_of_a_file_stands_in_for_a_title() -> None:
    (found,) = topics("It is long.", file="norr-bridge.txt")
    assert found == {"norr bridge": (0.6, "file name")}


def test_names_that_every_file_could_have_say_nothing() -> None:
    for file in ("notes.txt", "2024-05-03.txt", "final_draft.txt", "a1.txt"):
        assert topics("It is long.", file=file) == [{}]
    assert topics("It is long.", file="norr-bridge.txt", title="Tarn")[0].keys() == {"tarn"}


def test_a_title_that_ends_like_a_sentence_is_read_whole() -> None:
    (found,) = topics("Who Is Minding the Bridge? is a film by Karl Orm.")
    assert found["who is minding the bridge"] == (0.9, "definition")


@pytest.mark.parametrize(
    "text",
    [
        "Norr Ltd built the Tarn Bridge. It is old.",
        "Norr Ltd built the Tarn Bridge. Ida Holm was a keeper.",
        "The mill runs on .NET and C++. This was a surprise.",
        "Ida Holm Sang! They were loud.",
    ],
)
def test_a_sentence_is_no_part_of_what_the_next_one_defines(text: str) -> None:
    (found,) = topics(text)
    assert not [key for key in found if ". " in key or "!" in key or len(key.split()) > 3]


def test_quotes_and_lists_define_nothing() -> None:
    assert topics('"We are here," they said. "It is late."') == [{}]
    (found,) = topics("Rain, snow and hail are bad for Norr Bridge.")
    assert "rain" not in found
