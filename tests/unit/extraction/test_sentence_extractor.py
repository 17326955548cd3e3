"""The sentence method from documents to extractions."""

from __future__ import annotations

import random

from clew.chunking import chunk_document
from clew.chunking.config import ChunkingConfig
from clew.documents.making import make_document
from clew.extraction.base import Extraction, Extractor
from clew.extraction.config import ExtractionConfig
from clew.extraction.sentence import SentenceExtractor
from clew.records import Chunk, Document

TEXTS = {
    "bridge.md": "# Norr Bridge\n\nNorr Bridge was built by Orm Works. Dr Ida Holm drew it.",
    "holm.md": "# Ida Holm\n\nIda Holm (born 1901) was an engineer. Holm led Orm Works.",
    "works.md": "# Orm Works\n\nOrm Works (OW) is a company in Oslo. OW has 12 people.",
}


def chunked(doc_id: str, text: str) -> tuple[Document, list[Chunk]]:
    document = make_document(text, doc_id=doc_id, media_type="text/markdown")
    return document, list(chunk_document(document, ChunkingConfig(chunk_size=80, chunk_overlap=20)))


def extract(documents: list[tuple[Document, list[Chunk]]]) -> list[Extraction]:
    extractor: Extractor = SentenceExtractor(ExtractionConfig())
    assert extractor.method == "sentence"
    return extractor.extract(documents)


def test_one_extraction_per_document_in_order() -> None:
    documents = [chunked(name, text) for name, text in TEXTS.items()]
    found = extract(documents)
    for (document, chunks), extraction in zip(documents, found, strict=True):
        assert extraction.units
        assert {unit.document_id for unit in extraction.units} == {document.id}
        assert {unit.chunk_id for unit in extraction.units} <= {chunk.id for chunk in chunks}
        assert not extraction.problems


def test_order_and_batches_do_not_matter() -> None:
    documents = [chunked(name, text) for name, text in TEXTS.items()]
    expected = {document.id: found for (document, _), found in zip(documents, extract(documents),
                                                                  strict=True)}  # fmt: skip
    for seed in range(3):
        shuffled = random.Random(seed).sample(documents, len(documents))
        for pair in shuffled:
            assert extract([pair]) == [expected[pair[0].id]]


def test_documents_meet_in_shared_entities() -> None:
    found = extract([chunked(name, text) for name, text in TEXTS.items()])
    names = [{mention.entity_id for mention in extraction.mentions} for extraction in found]
    about = [{topic.entity_id for topic in extraction.topics} for extraction in found]
    assert names[0] & about[1], "the bridge names Ida Holm"
    assert names[0] & about[2], "the bridge names Orm Works"
    assert names[1] & about[2], "Ida Holm's page names Orm Works"


def test_a_hub_is_an_entity() -> None:
    text = " ".join(f"In week {n} the Company sold pump {n}." for n in range(300))
    (found,) = extract([chunked("hub", text)])
    hub = {mention.entity_id for mention in found.mentions if mention.surface == "Company"}
    assert len(hub) == 1
    assert sum(mention.entity_id in hub for mention in found.mentions) == 300


def test_nothing_to_extract() -> None:
    assert extract([]) == []
    assert extract([chunked("empty", "")]) == [Extraction()]
