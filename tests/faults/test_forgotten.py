"""What was deleted is nowhere: not in a table, not in a file, not in what was freed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, KnowledgeBase
from clew.cli import main
from clew.stores.sqlite import SQLiteStore, segment_table, store
from clew.testing import FakeEmbedder, ScriptedLLM, TellingLLM

WORD = "Quillfeather"
TEXT = (
    f"# {WORD} House\n\n{WORD} House was built by Zebediah {WORD} (ZQ) in 1871. ZQ sold it to the "
    f"Norr Works.\n\nThe roof of {WORD} House is made of copper.\n"
)
OTHERS = {
    f"docs/other-{number}.md": f"# Mill {number}\n\nMill {number} was built by Ada Orm of Norr.\n"
    for number in range(40)
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name, text in {**OTHERS, "docs/secret.md": TEXT}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.fixture
def kb(tmp_path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open("s.clew", llm=TellingLLM(), embedding=FakeEmbedder()) as kb:
        yield kb


def _bytes(folder: str = "s.clew") -> bytes:
    """All bytes of a store, in small letters."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files).lower()


def test_no_byte_of_a_deleted_document_is_left(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    kb.ask(f"Who built {WORD} House?")
    assert WORD.lower().encode() in _bytes()
    assert {trace.where for trace in kb.traces("docs/secret.md")} >= {
        "main.db: documents.doc_id",
        "main.db: usage.document_id",
        "main.db: replies.document_id",
    }
    receipt = kb.delete("docs/secret.md")
    removed = receipt.removed
    assert removed["documents"] == 1
    assert removed["vectors"] == removed["full_text"]
    assert removed["vectors"] == removed["chunks"] + removed["knowledge_units"]
    assert min(removed[key] for key in ("facts", "entities", "mentions", "topics", "replies")) > 0
    assert kb.traces("docs/secret.md") == kb.traces(WORD) == kb.traces("Zebediah") == []
    for left in (WORD, WORD[:-2], "zebediah", "secret.md", "copper"):
        assert left.lower().encode() not in _bytes(), left
    assert kb.check() == []
    assert kb.traces("Ada Orm") != []


def test_no_byte_of_what_an_edit_took_out_is_left(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    Path("docs/secret.md").write_text(TEXT.replace(WORD, "Hawthorn"), encoding="utf-8")
    kb.sync("docs")
    assert WORD.lower().encode() not in _bytes()
    [vectors, *more] = kb.traces(WORD)
    assert vectors.where == "vectors: chunk"
    assert [trace.where for trace in more] == ["vectors: unit"]
    [receipt] = kb.forget("docs/none.md")
    assert (receipt.erased, receipt.remains) == (True, ())
    assert "nothing to delete" in receipt.note
    assert kb.traces(WORD) == []


def test_in_a_large_store_what_a_deletion_leaves_is_told_and_forgotten(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is where rewriting all at every deletion would take too long."""
    monkeypatch.setattr(store, "_QUICKLY_RENEWED", 0)
    monkeypatch.setattr(segment_table, "_ALWAYS_REWRITTEN", 0)
    kb.sync("docs")
    kb.delete("docs/secret.md")
    assert WORD[:-2].lower().encode() in _bytes(), "the words of the full text"
    assert [trace.where for trace in kb.traces(WORD)] == [
        "main.db: segments",
        "vectors: chunk",
        "vectors: unit",
    ]
    [receipt] = kb.forget("docs/secret.md")
    assert receipt.remains == ()
    assert WORD[:-2].lower().encode() not in _bytes()
    assert kb.traces(WORD) == []
    assert kb.check() == []


def test_what_others_still_say_is_found(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    kb.ingest_text(f"Somebody else wrote about {WORD}.", name="docs/copy.md")
    [receipt] = kb.forget("docs/secret.md")
    assert receipt.remains == (), "nothing has its name"
    places = {trace.where for trace in kb.traces(WORD)}
    assert {"main.db: bodies.text", "main.db: units.text", "main.db: chunks.text"} <= places


def test_a_reply_that_waits_for_its_document_is_a_trace(kb: KnowledgeBase) -> None:
    """As a killed run leaves them; in ASCII, as replies are kept."""
    kb.store.keep_reply("k", json.dumps({"text": "Über den Fluß"}), documents=["dnone"])
    assert [trace.where for trace in kb.traces("Fluß")] == ["main.db: replies.reply"]
    assert [trace.where for trace in kb.traces("dnone")] == ["main.db: replies.document_id"]


def test_vectors_of_another_embedder_underway_go_too(kb: KnowledgeBase) -> None:
    kb.sync("docs")

    class Stops(FakeEmbedder):
        def embed_spans(self, texts: Any, spans: Any) -> Any:
            if self.call_count:
                raise KeyboardInterrupt
            return super().embed_spans(texts, spans)

    config = ClewConfig(embedding_batch_size=30, embedding_concurrency=1)
    again = KnowledgeBase(kb.store, embedding=Stops(seed=5), config=config)
    with pytest.raises(KeyboardInterrupt):
        again.reembed()
    staged = again.half_embedded()
    assert staged is not None
    kb.delete("docs")
    left = again.half_embedded()
    assert left is not None
    assert (staged.vectors, left.vectors) == (30, 0)


def test_freed_pages_that_are_not_empty_are_found(kb: KnowledgeBase) -> None:
    kb.sync("docs")
    kb.close()
    with closing(sqlite3.connect("s.clew/main.db")) as careless:
        careless.execute("PRAGMA secure_delete = OFF")
        careless.execute("CREATE TABLE noted (text TEXT)")
        careless.executemany("INSERT INTO noted VALUES (?)", [(f"Xylophon {'x' * 500}",)] * 200)
        careless.commit()
        careless.execute("DROP TABLE noted")
        careless.commit()
    with KnowledgeBase.open("s.clew", embedding=FakeEmbedder()) as kb:
        places = [trace.where for trace in kb.traces("Xylophon")]
        assert places == ["main.db", "main.db: freed pages"]
        kb.forget("docs/none.md")
        assert kb.traces("Xylophon") == []
        assert b"xylophon" not in _bytes()


def test_while_another_reads_the_log_is_a_trace(kb: KnowledgeBase) -> None:
    """The reader has the state before the deletion, and may go on with it."""
    kb.sync("docs")
    with SQLiteStore.open("s.clew") as other, other.reading() as reader:
        assert reader.stats()["documents"] == 41
        kb.delete("docs/secret.md")
        assert kb.traces(WORD) != []
        assert reader.stats()["documents"] == 41
    assert kb.traces(WORD) == []
    assert WORD.lower().encode() not in _bytes()


def test_a_graph_in_memory_forgets_too() -> None:
    with KnowledgeBase.in_memory(llm=TellingLLM(), embedding=FakeEmbedder()) as kb:
        kb.sync("docs")
        assert kb.traces(WORD)[0].where.startswith("documents[")
        [receipt] = kb.forget("docs/secret.md")
        assert receipt.remains == ()
        assert kb.traces(WORD) == kb.traces("docs/secret.md") == []


def _run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--store", "s.clew", "--set", "embedding_model=none"])
    assert stop.value.code == status
    return capsys.readouterr().out


def test_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "ingest", "docs")
    found = json.loads(_run(capsys, "check", "--absent", "docs/secret.md", "--json", status=1))
    assert not found["absent"]
    assert "main.db: documents.doc_id" in {place["where"] for place in found["places"]}
    assert "units.text" in _run(capsys, "check", "--absent", WORD, status=1)
    [told] = json.loads(_run(capsys, "delete", "docs/secret.md", "--json"))["deleted"]
    assert told["removed"]["full_text"] == told["removed"]["chunks"] + 3
    assert "vectors" not in told["removed"]
    gone = json.loads(_run(capsys, "check", "--absent", "docs/secret.md", "--json"))
    assert gone == {"absent": True, "name": "docs/secret.md", "places": []}
    assert "nothing of" in _run(capsys, "check", "--absent", WORD)
    out = _run(capsys, "forget", "docs/other-1.md")
    assert "forgotten docs/other-1.md: 1 documents" in out
    assert "nothing of it is left" in out
    _run(capsys, "ingest", "docs/other-1.md")
    Path("docs/list.md").write_text("# List\n\nSee docs/other-1.md for that.\n")
    _run(capsys, "ingest", "docs/list.md")
    assert "bodies.text" in _run(capsys, "forget", "docs/other-1.md", status=1)


def test_an_answer_that_was_kept_goes_with_what_it_told_of() -> None:
    llm = ScriptedLLM([("passages", json.dumps({"units": []})), (".", f"{WORD} built it [1].")])
    with KnowledgeBase.open("s.clew", embedding=FakeEmbedder()) as kb:
        kb.sync("docs")
    with KnowledgeBase.open("s.clew", llm=llm, embedding=FakeEmbedder()) as kb:
        kb.ask(f"Who built {WORD} House?")
        assert "main.db: replies.reply" in {trace.where for trace in kb.traces(WORD)}
        assert "main.db: usage.question" in {trace.where for trace in kb.traces(WORD)}
        assert kb.delete("docs/secret.md").removed["replies"] > 1, (
            "one reply, kept for each document behind it"
        )
        assert kb.traces(WORD) == []
