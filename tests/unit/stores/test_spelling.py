"""Which names a store looks at for a misspelt, a partial or an abbreviated one."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from clew.stores.naming import trigrams
from clew.stores.spelling import Clause, abbreviates, holds, spelling_clause
from clew.stores.sqlite import SQLiteStore, layout
from clew.stores.sqlite.connections import connect
from clew.stores.sqlite.statements import migrations
from clew.testing.made_documents import SPACE
from clew.testing.written_documents import written_document


def _meets(clause: Clause, name: str) -> bool:
    grams = trigrams(name)
    return all(any(part <= grams for part in word) for word in clause)


def _is_candidate(typed: str, name: str) -> bool:
    return _meets(spelling_clause(typed), name)


@pytest.mark.parametrize("typed", ["sunniva krog", "sunnvia krag", "suniva krag", "sumniva crag"])
def test_a_slip_in_each_word_leaves_a_candidate(typed: str) -> None:
    assert _is_candidate(typed, "sunniva krag")


def test_long_words_may_have_a_slip_in_each_half() -> None:
    assert _is_candidate("constatninoplle", "constantinople")


@pytest.mark.parametrize("name", ["ada krag", "krag", "sigurd krag", "sunday"])
def test_names_that_share_less_are_not_looked_at(name: str) -> None:
    assert not _is_candidate("sunnvia krog", name)


def test_blanks_may_be_put_elsewhere() -> None:
    assert _is_candidate("heronbridge", "heron bridge")
    assert _is_candidate("heron bridge", "heronbridge")


def test_short_names_are_candidates_for_what_shares_a_trigram() -> None:
    assert _is_candidate("ada", "adam")
    assert _is_candidate("李白", "李白传")
    assert spelling_clause("") == spelling_clause("  ") == ()


def test_words_are_held_whole_and_side_by_side() -> None:
    assert holds("ada of norr bridge", "norr bridge")
    assert holds("ada", "ada")
    assert not holds("bart", "art")
    assert not holds("norr old bridge", "norr bridge")


@pytest.mark.parametrize(
    ("letters", "name", "fits"),
    [
        ("bon", "bank of norr", True),
        ("bn", "bank of norr", True),
        ("bo", "bank of norr", False),
        ("bonn", "bank of norr", False),
        ("", "bank of norr", False),
        ("東芝", "東京 芝浦", True),
    ],
)
def test_first_letters_stand_for_all_words_or_for_those_that_tell(
    letters: str, name: str, *, fits: bool
) -> None:
    assert abbreviates(letters, name) is fits


def test_an_older_store_learns_names_without_accents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "s.clew"
    first, names, *others = migrations()
    seals = "UPDATE entity_keys SET seal = seal(number, key, entity);"
    monkeypatch.setattr(layout, "migrations", lambda: [first, *others, names, seals])
    with monkeypatch.context() as older:
        older.setattr(layout, "migrations", lambda: [first, *others])
        with SQLiteStore.open(path) as store:
            document = written_document("a", ["Łódź is far."], names=["Łódź"])
            store.commit([document], embedding=SPACE)
    with closing(connect(path / "main.db", read_only=False, timeout_s=1.0)) as database:
        (row,) = database.execute("SELECT number FROM entity_keys WHERE key = 'lodz'").fetchone()
        database.execute("DELETE FROM entity_keys WHERE number = ?", (row,))
        database.execute(
            "INSERT INTO entity_trigrams (entity_trigrams, rowid, key) VALUES ('delete', ?, ?)",
            (row, " lodz "),
        )
    with SQLiteStore.open(path) as store:
        assert len(store.find_entities(["lodz"]).targets) == 1
        assert len(store.similar_entities("lodzz", threshold=0.8, k=3).numbers) == 1
        assert list(store.check()) == []
        store.commit(delete=[document.document.id])
        assert len(store.find_entities(["lodz"]).targets) == 0
