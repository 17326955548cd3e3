"""Faults that systems of this kind have had, tried on the whole: files in, answers out."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from clew import KnowledgeBase, Status
from clew.testing import FakeEmbedder

HOSTILE = [
    'O\'Brien "Bo" {x}',
    "C:\\new\\table",
    "%s %d {0} {{}}",
    "`; DROP TABLE units; --",
    "[[a|b]]",
    "Zoë 👨\u200d👩\u200d👧\u200d👦 Ålund",
    "N" + "a" * 4999,
]


def _kb(tmp_path: Path, **options: object) -> KnowledgeBase:
    return KnowledgeBase.open(tmp_path / "s.clew", embedding=FakeEmbedder())


def test_deleting_one_of_two_documents_leaves_the_shared_entity(tmp_path: Path) -> None:
    with _kb(tmp_path) as kb:
        kb.ingest_text("Norr Bridge was built by Ines Halvorsen in 1931.", name="a")
        kb.ingest_text("Norr Bridge carries the coast road over the river Tveit.", name="b")
        assert "Halvorsen" in kb.ask("Who built Norr Bridge?").answer

        receipt = kb.delete("a")
        assert receipt.doc_ids == ("a",)
        assert receipt.removed["documents"] == 1
        assert receipt.removed["knowledge_units"] == 1
        assert kb.store.entity_names("norr", k=5) == ["Norr Bridge"]
        assert kb.store.entity_names("ines", k=5) == []
        assert kb.search("Halvorsen").items == () or all(
            "Halvorsen" not in item.content for item in kb.search("Halvorsen").items
        )
        assert kb.ask("Who built Norr Bridge?").abstained
        assert not kb.ask("What does Norr Bridge carry?").abstained
        assert kb.check() == []

        again = kb.delete("a")
        assert again.doc_ids == ()
        assert "nothing to delete" in again.note
    everything = b"".join(
        path.read_bytes() for path in (tmp_path / "s.clew").rglob("*") if path.is_file()
    )
    with KnowledgeBase.open(tmp_path / "s.clew", embedding=FakeEmbedder()) as kb:
        kb.export(tmp_path / "all.jsonl")
    assert "Halvorsen" not in (tmp_path / "all.jsonl").read_text(encoding="utf-8")
    assert everything


ENCODED = {
    "utf8.txt": ("utf-8", b""),
    "bom.txt": ("utf-8", b"\xef\xbb\xbf"),
    "utf16.txt": ("utf-16-le", b"\xff\xfe"),
    "cp1252.txt": ("cp1252", b""),
}


def test_encodings_give_the_same_units(tmp_path: Path) -> None:
    text = (
        "The “Café Zürich” was opened by Zoë Müller in 1921. It’s the oldest café in the town, "
        "and the façade was restored by André Lefèvre after the war.\n"
    )
    seen = []
    for name, (encoding, mark) in ENCODED.items():
        path = tmp_path / name
        path.write_bytes(mark + text.encode(encoding))
        with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
            assert kb.ingest(path).counts == {"inserted": 1}
            indexed = kb.document(str(path))
            assert "\ufeff" not in indexed.document.text
            assert kb.check() == []
            seen.append([(unit.text, unit.start, unit.end) for unit in indexed.units])
    assert len(seen[0]) == 2
    assert all(units == seen[0] for units in seen)


def test_japanese_in_shift_jis_reads_as_in_utf8(tmp_path: Path) -> None:
    text = (
        "東京駅は一九一四年に開業した。設計者は辰野金吾である。赤煉瓦の駅舎は今も残っている。\n" * 3
    )
    seen = []
    for encoding in ("utf-8", "shift_jis"):
        path = tmp_path / f"{encoding}.txt"
        path.write_bytes(text.encode(encoding))
        with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
            kb.ingest(path)
            seen.append([unit.text for unit in kb.document(str(path)).units])
    assert len(seen[0]) == 9
    assert seen[0] == seen[1]


def test_a_binary_file_named_txt_is_refused_with_its_path(tmp_path: Path) -> None:
    path = tmp_path / "photo.txt"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        report = kb.ingest(path)
    assert report.documents[0].status is Status.FAILED
    assert str(path) in report.documents[0].reason


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_stored_and_found_as_they_are(tmp_path: Path, name: str) -> None:
    with _kb(tmp_path) as kb:
        kb.ingest_documents(
            [{"text": f"{name} met Ada Quist in Norrby.", "doc_id": name, "title": name}]
        )
        assert [document.doc_id for document in kb.documents()] == [name]
        assert kb.document(name).document.title == name
        found = kb.search(f"Whom did {name} meet in Norrby?")
        assert found.items[0].doc_id == name
        kb.ask(f"Whom did {name} meet?")
        assert kb.check() == []
        assert kb.delete(name).doc_ids == (name,)
        assert kb.stats()["documents"] == 0
        assert kb.stats()["entities"] == 0


def test_nul_is_removed(tmp_path: Path) -> None:
    with _kb(tmp_path) as kb:
        kb.ingest_text("Ada\x00 Quist lives in Norrby.", name="n")
        assert "\x00" not in kb.document("n").document.text
        assert kb.check() == []


DEGENERATE = {
    "spaces": " " * 100_000,
    "heading": "# Alone\n",
    "line": "x" * 300_000,
    "table": "| a | b |\n|---|---|\n" + "".join(f"| r{i} | v{i} |\n" for i in range(400)),
    "lists": "".join(f"{'  ' * depth}- item at depth {depth}\n" for depth in range(12)),
    "newlines": "\n" * 10_000,
    "mixed": "one\r\ntwo\rthree\n\n\x0cfour\u2028five",
}


@pytest.mark.parametrize("kind", DEGENERATE)
def test_degenerate_texts_take_bounded_time_and_keep_their_limits(
    tmp_path: Path, kind: str
) -> None:
    with _kb(tmp_path) as kb:
        report = kb.ingest_documents([{"text": DEGENERATE[kind], "doc_id": kind}])
        if not DEGENERATE[kind].strip():
            assert report.documents[0].status is Status.EMPTY
            assert report.exit_status == 0
            return
        assert report.documents[0].status is Status.INSERTED
        indexed = kb.document(kind)
        assert all(len(chunk.text) <= kb.config.chunk_size for chunk in indexed.chunks)
        covered: set[int] = set()
        for chunk in indexed.chunks:
            covered.update(range(chunk.start, chunk.end))
        text = indexed.document.text
        assert all(at in covered for at, sign in enumerate(text) if not sign.isspace())
        assert kb.check() == []


def test_an_empty_text_is_empty_not_failed(tmp_path: Path) -> None:
    with _kb(tmp_path) as kb:
        report = kb.ingest_documents(["", " \n\t "])
        assert [item.status for item in report.documents] == [Status.EMPTY, Status.EMPTY]


def _ask_once() -> str:
    with KnowledgeBase.in_memory(embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Norr Bridge was built by Ines Halvorsen.", name="a")
        return kb.ask("Who built Norr Bridge?").answer


def test_works_inside_running_event_loops() -> None:
    async def ask() -> str:
        return _ask_once()

    answers = [asyncio.run(ask()) for _ in range(3)]

    def in_thread() -> None:
        answers.append(asyncio.run(ask()))

    before = threading.active_count()
    threads = [threading.Thread(target=in_thread) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["Ines Halvorsen"] * 5
    assert threading.active_count() == before


def test_a_hub_does_not_bury_the_bridge(tmp_path: Path) -> None:
    texts = [
        {
            "text": f"The Company opened an office in Town{number} and hired {number + 3} clerks.",
            "doc_id": f"office-{number}",
        }
        for number in range(300)
    ]
    texts.append({"text": "The Company was bought by Sund Holdings.", "doc_id": "bridge"})
    texts.append({"text": "Sund Holdings was founded by Greta Lind.", "doc_id": "founder"})
    with _kb(tmp_path) as kb:
        kb.ingest_documents(texts)
        found = kb.search("Who founded the firm that bought the Company?", top_n=5)
        assert {"bridge", "founder"} <= {item.doc_id for item in found.items}
