"""AdaptiveChunker: texts, files, documents; and the strategy ``adaptive`` in the pipeline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clew.chunking import Chunker, ChunkingConfig, Outline, PageIndexChunker, Span, chunk_document
from clew.chunking.adaptive import AdaptiveChunker
from clew.chunking.selector import AdaptiveSelector
from clew.config import ClewConfig
from clew.errors import DocumentError
from clew.records import Document

TEXT = "\n\n".join(
    f"# Part {number}\n\n" + "Hemp rope is old. It holds well. " * 12 for number in range(8)
)


def _small(**options: object) -> AdaptiveChunker:
    config = ChunkingConfig(chunk_size=300, chunk_overlap=0)
    return AdaptiveChunker(AdaptiveSelector(config=config, **options))  # type: ignore[arg-type]


def test_chunks_are_slices_and_say_who_chose() -> None:
    result = _small().chunk(TEXT, "ropes")
    assert result.document_id == "ropes"
    assert len(result.chunks) > 8
    for chunk in result.chunks:
        assert TEXT[chunk.start : chunk.end] == chunk.text
        assert chunk.metadata["strategy"] == result.strategy_name
        assert chunk.metadata["chosen_by"] == "adaptive"
        assert chunk.metadata["strategy_score"] == round(result.score, 4)
    assert result.strategy_name == result.candidates[0].strategy_name
    assert result.metrics == result.candidates[0].metrics
    assert len(result.candidates) == 4


def test_without_a_name_a_text_is_a_document() -> None:
    result = AdaptiveChunker().chunk("Hemp is old.")
    assert result.document_id == "document"
    assert [chunk.text for chunk in result.chunks] == ["Hemp is old."]


def test_the_same_text_gives_the_same_result() -> None:
    assert _small().chunk(TEXT, "a") == _small().chunk(TEXT, "a")


def test_json_holds_the_candidates_when_asked(tmp_path: Path) -> None:
    result = _small().chunk(TEXT)
    short = json.loads(result.to_json())
    assert "candidates" not in short
    assert [chunk["text"] for chunk in short["chunks"]] == [chunk.text for chunk in result.chunks]
    path = tmp_path / "chunks.json"
    text = result.to_json(path, include_candidates=True)
    whole = json.loads(path.read_text("utf-8"))
    assert whole == json.loads(text) == result.to_dict(include_candidates=True)
    assert [item["strategy_name"] for item in whole["candidates"]] == [
        candidate.strategy_name for candidate in result.candidates
    ]
    assert whole["candidates"][0]["metrics"][0]["explanation"]


def test_the_table_has_a_row_for_each_candidate() -> None:
    class Fails:
        name = "fails"

        def cuts(self, outline: Outline) -> list[Span]:
            raise ValueError("no rope")

    chunkers: list[Chunker] = [PageIndexChunker(max_size=300), Fails()]
    table = AdaptiveChunker(AdaptiveSelector(chunkers)).chunk(TEXT).table()
    assert table[0][:3] == ("strategy", "chunks", "score")
    assert table[1][0] == "page-index"
    assert table[2][0] == "fails"
    assert table[2][-1] == "ValueError: no rope"
    assert len({len(row) for row in table}) == 1


def test_what_the_chosen_strategy_knows_of_a_chunk_is_kept() -> None:
    chunker = AdaptiveChunker(AdaptiveSelector([PageIndexChunker(max_size=300)]))
    chunk = chunker.chunk("# Rope\n\nHemp.\n\f# Bread\n\nRye.\n").chunks[-1]
    assert chunk.metadata["page_index"] == 1
    assert chunk.metadata["strategy"] == "page-index"
    assert chunk.heading_path == ("Bread",)


def test_a_file_of_any_format(tmp_path: Path) -> None:
    path = tmp_path / "rope.html"
    path.write_text("<h1>Rope</h1><p>Hemp is old.</p>", encoding="utf-8")
    result = AdaptiveChunker().chunk_file(path)
    assert result.document_id == path.as_posix()
    assert "Hemp is old." in result.chunks[0].text
    assert AdaptiveChunker().chunk_file(path, "mine").document_id == "mine"


def test_a_file_of_several_documents_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ropes.jsonl"
    path.write_text('{"text": "Hemp."}\n{"text": "Jute."}\n', encoding="utf-8")
    with pytest.raises(DocumentError, match="it holds 2 documents; chunk each"):
        AdaptiveChunker().chunk_file(path)
    with pytest.raises(DocumentError, match=r"nothing\.md"):
        AdaptiveChunker().chunk_file(tmp_path / "nothing.md")


def test_adaptive_is_a_strategy_of_the_configuration() -> None:
    config = ClewConfig(chunk_strategy="adaptive", chunk_size=300, chunk_overlap=50)
    document = Document(id="d", doc_id="d", text=TEXT, media_type="text/markdown")
    chunks = chunk_document(document, config)
    assert {chunk.metadata["chosen_by"] for chunk in chunks} == {"adaptive"}
    (strategy,) = {chunk.metadata["strategy"] for chunk in chunks}
    again = chunk_document(
        document, ClewConfig.from_dict({**config.to_dict(), "chunk_strategy": strategy})
    )
    assert [chunk.id for chunk in chunks] == [chunk.id for chunk in again]


def test_each_document_has_its_own_choice_and_is_measured_once() -> None:
    class Counting(AdaptiveSelector):
        asked = 0

        def select(self, text: str | Outline):  # type: ignore[no-untyped-def]
            self.asked += 1
            return super().select(text)

    selector = Counting(config=ChunkingConfig(chunk_size=300, chunk_overlap=0))
    chunker = AdaptiveChunker(selector)
    chunker.chunk(TEXT)
    assert selector.asked == 1
    chunker.chunk("Hemp.")
    assert selector.asked == 2


def test_tokens_of_a_model_may_measure_sizes() -> None:
    def words(text: str) -> int:
        return len(text.split())

    selector = AdaptiveSelector(config=ChunkingConfig(chunk_size=40, chunk_overlap=0), count=words)
    result = AdaptiveChunker(selector).chunk(TEXT)
    assert all(words(chunk.text) <= 40 for chunk in result.chunks)
