"""Whatever the text: units and mentions slice back, nothing overlaps, nothing is lost."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.graph.resolution import resolve
from clew.records import BlockKind, Chunk, Document
from clew.testing.strategies import markdown, texts
from clew.text.names import Name, name_key

SIZES = st.sampled_from([(20, 0), (60, 30), (400, 0), (1000, 200)])
MOST = st.sampled_from([1, 3, 50])

Run = tuple[Document, list[Chunk], Extraction]


def run(text: str, media_type: str, size: tuple[int, int], most: int) -> Run:
    document = make_document(text, doc_id="d", media_type=media_type)
    config = ChunkingConfig(chunk_size=size[0], chunk_overlap=size[1])
    chunks = list(chunk_document(document, config))
    extractor = SentenceExtractor(ExtractionConfig(ku_max_units_per_chunk=most))
    (found,) = extractor.extract([(document, chunks)])
    return document, chunks, found


runs = st.one_of(
    st.builds(run, texts(), st.just("text/plain"), SIZES, MOST),
    st.builds(run, markdown(), st.just("text/markdown"), SIZES, MOST),
)


@given(runs)
def test_units_slice_back_in_order_without_overlap(extracted: Run) -> None:
    document, _, found = extracted
    for unit in found.units:
        assert document.text[unit.start : unit.end] == unit.text
        assert unit.text == unit.text.strip()
        assert unit.text
    assert all(one.end <= other.start for one, other in pairwise(found.units))
    assert len({unit.id for unit in found.units}) == len(found.units)


@given(runs)
def test_a_unit_begins_in_its_chunk_and_lies_in_it_if_any_holds_it(extracted: Run) -> None:
    _, chunks, found = extracted
    places = {chunk.id: chunk for chunk in chunks}
    for unit in found.units:
        chunk = places[unit.chunk_id]
        holders = [one for one in chunks if one.start <= unit.start and unit.end <= one.end]
        if holders:
            assert chunk == holders[0]
        else:
            assert chunk.start <= unit.start < chunk.end


@given(runs)
def test_mentions_lie_in_their_unit_and_slice_back(extracted: Run) -> None:
    document, _, found = extracted
    units = {unit.id: unit for unit in found.units}
    for mention in found.mentions:
        unit = units[mention.unit_id]
        assert unit.start <= mention.start < mention.end <= unit.end
        assert document.text[mention.start : mention.end] == mention.surface
        assert mention.key == name_key(mention.surface) != ""
    assert len({mention.id for mention in found.mentions}) == len(found.mentions)


@given(runs)
def test_every_reference_has_its_record(extracted: Run) -> None:
    _, chunks, found = extracted
    entities = {entity.id for entity in found.entities}
    assert len(entities) == len(found.entities)
    assert {mention.entity_id for mention in found.mentions} <= entities
    assert {topic.entity_id for topic in found.topics} <= entities
    assert {topic.chunk_id for topic in found.topics} <= {chunk.id for chunk in chunks}
    assert all(0 < topic.weight <= 1 for topic in found.topics)


@given(st.builds(run, texts(), st.just("text/plain"), SIZES, st.just(50)))
def test_every_word_of_running_text_is_in_a_unit(extracted: Run) -> None:
    document, _, found = extracted
    inside = bytearray(len(document.text))
    for unit in found.units:
        inside[unit.start : unit.end] = b"\1" * (unit.end - unit.start)
    running = [b for b in document.blocks if b.kind is BlockKind.PARAGRAPH]
    for block in running:
        for at in range(block.start, block.end):
            assert inside[at] or not document.text[at].isascii() or not document.text[at].isalnum()


NAMES = st.sampled_from(
    ["Jane Roe", "Jane T. Roe", "J. Roe", "James Roe", "Ms Roe", "Roe", "Jane", "John Roe Jr.",
     "John Roe", "Bill Orm", "William Orm", "Orm", "Dr. Orm", "Lothair II", "Lothair", "C++"]
)  # fmt: skip


@given(st.lists(NAMES, max_size=12), st.randoms(use_true_random=False))
def test_resolution_is_a_function_of_the_set_of_names(words: list[str], rng: object) -> None:
    document = make_document(" met ".join(words), doc_id="d")
    names, at = [], 0
    for word in words:
        kind = "PERSON" if " " in word else ""
        names.append(Name(at, at + len(word), word, kind))
        at += len(word) + len(" met ")
    expected = resolve(document, names)
    rng.shuffle(names)  # type: ignore[attr-defined]
    assert resolve(document, names) == expected
    assert all(joined.key not in expected for joined in expected.values())
    assert all(key != joined.key for key, joined in expected.items())
