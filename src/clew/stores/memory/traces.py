"""Looking for a text in everything that a graph in memory keeps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from clew.stores.powers import Trace


def find_traces(plain: Any, wanted: Sequence[str], where: str = "") -> Iterator[Trace]:
    """Yield the places in plain data (mappings, lists, texts) that hold one of ``wanted``."""
    if isinstance(plain, dict):
        for key, value in plain.items():
            yield from find_traces(str(key), wanted, f"{where}, a key")
            yield from find_traces(value, wanted, f"{where}.{key}".removeprefix("."))
    elif isinstance(plain, list | tuple):
        for number, value in enumerate(plain):
            yield from find_traces(value, wanted, f"{where}[{number}]")
    elif isinstance(plain, str) and any(form in plain for form in wanted):
        yield Trace(where=where, message="it stands there")
