"""Strategies that notice where the topic changes: semantic, hybrid."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from clew.chunking import (
    Chunker,
    ChunkingConfig,
    HybridChunker,
    SemanticChunker,
    chunk_by,
    chunk_document,
)
from clew.models.base import TextKind, Vectors
from clew.records import Chunk, Document

BRIDGES = [
    "The bridge over the river was built of granite by masons from the valley.",
    "Its granite arches carry the road across the river between two towers.",
    "Masons repaired the arches of the bridge after the river had flooded the road.",
    "Both towers of the bridge were built from granite of the same valley.",
]
BREAD = [
    "Bakers knead dough with flour and water before the oven is heated.",
    "Dough rises slowly while yeast feeds on the flour in a warm kitchen.",
    "Fresh loaves leave the oven when the crust of the dough is brown.",
    "Flour of rye makes heavy dough and loaves with a thick crust.",
]


def _document(text: str) -> Document:
    return Document(id="d", doc_id="d", text=text, media_type="text/markdown")


def _chunks(chunker: Chunker, text: str) -> tuple[Chunk, ...]:
    return chunk_by(chunker, _document(text))


@pytest.mark.parametrize("between", ["\n\n", " "])
def test_topic_ends_where_the_words_change(between: str) -> None:
    text = between.join([*BRIDGES, *BREAD])
    chunks = _chunks(SemanticChunker(min_size=150, max_size=1_000), text)
    assert [chunk.text for chunk in chunks] == [between.join(BRIDGES), between.join(BREAD)]
    assert chunks[0].metadata["similarity"] == "words"


def test_topics_in_a_script_without_spaces() -> None:
    bridge, bread = (
        "石橋は川に架かる。塔がある。石橋の塔は高い。",
        "窯でパン生地を焼く。生地は粉で作る。",
    )
    text = "\n\n".join([bridge * 6] * 3 + [bread * 8] * 3)
    chunks = _chunks(SemanticChunker(min_size=200, max_size=1_000), text)
    assert text.index(bread) in {chunk.start for chunk in chunks}


def test_threshold_decides_how_unlike_topics_are() -> None:
    text = "\n\n".join([*BRIDGES, *BREAD])
    never = SemanticChunker(min_size=100, max_size=2_000, similarity_threshold=0.0)
    always = SemanticChunker(min_size=100, max_size=2_000, similarity_threshold=1.0)
    assert len(_chunks(never, text)) == 1
    assert len(_chunks(always, text)) > 2
    assert all(len(chunk.text) >= 100 for chunk in _chunks(always, text))


def test_heading_and_list_are_not_parted_from_what_they_lead_to() -> None:
    text = "\n\n".join([*BRIDGES, "# Bread", *BREAD, "It takes:", "- flour\n- water\n- yeast"])
    chunker = SemanticChunker(min_size=1, max_size=400, similarity_threshold=1.0)
    chunks = _chunks(chunker, text)
    assert not any(chunk.text.endswith(("# Bread", "It takes:")) for chunk in chunks)
    assert not any(chunk.text.startswith("- water") for chunk in chunks)


class _ByFirstWord:
    """Tells texts about bread from all others, whatever their words have in common."""

    fingerprint = "by-first-word"
    dimensions = 2

    def __init__(self) -> None:
        self.calls: list[int] = []

    def embed(self, texts: Sequence[str], *, kind: TextKind = "document") -> Vectors:
        self.calls.append(len(texts))
        rows = [(0.0, 1.0) if text.startswith("Bread") else (1.0, 0.0) for text in texts]
        return np.array(rows, np.float32)


def test_embedder_decides_when_given() -> None:
    same = "with the very same words as all of the other paragraphs, " * 3
    text = "\n\n".join([f"Stone {same} 1.{at}" for at in range(4)] + [f"Bread {same}"] * 4)
    embedder = _ByFirstWord()
    config = ChunkingConfig(chunk_strategy="semantic", chunk_size=1_000)
    chunks = chunk_document(_document(text), config, embedder=embedder)
    assert text.index("Bread") in {chunk.start for chunk in chunks}
    assert {chunk.metadata["similarity"] for chunk in chunks} == {"by-first-word"}
    assert embedder.calls == [5], "the same text is embedded once"


def test_hybrid_divides_only_sections_larger_than_a_chunk() -> None:
    small = "# Small\n\n" + BRIDGES[0] + "\n\n" + BREAD[0]
    large = "# Large\n\n" + "\n\n".join([*BRIDGES, *BREAD])
    chunks = _chunks(HybridChunker(min_size=140, max_size=500), f"{small}\n\n{large}")
    assert [chunk.text for chunk in chunks] == [
        small,
        "# Large\n\n" + "\n\n".join(BRIDGES),
        "\n\n".join(BREAD),
    ]
    assert [chunk.metadata["section_title"] for chunk in chunks] == ["Small", "Large", "Large"]


def test_hybrid_asks_no_embedder_where_sections_fit() -> None:
    embedder = _ByFirstWord()
    chunker = HybridChunker(max_size=500).with_embedder(embedder)
    assert len(_chunks(chunker, "# A\n\nOne.\n\n# B\n\nTwo.")) == 1 or embedder.calls == []
    assert embedder.calls == []
