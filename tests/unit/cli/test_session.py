"""Which setting holds, where the store is, and how it is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew import ConfigError, KnowledgeBase, StoreNotFoundError
from clew.cli.session import Session, store_from_environment
from clew.testing import FakeEmbedder


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLEW_STORE", "CLEW_CHUNK_SIZE"):
        monkeypatch.delenv(name, raising=False)


def test_the_later_source_wins_also_with_the_default_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("chunk_size: 700\nbeam_size: 4\n", encoding="utf-8")
    assert Session(config_file=file).config().chunk_size == 700
    monkeypatch.setenv("CLEW_CHUNK_SIZE", "1000")
    config = Session(config_file=file).config()
    assert (config.chunk_size, config.beam_size) == (1000, 4)
    config = Session(config_file=file, settings=("chunk_size=750", "beam_size=10")).config()
    assert (config.chunk_size, config.beam_size) == (750, 10)
    monkeypatch.setenv("CLEW_CHUNK_SIZE", "750")
    assert Session(settings=("chunk_size=1000",)).config().chunk_size == 1000


def test_settings_are_checked_together_and_may_be_written_like_options() -> None:
    config = Session(settings=("chunk-size=50", "CHUNK_OVERLAP=0")).config()
    assert (config.chunk_size, config.chunk_overlap) == (50, 0)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("chunk_size", "KEY=VALUE"),
        ("chunk_size=abc", "chunk_size='abc' must be a whole number"),
        ("chunk_sise=5", "did you mean 'chunk_size'"),
        ("on_progress=print", "set it in code"),
        ("scope=", "scope must not be empty"),
    ],
)
def test_a_wrong_assignment_is_named_as_it_was_written(setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Session(settings=(setting,)).config()


def test_the_store_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert store_from_environment() == Path("clew.db")
    monkeypatch.setenv("CLEW_STORE", "x.clew")
    assert store_from_environment() == Path("x.clew")


def test_a_store_that_is_missing_is_not_made_by_reading(tmp_path: Path) -> None:
    folder = tmp_path / "none.clew"
    session = Session(store=folder)
    for opening in (session.open, session.open_to_read):
        with pytest.raises(StoreNotFoundError, match="clew ingest PATH"):
            opening()
    assert not folder.exists()


def test_reading_leaves_no_files_behind(tmp_path: Path) -> None:
    path = tmp_path / "s.clew"
    with KnowledgeBase.open(path, embedding=FakeEmbedder()) as kb:
        kb.ingest_text("Varde Light was lit by Oda Krog.", name="a")
    before = sorted(file.name for file in path.rglob("*"))
    with Session(store=path).open_to_read() as kb:
        assert kb.stats()["documents"] == 1
    assert sorted(file.name for file in path.rglob("*")) == before
