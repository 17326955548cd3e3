"""From the command line: names joined and split, facts listed, added and contradicted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clew.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bridge.txt").write_text("Norr Works built the Tarn Bridge.\n")
    Path("founder.txt").write_text("Norr Ltd was founded by Ola Roe.\n")
    Path("mine.jsonl").write_text(
        '{"subject": "Paris", "predicate": "is the capital of", "object": "France"}\n\n'
        '{"subject": "Lyon", "predicate": "is the capital of", "object": "France"}\n'
    )


def _run(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> Any:
    with pytest.raises(SystemExit) as stop:
        main([*arguments, "--json", "--set", "embedding_model=none"])
    assert stop.value.code == status
    return json.loads(capsys.readouterr().out)


def test_names_are_joined_listed_and_set_free(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "ingest", "bridge.txt", "founder.txt")
    told = _run(capsys, "entities", "--join", "Norr Ltd", "--into", "Norr Works")
    (decision,) = told["decisions"]
    assert (decision["name"], decision["read_as"], decision["documents"]) == (
        "Norr Ltd",
        "Norr Works",
        1,
    )
    listed = {one["name"]: one for one in _run(capsys, "entities", "Norr")["entities"]}
    assert listed["Norr Works"]["aliases"] == ["Norr Ltd"]
    assert listed["Norr Works"]["chunks"] == 2
    (line,) = _run(capsys, "entities", "--merges")["merges"]
    assert (line["id"], line["document"], line["reason"]) == (decision["id"], "all", "by hand")
    _run(capsys, "entities", "--undo", decision["id"])
    assert _run(capsys, "entities", "--merges")["merges"] == []
    assert "Norr Ltd" in {one["name"] for one in _run(capsys, "entities", "Norr")["entities"]}


def test_a_name_is_split(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "ingest", "bridge.txt", "founder.txt")
    arguments = ("--split", "Ola Roe", "--into", "Ola Roe (founder)", "--in", "founder.txt")
    (decision,) = _run(capsys, "entities", *arguments)["decisions"]
    assert decision["read_as"] == "Ola Roe (founder)"
    (entity,) = _run(capsys, "entities", "Ola")["entities"]
    assert entity["name"] == "Ola Roe (founder)"


def test_facts_are_added_listed_and_contradict(capsys: pytest.CaptureFixture[str]) -> None:
    report = _run(capsys, "facts", "--add", "mine.jsonl")
    assert report["documents"][0]["facts"] == 2
    (first, second) = _run(capsys, "facts", "France")["facts"]
    assert (first["subject"], second["subject"]) == ("Paris", "Lyon")
    assert first["doc_id"] == "mine.jsonl"
    assert first["kind"] == "relation"
    (found,) = _run(capsys, "facts", "--contradictions")["contradictions"]
    assert found["about"] == "France"
    assert [fact["subject"] for fact in found["facts"]] == ["Paris", "Lyon"]
    assert _run(capsys, "facts", "--predicate", "capital of", "--most", "1")["facts"] == [first]


def test_a_list_of_facts_tells_what_is_not_plainly_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    Path("may.json").write_text(
        '[{"subject": "Norr", "predicate": "may sell", "object": "Tarn", "negated": true,'
        ' "condition": "if it snows", "speech_act": "question", "quantifier": "all"}]'
    )
    _run(capsys, "facts", "--add", "may.json")
    with pytest.raises(SystemExit):
        main(["facts", "--set", "embedding_model=none"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "not: sell (question; may; all; if it snows)" in shown


_FIRST = {"subject": "Paris", "predicate": "capital of", "object": "France"}
_SECOND = ["Lyon", "capital of", "France\u2028"]


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        (json.dumps([_FIRST, _SECOND]), ["Paris", "Lyon"]),
        (json.dumps([_FIRST, _FIRST | {"subject": "Lyon"}], indent=2), ["Paris", "Lyon"]),
        (json.dumps(_FIRST, indent=2), ["Paris"]),
        (json.dumps(_SECOND, ensure_ascii=False), ["Lyon"]),
        (
            json.dumps(_FIRST) + "\r\n\n" + json.dumps(_SECOND, ensure_ascii=False),
            ["Paris", "Lyon"],
        ),
    ],
    ids=["one line", "many lines", "one fact", "one triple", "lines"],
)
def test_facts_are_read_from_lines_and_lists(
    capsys: pytest.CaptureFixture[str], text: str, subjects: list[str]
) -> None:
    Path("mine.json").write_text(text, encoding="utf-8")
    _run(capsys, "facts", "--add", "mine.json")
    found = _run(capsys, "facts", "France")["facts"]
    assert [fact["subject"] for fact in found] == subjects
    assert {fact["object"] for fact in found} == {"France"}


def test_tables_show_what_programs_get(capsys: pytest.CaptureFixture[str]) -> None:
    _run(capsys, "facts", "--add", "mine.jsonl")
    for arguments in (["facts"], ["facts", "--contradictions"]):
        with pytest.raises(SystemExit):
            main(arguments)
        shown = capsys.readouterr().out
        assert "Lyon" in shown
        assert "mine.jsonl" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--join", "Norr Ltd"), "--into"),
        (("--join", "a", "--split", "b", "--into", "c"), "one thing at a time"),
        (("--undo", "x", "--merges"), "one thing at a time"),
    ],
)
def test_options_that_do_not_go_together(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    _run(capsys, "ingest", "bridge.txt")
    assert said in _run(capsys, "entities", *arguments, status=2)["error"]["message"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "mine.jsonl: line 1 is no JSON"),
        ("[" * 100_000, "mine.jsonl: line 1 is no JSON"),
        ("[1]", "mine.jsonl: fact 1: 1 is neither a mapping nor a triple"),
        ("[]", "mine.jsonl: no facts"),
        ('{"subject": "a"}', "mine.jsonl: fact 1: predicate is missing"),
        ("", "mine.jsonl: no facts"),
    ],
)
def test_a_file_of_facts_that_holds_none(
    capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    Path("mine.jsonl").write_text(text)
    error = _run(capsys, "facts", "--add", "mine.jsonl", status=1)["error"]
    assert said in error["message"]


def test_what_breaks_the_ontology_is_shown_to_people(capsys: pytest.CaptureFixture[str]) -> None:
    Path("company.yaml").write_text("predicates: {acquired: }\nclosed: true\n")
    Path("mine.jsonl").write_text('["Norr Works", "painted", "Tarn Ltd"]')
    with pytest.raises(SystemExit) as ended:
        main(["facts", "--add", "mine.jsonl", "--set", "ontology=company.yaml"])
    assert ended.value.code == 0
    said = capsys.readouterr().out
    assert "breaks the ontology" in said
    assert "painted" in said
    assert "sentences" not in said
