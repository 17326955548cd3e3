"""The folder of a store: what is in it, and whether SQLite may work there at all.

::

    notes.clew/
      main.db      (with -wal and -shm beside it) the one source of truth
      main.db-note the generation that was committed last
      vectors/     float32 rows; main.db says how many of them count; beside many rows their signs
      lock         held by whoever writes; the system frees it when the process dies
      claims       bytes locked by who asks a model something, so that no other process asks it too
      staging.db   vectors of another embedder on their way, while ``clew reembed`` is at it
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from time import sleep

from clew.errors import (
    NotAStoreError,
    ReadOnlyStoreError,
    StoreCorruptError,
    StoreError,
    StoreNotFoundError,
    StoreVersionError,
)
from clew.stores.files import named_errors
from clew.stores.sqlite.seals import RESTORE

APPLICATION_ID = 0x636C6577  # "clew"

MOUNTS = Path("/proc/mounts")

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_FORMATS = frozenset((1, 2))
"""Of bytes 18 and 19: SQLite only reads a database, or does not, when they are others."""

_WAITS_S = (0.02, 0.05, 0.1)
_NETWORK_FILE_SYSTEMS = frozenset(
    "nfs nfs3 nfs4 cifs smb smb2 smb3 smbfs ncpfs afs afpfs webdav ceph lustre gpfs beegfs davfs "
    "davfs2 glusterfs 9p vboxsf prl_fs vmhgfs".split()
)
_NETWORK_FUSE = frozenset(
    "sshfs glusterfs ceph s3fs gcsfuse rclone davfs davfs2 blobfuse blobfuse2 goofys curlftpfs "
    "smbnetfs mount-s3 juicefs seaweedfs moosefs lizardfs mfs gvfsd-fuse vmhgfs-fuse osxfs "
    "grpcfuse".split()
)


class StoreFolder:
    """Paths inside a store."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.database = self.path / "main.db"
        self.vectors = self.path / "vectors"
        self.lock = self.path / "lock"
        self.note = self.path / "main.db-note"
        self.staging = self.path / "staging.db"
        self.claims = self.path / "claims"

    def holds_database(self) -> bool:
        return self.database.is_file() and (self.database.stat().st_size > 0 or self.has_log())

    def prepare(self, *, create: bool, network: bool = False) -> None:
        """Make the folder, or raise when something else is there. Changes nothing of others.
        ``network``: let it lie on a network file system all the same.
        """
        path = self.path
        if not network:
            refuse_network(path)
        if not path.exists():
            if not create:
                raise StoreNotFoundError(
                    f"no store at {path}. Create one with `clew ingest --store {path} …`, "
                    "or check the path"
                )
            with named_errors(path):
                self.vectors.mkdir(parents=True, exist_ok=True)
            return
        if not path.is_dir():
            raise NotAStoreError(
                f"{path} is a file, and a store is a folder; it was left untouched. "
                "An export is read with `clew import`"
            )
        with named_errors(path):
            strangers = sorted(item.name for item in path.iterdir() if not self._owns(item.name))
            if self.holds_database():
                return
            if strangers or self._has_vectors():
                self._refuse(strangers)
        if not create:
            raise StoreNotFoundError(f"{path} is an empty folder, no store")
        if not _can_write(path):
            raise ReadOnlyStoreError(f"{path}: no store there, and the folder cannot be written")
        with named_errors(path):
            self.vectors.mkdir(exist_ok=True)

    def is_frozen(self) -> bool:
        """Nobody of our rights can write here, and nothing waits in the log."""
        return not self.is_writable() and not self.has_log()

    def is_writable(self) -> bool:
        return _can_write(self.path)

    def require_writable(self) -> None:
        """Raise :class:`ReadOnlyStoreError` unless all of the store can be written."""
        if _can_write(self.path):
            with named_errors(self.vectors):
                self.vectors.mkdir(exist_ok=True)
        for path in (self.path, self.database, self.vectors):
            if not _can_write(path):
                raise ReadOnlyStoreError(
                    f"{path} cannot be written. Change its permissions, or open the store with "
                    "read_only=True"
                )

    def _refuse(self, strangers: list[str]) -> None:
        if self._has_vectors() or self.database.exists():
            raise StoreCorruptError(
                f"{self.database} is missing or empty, and {self.vectors} holds vectors: the store "
                "is damaged. Nothing was changed; restore main.db from a backup, or delete the "
                "folder and ingest again"
            )
        raise NotAStoreError(
            f"{self.path} is a folder with other things in it ({', '.join(strangers[:3])}), no "
            "store; it was left untouched. Choose a folder that is empty or does not exist"
        )

    def _owns(self, name: str) -> bool:
        return name in {"vectors", "lock"} or name.startswith(("main.db", "staging."))

    def has_log(self) -> bool:
        """Are there commits that may not be in ``main.db`` itself yet?"""
        wal = self.path / "main.db-wal"
        return wal.is_file() and wal.stat().st_size > 0

    def _has_vectors(self) -> bool:
        return self.vectors.is_dir() and any(self.vectors.iterdir())

    def require_readable_header(self, newest_version: int) -> None:
        """Look at ``main.db`` without SQLite, which would change files beside it.

        What looks torn is looked at again: another process may be moving its log into it.
        """
        for wait_s in _WAITS_S:
            try:
                self._require_header(newest_version)
            except StoreCorruptError:
                sleep(wait_s)
            else:
                return
        self._require_header(newest_version)

    def _require_header(self, newest_version: int) -> None:
        with named_errors(self.database):
            with self.database.open("rb") as file:
                header = file.read(_HEADER_BYTES)
            size = self.database.stat().st_size
        if header.startswith(_MAGIC) and not _FORMATS.issuperset(header[18:20]):
            raise self._damaged_head()
        if self.has_log():
            return
        if _is_nearly(header[: len(_MAGIC)], _MAGIC):
            raise self._damaged_head()
        if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
            if _MAGIC.startswith(header[: len(_MAGIC)]) or header.startswith(_MAGIC):
                raise self._truncated(f"{size} bytes")
            raise NotAStoreError(f"{self.database} is no database; it was left untouched")
        (version,) = struct.unpack(">I", header[60:64])
        (application,) = struct.unpack(">I", header[68:72])
        require_ours(self.database, application, version, newest_version)
        (page_size,) = struct.unpack(">H", header[16:18])
        (pages,) = struct.unpack(">I", header[28:32])
        page_size = 1 << 16 if page_size == 1 else page_size
        if header[24:28] == header[92:96] and size < pages * page_size:
            raise self._truncated(f"{size} of {pages * page_size} bytes")

    def _damaged_head(self) -> StoreCorruptError:
        return StoreCorruptError(f"{self.database}: its first bytes are damaged. {RESTORE}")

    def _truncated(self, found: str) -> StoreCorruptError:
        return StoreCorruptError(
            f"{self.database} was truncated ({found} are there); it was left untouched. {RESTORE}"
        )


