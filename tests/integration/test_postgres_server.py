"""The server that tests start: in a folder that whoever runs it can enter, gone with its owner."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from clew.testing import postgres_server
from clew.testing.postgres_server import PostgresServer, open_folder


def test_its_folder_can_be_entered_though_the_temporary_folder_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(private))
    folder = open_folder("clew-test-")
    folder.rmdir()
    if os.geteuid():
        assert folder.parent == private, "the server is ours"
    else:
        assert all(parent.stat().st_mode & 0o001 for parent in folder.parents)


def test_it_ends_with_its_owner_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody may read the programs in their place: root runs a copy of them then."""
    if os.geteuid() == 0:
        monkeypatch.setattr(postgres_server, "_is_open", lambda _: False)
    folder = open_folder("clew-test-")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as owner:
        url = PostgresServer(folder / "pg").started(owner=owner.pid)
        with psycopg.connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        owner.kill()
        owner.wait()
    while list(folder.iterdir()):
        time.sleep(0.1)
    folder.rmdir()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)
