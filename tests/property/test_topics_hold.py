"""Topics for any text: of entities that exist, with weights in bounds, the same twice."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.extraction.topics import WEIGHTS
from clew.records import Chunk

_PIECES = st.sampled_from(
    [
        "Norr Bridge is a bridge. ",
        "She left. ",
        'Jane "Bo" Mary Roe (born 3 May 1931), known as Rain, was a poet. ',
        "In 1921, Orm sang. ",
        "Orm sang of Norr. ",
        "\n\n",
        "Tarn Tower\n",
        "## Orm Valve\n\n",
        "- a pump\n",
        "The Norr, Tarn and Orm are rivers. ",
        "Orso II was the count of Norr. ",
        "Who is it? Is a film (lit. Rain). ",
        "( ( [ \u201c ",
    ]
)
_TEXTS = st.lists(_PIECES | st.text(max_size=20), max_size=20).map("".join)


def _extract(text: str, *, markdown: bool, size: int) -> tuple[Extraction, tuple[Chunk, ...]]:
    media_type = "text/markdown" if markdown else "text/plain"
    document = make_document(text, doc_id="norr.txt", source="norr.txt", media_type=media_type)
    chunks = chunk_document(document, ChunkingConfig(chunk_size=size, chunk_overlap=0))
    (found,) = SentenceExtractor(ExtractionConfig()).extract([(document, chunks)])
    return found, chunks


@settings(max_examples=150, deadline=None)
@given(text=_TEXTS, markdown=st.booleans(), size=st.integers(20, 400))
def test_topics_hold(text: str, markdown: bool, size: int) -> None:
    found, chunks = _extract(text, markdown=markdown, size=size)
    entities = {entity.id for entity in found.entities}
    ids = {chunk.id for chunk in chunks}
    places = [(topic.chunk_id, topic.entity_id) for topic in found.topics]
    assert len(places) == len(set(places))
    for topic in found.topics:
        assert topic.entity_id in entities
        assert topic.chunk_id in ids
        assert 0.0 < topic.weight <= 1.0
        assert topic.source in WEIGHTS


@settings(max_examples=60, deadline=None)
@given(text=_TEXTS, markdown=st.booleans())
def test_the_same_text_gives_the_same_topics_and_contexts(text: str, markdown: bool) -> None:
    one, _ = _extract(text, markdown=markdown, size=80)
    other, _ = _extract(text, markdown=markdown, size=80)
    assert one == other


@settings(max_examples=60, deadline=None)
@given(text=_TEXTS)
def test_contexts_leave_spans_alone(text: str) -> None:
    found, _ = _extract(text, markdown=False, size=80)
    document = make_document(text, doc_id="norr.txt", source="norr.txt")
    for unit in found.units:
        assert document.text[unit.start : unit.end] == unit.text
