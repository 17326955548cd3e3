"""What killed processes left beside what counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence

from clew.stores.powers import Leftover, StageState
from clew.stores.sqlite.folder import StoreFolder
from clew.stores.sqlite.statements import statements
from clew.stores.sqlite.vectors import VectorFile, uncounted_bytes

_SQL = statements("rebuilding")


def find_leftovers(
    connection: sqlite3.Connection,
    folder: StoreFolder,
    files: Sequence[VectorFile],
    dimensions: int,
    stage: StageState | None,
) -> Iterator[Leftover]:
    for path, beyond in uncounted_bytes(folder.vectors, files, dimensions):
        yield Leftover(
            where=f"vectors/{path.name}",
            message=f"{beyond:,} bytes of a writer that did not finish",
            remedy="the next commit takes them away; so does `clew doctor --fix`",
            is_erasable=True,
        )
    for path in sorted(folder.path.glob("main.db.new*")):
        yield Leftover(
            where=path.name,
            message="a database that somebody began to make",
            remedy="delete the file while nobody makes a store here",
        )
    documents, replies = connection.execute(_SQL["waiting_replies"]).fetchone()
    if replies:
        yield Leftover(
            where="main.db: replies",
            message=f"{replies:,} replies that were paid for wait for {documents:,} documents that "
            "are not in the store",
            remedy="ingest these again: the replies are used; or `clew delete NAME` drops them",
        )
    if stage is not None:
        yield Leftover(
            where=folder.staging.name,
            message=f"{stage.vectors:,} vectors by {stage.space.fingerprint}: `clew reembed` was "
            "stopped, or is at it",
            remedy="`clew reembed` with that embedder goes on; `clew reembed --discard` drops them",
        )