def _can_write(path: Path) -> bool:
    effective = os.access in os.supports_effective_ids
    return os.access(path, os.W_OK, effective_ids=effective)


def require_ours(path: Path, application: int, version: int, newest_version: int) -> None:
    ours = APPLICATION_ID.to_bytes(4, "big")
    if _is_nearly(application.to_bytes(4, "big", signed=application < 0), ours):
        raise StoreCorruptError(f"{path}: the mark of clew in it is damaged. {RESTORE}")
    if application != APPLICATION_ID:
        raise NotAStoreError(f"{path} is a database of another program; it was left untouched")
    if version > newest_version:
        raise StoreVersionError(
            f"{path} was written by a newer clew (layout {version}; this one knows up to "
            f"{newest_version}); it was left untouched. Upgrade clew: pip install --upgrade clew"
        )


def _is_nearly(found: bytes, expected: bytes) -> bool:
    """Is one byte another? A file of something else differs in more."""
    differing = sum(one != other for one, other in zip(found, expected, strict=False))
    return len(found) == len(expected) and differing == 1


def refuse_network(path: Path, mounts: Path | None = None) -> None:
    """Raise :class:`StoreError` when ``path`` lies on a network file system: SQLite's write-ahead
    log needs memory that is shared between processes, and locks that hold.
    """
    mounts = mounts or MOUNTS
    if not mounts.is_file():
        return
    resolved = path.resolve()
    best, kind = -1, ""
    for line in mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        place = Path(fields[1].encode().decode("unicode_escape", "replace"))
        if (resolved == place or place in resolved.parents) and len(place.parts) >= best:
            best, kind = len(place.parts), fields[2]
    if kind == "9p" and best <= 1:  # the root of a sandbox, which is its own host
        return
    name = kind.removeprefix("fuse.")
    if kind in _NETWORK_FILE_SYSTEMS or (kind.startswith("fuse.") and name in _NETWORK_FUSE):
        raise StoreError(
            f"{path} lies on a network file system ({kind}), where SQLite's locks do not hold. "
            "Put the store on a local disk, or use the PostgreSQL store for several hosts. With "
            "network_file_system=true it is opened all the same: then a second process that opens "
            "it, on this host or another, can damage it"
        )
