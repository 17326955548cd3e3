"""What did not change costs nothing, and keeps its identity."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from clew import ClewConfig, FingerprintMismatchError, KnowledgeBase, Status
from clew.testing import FakeEmbedder, TellingLLM

TOWNS = [
    "Arlo", "Birk", "Cann", "Dorn", "Ester", "Fenn", "Gard", "Holt", "Ingel", "Jarn",
    "Kolm", "Lund", "Marn", "Norr", "Osk", "Pell", "Quist", "Rann", "Stig", "Torp",
    "Ulm", "Vang", "Wend", "Xant", "Ysta",
]  # fmt: skip


def _handbook(changed: str = "") -> str:
    sections = []
    for number in range(50):
        town = TOWNS[number % len(TOWNS)] + ("" if number < len(TOWNS) else " Harbour")
        sections.append(
            f"## {town}\n\n{town} keeps a lighthouse that was built in {1800 + number}. "
            f"Its keeper in those years was Anna {town}son, who wrote the harbour rules.\n"
        )
    if changed:
        sections[20] = f"## Ulm\n\n{changed}\n"
    return "# Handbook of lighthouses\n\n" + "\n".join(sections)


def test_only_the_edited_paragraph_is_embedded_again(tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    path = tmp_path / "handbook.md"
    path.write_text(_handbook(), encoding="utf-8")
    with KnowledgeBase.open(tmp_path / "s.clew", embedding=embedder) as kb:
        kb.ingest(path)
        first = kb.document(str(path))
        whole = embedder.text_count

        path.write_text(
            _handbook(
                "Ulm lost its lighthouse in a storm. A bell replaced it, rung by Otto Brand."
            ),
            encoding="utf-8",
        )
        report = kb.ingest(path)
        again = kb.document(str(path))

        assert [item.status for item in report.documents] == [Status.UPDATED]
        assert 0 < embedder.text_count - whole <= whole / 20
        kept = {unit.id for unit in first.units} & {unit.id for unit in again.units}
        assert len(kept) == len(first.units) - 2
        kept_chunks = {chunk.id for chunk in first.chunks} & {chunk.id for chunk in again.chunks}
        assert len(kept_chunks) >= len(first.chunks) - 2
        texts = [unit.text for unit in again.units]
        assert not any("1820" in text for text in texts)
        found = kb.search("Anna Ulmson harbour rules", top_n=50)
        assert not any("Anna Ulmson," in item.content for item in found.items)
        assert kb.check() == []

        counted = embedder.text_count
        unchanged = kb.ingest(path)
        assert [item.status for item in unchanged.documents] == [Status.UNCHANGED]
        assert embedder.text_count == counted


class _Plain:
    """Reads every text by itself, as the models of most providers do."""

    def __init__(self) -> None:
        self._fake = FakeEmbedder()
        self.texts: list[str] = []

    def embed_text(self, text: str) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str]) -> list[list[float]]:
        self.texts += texts
        return self._fake.embed_batch(texts)


def test_an_edit_costs_its_own_chunk_and_unit_and_no_other_text(tmp_path: Path) -> None:
    embedder, llm, path = _Plain(), TellingLLM(), tmp_path / "handbook.md"
    edited = _handbook().replace("built in 1820", "built in 1821")
    config = ClewConfig(ku_batch_size=1)
    for given in (None, llm):
        path.write_text(_handbook(), encoding="utf-8")
        with KnowledgeBase.in_memory(llm=given, embedding=embedder, config=config) as kb:
            kb.ingest(path)
            read, asked = len(embedder.texts), len(llm.prompts)
            path.write_text(edited, encoding="utf-8")
            assert kb.ingest(path).counts == {"updated": 1}
            again = embedder.texts[read:]
            assert all("1821" in text for text in again), "what was edited, or is read beside it"
            assert len(again) <= 3, "the chunk, the unit, and one that has it for its context"
            assert all("1821" in prompt for prompt in llm.prompts[asked:])
            assert len(llm.prompts) - asked == (0 if given is None else 3)


def test_vectors_after_an_edit_equal_those_of_a_fresh_index(tmp_path: Path) -> None:
    path = tmp_path / "handbook.md"
    edit = "Ulm lost its lighthouse in a storm."
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        path.write_text(_handbook(), encoding="utf-8")
        kb.ingest(path)
        path.write_text(_handbook(edit), encoding="utf-8")
        kb.ingest(path)
        edited = kb.document(str(path))
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest(path)
        fresh = kb.document(str(path))
    assert edited.units == fresh.units
    assert edited.unit_vectors is not None
    assert fresh.unit_vectors is not None
    np.testing.assert_allclose(edited.unit_vectors, fresh.unit_vectors, atol=1e-6)


def test_sync_adds_updates_renames_and_removes(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Arlo\n\nArlo lies on the Great Sound.\n", encoding="utf-8")
    (folder / "b.md").write_text("# Birk\n\nBirk lies inland.\n", encoding="utf-8")
    (folder / "c.jsonl").write_text(
        '{"id": "one", "text": "Cann has a mill."}\n{"id": "two", "text": "Dorn has a mint."}\n',
        encoding="utf-8",
    )
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Kept, though no file has it.", name="note")
        first = kb.sync(folder)
        assert first.counts == {"inserted": 4}

        (folder / "a.md").rename(folder / "z.md")
        (folder / "b.md").write_text("# Birk\n\nBirk burned down in 1702.\n", encoding="utf-8")
        (folder / "c.jsonl").write_text('{"id": "two", "text": "Dorn has a mint."}\n', "utf-8")
        second = kb.sync(folder)
        status = {Path(item.doc_id).name: str(item.status) for item in second.documents}
        assert status == {
            "z.md": "renamed",
            "b.md": "updated",
            "two": "unchanged",
            "one": "removed",
        }
        names = {Path(document.doc_id).name for document in kb.documents()}
        assert names == {"z.md", "b.md", "two", "note"}
        assert kb.check() == []


def test_sync_keeps_what_is_there_but_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "docs" / "a.txt"
    path.parent.mkdir()
    path.write_text("Arlo lies on the Great Sound.", encoding="utf-8")
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.sync(path.parent)
        path.write_bytes(bytes(range(256)) * 40)
        report = kb.sync(path.parent)
        assert [item.status for item in report.documents] == [Status.FAILED]
        assert str(path) in report.documents[0].reason
        assert report.exit_status == 1
        assert len(kb.documents()) == 1


def test_a_copy_of_a_file_is_a_duplicate_until_the_first_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("Arlo lies on the Great Sound.", encoding="utf-8")
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        report = kb.sync(folder)
        assert [str(item.status) for item in report.documents] == ["inserted", "duplicate_of"]
        assert report.documents[1].reason.endswith("a.txt")
        (folder / "a.txt").unlink()
        kb.sync(folder)
        assert [Path(document.doc_id).name for document in kb.documents()] == ["b.txt"]


def test_changed_settings_index_again(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("Arlo lies on the Great Sound. " * 40, encoding="utf-8")
    store = tmp_path / "s.clew"
    with KnowledgeBase.open(store, embedding=FakeEmbedder()) as kb:
        kb.ingest(path)
    config = ClewConfig(chunk_size=300, chunk_overlap=0)
    with KnowledgeBase.open(store, embedding=FakeEmbedder(), config=config) as kb:
        report = kb.ingest(path)
        assert [item.status for item in report.documents] == [Status.UPDATED]
        assert all(len(chunk.text) <= 300 for chunk in kb.document(str(path)).chunks)


@pytest.mark.parametrize("other", [FakeEmbedder(dimensions=96), FakeEmbedder(seed=7)])
def test_another_embedder_is_refused_until_all_is_embedded_again(
    tmp_path: Path, other: FakeEmbedder
) -> None:
    texts = [f"{town} keeps a lighthouse and a mill." for town in TOWNS]
    store = tmp_path / "s.clew"
    first = FakeEmbedder()
    with KnowledgeBase.open(store, embedding=first) as kb:
        kb.ingest_documents(texts)
        generation = kb.store.generation
    with KnowledgeBase.open(store, embedding=other) as kb:
        for attempt in (lambda: kb.ingest_text("More."), lambda: kb.search("lighthouse")):
            with pytest.raises(FingerprintMismatchError) as caught:
                attempt()
            message = str(caught.value)
            assert first.fingerprint in message
            assert other.fingerprint in message
            assert "clew reembed" in message
        assert kb.store.generation == generation
        kb.reembed()
        after = [item.to_dict() for item in kb.search("the mill at Norr").items]
        assert kb.check() == []
    with KnowledgeBase.in_memory(embedding=other) as fresh:
        fresh.ingest_documents(texts)
        assert [item.to_dict() for item in fresh.search("the mill at Norr").items] == after
