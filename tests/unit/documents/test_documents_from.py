"""Strings and mappings → documents; what is wrong is named, the others go on."""

from typing import Any

import pytest

from clew.documents import LoadFailure, RecordFields, documents_from
from clew.errors import DocumentError
from clew.records import Document


def only(item: Any, fields: RecordFields | None = None) -> Document:
    items = list(documents_from(item, fields=fields or RecordFields()))
    assert len(items) == 1
    assert isinstance(items[0], Document)
    return items[0]


def test_a_lone_string_is_one_document() -> None:
    document = only("Tern and Teal are boats.")
    assert document.text == "Tern and Teal are boats."
    assert document.doc_id.startswith("text-")
    assert len(document.doc_id) == len("text-") + 12
    assert document.doc_id == only("Tern and Teal are boats.").doc_id
    assert document.doc_id != only("Tern and Teal are ships.").doc_id


def test_a_mapping_brings_its_name_title_and_metadata() -> None:
    document = only(
        {
            "text": "T.",
            "doc_id": "boats/7",
            "title": "Tern",
            "metadata": {"year": 1911},
            "port": "V",
        }
    )
    assert (document.doc_id, document.title) == ("boats/7", "Tern")
    assert document.metadata == {"year": 1911, "port": "V"}


def test_a_document_passes_through() -> None:
    document = only("Tern.")
    assert only(document) is document


def test_names_of_fields_can_be_chosen() -> None:
    fields = RecordFields(text="log", title="boat", id=("no",), metadata="extra")
    document = only({"log": "T.", "boat": "Tern", "no": 7, "extra": {"a": 1}, "b": 2}, fields)
    assert (document.text, document.title, document.doc_id) == ("T.", "Tern", "7")
    assert document.metadata == {"a": 1}


def test_the_metadata_to_keep_can_be_named() -> None:
    item = {"text": "T.", "a": 1, "b": {"c": 2}, "d": ["x"], "e": 5}
    document = only(item, RecordFields(metadata=("a", "b", "d", "gone")))
    assert document.metadata == {"a": 1, "c": 2, "d": ["x"]}


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"title": "Tern"}, "no field 'text'.*its fields: title"),
        ({"text": 7}, "'text' is of type int, not text: 7"),
        ({"text": None}, "no field 'text'"),
        ({"text": ["a"]}, "'text' is a list"),
        ({"text": "a", "title": {"en": "b"}}, "'title' is a mapping"),
        ({"text": "a", "doc_id": 1.5}, "'doc_id' is of type float"),
        ({"text": "a", "metadata": "b"}, "'metadata' is of type str, not a mapping"),
        (b"bytes", "bytes"),
        (7, "int"),
    ],
)
def test_a_lone_input_that_is_no_document_raises_at_once(item: Any, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        documents_from(item)


def test_in_a_batch_the_others_go_on() -> None:
    items = list(
        documents_from(["One.", {"id": "b", "body_text": "x"}, {"text": "Three."}, 4])  # type: ignore[list-item]
    )
    assert [type(item) for item in items] == [Document, LoadFailure, Document, LoadFailure]
    second, fourth = items[1], items[3]
    assert isinstance(second, LoadFailure)
    assert isinstance(fourth, LoadFailure)
    assert second.doc_id == "b"
    assert "document 2 ('b')" in second.reason
    assert fourth.doc_id == "#4"
    assert "document 4 is of type int" in fourth.reason


def test_the_empty_text_is_a_document() -> None:
    assert only("").text == ""
    assert list(documents_from([])) == []


def test_a_name_may_say_that_a_text_is_markdown() -> None:
    text = "---\nyear: 1911\nport: Varde\n---\n# Tern\n\nA boat.\n"
    document = only({"text": text, "doc_id": "boats/tern.MD", "metadata": {"port": "Skagen"}})
    assert (document.media_type, document.title) == ("text/markdown", "Tern")
    assert document.metadata == {"year": 1911, "port": "Skagen"}
    assert only({"text": "x", "doc_id": "x.rst"}).media_type == "text/x-rst"
    for name in ("notes.txt", "md", "", "a.md/b"):
        assert only({"text": "# no heading", "doc_id": name}).media_type == "text/plain"
