"""What users of a runtime of facts, references and one call for an answer do, with clew's names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from clew import ClewConfig, DocumentError, KnowledgeBase
from clew.models.base import Message
from clew.testing import FakeEmbedder, TellingLLM
from clew.testing.scripted_server import Reply, Request, ScriptedServer
from clew.testing.wires.openai import OpenAIWire

TEXT = "Ines Falk directed Salt Tide. Salt Tide was filmed in Arlo and Sundby."
QUESTION = "Who directed Salt Tide?"
WIRE = OpenAIWire()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    file = tmp_path / "notes.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


def _kb(**settings: Any) -> KnowledgeBase:
    config = ClewConfig(**settings)
    return KnowledgeBase.in_memory(embedding=FakeEmbedder(), config=config)


# --- in Python ----------------------------------------------------------------------------------


def test_a_text_is_ingested_and_asked() -> None:
    kb = _kb(quality_mode="balanced")
    kb.ingest_text(TEXT)
    answer = kb.ask("Where was the film directed by Ines Falk filmed?")
    assert "Arlo" in answer.answer
    assert [source.title for source in answer.sources] == [""]
    assert not answer.has_contradictions
    assert answer.to_dict()["answer"] == answer.answer


def test_a_file_and_a_mode_for_each_call(notes: Path) -> None:
    kb = _kb(quality_mode="balanced")
    report = kb.ingest_file(notes, quality_mode="cheap")
    assert report.counts == {"inserted": 1}
    assert kb.ask(QUESTION, quality_mode="quality").answer == "Ines Falk"
    with pytest.raises(DocumentError, match="no file"):
        kb.ingest_file(notes.parent)


def test_source_text_is_given_where_it_is_wanted(notes: Path) -> None:
    kb = _kb()
    kb.ingest_file(notes)
    assert [source.text for source in kb.ask(QUESTION).sources] == [""]
    whole = kb.ask(QUESTION, include_source_text=True, max_source_chars=1200)
    assert [source.text for source in whole.sources] == [TEXT]
    short = kb.ask(QUESTION, include_source_text=True, max_source_chars=40)
    assert len(short.sources[0].text) == 40
    assert short.sources[0].text in TEXT


def test_the_facts_of_an_answer_and_what_contradicts_them() -> None:
    kb = _kb()
    kb.add_facts([("Salt Tide", "directed by", "Ines Falk")], name="a")
    kb.add_facts([("Salt Tide", "directed by", "Otto Brand")], name="b")
    assert {fact.object for fact in kb.facts("Salt Tide")} == {"Ines Falk", "Otto Brand"}
    assert kb.ask(QUESTION).facts


def test_save_load_and_stats(notes: Path, tmp_path: Path) -> None:
    kb = _kb()
    kb.ingest_file(notes)
    assert kb.save(tmp_path / "graph.jsonl") == 1
    loaded = KnowledgeBase.load(tmp_path / "graph.jsonl", embedding=FakeEmbedder())
    assert loaded.stats() == kb.stats()
    assert loaded.stats()["documents"] == 1
    assert loaded.ask(QUESTION).answer == "Ines Falk"


def test_without_a_model_for_vectors_words_will_do() -> None:
    kb = KnowledgeBase.in_memory(config=ClewConfig(embedding_model="none"))
    kb.ingest_text(TEXT)
    assert kb.ask(QUESTION).answer == "Ines Falk"


# --- on the command line ------------------------------------------------------------------------


def clew(*arguments: str, cwd: Path, stdin: str = "", **environment: str) -> Any:
    inherited = {name: value for name, value in os.environ.items() if "_API_KEY" not in name}
    own = {"NO_COLOR": "1", "CLEW_EMBEDDING_MODEL": "none", "CLEW_CACHE_DIR": str(cwd)}
    return subprocess.run(
        [sys.executable, "-m", "clew", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        input=stdin,
        env={**inherited, **own, **environment},
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(notes: Path) -> Path:
    for mode in ([], ["--quality-mode", "cheap"]):
        done = clew("ingest", "notes.txt", "--store", "graph", *mode, cwd=notes.parent)
        assert done.returncode == 0, done.stderr
    return notes.parent


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", QUESTION, "--store", "graph"],
        ["ask", QUESTION, "--store", "graph", "--quality-mode", "quality"],
        ["ask", QUESTION, "--store", "graph", "--include-source-text"],
        ["--store", "graph", "--quality-mode", "balanced", "ask", QUESTION],
        ["--include-source-text", "--max-source-chars", "20", "ask", QUESTION, "--store=graph"],
    ],
)
def test_asking(folder: Path, arguments: list[str]) -> None:
    done = clew(*arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["answer"] == "Ines Falk"
    (source,) = answer["sources"]
    if "--max-source-chars" in arguments:
        assert len(source["text"]) == 20
    else:
        assert source["text"] == (TEXT if "--include-source-text" in arguments else "")


@pytest.mark.parametrize("before", [True, False])
def test_stats_take_options_anywhere(folder: Path, before: bool) -> None:
    options = ["--store", "graph", "--quality-mode", "balanced", "--json"]
    done = clew(*([*options, "stats"] if before else ["stats", *options]), cwd=folder)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["documents"] == 1


def test_interactive_from_a_pipe(folder: Path) -> None:
    arguments = ["interactive", "--store", "graph", "--include-source-text"]
    done = clew(*arguments, stdin=f"{QUESTION}\n/sources\nand where was it filmed?\n", cwd=folder)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Ines Falk"
    assert "read as: and where was Salt Tide filmed?" in lines
    assert TEXT in lines


def test_a_wrong_mode_is_wrong_usage(folder: Path) -> None:
    done = clew("--quality-mode", "lavish", "stats", "--store", "graph", cwd=folder)
    assert done.returncode == 2
    assert "quality_mode" in done.stderr
    assert "cheap" in done.stderr


# --- with a model, from the environment ---------------------------------------------------------


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    telling = TellingLLM()

    def answer(request: Request) -> Reply:
        prompt = Message(role="user", content=WIRE.asked(request).user)
        if "<piece" in prompt.content:
            return WIRE.streamed(["Ines Falk\n\n", "Ines Falk directed Salt Tide [1]."])
        return WIRE.reply(telling.complete([prompt]).text)

    with ScriptedServer() as server:
        server.script(answer)
        yield server


def test_replies_are_kept_where_the_environment_says_so(
    notes: Path, server: ScriptedServer
) -> None:
    model = {"CLEW_LLM_MODEL": f"openai:small-1@{server.url}/v1", "CLEW_LLM_KEY": "k"}
    done = clew("ingest", "notes.txt", "--store", "kept", cwd=notes.parent, **model)
    assert done.returncode == 0, done.stderr
    calls = [len(server.requests)]
    for cache in ("true", "true", "false"):
        kept = {"CLEW_STORE": "kept", "CLEW_LLM_CACHE": cache, **model}
        done = clew("ask", QUESTION, cwd=notes.parent, **kept)
        assert done.returncode == 0, done.stderr
        calls.append(len(server.requests))
    assert calls[0] >= 1
    assert calls[1:] == [calls[0] + 1, calls[0] + 1, calls[0] + 2]
