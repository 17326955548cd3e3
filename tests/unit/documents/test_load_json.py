"""JSON Lines, JSON lists, lone records, and JSON without texts."""

import json
from pathlib import Path
from typing import Any

from clew.documents import LoadFailure, RecordFields, load_file
from clew.records import Document


def write(path: Path, *records: Any) -> Path:
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def documents(path: Path, **options: Any) -> list[Document]:
    items = list(load_file(path, **options))
    assert all(isinstance(item, Document) for item in items), items
    return [item for item in items if isinstance(item, Document)]


def test_each_line_is_a_document(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        {"id": "t1", "title": "Tern", "text": "A boat.", "year": 1911, "tags": ["x"]},
        {"doc_id": 7, "text": "A ship.", "metadata": {"port": "Varde"}},
        {"text": "A raft."},
        "Just a text.",
    )
    found = documents(path)
    assert [d.doc_id for d in found] == ["t1", "7", f"{path}#3", f"{path}#4"]
    assert [d.text for d in found] == ["A boat.", "A ship.", "A raft.", "Just a text."]
    assert found[0].title == "Tern"
    assert [dict(d.metadata) for d in found] == [{"year": 1911}, {"port": "Varde"}, {}, {}]
    assert {d.source for d in found} == {str(path)}
    assert len({d.source_hash for d in found}) == 1


def test_bad_lines_cost_no_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"text": "One."}\n{"text": "Tw\n\n{"id": "x"}\n[1]\n{"text": 4}\n{"text": "Six."}\n'
    )
    items = list(load_file(path))
    good = [item.text for item in items if isinstance(item, Document)]
    bad = [item for item in items if isinstance(item, LoadFailure)]
    assert good == ["One.", "Six."]
    assert [item.doc_id for item in bad] == [f"{path}#2", "x", f"{path}#5", f"{path}#6"]
    assert all(item.reason.startswith(f"{path}: line ") for item in bad)
    assert "line 2 is no JSON" in bad[0].reason
    assert "no field 'text'" in bad[1].reason


def test_a_second_record_of_the_same_id_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"id": 1, "text": "One."}, {"id": "1", "text": "Two."})
    first, second = load_file(path)
    assert isinstance(first, Document)
    assert isinstance(second, LoadFailure)
    assert "'1'" in second.reason


def test_fields_can_be_named(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl", {"no": "n1", "log": "A boat.", "name": "Tern", "x": {"y": 1}}
    )
    fields = RecordFields(text="log", title="name", id=("no",), metadata="x")
    (document,) = documents(path, fields=fields)
    assert (document.doc_id, document.title, document.text) == ("n1", "Tern", "A boat.")
    assert document.metadata == {"y": 1}


def test_usual_names_of_the_text_are_recognised(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", {"content": "One."}, {"body": "Two."}, {"page_content": "3"})
    assert [d.text for d in documents(path)] == ["One.", "Two.", "3"]


def test_a_list_is_many_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"text": "One.", "id": "a"}, "Two."]), encoding="utf-16")
    assert [(d.doc_id, d.text) for d in documents(path)] == [("a", "One."), (f"{path}#2", "Two.")]


def test_a_lone_record_is_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"text": "One.", "title": "T", "n": 1})
    (document,) = documents(path)
    assert (document.doc_id, document.title, document.metadata) == (str(path), "T", {"n": 1})


def test_lines_under_the_name_of_json_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"text": "One."}, {"text": "Two."})
    assert [d.text for d in documents(path)] == ["One.", "Two."]


def test_json_without_texts_is_an_outline(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", {"boat": {"name": "Tern", "crew": ["Ada", "Bo"]}, "n": 2})
    (document,) = documents(path)
    assert document.text == "boat.name: Tern\nboat.crew: Ada, Bo\n\nn: 2"


def test_scalars_are_kept_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"release": 1.10, "exact": 0.12345678901234567890, "many": 123456789012345678901234567890,'
        ' "far": 1.5e3, "yes": true, "no": false, "none": null, "zero": 0, "empty": "", "mix":'
        ' [1, 2.50, null, "x"]}'
    )
    (document,) = documents(path)
    assert document.text.replace("\n\n", "\n").split("\n") == [
        "release: 1.10", "exact: 0.12345678901234567890", "many: 123456789012345678901234567890",
        "far: 1.5e3", "yes: true", "no: false", "none: null", "zero: 0", "empty:",
        "mix: 1, 2.50, null, x",
    ]  # fmt: skip


def test_half_a_surrogate_pair_can_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "a\\ud83d b\\u0000", "title": "\\udc00"}')
    (document,) = documents(path)
    assert document.text == "a\ufffd b"
    document.title.encode()


def test_each_record_of_a_list_inside_is_a_block(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    members = [{"name": "Ola", "at": {"town": "Varde"}}, {"name": "Kari"}]
    path.write_text(json.dumps({"club": "Aske", "members": members, "years": [1, 2], "debts": []}))
    (found,) = documents(path)
    assert found.text.split("\n\n") == [
        "club: Aske",
        "members.1.name: Ola\nmembers.1.at.town: Varde",
        "members.2.name: Kari",
        "years: 1, 2",
        "debts:",
    ]
    assert len(found.blocks) == 5
