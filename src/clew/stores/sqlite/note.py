"""What was committed last, noted beside the database: a log that lost it is found out.

SQLite reads its log up to the first page that does not match its checksum, and takes that for the
end: a flipped bit loses commits without a word. The generation is noted after each commit, so after
a crash the database is never behind the note unless its log was damaged. The note is not synced: it
may be behind, and then says nothing.
"""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from zlib import crc32

from clew.errors import StoreCorruptError
from clew.stores.sqlite.connections import connect, sqlite_errors
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.seals import RESTORE
from clew.stores.sqlite.statements import statements


class GenerationNote:
    """One line in a small file: a number and its checksum."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, generation: int) -> None:
        """Where there is no room or right for it, the store does without."""
        with suppress(OSError):
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o666)
            try:
                os.pwrite(descriptor, _line(generation), 0)
            finally:
                os.close(descriptor)

    def read(self) -> int:
        """The generation that was committed at least; 0 where nothing is known."""
        try:
            line = self._path.read_bytes()
            generation = int(line.split()[0])
        except (OSError, ValueError, IndexError):
            return 0
        return generation if line == _line(generation) else 0


def _line(generation: int) -> bytes:
    number = f"{generation:020d}"
    return f"{number} {crc32(number.encode()):08x}\n".encode()


def require_whole_log(folder: StoreFolder, timeout_s: float) -> None:
    """Raise :class:`StoreCorruptError` when a commit was lost with a damaged log, before anything
    is changed: a connection that may write would put the rest of the log into the database.
    """
    committed = GenerationNote(folder.note).read()
    with (
        sqlite_errors(folder.database),
        closing(connect(folder.database, read_only=True, timeout_s=timeout_s)) as connection,
    ):
        (generation, *_) = connection.execute(statements("segments")["state"]).fetchone()
    if generation < committed:
        raise StoreCorruptError(
            f"{folder.database}-wal is damaged: generation {committed} was committed, and "
            f"{generation} is what can be read. It was left untouched. {RESTORE}. To go on with "
            f"what can be read, delete {folder.note}"
        )
