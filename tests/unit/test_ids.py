"""Ids depend on content alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from clew.ids import chunk_id, content_id, document_id, entity_id, occurrences, unit_id


def test_ids_are_pinned() -> None:
    """A changed id orphans every store out there."""
    assert document_id("default", "a.md") == "d" + content_id("", "default", "a.md")
    assert document_id("default", "a.md") == "d65153cf2c6e36577028ab03c"


def test_scope_document_and_occurrence_tell_records_apart() -> None:
    ids = {
        document_id("default", "a"),
        document_id("other", "a"),
        chunk_id("d1", "text", 0),
        chunk_id("d1", "text", 1),
        chunk_id("d2", "text", 0),
        unit_id("d1", "text", 0),
        entity_id("default", "text"),
        entity_id("other", "text"),
    }
    assert len(ids) == 8


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_different_parts_give_different_ids(left: list[str], right: list[str]) -> None:
    clean = [[part.replace("\x1f", "") for part in parts] for parts in (left, right)]
    same = clean[0] == clean[1] or "\x1f".join(clean[0]) == "\x1f".join(clean[1])
    assert (content_id("x", *clean[0]) == content_id("x", *clean[1])) == same


@given(st.lists(st.sampled_from("abc")))
def test_occurrences_count_equal_texts(texts: list[str]) -> None:
    counted = list(occurrences(texts))
    assert [text for text, _ in counted] == texts
    assert len(set(counted)) == len(texts)
    for place, (text, occurrence) in enumerate(counted):
        assert occurrence == texts[:place].count(text)


def test_lone_surrogates_do_not_break_ids() -> None:
    assert content_id("x", "\ud800") != content_id("x", "?")
