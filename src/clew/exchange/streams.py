"""Where an export goes and an import comes from: a file, or a pipe."""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from clew.errors import StoreNotFoundError
from clew.exchange.formats import STREAM
from clew.stores.files import atomic_text, named_errors


@contextmanager
def text_target(path: Path) -> Iterator[IO[str]]:
    """A file that is put in place when it is whole; standard output as it comes."""
    if path != STREAM:
        with atomic_text(path) as file:
            yield file
        return
    sys.stdout.flush()
    file = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    try:
        yield file
        file.flush()
    finally:
        file.detach()


@contextmanager
def readable_file(path: Path) -> Iterator[Path]:
    """A file that can be read twice, first to check it: what comes through a pipe is kept in one
    for so long.
    """
    if path != STREAM and not path.exists():
        raise StoreNotFoundError(f"no export at {path}; `clew export {path}` writes one")
    if path.is_file() or path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="clew-import-") as folder, ExitStack() as opened:
        kept = Path(folder, "piped.jsonl")
        with named_errors(path), kept.open("wb") as file:
            pipe = sys.stdin.buffer if path == STREAM else opened.enter_context(path.open("rb"))
            shutil.copyfileobj(pipe, file)
        yield kept
