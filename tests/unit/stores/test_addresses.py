"""Addresses of databases: what is read out of them, and that passwords are never shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from clew.errors import StoreError
from clew.stores import open_store
from clew.stores.addresses import is_url, parse_address, shown

_SECRET = "s3cr#t/@x"
_WRITTEN = "s3cr%23t%2F%40x"


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "POSTGRES"])
def test_a_url_is_a_database(scheme: str) -> None:
    address = parse_address(f"{scheme}://ann:{_WRITTEN}@db.example:5433/notes?schema=team")
    assert address.conninfo == f"postgresql://ann:{_WRITTEN}@db.example:5433/notes"
    assert address.schema == "team"
    assert address.shown == "postgresql://ann:***@db.example:5433/notes?schema=team"
    assert is_url(f"{scheme}://x/y")


def test_other_options_are_for_the_driver() -> None:
    address = parse_address("postgresql:///notes?host=/tmp/sockets&sslmode=require")
    assert address.conninfo == "postgresql:///notes?host=/tmp/sockets&sslmode=require"
    assert address.schema == "clew"


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://ann:{_WRITTEN}@host/notes",
        f"postgresql://ann@host/notes?password={_WRITTEN}",
        f"postgresql://host/notes?sslpassword={_WRITTEN}&user=ann",
    ],
)
def test_a_password_is_never_shown(url: str) -> None:
    address = parse_address(url)
    for text in (address.shown, shown(url), address.without_secrets(f"{url} {_SECRET}")):
        assert _SECRET not in text
        assert _WRITTEN not in text
        assert "***" in text


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://h/d?schema=", "1 to 63 bytes"),
        (f"postgresql://h/d?schema={'x' * 64}", "1 to 63 bytes"),
        ("postgresql://h/d?schema=pg_toast", "belongs to PostgreSQL itself"),
        ("postgresql://h/d?schema=information_schema", "belongs to PostgreSQL itself"),
        ("postgresql://ann:x[y@h/d", "special characters of a password"),
        ("postgresql://h/d?schema", "cannot be read"),
    ],
)
def test_what_cannot_be_an_address(url: str, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        parse_address(url)
    assert "x[y" not in str(caught.value)


@pytest.mark.parametrize("path", ["notes.clew", Path("postgresql:/x"), "C:/notes", "a:b"])
def test_everything_else_is_a_folder(path: str | Path) -> None:
    assert not is_url(path)
    assert shown(path) == str(path)


def test_an_unknown_kind_of_url_makes_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"mysql://….*postgresql://") as caught:
        open_store("mysql://ann:secret@h/d")
    assert "secret" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
