"""JSON by its members."""

from __future__ import annotations

import json

import pytest

from clew.chunking import JsonChunker, chunk_by
from clew.chunking.syntax.json_source import json_members
from clew.records import Chunk, Document

BRIDGES = (
    '{"bridges": [{"name": "Norr", "built": 1902, "open": true}, '
    '{"name": "Sund", "built": 1920, "open": null}], "by": {"firm": "Orm Works", "town": "Oslo"}}'
)


def _chunks(text: str, size: int, overlap: int = 0) -> tuple[Chunk, ...]:
    document = Document(id="d", doc_id="d.json", text=text)
    return chunk_by(JsonChunker(max_size=size, overlap=overlap), document)


def test_records_stay_whole_and_say_their_path() -> None:
    chunks = _chunks(BRIDGES, 60)
    assert [(chunk.metadata["json_path"], chunk.text) for chunk in chunks] == [
        ("$", '{"bridges": [{"name": "Norr", "built": 1902, "open": true},'),
        ("$.bridges[1]", '{"name": "Sund", "built": 1920, "open": null}],'),
        ("$.by", '"by": {"firm": "Orm Works", "town": "Oslo"}}'),
    ]


def test_nothing_is_lost() -> None:
    for size in (12, 30, 60, 500):
        together = "".join(chunk.text for chunk in _chunks(BRIDGES, size))
        assert together.replace(" ", "") == BRIDGES.replace(" ", "")
        assert json.loads(BRIDGES) == json.loads(" ".join(c.text for c in _chunks(BRIDGES, 60)))


def test_indented_json() -> None:
    text = json.dumps([{"id": at, "tags": ["old", "stone"]} for at in range(30)], indent=2)
    chunks = _chunks(text, 200)
    assert all(chunk.text.count('"id"') >= 2 for chunk in chunks)
    assert all(chunk.text.startswith(("[", "{")) for chunk in chunks)


def test_values_in_a_row_are_json_lines() -> None:
    text = '{"a": 1, "b": "xx"}\n{"a": 2, "b": "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"}\n{"a": 3}\n'
    chunks = _chunks(text, 60)
    assert [chunk.metadata["json_path"] for chunk in chunks] == ["$[0]", "$[1]"]


def test_brackets_in_texts_do_not_count() -> None:
    text = '{"a": "} ] , \\" {", "b": [1, 2]}'
    members = json_members(text)
    assert members is not None
    assert [members.path(start) for start in members.starts] == [
        "$",
        "$.a",
        "$.b",
        "$.b[0]",
        "$.b[1]",
    ]


def test_key_that_is_no_name_is_quoted_in_the_path() -> None:
    members = json_members('{"two words": 1}')
    assert members is not None
    assert members.path(5) == '$["two words"]'


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "",
        "[1] A note.",
        '{"a": [1}',
        '{"a": "open',
        "{a} b",
        ": {",
        "[1, 2",
        "[[]]]",
        '["' + '\\"' * 90_000,
    ],
)
def test_what_is_no_json_is_cut_as_text(text: str) -> None:
    assert json_members(text) is None
    chunks = _chunks(text, 50)
    assert "".join(chunk.text for chunk in chunks).replace(" ", "") == text.replace(" ", "")
    assert all("json_path" not in chunk.metadata for chunk in chunks)


def test_very_deep_json() -> None:
    text = "[" * 2_000 + "]" * 2_000
    assert max(len(chunk.text) for chunk in _chunks(text, 100)) <= 100
